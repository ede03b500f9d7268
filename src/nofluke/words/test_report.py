"""What the details of a TestResult say: the sentences for a paper, captions, the names of its figures."""

from __future__ import annotations

import math

from nofluke.types import TestResult
from nofluke.words.computed import EXACT, computed_line, interval_line, interval_method, promise
from nofluke.words.numbers import figure, p_cell, p_of, with_article
from nofluke.words.test_result import (
    alternative_text,
    chance_sentence,
    difference,
    estimand_text,
    minus,
    null_text,
    order,
    run_sentence,
    scale_of,
    told_interval,
)

_UNNAMED = ("A", "B")
# Options that the sentence has in other words: the null hypothesis, the interval, how the p-value was computed.
_SAID_ELSEWHERE = ("method", "alternative", "delta", "confidence_level", "monte_carlo", "seed")
# Details that belong to one system: their names and what they mean.
_OF_ONE = {
    "n": ("items of {0}", "the number of items of {0}"),
    "right": ("right: {0}", "items that {0} gets right"),
    "only": ("right: only {0}", "items that only {0} gets right"),
}


def sentences(result: TestResult) -> tuple[str, ...]:
    """What stands below the headline: the chance, the test, the null hypothesis."""
    null = f"Null hypothesis: {null_text(result)}." if result.null else ""
    return tuple(told for told in (chance_sentence(result), run_sentence(result), null) if told)


def option_phrases(result: TestResult) -> tuple[str, ...]:
    """Name the options that change the number and are not the usual ones; the rest is said elsewhere."""
    if result.call is None or result.kind != "test":
        return ()
    told, selection = result.call.options, result.call.selection
    phrases = [f"{name.replace('_', ' ')} = {value}" for name, value in told.items() if name not in _SAID_ELSEWHERE]
    if selection.get("unit", 1) > 1:
        phrases.append(f"units of {selection['unit']} items ({selection.get('unit_statistic', 'mean')})")
    if result.left_out:
        phrases.append("items without a score left out")
    return tuple(phrases)


def short(result: TestResult, chosen: tuple[str, ...]) -> str:
    """The half line for a paper; `chosen` are the options in words."""
    against = f"{result.systems[0]} against {result.systems[1]}: " if result.systems != _UNNAMED else ""
    return f"{against}{', '.join((result.label, *_setting(result), *chosen))}: {p_of(result)}{_estimate(result)}."


def long(result: TestResult, chosen: tuple[str, ...], metric: str) -> str:
    """The sentences for a paper; `metric` is "" where the signature does not say how it was computed."""
    # The mean difference is its own statistic.
    told_twice = math.isnan(result.statistic) or math.isclose(result.statistic, result.estimate, rel_tol=1e-9)
    statistic = "" if told_twice else f" (statistic {result.statistic:.6g})"
    level = [f"alpha = {result.alpha:g}"] if told_interval(result) is not None else []
    given = "; ".join((*filter(None, [alternative_text(result)]), *chosen, f"n = {result.n:,}", *level))
    test = f"a test of {result.label}" if result.kind == "association" else with_article(result.label)
    told = (
        f"By {test} ({given}), {p_of(result)}{statistic}{_estimate(result)}.",
        f"The null hypothesis is that {null_text(result)}." if result.null else "",
        _p_value_is(result),
        f"The metric is {metric}." if metric else "",
    )
    return " ".join(part for part in told if part)


def _setting(result: TestResult) -> tuple[str, ...]:
    return (*filter(None, [alternative_text(result)]), f"n = {result.n:,}")


def _p_value_is(result: TestResult) -> str:
    """Say how near the p-value is to that of the test, and what the test promises."""
    if result.computed.how == "exact":
        return f"The p-value is {promise(result.validity)}."
    drawn = result.computed.how in ("monte-carlo", "decision")
    computed = f"The p-value {'comes from' if drawn else 'is'} {computed_line(result.computed)}."
    return f"{computed} The test is {promise(result.validity)}."


def _estimate(result: TestResult) -> str:
    if math.isnan(result.estimate):
        return ""
    scale, value, interval = scale_of(result), result.estimate, told_interval(result)
    which = ""
    if "difference" in result.estimand:
        value, interval = difference(result)  # as in the answer: the winner's lead
        which = f" {minus(result, order(result))}"
    text = f"; {estimand_text(result)}{which} = {figure(value, scale)}"
    return text if interval is None else f"{text}, {interval_line(interval, scale)}"


def caption(result: TestResult, chosen: tuple[str, ...]) -> str:
    """The caption of the table that a paper prints: test, sides, correction, n."""
    interval = told_interval(result)
    by = f", interval by {interval_method(interval)}" if interval is not None else ""
    test = ", ".join((result.label[:1].upper() + result.label[1:], *_setting(result), *chosen))
    estimate = f" Estimate: {estimand_text(result)}{by}." if not math.isnan(result.estimate) else ""
    null = f" Null hypothesis: {null_text(result)}." if result.null else ""
    return f"{test}; one test, no correction.{null}{estimate} {_p_value_is(result)}"


def figures(result: TestResult) -> tuple[tuple[str, str], ...]:
    """Every number of the result with its name."""
    interval = "none" if result.interval is None else interval_line(result.interval, scale_of(result))
    told = alternative_text(result)
    return (
        ("p-value", f"{p_cell(result)}, {told}" if told else p_cell(result)),
        ("log p-value", f"{result.log_p_value:.6g}"),
        ("statistic", f"{result.statistic:.6g}"),
        ("estimate", "none" if math.isnan(result.estimate) else f"{result.estimate:.6g} ({_of_which(result)})"),
        ("interval", interval),
        ("n", f"{result.n:,}"),
        *((_detail(name, result)[0], f"{value:.6g}") for name, value in result.details.items()),
        ("null", null_text(result)),
        ("computed", _computed(result)),
        ("the test is", promise(result.validity)),
    )


def _of_which(result: TestResult) -> str:
    """What was estimated, and which way a difference is taken."""
    return estimand_text(result) + (f", {minus(result)}" if "difference" in result.estimand else "")


def figure_explanations(result: TestResult) -> dict[str, str]:
    """What the details of one system are; all others are in the glossary."""
    told = (_detail(name, result) for name in result.details)
    return {label: meaning for label, meaning in told if meaning}


def _detail(name: str, result: TestResult) -> tuple[str, str]:
    """A detail's name for people; where it belongs to one system, by that system's name and with its meaning."""
    what, _, letter = name.rpartition("_")
    if what not in _OF_ONE or letter not in ("a", "b"):
        return name.replace("_", " "), ""
    label, meaning = _OF_ONE[what]
    system = result.systems["ab".index(letter)]
    return label.format(system), meaning.format(system)


def _computed(result: TestResult) -> str:
    """How the number was obtained; "exact" only where the p-value is so too."""
    told = computed_line(result.computed)
    if result.computed.how != "exact" or result.validity in EXACT:
        return told
    return told.replace("exact", "without random draws", 1)


def explanations(result: TestResult) -> dict[str, str]:
    """What a reader may ask about the words of the table."""
    return {result.label: f"null hypothesis: {null_text(result)}", "estimate": estimand_text(result)}
