"""Corpus metrics as means: the tangent at the observed sums gives every item a share, and draws correct the rest."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.engine.corrected.draws import drawn_sums, exact_table
from nofluke.engine.corrected.linearise import central_gradient
from nofluke.engine.pairs.quick_bootstrap import quick_bootstrap
from nofluke.engine.pairs.table import Progress
from nofluke.engine.randomness import CORRECTION, in_chunks
from nofluke.inference.ranking.panel import by_cluster
from nofluke.studies.leads import Leads
from nofluke.types import Aggregate, FloatArray, IntArray, Ratio, Sample

_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
# Shares of few different sizes move in steps; a little noise, 2 % of their spread and always the same, smooths the
# tangent, which is only a stand-in. Grid of the tangent: sums of it are exact in doubles.
_DITHER = 0.02
_TANGENT_BITS = 30
# Below this the tangent's p-value cannot be moved near anything of interest.
_TINY = 1e-5
_STATISTIC_BITS = 40


@dataclass(frozen=True, slots=True, eq=False)
class Linearised:
    """A (units, S) share of every item in its system's score, higher = better: their mean is the score.

    For corpus metrics `statistics` (units, S, k) are whole numbers and `aggregate` their (oriented) score.
    """

    values: FloatArray
    statistics: FloatArray | None = None
    aggregate: Aggregate | None = None

    @classmethod
    def of_means(cls, values: FloatArray) -> Linearised:
        """Item scores are their own shares."""
        return cls(values)


def linearised(sample: Sample) -> Linearised:
    """Give the shares of items, or of clusters; a mean of clustered items is a ratio of sums."""
    statistics, aggregate = np.asarray(sample.statistics), sample.aggregate
    if aggregate.linear:
        counts = np.ones((*statistics.shape[:2], 1))
        statistics = np.concatenate((np.rint(statistics * sample.grid.per_unit), counts), axis=2)
        aggregate = _mean_of_clusters(sample.grid.per_unit)
    elif not np.array_equal(statistics, np.rint(statistics)):
        largest = float(np.abs(statistics).max()) * len(statistics)
        scale = 2.0 ** math.floor(_STATISTIC_BITS - math.log2(largest))
        statistics, aggregate = np.rint(statistics * scale), _scaled(aggregate, scale)
    if not sample.higher_is_better:
        aggregate = _negated(aggregate)
    statistics = np.asarray(by_cluster(statistics, sample.clusters))
    units, size, _ = statistics.shape
    sums = statistics.sum(axis=0)
    spread = statistics.std(axis=0) * math.sqrt(units)
    values = np.empty((units, size))
    for system in range(size):
        gradient = central_gradient(lambda rows: aggregate(rows, float(units)), spread[system])(sums[system])
        score = float(aggregate(sums[system], float(units)))
        values[:, system] = score + units * ((statistics[:, system] - sums[system] / units) @ gradient)
    return Linearised(values, statistics, aggregate)


def _mean_of_clusters(per_unit: float) -> Aggregate:
    def function(sums: FloatArray, n: float) -> FloatArray:  # noqa: ARG001 (the shape of all aggregates)
        return sums[..., 0] / (sums[..., 1] * per_unit)

    return Aggregate("mean over clusters", function, linear=False, ratio=Ratio((1, 0), (0, 1)))


def _scaled(aggregate: Aggregate, scale: float) -> Aggregate:
    def function(sums: FloatArray, n: float) -> FloatArray:
        return aggregate(sums / scale, n)

    return replace(aggregate, function=function)


def _negated(aggregate: Aggregate) -> Aggregate:
    def function(sums: FloatArray, n: float) -> FloatArray:
        return -aggregate(sums, n)

    return replace(aggregate, function=function)


def corrected_p_values(
    line: Linearised,
    pairs: Leads,
    same: npt.NDArray[np.bool_],
    *,
    draws: int,
    seed: int,
    progress: Progress | None,
) -> FloatArray:
    """Give P(gain* > 2 gain) of every pair: the tangent's tail, plus how much oftener the metric itself exceeds.

    The mean of 1[metric exceeds] - 1[tangent exceeds] over shared draws is added. Both indicators nearly always agree,
    so the error is a fraction of that of counting.
    """
    if line.statistics is None or line.aggregate is None:
        raise TypeError("means need no tangent")
    whole = on_grid(line.values)
    p, limit = _tangent_tails(whole, pairs.better, pairs.worse)
    open_pairs = np.flatnonzero(~same & (np.nan_to_num(p) > _TINY))
    if not draws or not open_pairs.size:
        return p
    i, j, twice = pairs.better[open_pairs], pairs.worse[open_pairs], 2.0 * pairs.gain[open_pairs]
    limit = limit[open_pairs]
    units, size, k = line.statistics.shape
    columns = np.concatenate((line.statistics.reshape(units, size * k), whole.astype(np.float64)), axis=1)
    surplus = np.zeros(open_pairs.size, np.int64)
    shared = (exact_table(columns, units), line.aggregate, (i, j), twice, limit)
    for part in in_chunks(partial(_surplus, seed, size), shared, draws, progress):
        surplus += part
    p[open_pairs] = np.clip(p[open_pairs] + surplus / draws, 1.0 / (1 + draws), 1.0)
    return p


def _surplus(
    seed: int,
    systems: int,
    shared: tuple[npt.NDArray[Any], Aggregate, tuple[IntArray, IntArray], FloatArray, FloatArray],
    chunk: tuple[int, int],
) -> IntArray:
    """How much oftener the metric exceeds than the tangent, in one chunk of draws."""
    table, aggregate, (i, j), twice, limit = shared
    sums = drawn_sums(table, *chunk, seed=seed, stage=CORRECTION, size=len(table))
    own, linear = sums[:, :-systems], sums[:, -systems:]
    scores = aggregate(own.reshape(chunk[1], systems, -1), float(len(table)))
    true = np.count_nonzero(scores[:, i] - scores[:, j] > twice, axis=0)
    surplus: IntArray = true - np.count_nonzero(linear[:, i] - linear[:, j] > limit, axis=0)
    return surplus


def on_grid(values: FloatArray) -> IntArray:
    """Give the shares as whole numbers, with the noise that keeps their sums off any coarse grid."""
    units, size = values.shape
    noise = (np.arange(1, units * size + 1) * _GOLDEN % 1.0).reshape(units, size) - 0.5
    noise *= math.sqrt(12.0) * _DITHER * values.std(axis=0)
    shares = values + (noise - noise.mean(axis=0))
    bits = min(_TANGENT_BITS, 52 - units.bit_length())
    whole: IntArray = np.rint(shares * (2.0**bits / max(float(np.abs(shares).max()), 1e-300))).astype(np.int64)
    return whole


def _tangent_tails(whole: IntArray, better: IntArray, worse: IntArray) -> tuple[FloatArray, FloatArray]:
    """Give the tangent's P(D* > limit) and the limit, twice the lead of the better system.

    Rounding may put nearly equal systems in the other order; then the event is that the other one does not exceed.
    """
    tails = quick_bootstrap(whole)
    table = np.full((whole.shape[1],) * 2, np.nan)
    table[tails.behind, tails.ahead], table[tails.ahead, tails.behind] = 1.0 - tails.p, tails.p
    sums = whole.sum(axis=0)
    lead = sums[better] - sums[worse]
    p: FloatArray = table[better, worse]
    return p, 2.0 * lead - np.where(lead < 0, 0.5, 0.0)
