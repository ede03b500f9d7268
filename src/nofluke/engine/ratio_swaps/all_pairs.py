"""Studentised swaps of ratios for all pairs of systems: one set of draws serves them all, and few of them are computed.

Most draws are far from what was observed, and bounds on the standard error settle them; the others are computed as
those of a single pair are. So the counts are the same as if all had been.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from nofluke.engine.corrected.draws import exact_table, swap_blocks, swapped_sums
from nofluke.engine.randomness import SWAP, Stream, in_chunks
from nofluke.engine.ratio_swaps.draws import TIE, studentized
from nofluke.engine.ratio_swaps.error_bounds import ErrorBounds
from nofluke.engine.resample import Progress
from nofluke.types import FloatArray, IntArray

# Sums of c, y, c^2, c y, y^2 are kept of every system; those of c_i y_j - c_j y_i of a pair are made when asked for.
_MOMENTS = 5
# A pair with more open draws in a chunk than this has the sums of all of them made by one product of matrices.
_MANY = 12
_CELLS = 1 << 18


def all_pairs_swap_counts(
    numerators: IntArray,
    denominators: IntArray,
    pairs: tuple[IntArray, IntArray],
    *,
    resamples: int,
    seed: int,
    progress: Progress | None = None,
) -> IntArray:
    """How often is (F_i - F_j) / se at least, and at most, what was observed, when outputs are swapped at random?

    (n, systems) whole numbers and the pairs (i, j) to look at give (2, pairs) counts, those of ratio_swap_draws with
    the same seed. A draw in which a system has no denominators has no score, and counts on both sides.
    """
    plan = _Plan.of(numerators, denominators, *pairs)
    bounds = ErrorBounds(plan.c, plan.y, *pairs, plan.observed)
    counts = np.zeros((2, plan.observed.size), np.int64)
    for part in in_chunks(partial(_counts, seed), (plan, bounds), resamples, progress):
        counts += part
    return counts


def _counts(seed: int, shared: tuple[_Plan, ErrorBounds], chunk: tuple[int, int]) -> IntArray:
    (plan, bounds), number = shared, chunk[1]
    slack = np.where(np.isfinite(plan.observed), TIE * np.abs(plan.observed), 0.0)
    sums = swapped_sums(plan.table, *chunk, seed=seed, stage=SWAP).reshape(number, -1, _MOMENTS)
    above, below, (draws, places) = bounds.settled(sums)
    t = plan.studentized(sums, draws, places, Stream(seed, SWAP, chunk[0]))
    observed = plan.observed[places]
    # Said the other way round, so that a swap without a score (nan) counts on both sides.
    less = np.bincount(places[t < observed - slack[places]], minlength=slack.size) + below
    more = np.bincount(places[t > observed + slack[places]], minlength=slack.size) + above
    return number - np.stack((less, more))


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """The moments of all systems, and what pairs have in common that no swap changes."""

    c: FloatArray
    y: FloatArray
    table: npt.NDArray[np.floating]
    sums: FloatArray
    first: IntArray
    second: IntArray
    both_c: FloatArray
    both_y: FloatArray
    cross: tuple[FloatArray, FloatArray]
    observed: FloatArray

    @classmethod
    def of(cls, numerators: IntArray, denominators: IntArray, first: IntArray, second: IntArray) -> _Plan:
        c, y = numerators.astype(np.float64), denominators.astype(np.float64)
        n = len(c)
        moments = np.stack((c, y, c * c, c * y, y * y), axis=2)
        # c_i y_j - c_j y_i is no larger than the largest square, or twice that where some c are negative.
        largest = max(float(np.abs(c).max(initial=0.0)), float(y.max(initial=0.0))) ** 2 * (1 + bool((c < 0).any()))
        table = exact_table(np.concatenate((moments.reshape(n, -1), np.full((n, 1), largest)), axis=1), n)
        table = np.ascontiguousarray(table[:, :-1])
        c_y = c.T @ y
        sums, both_c, both_y = moments.sum(axis=0), (c.T @ c)[first, second], (y.T @ y)[first, second]
        cross = (c_y[first, second], c_y[second, first])
        of_a, of_b = ((*sums[side].T, own) for side, own in zip((first, second), cross, strict=True))
        observed = studentized(of_a, of_b, both_c, both_y, math.nan)[2]
        # One row a system: the items of a pair lie together in memory.
        c, y = (np.ascontiguousarray(values.T, dtype=table.dtype) for values in (c, y))
        return cls(c, y, table, sums, first, second, both_c, both_y, cross, observed)

    def studentized(self, sums: FloatArray, draws: IntArray, places: IntArray, stream: Stream) -> FloatArray:
        """Give the quotients of some draws of some pairs: of `draws[k]` for the pair at `places[k]`."""
        if not draws.size:
            return np.empty(0)
        i, j = self.first[places], self.second[places]
        moved = (sums[draws, j] - sums[draws, i]).T
        crossed = self._crossed(draws, places, len(sums), stream)
        of_a = (*(self.sums[i].T + moved), self.cross[0][places] + crossed)
        of_b = (*(self.sums[j].T - moved), self.cross[1][places] - crossed)
        return studentized(of_a, of_b, self.both_c[places], self.both_y[places], math.nan)[2]

    def _crossed(self, draws: IntArray, places: IntArray, number: int, stream: Stream) -> FloatArray:
        """Sum c_j y_i - c_i y_j over the swapped items; these are drawn once more, so that none need be kept."""
        crossed = np.zeros(draws.size)
        often = np.bincount(places, minlength=self.first.size) > _MANY
        single, together = np.flatnonzero(~often[places]), np.flatnonzero(often[places])
        rows, row = np.flatnonzero(often), np.cumsum(often) - 1
        for items, swapped in swap_blocks(stream, number, self.c.shape[1]):
            width = items.stop - items.start
            swapped = swapped.astype(self.c.dtype)
            for part in _parts(single, width):
                values = self._products(places[part], items)
                values *= swapped[draws[part]]
                crossed[part] += values.sum(axis=1)
            for part in _parts(rows, width):
                product = swapped @ self._products(part, items).T
                here = together[(places[together] >= part[0]) & (places[together] <= part[-1])]
                crossed[here] += product[draws[here], row[places[here]] - row[part[0]]]
        return crossed

    def _products(self, places: IntArray, items: slice) -> npt.NDArray[np.floating]:
        i, j = self.first[places], self.second[places]
        values: npt.NDArray[np.floating] = self.c[j, items] * self.y[i, items]
        values -= self.c[i, items] * self.y[j, items]
        return values


def _parts(places: IntArray, width: int) -> list[IntArray]:
    """Cut a list so that tables of its length and this width stay small."""
    step = max(1, _CELLS // max(width, 1))
    return [places[start : start + step] for start in range(0, places.size, step)]
