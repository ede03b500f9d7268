"""The true difference that a test set of this size would find most of the time."""

from __future__ import annotations

import math

import numpy as np

from nofluke.align import cluster_totals, differences
from nofluke.inference.power.effect import Effect
from nofluke.inference.power.normal_differences import permutation_power
from nofluke.inference.power.search import smallest_effect
from nofluke.inference.resampling.corpus import corpus_of
from nofluke.inference.tests.ratio_swaps import FEW, units_of_ratio
from nofluke.laws.tails import t_quantile
from nofluke.types import Detectable, Sample, note

POWER = 0.8
# No difference of interest is this many standard errors large.
_FARTHEST = 1e6


def detectable_difference(
    sample: Sample,
    alpha: float,
    alternative: str,
    power: float = POWER,
    score_range: tuple[float | None, float | None] = (None, None),
) -> Detectable:
    """Give the mean difference found with this power, for the standard deviation of these data.

    The power of the swap test of a mean for normal differences (as in nf.detectable_effect: from a dozen items on that
    of the t-test), with the spread of cluster totals where there are clusters. It does not judge the observed
    difference. A difference that no two scores can have is none: then so few items find nothing that often.
    """
    groups, standard_error = groups_and_standard_error(sample)
    unit = "cluster" if sample.clusters is not None else "item"
    if groups < 2 or math.isnan(standard_error):
        reason = note("compare.one_unit", unit=unit) if groups < 2 else note("compare.no_spread")
        return Detectable(math.nan, math.nan, math.nan, power, reason)
    tails = 2 if alternative == "two-sided" else 1
    if tails * 2.0**-groups > alpha:
        reason = note("compare.level_out_of_reach", groups=groups, unit=unit, alpha=alpha)
        return Detectable(math.nan, math.nan, standard_error, power, reason)
    threshold = -t_quantile(alpha / tails, groups - 1) * standard_error
    found = detectable_shift(groups, standard_error, alpha, alternative, power)
    widest = widest_gap(sample, score_range)
    if found > widest:
        reason = note("compare.gap_out_of_range", groups=groups, unit=unit, power=power, widest=widest)
        return Detectable(math.nan, threshold if threshold <= widest else math.nan, standard_error, power, reason)
    return Detectable(found, threshold, standard_error, power)


def widest_gap(sample: Sample, score_range: tuple[float | None, float | None] = (None, None)) -> float:
    """Give the largest difference that two scores can have: of scores of 0 and 1, or of a stated range."""
    if sample.aggregate.linear and np.isin(sample.statistics, (0.0, 1.0)).all():
        return 1.0
    low, high = score_range
    return math.inf if low is None or high is None else high - low


def detectable_shift(groups: int, standard_error: float, level: float, alternative: str, power: float) -> float:
    """Give the distance from the null that a swap test with this standard error finds with this power."""
    sides = "two-sided" if alternative == "two-sided" else "greater"
    spread = standard_error * math.sqrt(groups)

    def power_of(distance: float) -> float:
        effect = Effect(distance, spread)
        return float(permutation_power(np.array([float(groups)]), effect, level, sides)[0])

    return smallest_effect(power_of, power, 2 * standard_error, _FARTHEST * standard_error)


def groups_and_standard_error(sample: Sample) -> tuple[int, float]:
    """Give the number of items or clusters, and the standard error of the difference; nan without spread."""
    if not sample.aggregate.linear:
        corpus = corpus_of(sample)
        error = corpus.standard_error()
        # A ratio that rests on few items is known no better than these few allow, however many others there are.
        fewest = min(units_of_ratio(corpus), default=FEW)
        return fewest if fewest < FEW else len(corpus.statistics), error if error > 0 else math.nan
    d = differences(sample)
    totals, sizes = cluster_totals(d.values, sample.clusters)
    groups = len(totals)
    if groups < 2 or d.distinct == 1:
        return groups, math.nan
    residuals = totals - sizes * d.values.mean()
    return groups, math.sqrt(groups / (groups - 1) * float(residuals @ residuals)) / len(d.values)
