"""What random draws say about a p-value: how it was obtained, and where it would settle with ever more draws."""

from __future__ import annotations

import math

from nofluke.engine.corrected.counting import Corrected
from nofluke.engine.flips import FlipCounts
from nofluke.engine.sequential import SequentialP
from nofluke.inference.p_values import log_p_of
from nofluke.types import Computed, Interval, Note, note

LEVEL = 0.95
METHOD = "Clopper-Pearson"


def computed_by_draws(hits: int, draws: int, seed: int, *, sides: int = 1) -> Computed:
    """Describe p = sides (1 + hits) / (1 + draws): its standard error, and Clopper and Pearson's interval of the share.

    Where the smaller tail is doubled, so is its interval.

    >>> round(computed_by_draws(0, 999, 7).interval.high, 5)
    0.00369
    """
    from scipy.special import betaincinv

    half = (1 - LEVEL) / 2
    low = float(betaincinv(hits, draws - hits + 1, half)) if hits else 0.0
    high = float(betaincinv(hits + 1, draws - hits, 1 - half)) if hits < draws else 1.0
    tail = (1 + hits) / (1 + draws)
    error = sides * math.sqrt(tail * (1 - tail) / draws)
    return Computed("monte-carlo", error, draws, seed, None, _interval(sides * low, sides * high))


def computed_by_stopped_draws(found: SequentialP, seed: int, *, stopped: bool) -> Computed:
    """Describe the p-value of draws that ended at their last exceedance (or, not `stopped`, ran to the end).

    A last draw that is a hit by the rule carries no information: the upper limit is that of the draws before it.
    """
    from scipy.special import betaincinv

    hits, draws = found.exceedances, found.draws
    detail = note("computed.exceedances", hits=hits)
    error = found.p_value * math.sqrt((1 - found.p_value) / max(1, hits))
    if not stopped:
        return Computed("monte-carlo", error, draws, seed, detail, computed_by_draws(hits, draws, seed).interval)
    half = (1 - LEVEL) / 2
    low = float(betaincinv(hits, draws - hits + 1, half))
    high = float(betaincinv(hits, draws - hits, 1 - half)) if hits < draws else 1.0
    return Computed("monte-carlo", error, draws, seed, detail, _interval(low, high))


def corrected_by_draws(found: Corrected, p: float, seed: int, *, sides: int) -> Computed:
    """Describe a p-value of a linear part and the upper bound of its correction: how much lower the estimate is."""
    detail = note("computed.linear", p=found.p_linear, disagreements=found.disagreements)
    error = max(0.0, p - min(1.0, sides * max(found.estimate, 0.0)))
    return Computed("linear+correction", error, found.resamples, seed, detail)


def tails_of_counts(counts: FlipCounts, alternative: str, seed: int) -> tuple[float, float, Computed]:
    """Give the logs of both one-sided p-values, (1 + hits) / (1 + draws), and how the one asked for was obtained."""
    hits = {"greater": counts.at_least, "less": counts.at_most}
    wanted = hits.get(alternative, min(hits.values()))
    sides = 2 if alternative == "two-sided" else 1
    greater, less = (math.log((1 + number) / (1 + counts.resamples)) for number in hits.values())
    return greater, less, computed_by_draws(wanted, counts.resamples, seed, sides=sides)


def log_p_of_draws(counts: FlipCounts, alternative: str, seed: int) -> tuple[float, Computed]:
    """Give the log p-value of draws, and how it was obtained."""
    greater, less, computed = tails_of_counts(counts, alternative, seed)
    return log_p_of(greater, less, alternative), computed


def log_p_of_patterns(counts: FlipCounts, alternative: str) -> tuple[float, Computed]:
    """Give the log p-value of all patterns, the observed one among them."""
    greater, less = (math.log(hits / counts.resamples) for hits in (counts.at_least, counts.at_most))
    return log_p_of(greater, less, alternative), Computed("exact", detail=by_path("enumeration"))


def by_path(path: str) -> Note:
    """Note which way of the engine a number was computed; `path` is the engine's name for it."""
    return note("computed.path", path=path)


def _interval(low: float, high: float) -> Interval:
    return Interval(min(1.0, low), min(1.0, high), LEVEL, METHOD)
