"""What a mean difference is divided by, with the large-sample error of the quotient.

Everything is a ratio of standard deviations, and what A and B do not share (1 - r) is a sum of squares: nothing cancels
when the differences are nearly constant, and nothing leaves the range of doubles at 1e-100 or 1e100.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.inference.describe import Moments, of_differences, of_system
from nofluke.types import FloatArray, Sample

# Two columns of standard scores that are closer than this part of the scores are the same: the grid of ties.
_NO_GAP = 1e-12
# From so many items on, what variances say is not looked up item by item, unless all but this part of it cancels.
_MANY = 10_000
_MOST_CANCELLED = 1e-5


@dataclass(frozen=True, slots=True)
class PairMoments:
    """Size, mean difference, and the standard deviations of A, of B and of A - B, of paired scores.

    `gap` is that of A less that of B; `unshared` is 1 - r: 0 for r = 1, nan when a system does not vary.
    """

    n: int
    mean: float
    a: float
    b: float
    difference: float
    gap: float
    unshared: float


def spread_of(sample: Sample) -> PairMoments:
    """Give the moments that all standardised differences are made of."""
    d, of_a, of_b = of_differences(sample), of_system(sample, 0), of_system(sample, 1)
    if d.n < 2 or not of_a.variance or not of_b.variance:
        return PairMoments(d.n, d.mean, of_a.sd, of_b.sd, d.sd, of_a.sd - of_b.sd, math.nan)
    alike = _from_moments(d, of_a, of_b) if sample.grid.exact and d.n >= _MANY else None
    if alike is not None:
        return alike
    sign = 1 if sample.higher_is_better else -1
    a, b = (_centred(sign * sample.scores(index)) for index in (0, 1))
    both = _centred(sign * (sample.scores(0) - sample.scores(1)))
    # The difference of the variances is the mean of (a - b)(a + b), which loses no digits when a and b are alike.
    gap = float(both @ (a + b)) / (d.n - 1) / (of_a.sd + of_b.sd)
    # a / sd(a) - b / sd(b), written with a - b and the column that varies less; swapping the systems only turns it.
    low, high = sorted((of_a.sd, of_b.sd))
    less = (a + b) / 2 if low == high else b if of_b.sd == low else a
    apart = (both - less * (gap / low)) / high
    unshared = float(apart @ apart) / (2 * (d.n - 1))
    noise = _NO_GAP * sum(
        float(np.max(np.abs(sample.scores(index)))) / system.sd for index, system in ((0, of_a), (1, of_b))
    )
    return PairMoments(d.n, d.mean, of_a.sd, of_b.sd, d.sd, gap, unshared if math.sqrt(2 * unshared) > noise else 0.0)


def _from_moments(d: Moments, of_a: Moments, of_b: Moments) -> PairMoments | None:
    """Of many whole numbers the variances are right to the last digits and say it all, unless most of them cancels."""
    gap = (of_a.variance - of_b.variance) / (of_a.sd + of_b.sd)
    left = d.variance - gap * gap
    if left < _MOST_CANCELLED * d.variance or abs(gap) < _MOST_CANCELLED * (of_a.sd + of_b.sd):
        return None
    return PairMoments(d.n, d.mean, of_a.sd, of_b.sd, d.sd, gap, left / (2 * of_a.sd * of_b.sd))


def _centred(values: FloatArray) -> FloatArray:
    centred: FloatArray = values - math.fsum(values.tolist()) / len(values)
    centred -= centred.mean()
    return centred


def standardiser(spread: PairMoments, form: str) -> float:
    """Give the standard deviation that this form of Cohen's d divides by; 0 or nan where there is none."""
    if form == "z":
        return spread.difference
    if form == "av":
        return (spread.a + spread.b) / 2
    if form == "pooled":
        return math.hypot(spread.a, spread.b) / math.sqrt(2)
    # rm: d_z sqrt(2 (1 - r)); without correlation below 1 nothing is left to divide by.
    return spread.difference / math.sqrt(2 * spread.unshared) if spread.unshared > 0 else math.nan


def standard_error(spread: PairMoments, form: str, d: float) -> float:
    """Give the delta-method standard error of d for normal scores (Bonett 2008 for form pooled).

    (n - 1) var(d) = v_d / s^2 + d^2 q, where q / (n - 1) is the variance of log s under normality.
    """
    s = standardiser(spread, form)
    return math.sqrt(((spread.difference / s) ** 2 + d * d * _log_variance(spread, form, s)) / (spread.n - 1))


def _log_variance(spread: PairMoments, form: str, s: float) -> float:
    """n - 1 times the variance of log s.

    From the sampling variances of normal scores: 2 v^2 for a variance v, (1 - r^2)^2 for r, and
    (1 - r^2) (r (v_a + v_b) - 2 s_a s_b) for the covariance of v_d and r.
    """
    if form == "z":
        return 0.5
    # A system that does not vary has no correlation, and no part in the products below.
    r = 0.0 if math.isnan(spread.unshared) else 1 - spread.unshared
    a, b = spread.a / s, spread.b / s
    if form == "av":
        return (a * a + b * b + 2 * r * r * a * b) / 8
    if form == "pooled":
        return (a**4 + b**4 + 2 * r * r * (a * b) ** 2) / 8
    gap, v = spread.gap / spread.difference, spread.difference / s
    shared = spread.unshared * (a * a + b * b) / (v * v) - gap * gap
    return 0.5 + (1 + r) ** 2 / 4 - (1 + r) * shared / 2
