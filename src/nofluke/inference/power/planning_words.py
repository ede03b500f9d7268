"""What a plan says, in sentences that can be read aloud."""

from __future__ import annotations

import math
from typing import Any

from nofluke import __version__
from nofluke.inference.power.terms import Plan
from nofluke.inference.wording import figure


def of_hundred(power: float) -> str:
    """Say a power as a number of test sets; never 100, which nobody can promise.

    >>> of_hundred(0.8), of_hundred(0.5444), of_hundred(0.99996)
    ('80 of 100', '54.4 of 100', 'more than 99.9 of 100')
    """
    percent = power * 100
    if percent > 99.9:
        return "more than 99.9 of 100"
    if percent < 0.1:
        return "fewer than 0.1 of 100"
    return f"{percent:.0f} of 100" if abs(percent - round(percent)) < 0.05 else f"{percent:.1f} of 100"


def share(value: float) -> str:
    """Print a share as a percentage."""
    return f"{value * 100:.4g}%"


def how(plan: Plan) -> str:
    """Name the test with its sides and level, in brackets."""
    sides = {"two-sided": "two-sided", "greater": "one-sided for A", "less": "one-sided for B"}[plan.alternative]
    return f"({plan.design.label}, {sides}, alpha = {plan.level:.6g})"


def effect_in_words(plan: Plan) -> str:
    """Say what is to be found."""
    effect = plan.effect
    if plan.terms.margin is not None:
        remarks = "; ".join(part for part in (f"true difference {effect.difference:g}", _disagreement(plan)) if part)
        return f"that A is not worse than B by more than {plan.terms.margin:g} ({remarks})"
    if plan.unit == "untied items":
        return f"that A is better on {share((1 + effect.difference) / 2)} of the items on which the systems differ"
    what = "a true difference in accuracy" if plan.design.kind == "binary" else "a true difference"
    return f"{what} of {effect.difference:.6g}{_bracketed(plan)}"


def _disagreement(plan: Plan) -> str:
    if plan.design.kind != "binary" or plan.unit == "untied items":
        return ""
    return f"the systems disagree on {share(plan.effect.disagreement)} of the items"


def _bracketed(plan: Plan) -> str:
    text = _disagreement(plan)
    return f" ({text})" if text else ""


def size_headline(plan: Plan, size: int, target: float) -> str:
    """Say how many items are needed."""
    verb = "show" if plan.terms.margin is not None or plan.unit == "untied items" else "find"
    unit = plan.unit if size != 1 else plan.unit.replace("items", "item")
    where = f"in {of_hundred(target)} such test sets"
    return f"{size:,} {unit} are needed to {verb} {effect_in_words(plan)} {where} {how(plan)}."


def power_headline(plan: Plan, size: int, power: float) -> str:
    """Say how often it would be found."""
    verb = "shown" if plan.terms.margin is not None or plan.unit == "untied items" else "found"
    if plan.effect.shift == 0:
        return (
            f"If there is no difference, {size:,} {plan.unit} show one all the same in {of_hundred(power)} such test "
            f"sets {how(plan)}: that is the error rate, not power."
        )
    where = f"in {of_hundred(power)} such test sets"
    return f"With {size:,} {plan.unit}, {effect_in_words(plan)} would be {verb} {where} {how(plan)}."


def detectable_headline(plan: Plan, size: int, target: float, found: float, threshold: float, error: float) -> str:
    """Say what could be found."""
    where = f"in {of_hundred(target)} such test sets"
    if math.isnan(found):
        return f"With {size:,} {plan.unit} no difference at all would be found {where} {how(plan)}."
    start = f"With {size:,} {plan.unit}"
    begins = "" if math.isnan(threshold) else f"; significance begins near {threshold:.3g}"
    if plan.terms.margin is not None:
        return (
            f"{start}, that A is not worse than B by more than {plan.terms.margin:g} would be shown {where} "
            f"if the true difference is {figure(found, error)} or higher {how(plan)}."
        )
    if plan.unit == "untied items":
        return (
            f"{start}, A would have to be truly better on {share((1 + found) / 2)} of the items on which the systems "
            f"differ to be found better in {of_hundred(target)} such test sets {how(plan)}."
        )
    return (
        f"{start}, a true difference of {found:.3g}{_bracketed(plan)} would be found in {of_hundred(target)} such "
        f"test sets {how(plan)}{begins}."
    )


def size_sentences(plan: Plan, power: float, half: int | None) -> tuple[str, ...]:
    """Say what that number of items brings, and what half the difference would cost."""
    lasting = (
        " From there on it stays above the target (that of an exact test goes up and down)."
        if plan.design.sawtooth
        else ""
    )
    sentences = [f"The power with so many {plan.unit} is {power:.4f}.{lasting}"]
    if half is not None:
        sentences.append(f"Half that difference would need {half:,} {plan.unit}.")
    return tuple(sentences)


def sentences_of(plan: Plan) -> tuple[str, ...]:
    """Say what adjustment and clusters do to the plan."""
    terms, sentences = plan.terms, []
    if terms.tests > 1:
        name = "Holm's" if terms.adjust == "holm" else "Bonferroni's"
        guarantee = "at least this power" if terms.adjust == "holm" else "this power"
        sentences.append(
            f"Planned for {terms.tests:,} tests under {name} correction: each is planned at alpha / {terms.tests:,} = "
            f"{plan.level:.4g}. Guaranteed is that every single difference of this size is found with {guarantee}, "
            "whatever the other tests show; it is not the chance of finding all of them."
        )
    if terms.design_effect != 1:
        sentences.append(
            f"Items come in clusters with a design effect of {terms.design_effect:g}: so many items say "
            "as much as one independent item. The test must keep clusters together."
        )
    return tuple(sentences)


def assumptions_of(plan: Plan) -> tuple[str, ...]:
    """Spell out what has to hold."""
    effect = plan.effect
    stated = [plan.design.assumption]
    if plan.design.kind == "pairs":
        stated.append(
            f"the standard deviation of the differences A - B of items is {effect.sd:.6g} (not that of the scores)"
            "; 10% more would need 21% more items"
        )
    elif plan.design.kind == "groups":
        same = effect.sd == effect.sd_b
        spreads = f"{effect.sd:.6g} for both systems" if same else f"{effect.sd:.6g} for A and {effect.sd_b:.6g} for B"
        stated.append(f"the standard deviation of the scores is {spreads}; both systems get equally many items")
    elif plan.unit != "untied items":
        stated.append(
            f"only A is right on {share(effect.p10)} of the items, only B on {share(effect.p01)}; power depends on both"
        )
    if plan.terms.margin is not None:
        stated.append(f"the margin of {plan.terms.margin:g} is fixed before the data are seen")
    stated.append("the number of items is fixed beforehand; adding items after a look needs a new or a sequential test")
    return tuple(stated)


def notes_of(plan: Plan, size: int) -> tuple[str, ...]:
    """Warn where the formula is stretched."""
    notes = []
    if plan.design.kind == "pairs" and size < 10:
        notes.append("with fewer than ten items everything hangs on the differences being normal.")
    if plan.design.kind == "pairs" and plan.terms.disagreement is not None:
        notes.append("for 0/1 scores the test will be McNemar's: plan with 'mcnemar' for the exact power.")
    if plan.terms.design_effect != 1 and plan.design.name not in ("permutation", "paired_t"):
        notes.append(
            f"{plan.design.name} itself has no form for clusters: treat this as a guide, and test by permutation."
        )
    return tuple(notes)


def signature_of(question: str, plan: Plan, **more: Any) -> str:
    """Say in one line how to get this number again."""
    parts = [f"nofluke:{__version__}", f"{question}:{plan.design.name}"]
    named = {name: getattr(plan.terms, name) for name in plan.terms.__slots__}
    if question == "detectable_effect":
        named = {name: value for name, value in named.items() if name not in ("difference", "prob_a_better")}
    if plan.unit == "untied items" and "n" in more:
        more = {"n_untied": more.pop("n"), **more}
    defaults = {"tests": 1, "adjust": "holm", "design_effect": 1.0}
    for name, value in {**named, **more}.items():
        if value is not None and value != defaults.get(name) and name != "alternative":
            parts.append(f"{name}:{value}")
    return "|".join([*parts, f"alternative:{plan.alternative}"])
