"""Means and variances that lose no digits: from whole numbers on exact grids, two-pass on raw floats otherwise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from nofluke.align.decimals import to_integers
from nofluke.align.whole import merged, summable
from nofluke.types import FloatArray, IntArray, Sample

# Last bits of scores are less than this part of the step of their grid.
_STRAY = 1e-2


@dataclass(frozen=True, slots=True)
class Moments:
    """Size, mean and variance (n - 1 in the denominator) of a group; nan variance for a single value."""

    n: int
    mean: float
    variance: float
    constant: bool

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return math.sqrt(self.variance)


def of_integers(integers: IntArray, per_unit: Fraction) -> Moments:
    """Give the moments of integers / per_unit, with the sum exact and nothing to cancel in the squares."""
    kinds = merged(integers)
    values, counts = (integers, None) if kinds is None else kinds
    n = len(integers)
    total = sum(values.tolist()) if counts is None else sum(map(int.__mul__, values.tolist(), counts.tolist()))
    # Centring on the nearest whole number keeps the values whole, and the rest within half a step.
    pivot = (2 * total + n) // (2 * n)
    centred = (values - pivot).astype(np.float64)
    rest = total - n * pivot
    squares = float(centred @ (centred if counts is None else centred * counts)) - rest * rest / n
    constant = bool(values.min() == values.max())
    variance = math.nan if n < 2 else 0.0 if constant else squares / (n - 1) / float(per_unit) / float(per_unit)
    return Moments(n, float(total / (n * per_unit)), variance, constant)


def of_floats(values: FloatArray, constant: bool) -> Moments:
    """Give the moments of raw floats, two-pass; `constant` as the grid of the sample sees it."""
    n = len(values)
    mean = math.fsum(values.tolist()) / n
    # The sum of squares in units of the largest deviation: neither 1e-200 nor 1e200 leaves the range of floats.
    centred = values - mean
    unit = float(np.max(np.abs(centred), initial=0.0)) or 1.0
    centred = centred / unit
    squares = float(centred @ centred) - float(centred.sum()) ** 2 / n
    variance = math.nan if n < 2 else 0.0 if constant else squares / (n - 1) * unit * unit
    return Moments(n, mean, variance, constant)


def of_system(sample: Sample, index: int) -> Moments:
    """Give the moments of one system's scores as the user gave them (not oriented)."""
    integers = to_integers(sample.scores(index), sample.grid)
    if sample.grid.exact:
        return of_integers(integers, sample.grid.exact_per_unit)
    return of_floats(sample.scores(index), _one_value(sample, sample.scores(index), integers))


def of_differences(sample: Sample) -> Moments:
    """Give the moments of the oriented paired differences of A and B."""
    from nofluke.align import differences

    d = differences(sample)
    if sample.grid.exact and d.integers is not None:
        return of_integers(d.integers, sample.grid.exact_per_unit)
    return of_floats(d.values, _one_value(sample, d.values, d.whole))


def _one_value(sample: Sample, values: FloatArray, integers: IntArray) -> bool:
    """Whether values off an exact grid are one value: one step of it, or two whose border last bits stray across."""
    return bool(integers.min() == integers.max()) or float(np.ptp(values)) < sample.grid.step * _STRAY


def mean_gap(sample: Sample) -> float:
    """Give mean of A minus mean of B, oriented so that positive means A is better; on exact grids rounded once."""
    sign = 1 if sample.higher_is_better else -1
    if not sample.grid.exact:
        gap = sign * (of_system(sample, 0).mean - of_system(sample, 1).mean)
        # Below half a step the grid sees no difference, only binary noise.
        return gap if abs(gap) >= sample.grid.step / 2 else 0.0
    total_a, total_b = (int(summable(to_integers(sample.scores(index), sample.grid)).sum()) for index in (0, 1))
    n_a, n_b = sample.lengths[:2]
    return float(sign * (total_a * n_b - total_b * n_a) / (n_a * n_b * sample.grid.exact_per_unit))
