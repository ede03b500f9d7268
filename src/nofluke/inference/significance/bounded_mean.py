"""A test of the mean difference that assumes nothing but the range of the scores."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated

import numpy as np

from nofluke.align import cluster_totals, differences
from nofluke.errors import InputError
from nofluke.inference.intervals.inversion import crossing
from nofluke.inference.significance.sides import Alternative, ConfidenceLevel, Delta, log_p_of, p_of, tail_levels
from nofluke.registry import TESTS
from nofluke.types import Computed, FloatArray, IntArray, Interval, Sample, TestResult

# Stakes from 0.0001 to 0.999, denser at both ends: small ones serve slight, large ones overwhelming evidence.
_STAKES = 1 / (1 + np.exp(-np.linspace(-9, 7, 65)))


@TESTS.register(
    "bounded_mean",
    label="betting test of a bounded mean",
    needs="paired",
    null="the mean difference of A and B is delta (or lies beyond it)",
    estimand="mean difference",
    clusters=True,
    delta_instead="",
    cite="Waudby-Smith and Ramdas 2024",
)
def bounded_mean(
    sample: Sample,
    *,
    alternative: Alternative = "two-sided",
    delta: Delta = 0.0,
    confidence_level: ConfidenceLevel = 0.95,
    low: Annotated[float | None, "smallest possible score; none takes the smallest seen"] = None,
    high: Annotated[float | None, "largest possible score; none takes the largest seen"] = None,
) -> TestResult:
    """Could a mean difference this far from delta arise with any scores of this range?

    A gambler who bets a fixed share of the purse on every item against the null multiplies it by 1 - c + c x / m, where
    x is the difference on a scale from 0 to 1 and m its mean under the null: in expectation the purse does not grow.
    The average purse over 65 stakes c is therefore evidence whose inverse is a p-value, at any n and for any
    distribution of independent items or clusters. Cautious: p-values are larger than those of other tests. Meant for
    margins on scores with many ties, where shifting the data and flipping signs is not valid.
    """
    d = differences(sample)
    smallest, largest, notes = _range(sample, low, high)
    width = largest - smallest
    totals, sizes = cluster_totals(d.values, sample.clusters)
    # Equal groups make equal factors; few distinct ones is the usual case.
    groups, counts = np.unique(np.stack([totals / sizes, sizes / sizes.max()]), axis=1, return_counts=True)
    values, shares = groups

    def log_greater(null: float) -> float:
        return _log_p((values + width) / (2 * width), shares, counts, (null + width) / (2 * width))

    def log_less(null: float) -> float:
        return _log_p((width - values) / (2 * width), shares, counts, (width - null) / (2 * width))

    identical = width == 0
    log_p = 0.0 if identical else log_p_of(log_greater(delta), log_less(delta), alternative)
    mean, n = float(d.values.mean()), sample.n
    scale = max(float(d.values.std()), width / n) / math.sqrt(n) if not identical else 0.0
    below, above = tail_levels(alternative, confidence_level)
    floor, ceiling = -math.inf, math.inf
    if below and not identical:
        floor = _limit(log_greater, below, mean, scale, -width)
    if above and not identical:
        ceiling = -_limit(lambda null: log_less(-null), above, -mean, scale, -width)
    return TestResult(
        statistic=mean,
        p_value=p_of(log_p),
        log_p_value=log_p,
        alternative=alternative,
        n=n,
        computed=Computed("exact"),
        validity="valid for any independent scores within the stated range",
        estimate=mean,
        delta=delta,
        interval=None if identical else Interval(floor, ceiling, confidence_level, "betting"),
        details={"low": smallest, "high": largest},
        notes=notes,
    )


def _range(sample: Sample, low: float | None, high: float | None) -> tuple[float, float, tuple[str, ...]]:
    scores = np.concatenate([sample.scores(0), sample.scores(1)])
    seen_low, seen_high = float(scores.min()), float(scores.max())
    smallest, largest = seen_low if low is None else low, seen_high if high is None else high
    if smallest > seen_low or largest < seen_high:
        raise InputError(
            f"scores run from {seen_low:g} to {seen_high:g}, beyond the stated range {smallest:g} to {largest:g}.",
            fix="state the smallest and largest score that is possible, with low= and high=.",
        )
    if low is not None and high is not None:
        return smallest, largest, ()
    note = f"the range of scores was taken from the data, {smallest:g} to {largest:g}; state it with low= and high=."
    return smallest, largest, (note,)


def _log_p(x: FloatArray, shares: FloatArray, counts: IntArray, mean: float) -> float:
    """Logarithm of the p-value of "the mean of x is at most `mean`", x the means of groups, between 0 and 1.

    A group of n_c items is bet on with the share n_c / max n_c of the stake: then the purse does not grow on average
    when the mean over items is at most `mean`, whatever the sizes.
    """
    if mean <= 0:
        return -math.inf if x.max() > 0 else 0.0
    if mean >= 1:
        return 0.0
    purses = np.log1p(np.outer(_STAKES, shares * (x / mean - 1))) @ counts
    top = float(purses.max())
    average = top + math.log(float(np.mean(np.exp(purses - top))))
    return min(0.0, -average)


def _limit(log_tail: Callable[[float], float], level: float, mean: float, scale: float, end: float) -> float:
    """The smallest mean that is not rejected; the end of the range if every mean is compatible."""
    if log_tail(end * (1 - 1e-9)) > math.log(level):
        return end
    return max(end, crossing(log_tail, level, max(mean - 3 * scale, end * (1 - 1e-9)), scale, 1e-7))
