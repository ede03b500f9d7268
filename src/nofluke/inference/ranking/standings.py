"""The standings of a ranking: scores with intervals, their order, rank ranges and groups that the pairs leave open."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul

import numpy as np
import numpy.typing as npt

from nofluke.align.exact_sums import summable
from nofluke.inference.own_score import Question, own_score
from nofluke.inference.own_share import full_score_of, interval_of_shares, right_answers, times, within_range
from nofluke.inference.ranking.panel import by_cluster, oriented
from nofluke.inference.spread import item_values, spread_of_mean
from nofluke.laws.tails import t_quantile
from nofluke.types import Interval, Sample

BoolArray = npt.NDArray[np.bool_]


def system_intervals(sample: Sample, level: float) -> tuple[Interval | None, ...]:
    """Give one interval a system: Wilson's for 0/1 scores, t for means, the delta method for corpus metrics.

    With clusters the spread is that of cluster totals; of an average of datasets, that of items within each of them.
    Where training runs were sampled too, by t over items and runs. None where a system has one unit only, or no spread
    is known.
    """
    return tuple(_interval(sample, index, level) for index in range(len(sample.systems)))


def _interval(sample: Sample, index: int, level: float) -> Interval | None:
    if sample.aggregate.whole is not None:
        return None
    if sample.runs is not None:
        return own_score(sample, index, Question("t", None, "two-sided", level, seed=0)).interval
    tail = (1.0 - level) / 2.0
    shares = right_answers(sample, index) if sample.unit_size == 1 else None
    if shares is not None:
        return times(interval_of_shares(shares, tail, tail, level), full_score_of(sample, index) or 1.0)
    values, linear = item_values(sample, index), sample.aggregate.linear
    spread = spread_of_mean(values, sample)
    if math.isnan(spread.variance) or not (linear or spread.variance):
        return None
    score = math.fsum(values.tolist()) / len(values) if linear and sample.strata is None else sample.score(index)
    half = -t_quantile(tail, spread.df) * spread.standard_error
    if not math.isfinite(score):
        return None
    method = "delta method" if not linear else "t" if sample.clusters is None else "t over clusters"
    found = Interval(score - half, score + half, level, method)
    return within_range(found, full_score_of(sample, index)) if sample.unit_size == 1 else found


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
