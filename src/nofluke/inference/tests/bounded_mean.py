"""A test of the mean difference that assumes nothing but the range of the scores."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated

import numpy as np

from nofluke.align import cluster_totals, differences
from nofluke.check import check_range
from nofluke.errors import Fix, MethodError, Option
from nofluke.inference.intervals.inversion import where_tail_passes
from nofluke.inference.p_values import Alternative, ConfidenceLevel, Delta, log_p_of, p_of, tail_levels
from nofluke.registry import TESTS
from nofluke.types import Computed, FloatArray, IntArray, Interval, Sample, TestResult

# Stakes from 0.0001 to 0.999, denser at both ends: small ones serve slight, large ones overwhelming evidence.
_STAKES = 1 / (1 + np.exp(-np.linspace(-9, 7, 65)))


@TESTS.register(
    "bounded_mean",
    label="betting test of a bounded mean",
    needs="paired",
    null="the mean difference of {a} and {b} is delta (or lies beyond it)",
    estimand="mean difference",
    about="mean",
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
    low: Annotated[float | None, "smallest possible score; needed unless scores are 0 or 1"] = None,
    high: Annotated[float | None, "largest possible score; needed unless scores are 0 or 1"] = None,
) -> TestResult:
    """Could a mean difference this far from delta arise with any scores of this range?

    A gambler who bets a fixed share of the purse on every item against the null multiplies it by 1 - c + c x / m, where
    x is the difference on a scale from 0 to 1 and m its mean under the null: in expectation the purse does not grow.
    The average purse over 65 stakes c is therefore evidence whose inverse is a p-value, at any n and for any
    distribution of independent items or clusters. Cautious: p-values are larger than those of other tests. Meant for
    margins on scores with many ties, where shifting the data and flipping signs is not valid.
    """
    d = differences(sample)
    smallest, largest = _range(sample, low, high)
    width = largest - smallest
    totals, sizes = cluster_totals(d.values, sample.clusters)
    # Equal groups make equal factors; few distinct ones is the usual case.
    groups, counts = np.unique(np.stack([totals / sizes, sizes / sizes.max()]), axis=1, return_counts=True)
    values, shares = groups

    def log_greater(null: float) -> float:
        return _log_p((values + width) / (2 * width), shares, counts, (null + width) / (2 * width))

    def log_less(null: float) -> float:
        return _log_p((width - values) / (2 * width), shares, counts, (width - null) / (2 * width))

    log_p = log_p_of(log_greater(delta), log_less(delta), alternative)
    mean, n = float(d.values.mean()), sample.n
    scale = max(float(d.values.std()), width / n) / math.sqrt(n)
    below, above = tail_levels(alternative, confidence_level)
    floor = _limit(log_greater, below, mean, scale, -width) if below else -math.inf
    ceiling = -_limit(lambda null: log_less(-null), above, -mean, scale, -width) if above else math.inf
    return TestResult(
        statistic=mean,
        p_value=p_of(log_p),
        log_p_value=log_p,
        alternative=alternative,
        n=n,
        computed=Computed("exact"),
        validity="bounded_scores",
        estimate=mean,
        delta=delta,
        interval=Interval(floor, ceiling, confidence_level, "betting"),
        details={"low": smallest, "high": largest},
    )


def _range(sample: Sample, low: float | None, high: float | None) -> tuple[float, float]:
    """The range of possible scores, which the data cannot prove: 0 to 1 for 0/1 scores, otherwise the user's to say."""
    scores = np.concatenate([sample.scores(0), sample.scores(1)])
    if low is None and high is None and np.isin(scores, (0.0, 1.0)).all():
        return 0.0, 1.0
    if low is None or high is None or not math.isfinite(low) or not math.isfinite(high) or low >= high:
        raise MethodError(
            "bounded_mean needs the range of possible scores.",
            fix=Fix("state it: ", Option("low", "1"), " and ", Option("high", "5"), " for ratings, say."),
        )
    return check_range(scores, low, high)


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
    return max(end, where_tail_passes(log_tail, level, max(mean - 3 * scale, end * (1 - 1e-9)), scale, 1e-7))
