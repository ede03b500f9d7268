"""Summaries of one column of numbers: moments, histogram, the three skewness figures, the kind of scores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from nofluke.align.decimals import to_integers
from nofluke.align.exact_sums import merged, summable
from nofluke.types import FloatArray, Grid, Histogram, IntArray, Sample, Summary

_MOST_BINS = 40
_FEW_VALUES = 11
# A bin narrower than so many last bits of the numbers in it has no edges that differ.
_NARROWEST = 4
_WHOLE_LOOKED_AT = 1_000

# Last bits of scores are less than this part of the step of their grid.
_STRAY = 1e-2


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column of numbers; where equal ones were merged, the different ones ascending and how often each occurs."""

    values: FloatArray
    counts: IntArray | None = None

    @property
    def n(self) -> int:
        """How many numbers there are."""
        return len(self.values) if self.counts is None else int(self.counts.sum())

    def mean(self, terms: FloatArray) -> float:
        """Give the mean over the column of one term for each of its values."""
        return float(terms.mean()) if self.counts is None else float(terms @ self.counts) / self.n

    def quantiles(self, shares: FloatArray, method: str = "linear") -> FloatArray:
        """Give the quantiles as np.quantile does."""
        if self.counts is None:
            return np.asarray(np.quantile(self.values, shares, method=method))  # type: ignore[call-overload]
        reached = np.cumsum(self.counts)
        if method == "inverted_cdf":
            place = np.maximum(np.ceil(self.n * shares - 1), 0)
            return self.values[np.searchsorted(reached, place, side="right")]
        place = shares * (self.n - 1)
        low, high = (self.values[np.searchsorted(reached, end, side="right")] for end in (place // 1, np.ceil(place)))
        found: FloatArray = low + (high - low) * (place % 1)
        return found

    @property
    def median(self) -> float:
        """The median."""
        return float(np.median(self.values) if self.counts is None else self.quantiles(np.array([0.5]))[0])


def column_of(values: FloatArray, integers: IntArray, grid: Grid) -> Column:
    """Give values, which are these whole numbers of steps of the grid, as a column."""
    kinds = merged(integers) if grid.exact and grid.divisor == 1 else None
    return Column(values) if kinds is None else Column(kinds[0] / grid.per_unit, kinds[1])


def summarise(name: str, column: Column, moments: Moments) -> Summary:
    """Give the usual figures of a column; one that is constant up to its last bits has a single value."""
    if moments.constant:
        column = Column(np.full(moments.n, moments.mean))
    return Summary(
        name=name,
        n=moments.n,
        mean=moments.mean,
        median=column.median,
        sd=moments.sd,
        minimum=float(column.values.min()),
        maximum=float(column.values.max()),
        histogram=histogram(column),
    )


def histogram(column: Column) -> Histogram:
    """Count values in bins by Freedman and Diaconis' rule, between 1 and 40 of them."""
    values, n = column.values, column.n
    low, high = float(values.min()), float(values.max())
    if low == high:
        return Histogram((low, high), (n,))
    quartiles = column.quantiles(np.array([0.25, 0.75]))
    width = 2 * float(quartiles[1] - quartiles[0]) / n ** (1 / 3)
    bins = math.ceil((high - low) / width) if width > (high - low) / _MOST_BINS else _MOST_BINS
    # Few values (ratings, 0/1) get no more bins than values: empty bins would look like structure.
    distinct = np.unique(values[: 50 * _MOST_BINS])
    bins = min(bins, max(2, len(distinct))) if len(distinct) <= _FEW_VALUES else max(bins, 5)
    bins = min(bins, int((high - low) / (_NARROWEST * float(np.spacing(max(abs(low), abs(high)))))))
    if bins < 2:
        return Histogram((low, high), (n,))
    counts, edges = np.histogram(values, bins=bins, range=(low, high), weights=column.counts)
    return Histogram(tuple(float(edge) for edge in edges), tuple(int(count) for count in counts))


def skewness(column: Column) -> tuple[float, float, float]:
    """Give g1 = m3 / m2^1.5, the adjusted G1 and b1 = m3 / s^3; nan where the values do not vary enough."""
    values, n = column.values, column.n
    centred = values - column.mean(values)
    largest = float(np.max(np.abs(centred), initial=0.0))
    if n < 2 or largest <= 1e-14 * float(np.max(np.abs(values), initial=0.0)):
        return math.nan, math.nan, math.nan
    unit = centred / largest
    m2, m3 = column.mean(unit**2), column.mean(unit**3)
    g1 = m3 / m2**1.5
    adjusted = g1 * math.sqrt(n * (n - 1)) / (n - 2) if n > 2 else math.nan
    return g1, adjusted, g1 * ((n - 1) / n) ** 1.5


def kind_of(values: FloatArray) -> str:
    """Name the kind of scores: binary, ratings (few whole values), counts, whole numbers or continuous.

    Looks at both systems' scores together, so that swapping A and B on any item changes nothing.
    """
    for part in (values[:_WHOLE_LOOKED_AT], values):
        if not np.array_equal(part, np.rint(part)):
            return "continuous"
    distinct = np.unique(values)
    if np.isin(distinct, (0.0, 1.0)).all():
        return "binary"
    if len(distinct) <= _FEW_VALUES and distinct[-1] - distinct[0] <= 20:
        return "ratings"
    return "counts" if distinct[0] >= 0 else "whole numbers"


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
    return of_floats(d.values, _one_value(sample, d.values, d.snapped))


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
