"""The true difference that a test set of this size would find most of the time."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from nofluke.align import cluster_totals, differences, weighed_totals
from nofluke.inference.power.binary_gap import binary_differences, full_score
from nofluke.inference.power.effect import Effect
from nofluke.inference.power.normal_differences import permutation_power
from nofluke.inference.power.over_runs import NoiseOfRuns, noise_of_runs
from nofluke.inference.power.search import smallest_effect
from nofluke.inference.resampling.corpus import corpus_of
from nofluke.inference.spread import UNKNOWN, Spread, design_of
from nofluke.inference.tests.crossed_runs import spread_of_difference, spreads
from nofluke.inference.tests.ratio_swaps import FEW, units_of_ratio
from nofluke.laws.noncentral_t import noncentral_t_sf
from nofluke.laws.tails import t_quantile
from nofluke.types import Detectable, FloatArray, IntArray, Sample, note

POWER = 0.8
# No difference of interest is this many standard errors large.
_FARTHEST = 1e6
# With fewer units that differ than this, and most units tied, the spread of the data promises too much.
_FEW_DIFFERENT = 50
# Weights e^60 apart leave one kind of unit only.
_STRONGEST_TILT = 60.0


def detectable_difference(
    sample: Sample,
    alpha: float,
    alternative: str,
    power: float = POWER,
    score_range: tuple[float | None, float | None] = (None, None),
) -> Detectable:
    """Give the mean difference found with this power, for the standard deviation of these data.

    The power of the swap test of a mean for normal differences (as in nf.detectable_effect: from a dozen items on that
    of the t-test), with the spread of cluster totals where there are clusters; for 0/1 scores that of the exact test.
    It does not judge the observed difference. A difference that no two scores can have is none: then so few items find
    nothing that often.
    """
    if sample.runs is not None:
        return _over_runs(sample, alpha, alternative, power)
    groups, spread = units_and_spread(sample)
    unit = "item" if sample.unit == "unit" else sample.unit
    standard_error = spread.standard_error
    tails = 2 if alternative == "two-sided" else 1
    # First of all, for differences that do not vary as well: no outcome of so few units could have been significant.
    if tails * 2.0**-groups > alpha:
        reason = note("compare.level_out_of_reach", groups=groups, unit=unit, alpha=alpha)
        return Detectable(math.nan, math.nan, standard_error, power, reason)
    if groups < 2 or math.isnan(standard_error):
        reason = note("compare.one_unit", unit=unit) if groups < 2 else note("compare.no_spread")
        return Detectable(math.nan, math.nan, math.nan, power, reason)
    binary = binary_differences(sample)
    if binary is not None:
        edge = binary.threshold(alpha, alternative)
        return Detectable(binary.shift(alpha, alternative, power), edge, standard_error, power)
    threshold = -t_quantile(alpha / tails, spread.df) * standard_error
    found = detectable_shift(groups, spread, alpha, alternative, power)
    rare = rare_differences(sample)
    shift = found if rare is None else rare.shift(alpha, alternative, power)
    if rare is not None and math.isnan(shift):
        reason = note("compare.few_differ", differing=rare.differing, unit=unit)
        return Detectable(math.nan, math.nan, standard_error, power, reason)
    if shift > found:
        # Significance begins at a number of items that differ, not at a number of standard errors.
        found, threshold = shift, math.nan
    widest = widest_gap(sample, score_range)
    if found > widest:
        reason = note("compare.gap_out_of_range", groups=groups, unit=unit, power=power, widest=widest)
        return Detectable(math.nan, threshold if threshold <= widest else math.nan, standard_error, power, reason)
    return Detectable(found, threshold, standard_error, power)


def _over_runs(sample: Sample, alpha: float, alternative: str, power: float) -> Detectable:
    """The same where training runs vary too: by the power of `crossed_runs`, and the harder one of its t-tests."""
    harder = harder_to_pass(sample, alpha, alternative)
    if harder is None:
        return Detectable(math.nan, math.nan, math.nan, power, note("compare.no_spread"))
    gap = found_over_runs(noise_of_runs(sample), alpha, alternative, power)
    return Detectable(gap, harder[1], harder[0].standard_error, power)


def harder_to_pass(sample: Sample, alpha: float, alternative: str) -> tuple[Spread, float] | None:
    """Give the t-test of `crossed_runs` that asks for the larger difference, and that; None without any spread."""
    level = alpha / 2 if alternative == "two-sided" else alpha
    edges = [(one, -t_quantile(level, one.df) * one.standard_error) for one in spreads(sample) if one.variance]
    return max(edges, key=lambda found: found[1]) if edges else None


def found_over_runs(noise: NoiseOfRuns, level: float, alternative: str, power: float) -> float:
    """Give the distance from the null that the t-test over items and runs finds with this power."""
    edges, error = noise.edges(level, "two-sided" if alternative == "two-sided" else "greater"), noise.standard_error
    return smallest_effect(edges.power, power, 2 * error, _FARTHEST * error)


def _found_by_t(spread: Spread, level: float, power: float) -> float:
    """Give the distance from the null that a t-test at this one-sided level finds with this power."""
    quantile, error = -t_quantile(level, spread.df), spread.standard_error

    def power_of(gap: float) -> float:
        return noncentral_t_sf(quantile, spread.df, gap / error)

    return smallest_effect(power_of, power, 2 * error, _FARTHEST * error)


def widest_gap(sample: Sample, score_range: tuple[float | None, float | None] = (None, None)) -> float:
    """Give the largest difference that two scores can have: of right and wrong answers, or of a stated range."""
    full = full_score(sample)
    if full is not None:
        return full
    low, high = score_range
    return math.inf if low is None or high is None else high - low


def detectable_shift(groups: int, spread: Spread, level: float, alternative: str, power: float) -> float:
    """Give the distance from the null that a swap test with this standard error finds with this power.

    An average of datasets may rest on few items of one that weighs much: then the swap test is as strong as t with
    Satterthwaite's degrees of freedom, however many units it can swap.
    """
    sides = "two-sided" if alternative == "two-sided" else "greater"
    if spread.df != groups - 1:
        return _found_by_t(spread, level / 2 if sides == "two-sided" else level, power)
    standard_error = spread.standard_error
    sd = standard_error * math.sqrt(groups)

    def power_of(distance: float) -> float:
        effect = Effect(distance, sd)
        return float(permutation_power(np.array([float(groups)]), effect, level, sides)[0])

    return smallest_effect(power_of, power, 2 * standard_error, _FARTHEST * standard_error)


@dataclass(frozen=True, slots=True, eq=False)
class RareDifferences:
    """Totals of items (or clusters) most of which tie, as (different totals, how often each is there, items of all).

    A test set of the same size has another number of units that differ, and a swap test rejects only from a certain
    number on. So the gap is made as the power curve makes it, by drawing the units that favour one system more often:
    w proportional to exp(tilt * total). The expected number of differing units, with the mean and the spread of their
    sum, is what the swap test has. In an average of datasets (`home` is that of each total) every dataset keeps its
    number of items.
    """

    totals: FloatArray
    counts: FloatArray
    items: float
    home: IntArray

    @property
    def differing(self) -> int:
        """How many units do not tie."""
        return int(self.counts[self.totals != 0].sum())

    def shift(self, level: float, alternative: str, power: float) -> float:
        """Give the gap found with this power, in the direction tested (or observed); nan where no unit has that."""
        sides = "two-sided" if alternative == "two-sided" else "greater"
        down = alternative == "less" or (alternative == "two-sided" and float(self.counts @ self.totals) < 0)
        totals = -self.totals if down else self.totals

        def found(tilt: float) -> tuple[float, float]:
            """The gap under this tilt, and the power to find it."""
            exponents = tilt * totals / np.abs(totals).max() + np.log(self.counts)
            weights = np.exp(exponents - exponents.max())
            own = np.bincount(self.home, weights=self.counts) / np.bincount(self.home, weights=weights)
            drawn = weights * own[self.home]
            total, differing = float(drawn @ totals), float(drawn @ (totals != 0))
            if total <= 0 or differing < 2:
                return total / self.items, 0.0
            spread = math.sqrt(max(float(drawn @ totals**2) - total**2 / float(drawn.sum()), 0.0) / differing)
            if not spread:
                # All units are the same: one pattern of signs.
                return total / self.items, float((2 if sides == "two-sided" else 1) * 2.0**-differing <= level)
            effect = Effect(total / differing, spread)
            return total / self.items, float(permutation_power(np.array([differing]), effect, level, sides)[0])

        low, high = -_STRONGEST_TILT, _STRONGEST_TILT
        if found(high)[1] < power:
            return math.nan
        while high - low > 1e-9:
            middle = (low + high) / 2
            low, high = (middle, high) if found(middle)[1] < power else (low, middle)
        return found(high)[0]

    def needed(self, gap: float, level: float, alternative: str, power: float) -> int:
        """Give the number of units, of which the same share differs, that find a gap with this power."""
        units, ratio = float(self.counts.sum()), self.shift(level, alternative, power) / gap
        # What is found falls with the number of units at most, and with its root at least.
        low, high = units * min(ratio, ratio * ratio), units * max(ratio, ratio * ratio)
        while high - low > 0.5:
            middle = (low + high) / 2
            resized = replace(self, counts=self.counts * (middle / units), items=self.items * (middle / units))
            low, high = (middle, high) if resized.shift(level, alternative, power) > gap else (low, middle)
        return math.ceil(high - 0.5)


def rare_differences(sample: Sample) -> RareDifferences | None:
    """Give what differs where most units tie and few do not; None elsewhere."""
    if not sample.aggregate.linear:
        return None
    d = differences(sample)
    # Whole numbers say what ties: rounding must not turn a tie of a cluster into a difference.
    whole, _ = weighed_totals(sample, d.snapped)
    totals = cluster_totals(d.values if sample.strata is None else d.values * _counts(sample), sample.clusters)[0]
    ties = np.asarray(whole == 0, dtype=bool)
    if not 0 < (~ties).sum() < min(_FEW_DIFFERENT, len(ties) / 2):
        return None
    # Clusters may lie in several datasets: they are drawn from all.
    alone = sample.strata is not None and not sample.strata.pooled and sample.clusters is None
    homes = sample.strata.codes if alone and sample.strata is not None else np.zeros(len(ties), np.int64)
    pairs = np.stack((homes.astype(np.float64), np.where(ties, 0.0, totals)), axis=1)
    groups, counts = np.unique(pairs, axis=0, return_counts=True)
    return RareDifferences(groups[:, 1], counts.astype(np.float64), len(d.values), groups[:, 0].astype(np.int64))


def units_and_spread(sample: Sample) -> tuple[int, Spread]:
    """Give the number of items or clusters, and the spread of the difference; its variance is nan without any."""
    if not sample.aggregate.linear:
        groups, spread = _of_corpus(sample)
    else:
        d = differences(sample)
        groups = len(cluster_totals(d.values, sample.clusters)[0])
        spread = design_of(sample).spread(d.values, lone_from_average=True) if d.distinct > 1 else UNKNOWN
    return groups, spread if spread.variance > 0 else UNKNOWN


def _of_corpus(sample: Sample) -> tuple[int, Spread]:
    corpus = corpus_of(sample)
    if corpus.homes is not None:
        return corpus.units, spread_of_difference(sample)
    # A ratio that rests on few items is known no better than these few allow, however many others there are.
    fewest = min(units_of_ratio(corpus), default=FEW)
    groups = fewest if fewest < FEW else corpus.units
    return groups, Spread(corpus.standard_error() ** 2, groups - 1)


def _counts(sample: Sample) -> FloatArray:
    """What every item counts in the average; their mean is 1."""
    return np.ones(sample.n) if sample.strata is None else sample.strata.shares * sample.n
