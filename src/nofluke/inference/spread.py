"""How far a mean may be off: its variance from items, within datasets and by clusters, and how well that is known."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nofluke.align.strata import unblocked
from nofluke.inference.resampling.corpus import gradient
from nofluke.types import Aggregate, FloatArray, IntArray, Sample

# Central differences leave a spread of this size, relative to the score, where there is none.
_NO_SPREAD = 1e-8
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Spread:
    """The variance of an estimate, and its degrees of freedom."""

    variance: float
    df: float

    @property
    def standard_error(self) -> float:
        """The square root of the variance."""
        return math.sqrt(self.variance)


UNKNOWN = Spread(math.nan, math.nan)


def added(*parts: Spread) -> Spread:
    """Add independent variances; the degrees of freedom are Satterthwaite's."""
    total = math.fsum(part.variance for part in parts)
    if total == 0:
        return Spread(0.0, min(part.df for part in parts))
    # By shares, so that the squares of tiny variances do not underflow.
    return Spread(total, 1 / math.fsum((part.variance / total) ** 2 / part.df for part in parts if part.variance))


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """From which dataset each item was sampled, what the datasets weigh, and which items are kept together."""

    datasets: IntArray
    weights: FloatArray
    clusters: IntArray | None = None

    def means(self, values: FloatArray) -> FloatArray:
        """Give the mean of every dataset."""
        sizes = np.bincount(self.datasets, minlength=len(self.weights))
        means = np.bincount(self.datasets, weights=values, minlength=len(self.weights)) / sizes
        # What the first sum lost by rounding.
        rest = np.bincount(self.datasets, weights=values - means[self.datasets], minlength=len(self.weights)) / sizes
        found: FloatArray = means + rest
        return found

    def average(self, values: FloatArray) -> float:
        """Give the weighted average of the means of the datasets."""
        return math.fsum((self.weights * self.means(values)).tolist())

    def spread(self, values: FloatArray, *, lone_from_average: bool = False) -> Spread:
        """Give the variance of the weighted average of one value per item.

        Items vary within their dataset, so the variance is the sum of w^2 s^2 / n over datasets. Where items come in
        clusters, these are what varies: their totals, with G / (G - 1) for G of them (CR1), within every dataset unless
        clusters reach over several. The spread of a dataset with one unit is not known, which leaves that of the
        average unknown (nan); or else how far it lies from the average stands for it.
        """
        homes, units = self._homes, self.units
        lone = units < 2
        if lone.any() and not (lone_from_average and len(homes) > 1):
            return UNKNOWN
        totals = self._totals(values, lone)
        if units.sum() > len(homes):
            # Some clusters reach over several datasets.
            number = len(totals)
            return Spread(number / (number - 1) * float(totals @ totals), number - 1.0)
        known = np.maximum(units - 1, 1)
        parts = np.bincount(homes, weights=totals**2, minlength=len(units)) * units / known
        return added(*map(Spread, parts.tolist(), known.tolist()))

    @property
    def units(self) -> FloatArray:
        """How many items, or clusters, every dataset has items of."""
        inside = self.datasets
        if self.clusters is not None:
            codes, number = np.unique(self.clusters, return_inverse=True)[1], len(self.weights)
            inside = np.unique(codes * number + self.datasets) % number
        return np.bincount(inside, minlength=len(self.weights)).astype(np.float64)

    @property
    def _homes(self) -> IntArray:
        """The dataset of every item or cluster; one of them where it reaches over several."""
        if self.clusters is None:
            return self.datasets
        return np.asarray(self.datasets[np.unique(self.clusters, return_index=True)[1]])

    def _totals(self, values: FloatArray, lone: BoolArray) -> FloatArray:
        """By how much every unit moves the average, from where its datasets are."""
        sizes, means = np.bincount(self.datasets, minlength=len(self.weights)), self.means(values)
        off = values - np.where(lone, self.average(values), means)[self.datasets]
        # A mean of equal numbers need not be that number.
        off[(self._constant(values) & ~lone)[self.datasets]] = 0.0
        moved: FloatArray = (self.weights / sizes)[self.datasets] * off
        if self.clusters is None:
            return moved
        codes = np.unique(self.clusters, return_inverse=True)[1]
        return np.bincount(codes, weights=moved).astype(np.float64)

    def _constant(self, values: FloatArray) -> BoolArray:
        """Whether all values of a dataset are equal, for every dataset."""
        highest, lowest = np.full(len(self.weights), -math.inf), np.full(len(self.weights), math.inf)
        np.maximum.at(highest, self.datasets, values)
        np.minimum.at(lowest, self.datasets, values)
        return np.asarray(highest == lowest)


def design_of(sample: Sample) -> Design:
    """Give the datasets within which items were sampled; all are one where the user pooled them."""
    strata = sample.strata
    if strata is None or strata.one_source:
        return Design(np.zeros(sample.n, np.int64), np.ones(1), sample.clusters)
    return Design(strata.codes, np.array(strata.weights), sample.clusters)


def spread_of_mean(values: FloatArray, sample: Sample) -> Spread:
    """Give the variance of the mean of one value per item; of the weighted average where there are several datasets."""
    design = design_of(sample)
    if len(values) < sample.n:
        # A system of an unpaired sample may have fewer items than another.
        design = Design(design.datasets[: len(values)], design.weights)
    return design.spread(values)


def item_values(sample: Sample, index: int, run: int | None = None) -> FloatArray:
    """Give one value per item whose mean varies as the score of a system (or of one of its runs) does.

    The scores themselves where the score is their mean. Of a function of sums, the tangent at the observed sums (delta
    method): then only differences between the values mean something.
    """
    linear, strata = sample.aggregate.linear, sample.strata
    plain = sample if linear else unblocked(sample)
    rows = plain.of(index) if run is None or sample.runs is None else sample.runs.statistics[index][:, run]
    if linear:
        return rows[:, 0]
    if strata is None or strata.pooled:
        return _tangent(plain.aggregate, rows)
    values = np.empty(len(rows))
    for place in range(len(strata.names)):
        here = np.flatnonzero(strata.codes == place)
        values[here] = _tangent(strata.each, rows[here])
    return values


def _tangent(aggregate: Aggregate, rows: FloatArray) -> FloatArray:
    n, sums = len(rows), rows.sum(axis=0)
    with np.errstate(all="ignore"):
        tangent: FloatArray = n * (rows @ gradient(aggregate, sums, float(n)))
    # Of a perfect score, or with one item behind a ratio, there is none.
    none = float(np.std(tangent)) / math.sqrt(n) <= _NO_SPREAD * max(1.0, abs(aggregate.score(rows)))
    return np.zeros(n) if none else tangent
