"""The verdict in three seconds: a claim to be set large, and one line of figures below it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nofluke.registry import EFFECTS
from nofluke.types import (
    Agreement,
    Bar,
    Comparison,
    Estimate,
    Gate,
    Interval,
    Posterior,
    PowerCurve,
    Ranking,
    Replication,
    Scored,
    SystemScore,
    TestResult,
    Value,
)
from nofluke.types.base import counted
from nofluke.words import (
    agreement,
    comparison,
    estimate,
    gate,
    planning,
    posterior,
    power_curve,
    replication,
    scored,
    system_score,
    test_result,
)
from nofluke.words import ranking as rankings
from nofluke.words.bars import line_of
from nofluke.words.evidence import has_winner, size
from nofluke.words.numbers import end_of, figure, interval_text, level_text, p_with_side, scale_of, signed
from nofluke.words.pictures import spoken_interval
from nofluke.words.tasks import averaged_over
from nofluke.words.test_result import mirrored
from nofluke.words.winner_first import second_leads

_BETWEEN = " · "


def at_a_glance(result: Value) -> tuple[str, str]:
    """The claim and the line of figures; two empty texts for results that are said in a sentence.

    >>> import nofluke as nf
    >>> at_a_glance(nf.compare([3, 4, 5, 5, 6, 7] * 4, [2, 4, 4, 5, 5, 6] * 4))
    ('A is better than B, +0.667', '95% CI 0.455 to 0.875 · p = 3.1e-05 · 24 items')
    """
    made = _SAID.get(type(result).__name__)
    return ("", "") if made is None else made(result)


def listed_title(result: Value, title: str) -> str:
    """The title of a report as it stands among others: with the two systems, where it tells only the method.

    >>> import nofluke as nf
    >>> listed_title(nf.test([3, 4, 5], [2, 4, 4]), "sign test")
    'sign test: A against B'
    """
    if isinstance(result, TestResult) and "systems" in result.details:  # a test of all systems at once
        return f"{title} of {counted(int(result.details['systems']), 'system')}"
    if isinstance(result, TestResult | Estimate | PowerCurve) and len(result.systems) == 2:
        return f"{title}: {' against '.join(result.systems)}"
    return title


def _line(*parts: str) -> str:
    return _BETWEEN.join(part for part in parts if part)


def _comparison(result: Comparison) -> tuple[str, str]:
    gain, interval = comparison.gain_of(result)
    p, items = p_with_side(result.test), f"{size(result)}{averaged_over(result).replace(' on the', ',')}"
    if result.verdict == "undefined":
        return f"{comparison.claim(result)}", items
    if has_winner(result):
        of_mean = result.test.about == "mean"
        figures = (interval, p) if of_mean else (p, f"mean difference {gain}, {interval}")
        return f"{comparison.claim(result)}{f', {gain}' if of_mean else ''}", _line(*figures, items)
    least = comparison.too_few(result)
    if least:
        return "No verdict is possible", _line(f"at least {least:,} are needed", p, items)
    if result.test.alternative != "two-sided" or result.test.delta:
        said = comparison.claim(result) if result.test.alternative != "two-sided" else "No clear answer"
        return said, _line(gain, interval, p, items)
    a, b = result.systems
    return "No clear winner", _line(f"{a} against {b} {gain}", interval, p, items)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A value as it is said, with its interval: where to draw it, and the words beside it."""

    bar: Bar
    low: str
    value: str
    high: str
    null: str
    left: str
    right: str
    spoken: str


def interval_picture(result: Value) -> Drawn | None:
    """The picture behind the verdict; None where there is no interval to draw."""
    if isinstance(result, Comparison):
        return _difference(result)
    if isinstance(result, TestResult):
        return _tested(result)
    if isinstance(result, SystemScore):
        null = math.nan if result.against is None else result.against
        return _alone(result, result.interval, null, scale_of(result), system_score.headline(result))
    if isinstance(result, Estimate) and result.name in EFFECTS:
        null = float(EFFECTS[result.name].facts["null"])
        return _alone(result, result.interval, null, scale_of(result), estimate.headline(result))
    if isinstance(result, Agreement):
        null = 0.0 if agreement.corrected_for_chance(result) else math.nan
        scale = result.estimate.standard_error
        return _alone(result, result.interval, null, scale, agreement.headline(result))
    return None


def _difference(result: Comparison) -> Drawn | None:
    """Winner minus loser."""
    mean = result.effects["mean_difference"]
    interval, value, null = comparison.interval_of(result), mean.value, result.test.delta
    if interval is None or math.isnan(interval.low) or math.isnan(interval.high) or math.isnan(value):
        return None
    first, second = comparison.order(result)
    if second_leads(result):
        interval, value, null = mirrored(interval) or interval, -value, 0.0 - null  # zero has no sign
    scale = mean.standard_error
    spoken = spoken_interval(comparison.verdict_text(result), interval_text(interval, scale, null))
    return _between(Bar(interval.low, value, interval.high, null), interval, scale, (first, second), spoken)


def _tested(result: TestResult) -> Drawn | None:
    """Winner minus loser, of a test that stands alone."""
    value, interval = test_result.difference(result)
    if not _of_two(result) or interval is None or math.isnan(value + interval.low + interval.high):
        return None
    scale = test_result.scale_of(result)
    spoken = spoken_interval(test_result.headline(result), interval_text(interval, scale))
    bar = Bar(interval.low, value, interval.high, 0.0)
    return _between(bar, interval, scale, test_result.order(result), spoken)


def _between(bar: Bar, interval: Interval, scale: float, order: tuple[str, str], spoken: str) -> Drawn:
    """The difference of two systems, the one that leads at the right."""
    low, high = _ends(interval, scale, bar.null)
    left, right = f"{order[1]} better", f"{order[0]} better"
    return Drawn(bar, low, signed(bar.value, scale), high, f"{bar.null:g}", left, right, spoken)


def _alone(
    result: Estimate | Agreement, interval: Interval | None, null: float, scale: float, spoken: str
) -> Drawn | None:
    """A value that is no difference of two systems."""
    if interval is None or math.isnan(interval.low) or math.isnan(interval.high) or math.isnan(result.value):
        return None
    low, high = _ends(interval, scale, null)
    line = "" if math.isnan(null) else f"{line_of(type(result).__name__)} ({null:g})"
    bar = Bar(interval.low, result.value, interval.high, null)
    return Drawn(bar, low, figure(result.value, scale), high, line, "", "", spoken)


def _ends(interval: Interval, scale: float, null: float) -> list[str]:
    return ["" if math.isinf(end) else end_of(end, scale, null) for end in (interval.low, interval.high)]


def _of_two(result: TestResult) -> bool:
    """Whether a test asks whose scores are higher, and by how much: all others take a sentence."""
    asked = result.kind == "test" and result.about != "items" and not result.delta
    return asked and test_result.finding(result) != "undefined" and not math.isnan(result.estimate)


def _test(result: TestResult) -> tuple[str, str]:
    if not _of_two(result):
        return "", ""
    value, interval = test_result.difference(result)
    scale = test_result.scale_of(result)
    gain, shown = signed(value, scale), "" if interval is None else interval_text(interval, scale)
    gain += "" if result.higher_is_better else " (lower is better)"
    figures = (shown, p_with_side(result), test_result.size(result))
    if test_result.finding(result) in ("better", "worse"):
        if result.about == "mean":
            return f"{test_result.claim(result)}, {gain}", _line(*figures)
        return test_result.claim(result), _line(f"{test_result.estimand(result)} {gain}", *figures)
    if result.alternative != "two-sided":
        return test_result.not_shown(result), _line(gain, *figures)
    a, b = result.systems
    return "No clear winner", _line(f"{a} against {b} {gain}", *figures)


def _ranking(result: Ranking) -> tuple[str, str]:
    said = rankings.headline(result).removesuffix(".")
    items = rankings.size_of(result)
    corrected = rankings.correction_name(result)
    if len(result.systems) == 2 or result.baseline:
        claim, _, rest = said.partition(": ")
        return (claim, _line(rest, items)) if rest else (said, _line(corrected, items))
    if not result.separated:
        return _none_clear(result, said, _line(corrected, items))
    claim, _, rest = said.partition("; ")
    return claim, _line(rest, corrected, items)


def _none_clear(result: Ranking, said: str, line: str) -> tuple[str, str]:
    claim, _, rest = said.partition(": ")
    if claim.startswith("No verdict"):
        return claim, rest
    return "No clear winner", _line(f"none of {result.pairs:,} pairs shows a clear difference", line)


def _replication(result: Replication) -> tuple[str, str]:
    if result.contradicted or result.opposite is not None:
        return "", ""  # that no count can be claimed, or two of them can, takes a sentence
    sure = f"{level_text(1 - result.level)} confidence"
    claim = replication.headline(result).removesuffix(".").removesuffix(f" ({sure})")
    return claim, _line(sure, counted(len(result.datasets), "dataset"))


def _effect(result: Estimate) -> tuple[str, str]:
    if math.isnan(result.value):
        return "", ""
    label, scale = estimate.label_of(result), scale_of(result)
    interval = "" if result.interval is None else interval_text(result.interval, scale)
    word = f"{result.magnitude} by the rule {result.rule}" if result.magnitude else ""
    items = "" if result.n is None else counted(result.n, "item")
    claim = f"{label[:1].upper()}{label[1:]} {figure(result.value, scale)}"
    return claim, _line(" against ".join(result.systems), interval, word, items)


def _gate(result: Gate) -> tuple[str, str]:
    claim, _, rest = gate.headline(result).removesuffix(".").partition(": ")
    return claim, _line(rest, counted(sum({row.task: row.coverage.matched for row in result.rows}.values()), "item"))


def _own_score(result: SystemScore) -> tuple[str, str]:
    if result.against is not None:
        return "", ""
    scale = scale_of(result)
    interval = "" if result.interval is None else interval_text(result.interval, scale)
    return f"{result.systems[0]} scores {figure(result.value, scale)}", _line(interval, system_score.scored_on(result))


def _agreement(result: Agreement) -> tuple[str, str]:
    if math.isnan(result.value):
        return "", ""
    label, scale = f"{result.label[:1].upper()}{result.label[1:]}", result.estimate.standard_error
    interval = "" if result.interval is None else interval_text(result.interval, scale)
    corrected = agreement.corrected_for_chance(result)
    said = agreement.beyond_chance(result) if corrected else "not corrected for chance"
    size = f"{counted(len(result.annotators), 'annotator')}, {counted(result.items, 'item')}"
    return f"{label} = {figure(result.value, scale)}", _line(interval, said, size)


def _posterior(result: Posterior) -> tuple[str, str]:
    if not result.known:
        return "", ""
    # As many decimals as all three together show, the most probable first.
    said = posterior.each_probability(result)
    claim = max(said, key=lambda one: one[1])[0]
    others = (text for text, _ in said if text != claim)
    return claim, _line(*others, posterior.in_a_line(result), posterior.size(result))


def _power_curve(result: PowerCurve) -> tuple[str, str]:
    where = f" in {planning.often(result.target)}"
    claim, found, rest = power_curve.verdict(result).partition(where)
    if not found or result.at_observed_effect:
        return "", ""  # a condition belongs into the sentence
    return claim, _line(where.strip(), rest.partition(" (")[2].partition(").")[0])


def _scored(result: Scored) -> tuple[str, str]:
    claim, _, size = scored.headline(result).removesuffix(").").rpartition(" (")
    if "higher" in size or "lower" in size:  # nobody is best
        return "", ""
    others = scored.best_first(result)[1:]
    return claim, _line(f"{others[0][0]} {others[0][1]}" if len(others) == 1 else "", size)


_SAID: dict[str, Callable[[Any], tuple[str, str]]] = {
    "Agreement": _agreement,
    "Comparison": _comparison,
    "Estimate": _effect,
    "Gate": _gate,
    "Posterior": _posterior,
    "PowerCurve": _power_curve,
    "Ranking": _ranking,
    "Replication": _replication,
    "Scored": _scored,
    "SystemScore": _own_score,
    "TestResult": _test,
}
