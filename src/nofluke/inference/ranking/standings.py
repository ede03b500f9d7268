"""The standings of a ranking: scores with intervals, their order, rank ranges and groups that the pairs leave open."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul

import numpy as np
import numpy.typing as npt

from nofluke.align.whole import summable
from nofluke.inference.intervals.proportions import wilson
from nofluke.inference.ranking.panel import by_cluster, oriented
from nofluke.laws.tails import t_quantile
from nofluke.types import Aggregate, FloatArray, Interval, Sample, Strata

_STEP = 1e-5
# Central differences leave a spread of this size, relative to the score, where there is none.
_NO_SPREAD = 1e-8
BoolArray = npt.NDArray[np.bool_]


def system_intervals(sample: Sample, level: float) -> tuple[Interval | None, ...]:
    """Give one interval a system: Wilson's for 0/1 scores, t for means, the delta method for corpus metrics.

    With clusters the spread is that of cluster totals; of an average of datasets, that of items within each of them.
    None where a system has one unit only, or no spread is known.
    """
    return tuple(_interval(sample, index, level) for index in range(len(sample.systems)))


def _interval(sample: Sample, index: int, level: float) -> Interval | None:
    values = sample.of(index)
    if sample.aggregate.whole is not None:
        return None
    if sample.strata is not None and not sample.strata.pooled:
        return _of_average(sample, sample.strata, index, level)
    if not sample.aggregate.linear:
        return _of_sums(sample, values, level)
    scores = values[:, 0]
    tail = (1.0 - level) / 2.0
    if sample.clusters is None and sample.unit_size == 1 and np.isin(scores, (0.0, 1.0)).all():
        return wilson(int(scores.sum()), len(scores), tail, tail, level)
    sizes = by_cluster(np.ones(len(scores)), sample.clusters)
    units = len(sizes)
    if units < 2:
        return None
    mean = math.fsum(scores.tolist()) / len(scores)
    residuals = by_cluster(scores, sample.clusters) - sizes * mean
    error = math.sqrt(units / (units - 1) * float(residuals @ residuals)) / len(scores)
    half = -t_quantile(tail, units - 1) * error
    return Interval(mean - half, mean + half, level, "t" if sample.clusters is None else "t over clusters")


def _of_average(sample: Sample, strata: Strata, index: int, level: float) -> Interval | None:
    """The standard error sum w^2 s^2 / n of an average of datasets; Satterthwaite's degrees of freedom."""
    values, sizes = sample.of(index), np.array(strata.sizes, dtype=np.float64)
    influence = np.zeros(sample.n)
    for place, weight in enumerate(strata.weights):
        here = strata.codes == place
        influence[here] = weight * _influences(values[here], strata.each)
    if sample.clusters is None:
        within = np.bincount(strata.codes, weights=influence**2) * sizes / np.maximum(sizes - 1, 1)
        total = float(within.sum())
        # A dataset of one item has no spread to know, which leaves that of the average unknown.
        known = 0.0 if sizes.min() < 2 else total**2 / float(np.sum(within**2 / (sizes - 1))) if total else math.inf
    else:
        sums = by_cluster(influence, sample.clusters)
        total, known = len(sums) / max(len(sums) - 1, 1) * float(sums @ sums), len(sums) - 1.0
    if known <= 0:
        return None
    if not strata.each.linear:
        return _around(sample.score(index), math.sqrt(total), known, level, "delta method")
    mean, half = sample.score(index), -t_quantile((1.0 - level) / 2.0, known) * math.sqrt(total)
    return Interval(mean - half, mean + half, level, "t" if sample.clusters is None else "t over clusters")


def _influences(values: FloatArray, aggregate: Aggregate) -> FloatArray:
    """How much each item moves the score of all: of a mean its deviation / n, else by central differences."""
    n = float(len(values))
    if aggregate.linear:
        moved: FloatArray = (values[:, 0] - values[:, 0].mean()) / n
        return moved
    sums = values.sum(axis=0)
    steps = np.maximum(np.abs(sums), 1.0) * _STEP
    with np.errstate(all="ignore"):
        rise = aggregate(sums + np.diag(steps), n) - aggregate(sums - np.diag(steps), n)
    influence: FloatArray = (values - sums / n) @ (rise / (2 * steps))
    return influence


def _of_sums(sample: Sample, values: FloatArray, level: float) -> Interval | None:
    """The delta method: the spread of the metric's influences."""
    table = by_cluster(values, sample.clusters)
    units = len(table)
    if units < 2:
        return None
    influence = _influences(table, sample.aggregate)
    error = math.sqrt(units / (units - 1) * float(influence @ influence))
    return _around(sample.aggregate.score(values), error, units - 1, level, "delta method")


def _around(score: float, error: float, df: float, level: float, method: str) -> Interval | None:
    """The interval of this standard error; None without any spread (one item behind a ratio, or a perfect score)."""
    if not math.isfinite(error) or not math.isfinite(score) or error <= _NO_SPREAD * max(1.0, abs(score)):
        return None
    half = -t_quantile((1.0 - level) / 2.0, df) * error
    return Interval(score - half, score + half, level, method)


def score_order(sample: Sample) -> list[int]:
    """Give the systems from the best score down; equal scores by name, so that the order of columns does not matter."""
    scores: Sequence[float]
    if sample.aggregate.linear and sample.grid.exact and sample.paired:
        scores = _whole_sums(sample)
    else:
        sign = 1.0 if sample.higher_is_better else -1.0
        scores = [sign * sample.score(index) for index in range(len(sample.systems))]
    return sorted(range(len(scores)), key=lambda index: (-scores[index], sample.systems[index]))


def _whole_sums(sample: Sample) -> list[int]:
    """Give the score of every system times what all items count, in steps of the grid: equal ones are equal."""
    table, strata = summable(oriented(sample)), sample.strata
    if strata is None or strata.pooled:
        found: list[int] = table.sum(axis=0).tolist()
        return found
    totals = by_cluster(table, strata.codes)
    return [sum(map(mul, strata.multipliers, column)) for column in totals.T.tolist()]


def rank_ranges(better: BoolArray) -> tuple[tuple[int, int], ...]:
    """Give [1 + number shown to be better, S - number shown to be worse] for every system.

    >>> rank_ranges(np.array([[False, False, True], [False, False, True], [False, False, False]]))
    ((1, 2), (1, 2), (3, 3))
    """
    size = len(better)
    above, below = better.sum(axis=0).tolist(), better.sum(axis=1).tolist()
    return tuple((1 + up, size - down) for up, down in zip(above, below, strict=True))


def groups(better: BoolArray, names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Give the maximal runs in score order without a separated pair inside; every system is in at least one.

    >>> groups(np.array([[False, False, True], [False, False, False], [False, False, False]]), "abc")
    (('a', 'b'), ('b', 'c'))
    """
    separated = better | better.T
    size, end = len(better), 0
    runs: list[tuple[str, ...]] = []
    for start in range(size):
        stop = max(end, start + 1)
        while stop < size and not separated[start:stop, stop].any():
            stop += 1
        if stop > end:
            runs.append(tuple(names[start:stop]))
            end = stop
    return tuple(runs)


def out_of_order(better: BoolArray, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Give the pairs (better, worse) that are separated against the order of the scores."""
    lower = np.argwhere(np.tril(better, -1)).tolist()
    return tuple((names[i], names[j]) for i, j in lower)
