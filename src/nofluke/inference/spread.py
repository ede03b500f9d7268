"""How far a mean may be off: its variance from items, within datasets and by clusters, and how well that is known."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nofluke.align import cluster_totals
from nofluke.align.strata import unblocked
from nofluke.inference.resampling.tangents import gradients
from nofluke.types import Aggregate, FloatArray, IntArray, Sample

# Central differences leave a spread of this size, relative to the score, where there is none.
_NO_SPREAD = 1e-8


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
    vary = [part for part in parts if part.variance]
    if len(vary) < 2:
        return vary[0] if vary else Spread(0.0, min(part.df for part in parts))
    total = math.fsum(part.variance for part in vary)
    # By shares, so that the squares of tiny variances do not underflow.
    return Spread(total, 1 / math.fsum((part.variance / total) ** 2 / part.df for part in vary))


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """From which dataset each item was sampled, what the datasets weigh, and which items are kept together."""

    datasets: IntArray
    weights: FloatArray
    clusters: IntArray | None = None

    def average(self, values: FloatArray) -> float:
        """Give the weighted average of the means of the datasets."""
        return math.fsum((self.weights * self._means(values)).tolist())

    def spread(self, values: FloatArray, *, lone_from_average: bool = False) -> Spread:
        """Give the variance of the weighted average of one value per item.

        Items vary within their dataset, so the variance is the sum of w^2 s^2 / n over datasets. Where items come in
        clusters, these are what varies: their totals, with G / (G - 1) for G of them (CR1), within every dataset unless
        clusters reach over several. The spread of a dataset with one unit is not known, which leaves that of the
        average unknown (nan); or else how far it lies from the average stands for it.
        """
        units = self.units
        lone, number = units < 2, len(self.datasets)
        if self.clusters is not None:
            number = len(np.unique(self.clusters))
        if lone.any() and not (lone_from_average and number > 1):
            return UNKNOWN
        centres = self._means(values)
        if lone.any():
            centres[lone] = self.average(values)
        if int(units.sum()) > number:
            return self._over_all(values, centres, lone)
        return added(*(self._within(place, values[here], here, centres) for place, here in enumerate(self._places)))

    @property
    def units(self) -> IntArray:
        """How many items, or clusters, every dataset has items of."""
        inside = self.datasets
        if self.clusters is not None:
            codes, number = np.unique(self.clusters, return_inverse=True)[1], len(self.weights)
            inside = np.unique(codes * number + self.datasets) % number
        return np.bincount(inside, minlength=len(self.weights)).astype(np.int64)

    @property
    def _places(self) -> list[IntArray]:
        """The items of every dataset."""
        return [np.flatnonzero(self.datasets == place) for place in range(len(self.weights))]

    def _means(self, values: FloatArray) -> FloatArray:
        return np.array([math.fsum(values[here].tolist()) / len(here) for here in self._places])

    def _within(self, place: int, values: FloatArray, here: IntArray, centres: FloatArray) -> Spread:
        """The variance that the units of one dataset bring."""
        totals, sizes = cluster_totals(values, None if self.clusters is None else self.clusters[here])
        residuals, units = totals - sizes * centres[place], len(totals)
        if units > 1 and values.min() == values.max():
            residuals = np.zeros(units)  # a mean of equal numbers need not be that number
        factor = units / (units - 1) if units > 1 else 1.0
        error = float(self.weights[place]) * (math.sqrt(factor * float(residuals @ residuals)) / len(values))
        return Spread(error**2, max(units - 1.0, 1.0))

    def _over_all(self, values: FloatArray, centres: FloatArray, lone: npt.NDArray[np.bool_]) -> Spread:
        """The variance where clusters reach over several datasets: that of what each of them moves the average by."""
        off = values - centres[self.datasets]
        for place, here in enumerate(self._places):
            if not lone[place] and values[here].min() == values[here].max():
                off[here] = 0.0
        sizes = np.bincount(self.datasets, minlength=len(self.weights))
        totals, _ = cluster_totals((self.weights / sizes)[self.datasets] * off, self.clusters)
        units = len(totals)
        return Spread(units / (units - 1) * float(totals @ totals), units - 1.0)


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
        tangent: FloatArray = n * (rows @ gradients(aggregate, sums, float(n)))
    # Of a perfect score, or with one item behind a ratio, there is none.
    none = float(np.std(tangent)) / math.sqrt(n) <= _NO_SPREAD * max(1.0, abs(aggregate.score(rows)))
    return np.zeros(n) if none else tangent
