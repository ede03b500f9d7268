"""What an Estimate says: the value with its interval, the word a named rule has for it, and whom it favours."""

from __future__ import annotations

import math

from nofluke.inference.effects.interpret import RULES
from nofluke.registry import EFFECTS
from nofluke.types import Answer, Estimate
from nofluke.words.computed import interval_line, interval_method
from nofluke.words.numbers import figure, interval_text, level_text, scale_of
from nofluke.words.test_result import answer_notes


def answer(result: Estimate) -> Answer:
    """One sentence, which side is whose, and what has to be known beside it."""
    meaning = side_sentence(result)
    points = (("Meaning", meaning),) if meaning and not math.isnan(result.value) else ()
    return Answer(verdict=headline(result), points=points, notes=answer_notes(result.notes))


def headline(result: Estimate) -> str:
    """The value with its interval, rounded to the digits that matter."""
    label = label_of(result)
    if math.isnan(result.value):
        return f"{label[:1].upper()}{label[1:]} of {' and '.join(result.systems)} is undefined here."
    return f"{label[:1].upper()}{label[1:]} of {' and '.join(result.systems)}: {value_text(result)}."


def value_text(result: Estimate) -> str:
    """The value, its interval and the word for its size."""
    scale = scale_of(result)
    interval = "" if result.interval is None else f" ({interval_text(result.interval, scale)})"
    word = f", {result.magnitude} by the rule {result.rule}" if result.magnitude else ""
    return f"{figure(result.value, scale)}{interval}{word}"


def label_of(result: Estimate) -> str:
    """Name the effect size."""
    return EFFECTS[result.name].label if result.name in EFFECTS else result.name.replace("_", " ")


def rule_text(result: Estimate) -> str:
    """The rule of thumb that gave the word, with its source."""
    return f"{result.rule} ({RULES[result.rule].cite})" if result.rule in RULES else result.rule


def side_sentence(result: Estimate) -> str:
    """Say which values favour whom; "" for what is no effect size of two systems."""
    if result.name not in EFFECTS:
        return ""
    a, b = result.systems
    null = f"{float(EFFECTS[result.name].facts['null']):g}"
    return f"Values above {null} favour {a}, values below {null} favour {b}."


def short(result: Estimate, items: str) -> str:
    """The half line for a paper; `items` is "n = 400" or ""."""
    return f"{label_of(result)} = {_with_method(result)}" + (f", {items}." if items else ".")


def long(result: Estimate, n: int | None) -> str:
    """The sentence for a paper."""
    size = f"; {result.magnitude} by {rule_text(result)}" if result.magnitude else ""
    items = "" if n is None else f", from {n:,} items"
    told = f"As an effect size we report {label_of(result)} = {_with_method(result)}{items}{size}."
    return " ".join(part for part in (told, side_sentence(result)) if part)


def _with_method(result: Estimate) -> str:
    value = figure(result.value, scale_of(result))
    return value if result.interval is None else f"{value}, {interval_line(result.interval, scale_of(result))}"


def caption(result: Estimate, items: str) -> str:
    """The caption of the table."""
    label, interval = label_of(result), result.interval
    how = f" with its {level_text(interval.level)} CI ({interval_method(interval)})" if interval is not None else ""
    return f"{label[:1].upper()}{label[1:]}{how}" + (f"; {items}." if items else ".")
