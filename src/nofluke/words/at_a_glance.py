"""The verdict in three seconds: a claim to be set large, and one line of figures below it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nofluke.types import Bar, Comparison, Ranking, Replication, SystemScore, Value
from nofluke.types.base import counted
from nofluke.words import comparison, replication, system_score
from nofluke.words import ranking as rankings
from nofluke.words.estimate import scale_of
from nofluke.words.evidence import has_winner, size
from nofluke.words.numbers import end_of, figure, interval_text, level_text, p_with_side, signed
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
    if result.test.alternative != "two-sided" or result.test.delta:
        said = comparison.claim(result) if result.test.alternative != "two-sided" else "No clear answer"
        return said, _line(gain, interval, p, items)
    least = comparison.too_few(result)
    if least:
        return "No verdict is possible", _line(f"at least {least:,} are needed", p, items)
    a, b = result.systems
    return "No clear winner", _line(f"{a} against {b} {gain}", interval, p, items)


@dataclass(frozen=True, slots=True)
class Drawn:
    """The difference as it is said, with its interval: where to draw it, and the words beside it."""

    bar: Bar
    low: str
    value: str
    high: str
    null: str
    left: str
    right: str
    spoken: str


def drawn(result: Comparison) -> Drawn | None:
    """The picture behind the verdict, winner minus loser; None where there is no interval to draw."""
    mean = result.effects["mean_difference"]
    interval, value, null = comparison.interval_of(result), mean.value, result.test.delta
    if interval is None or math.isnan(interval.low) or math.isnan(interval.high) or math.isnan(value):
        return None
    first, second = comparison.order(result)
    if second_leads(result):
        interval, value, null = mirrored(interval) or interval, -value, -null
    scale = mean.standard_error
    ends = ["" if math.isinf(end) else end_of(end, scale, null) for end in (interval.low, interval.high)]
    return Drawn(
        Bar(interval.low, value, interval.high, null),
        ends[0],
        signed(value, scale),
        ends[1],
        f"{null:g}",
        f"{second} better",
        f"{first} better",
        spoken_interval(result, interval_text(interval, scale, null)),
    )


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


def _own_score(result: SystemScore) -> tuple[str, str]:
    if result.against is not None:
        return "", ""
    scale = scale_of(result)
    interval = "" if result.interval is None else interval_text(result.interval, scale)
    return f"{result.systems[0]} scores {figure(result.value, scale)}", _line(interval, system_score.scored_on(result))


_SAID: dict[str, Callable[[Any], tuple[str, str]]] = {
    "Comparison": _comparison,
    "Ranking": _ranking,
    "Replication": _replication,
    "SystemScore": _own_score,
}
