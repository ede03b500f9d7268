"""What random signs of all pairs need to know: the sizes of their differences, item by item or, where few, tallied."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from nofluke.engine.pairs.resonance import widest_difference
from nofluke.engine.pairs.table import blocks, coarsest, rows_at_a_time, steps
from nofluke.types import FloatArray, IntArray

# Items per possible size from which counting the sizes is less work than going through the items again and again.
_TALLIED = 4
# Rows are cut as if they were at least this wide: tables of frequencies are as wide, however few the sizes are.
_LEAST_WIDTH = 512


@dataclass(frozen=True, slots=True, eq=False)
class PairSizes:
    """One system against several later ones, a row each: sizes |d| of the differences, and what they have in common.

    With `counts` the sizes are the different ones, the same for all rows, and counts[r] how often they are in row r.
    `ahead` are the items on which the first is better, `step` the greatest common divisor. Sizes that were rounded come
    with the sum of `squares` they had.
    """

    first: int
    others: IntArray
    sizes: IntArray
    counts: FloatArray | None
    ahead: IntArray
    nonzero: IntArray
    step: IntArray
    widest: IntArray
    squares: FloatArray | None = None

    def scaled(self, rows: IntArray) -> tuple[FloatArray, FloatArray | None, FloatArray]:
        """Give the sizes of some rows with a sum of squares of 1, their counts, and the root that they were divided by.

        Items on which the two agree change nothing: where they are many, sorting brings them to the front, to be cut.
        """
        if self.counts is not None:
            sizes, counts = self.sizes.astype(np.float64), self.counts[rows]
            deviation = np.sqrt(counts @ (sizes * sizes))
            exactly = deviation if self.squares is None else np.sqrt(self.squares[rows])
            return sizes / deviation[:, None], counts, exactly
        values = self.sizes[rows].astype(np.float64)
        most = int(self.nonzero[rows].max())
        if 2 * most < values.shape[1]:
            values = np.sort(values, axis=1)[:, -most:]
        deviation = np.sqrt(np.einsum("ij,ij->i", values, values))
        values /= deviation[:, None]
        return values, None, deviation


def pair_sizes(systems: IntArray) -> Iterator[PairSizes]:
    """Go through all pairs i < j, a bounded number at a time; tallied where the items are far more than the sizes."""
    known = coarsest(systems)
    if known and _TALLIED * (widest_difference(systems) // known) <= systems.shape[1]:
        yield from _tallied((systems - systems[0]) // known, known)
    else:
        yield from _listed(systems, known)


def _listed(systems: IntArray, known: int) -> Iterator[PairSizes]:
    for block in blocks(systems):
        sizes = np.abs(block.differences)
        # Row by row: along an axis numpy adds up truth values as numbers, several times as slowly.
        ahead = np.array([np.count_nonzero(row) for row in block.differences > 0])
        nonzero = np.array([np.count_nonzero(row) for row in sizes])
        yield PairSizes(block.first, block.others, sizes, None, ahead, nonzero, steps(sizes, known), sizes.max(axis=1))


def _tallied(reduced: IntArray, known: int) -> Iterator[PairSizes]:
    """Go through systems whose differences, in units of `known`, are small whole numbers."""
    widest = widest_difference(reduced)
    width = 2 * widest + 1
    for first, of_first in groupby(blocks(reduced), key=lambda block: block.first):
        parts = []
        for block in of_first:
            rows = len(block.differences)
            places = block.differences + (width * np.arange(rows) + widest)[:, None]
            parts.append(np.bincount(places.ravel(), minlength=rows * width).reshape(rows, width))
        tally = np.concatenate(parts)
        size = rows_at_a_time(max(widest, _LEAST_WIDTH))
        for start in range(0, len(tally), size):
            yield counted(first, first + 1 + start, tally[start : start + size], known)


def counted(first: int, second: int, tally: IntArray, known: int) -> PairSizes:
    """Fold the tallies of the differences from -widest to widest, of one system against the `second` and later ones."""
    widest = tally.shape[1] // 2
    above, below = tally[:, widest + 1 :], tally[:, :widest][:, ::-1]
    counts = above + below
    used = np.flatnonzero(counts.any(axis=0))
    counts = counts[:, used]
    sizes = known * (used + 1)
    present = np.where(counts > 0, sizes, 0)
    return PairSizes(
        first,
        np.arange(second, second + len(tally)),
        sizes,
        counts.astype(np.float64),
        above.sum(axis=1),
        counts.sum(axis=1),
        steps(present, known),
        present.max(axis=1, initial=0),
    )
