"""How far a mean may be off: its variance from items, within datasets and by clusters, and how well that is known."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.align import cluster_totals
from nofluke.inference.resampling.corpus import gradient
from nofluke.types import Aggregate, FloatArray, IntArray, Sample


@dataclass(frozen=True, slots=True)
class Spread:
    """The variance of an estimate, and its degrees of freedom."""

    variance: float
    df: float

    @property
    def standard_error(self) -> float:
        """The square root of the variance."""
        return math.sqrt(self.variance)


def added(*parts: Spread) -> Spread:
    """Add independent variances; the degrees of freedom are Satterthwaite's."""
    total = math.fsum(part.variance for part in parts)
    if total == 0:
        return Spread(0.0, min(part.df for part in parts))
    # By shares, so that the squares of tiny variances do not underflow.
    return Spread(total, 1 / math.fsum((part.variance / total) ** 2 / part.df for part in parts if part.variance))


def spread_of_mean(values: FloatArray, sample: Sample) -> Spread:
    """Give the variance of the mean of one value per item; of the weighted average where there are several datasets.

    Items vary within their dataset. Where items come in clusters, these are what varies: their totals, with G / (G - 1)
    for G of them (CR1), within every dataset unless clusters reach over several. nan where a dataset has one unit.
    """
    strata, clusters = sample.strata, sample.clusters
    if strata is None or strata.pooled:
        return _of_units(np.full(len(values), 1 / len(values)), values, clusters)
    parts = [np.flatnonzero(strata.codes == place) for place in range(len(strata.names))]
    if clusters is not None and _reach_over(strata.codes, clusters):
        means = np.array([values[here].mean() for here in parts])
        return _of_units(strata.shares, values - means[strata.codes], clusters, centred=True)
    shares = strata.shares
    return added(
        *(_of_units(shares[here], values[here], None if clusters is None else clusters[here]) for here in parts)
    )


def _of_units(shares: FloatArray, values: FloatArray, clusters: IntArray | None, *, centred: bool = False) -> Spread:
    residuals = values if centred else values - values.mean()
    if not centred and values.min() == values.max():
        residuals = np.zeros(len(values))  # a mean of equal numbers need not be that number
    totals, _ = cluster_totals(shares * residuals, clusters)
    units = len(totals)
    if units < 2:
        return Spread(math.nan, math.nan)
    return Spread(units / (units - 1) * math.fsum((totals**2).tolist()), units - 1.0)


def _reach_over(datasets: IntArray, clusters: IntArray) -> bool:
    """Whether a cluster has items of several datasets."""
    pairs = np.unique(np.stack((clusters, datasets)), axis=1)
    return bool(pairs.shape[1] > len(np.unique(clusters)))


def item_values(sample: Sample, index: int, run: int | None = None) -> FloatArray:
    """Give one value per item whose mean varies as the score of a system (or of one of its runs) does.

    The scores themselves where the score is their mean. Of a function of sums, the tangent at the observed sums (delta
    method): then only differences between the values mean something.
    """
    rows = sample.of(index) if run is None or sample.runs is None else sample.runs.statistics[index][:, run]
    if sample.aggregate.linear:
        return rows[:, 0]
    strata = sample.strata
    if strata is None or strata.pooled:
        return _tangent(sample.aggregate if strata is None else strata.each, rows)
    width = rows.shape[1] // len(strata.names) if run is None else rows.shape[1]
    values = np.empty(len(rows))
    for place in range(len(strata.names)):
        here = np.flatnonzero(strata.codes == place)
        # Where statistics stand in blocks, those of this dataset.
        own = rows[here, place * width : (place + 1) * width] if run is None else rows[here]
        values[here] = _tangent(strata.each, own)
    return values


def _tangent(aggregate: Aggregate, rows: FloatArray) -> FloatArray:
    n = len(rows)
    tangent: FloatArray = n * (rows @ gradient(aggregate, rows.sum(axis=0), float(n)))
    return tangent
