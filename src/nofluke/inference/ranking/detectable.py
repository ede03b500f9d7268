"""What a ranking could have found: the true difference of a typical pair that the data would show most of the time."""

from __future__ import annotations

import math
from statistics import median

import numpy as np

from nofluke.inference.power.binary_gap import binary_differences
from nofluke.inference.power.detectable import (
    POWER,
    RareDifferences,
    detectable_difference,
    detectable_shift,
    rare_differences,
    units_and_spread,
    widest_gap,
)
from nofluke.inference.ranking.family import MAX_T, NONE, Claims
from nofluke.inference.ranking.panel import pair_of
from nofluke.inference.spread import Spread
from nofluke.types import Detectable, Sample, note

# The spread of so many pairs says what is typical; more would cost time and change nothing.
_MOST_PAIRS = 25


def level_of_one(adjust: str, claims: int, alpha: float) -> float:
    """The level at which one claim stands whatever the p-values of all others are.

    >>> level_of_one("holm", 10, 0.05), level_of_one("none", 10, 0.05), round(level_of_one("by", 2, 0.05), 4)
    (0.005, 0.05, 0.0167)
    """
    if adjust == NONE:
        return alpha
    harmonic = float(np.sum(1 / np.arange(1, claims + 1))) if adjust == "by" else 1.0
    return alpha / (claims * harmonic)


def typical_detectable(sample: Sample, claims: Claims, adjust: str, alpha: float) -> Detectable:
    """Give the difference that a pair of typical spread shows with the usual power, whatever the others show."""
    if not sample.paired:
        return _unknown("rank.unmatched")
    samples = [pair_of(sample, i, j) for i, j in typical_pairs(claims)]
    return detectable_of(samples, claims, adjust, alpha, widest_gap(sample))


def typical_pairs(claims: Claims) -> list[tuple[int, int]]:
    """Give the pairs whose spread is looked at."""
    pairs = np.argwhere(np.triu(claims.mask() | claims.mask().T))
    chosen = pairs[np.unique(np.linspace(0, len(pairs) - 1, _MOST_PAIRS).astype(int))]
    return [(int(i), int(j)) for i, j in chosen]


def detectable_of(samples: list[Sample], claims: Claims, adjust: str, alpha: float, widest: float) -> Detectable:
    """Give it from the samples of these pairs; no two scores are farther apart than the widest gap."""
    both = adjust == MAX_T or claims.two_sided or (adjust == NONE and claims.alternative == "two-sided")
    size = claims.one_sided_size // 2 if adjust == MAX_T else claims.size
    level, sides = level_of_one(adjust, size, alpha), "two-sided" if both else "greater"
    if samples[0].runs is not None:
        return _over_runs(samples, level, sides)
    found = [(pair, *units_and_spread(pair)) for pair in samples]
    known = [one for one in found if one[1] > 1 and not math.isnan(one[2].variance)]
    if not known:
        return _unknown("rank.no_spread")
    groups, error = int(median(groups for _, groups, _ in known)), median(one.standard_error for *_, one in known)
    within = any(one.df != groups - 1 for _, groups, one in known)
    spread = Spread(error**2, median(one.df for *_, one in known) if within else groups - 1)
    if (2 if both else 1) * 2.0**-groups > level:
        return _unknown("rank.out_of_reach", level=level)
    counts = [counted for pair, _, _ in known if (counted := binary_differences(pair)) is not None]
    if len(counts) == len(known):
        # The power of McNemar's exact test, for the pair that disagrees as often as half of all pairs do.
        typical = sorted(counts, key=lambda pair: pair.differing)[len(counts) // 2]
        return Detectable(typical.shift(level, sides, POWER), math.nan, error, POWER)
    shift = detectable_shift(groups, spread, level, sides, POWER)
    rare = [rare_differences(pair) for pair, _, _ in known]
    if sum(pair is not None for pair in rare) > len(rare) / 2:
        # In a typical pair few items differ. Ranks are claimed both ways: a gap either way is one to be found.
        wider = median(math.inf if math.isnan(gap) else gap for gap in (_gap(pair, level, sides) for pair in rare))
        if math.isinf(wider):
            return _unknown("rank.few_differ", level=level)
        shift = max(shift, wider)
    if shift > widest:
        return _unknown("rank.gap_out_of_range", widest=widest)
    return Detectable(shift, math.nan, error, POWER)


def _over_runs(samples: list[Sample], level: float, sides: str) -> Detectable:
    """The same where training runs vary too."""
    known = [one for pair in samples if (one := detectable_difference(pair, level, sides)).reason is None]
    if not known:
        return _unknown("rank.no_spread")
    found, error = (median(getattr(one, name) for one in known) for name in ("difference", "standard_error"))
    return Detectable(found, math.nan, error, POWER)


def _gap(pair: RareDifferences | None, level: float, sides: str) -> float:
    """What a pair shows of which few items differ, in the direction it leans to; others need no wider gap."""
    if pair is None:
        return 0.0
    leaning = "two-sided" if sides == "two-sided" else "greater" if pair.counts @ pair.totals >= 0 else "less"
    return pair.shift(level, leaning, POWER)


def _unknown(code: str, **facts: float) -> Detectable:
    return Detectable(math.nan, math.nan, math.nan, POWER, note(code, **facts))
