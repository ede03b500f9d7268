"""P-values of smooth metrics: the exact tail of a linear form, corrected by the draws in which the two disagree."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.engine.corrected.counting import AggregateGradient, Corrected, Disagreements, ScoreDifference
from nofluke.engine.corrected.draws import drawn_sums, swapped_sums, whole_statistics
from nofluke.engine.corrected.linearise import LinearEvent, central_gradient, on_grid, tangent_at_boundary
from nofluke.engine.flips import flip_tail
from nofluke.engine.randomness import CORRECTION, in_chunks
from nofluke.engine.resample import Progress
from nofluke.errors import InputError
from nofluke.types import Aggregate, FloatArray

__all__ = ["Corrected", "corrected_resampling", "corrected_swaps"]

# A variance below this share of the mean square is rounding.
_CONSTANT = 1e-13


def corrected_resampling(
    statistics: npt.ArrayLike,
    aggregate: Aggregate,
    level: float,
    *,
    resamples: int,
    seed: int,
    upper: bool = True,
    strict: bool = False,
    gradient: AggregateGradient | None = None,
    stage: int = CORRECTION,
    progress: Progress | None = None,
) -> Corrected:
    """How likely do A and B differ by at least `level` (upper) or at most (not upper) when n of n items are drawn?

    `statistics` is (n, 2, k), whole numbers. The difference of scores is a function of 2k sums; its tangent at the most
    probable point of the boundary is a sum over drawn items, whose tail is exact (draw_tail); draws are made for the
    disagreement only. `strict` excludes equality. `gradient(sums (k,), n)` replaces numerical differences.
    """
    from nofluke.engine.draws import draw_tail

    whole = whole_statistics(statistics)
    n, k = len(whole), whole.shape[2]
    items = whole.reshape(n, 2 * k)
    metric = ScoreDifference(aggregate, gradient, float(n), k, 1.0 if upper else -1.0)
    linear = _linear_in_draws(metric, items, metric.sign * level)
    tail = None if linear is None else draw_tail(linear.values, linear.threshold)
    counted = Disagreements(metric, metric.sign * level, linear, tail, strict=strict)
    table = _with_linear(items, linear)
    for counts in in_chunks(partial(_drawn, seed=seed, stage=stage), (counted, table), resamples, progress):
        counted.add(counts)
    return counted.corrected()


def _drawn(
    shared: tuple[Disagreements, npt.NDArray[Any]], chunk: tuple[int, int], *, seed: int, stage: int
) -> tuple[int, int, int]:
    counted, table = shared
    sums = drawn_sums(table, *chunk, seed=seed, stage=stage, size=len(table))
    return counted.count(sums[:, :-1], sums[:, -1])


def corrected_swaps(
    statistics: npt.ArrayLike,
    aggregate: Aggregate,
    *,
    resamples: int,
    seed: int,
    gradient: AggregateGradient | None = None,
    stage: int = CORRECTION,
    progress: Progress | None = None,
) -> Corrected:
    """How likely do A and B differ by at least what was observed when the outputs of each item are swapped at random?

    As corrected_resampling, with the sums of A - B under random signs; the tail of the linear form is flip_tail's. The
    other side is that of A and B exchanged.
    """
    whole = whole_statistics(statistics)
    n, k = len(whole), whole.shape[2]
    both, moves = whole.sum(axis=(0, 1)), whole[:, 0] - whole[:, 1]
    metric = ScoreDifference(aggregate, gradient, float(n), k)
    observed = float(metric(whole.sum(axis=0).reshape(1, -1))[0])
    linear = _linear_in_signs(metric, both, moves, observed)
    tail = None if linear is None else flip_tail(linear.values, linear.threshold)
    counted = Disagreements(metric, observed, linear, tail)
    shared = (counted, _with_linear(moves, linear), both)
    for counts in in_chunks(partial(_swapped, seed=seed, stage=stage), shared, resamples, progress):
        counted.add(counts)
    return counted.corrected()


def _swapped(
    shared: tuple[Disagreements, npt.NDArray[Any], FloatArray], chunk: tuple[int, int], *, seed: int, stage: int
) -> tuple[int, int, int]:
    counted, table, both = shared
    # A swapped item changes its sign: the signed sum is the whole minus twice the swapped.
    signed = table.sum(axis=0) - 2.0 * swapped_sums(table, *chunk, seed=seed, stage=stage)
    return counted.count(_split(both, signed[:, :-1]), signed[:, -1])


def _linear_in_draws(metric: ScoreDifference, items: FloatArray, level: float) -> LinearEvent | None:
    mean = items.sum(axis=0)
    # Products of whole numbers: the same whatever the number of threads.
    squares = items.T @ items
    covariance = squares - np.outer(mean, mean) / len(items)
    constant = np.diag(covariance) <= _CONSTANT * np.diag(squares)
    covariance[constant], covariance[:, constant] = 0.0, 0.0
    given = metric.of_aggregate is not None
    slopes = metric.gradient if given else central_gradient(metric, np.sqrt(np.diag(covariance)))
    tangent = tangent_at_boundary(metric, slopes, mean, covariance, level)
    return None if tangent is None else on_grid(items, tangent, covariance)


def _linear_in_signs(metric: ScoreDifference, both: FloatArray, moves: FloatArray, level: float) -> LinearEvent | None:
    def function(signed: FloatArray) -> FloatArray:
        return metric(_split(both, signed))

    def chained(signed: FloatArray) -> FloatArray:
        of_sums = metric.gradient(_split(both, signed))
        halved: FloatArray = (of_sums[: metric.k] - of_sums[metric.k :]) / 2.0
        return halved

    covariance = moves.T @ moves
    given = metric.of_aggregate is not None
    slopes = chained if given else central_gradient(function, np.sqrt(np.diag(covariance)))
    tangent = tangent_at_boundary(function, slopes, np.zeros(metric.k), covariance, level)
    return None if tangent is None else on_grid(moves, tangent, covariance)


def _split(both: FloatArray, signed: FloatArray) -> FloatArray:
    """Give the sums of A and of B from those of A + B and A - B."""
    return np.concatenate(((both + signed) / 2.0, (both - signed) / 2.0), axis=-1)


def _with_linear(items: FloatArray, linear: LinearEvent | None) -> FloatArray:
    """Add the linear form as a last column, 0 where there is none."""
    column = np.zeros(len(items)) if linear is None else linear.values.astype(np.float64)
    columns = np.column_stack((items, column))
    if float(np.abs(columns).max(initial=0.0)) * len(columns) >= 2.0**53:
        raise InputError("sums of statistics may exceed 2^53.", fix="divide out common factors or round.")
    return np.ascontiguousarray(columns)
