"""Concordant and discordant pairs of many corpora at once, in n log n steps (Knight 1966).

Rows (x, y) are sorted by x, ties by y. A pair is discordant when its y stand the other way round, and those inversions
are counted by merging: pairs within short blocks by a matrix, those of two neighbouring blocks by running sums over
both in the order of y, then blocks of twice the length. Pairs that are neither discordant nor tied are concordant. All
sums are whole numbers, so nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nofluke.types import FloatArray, IntArray

# Rows of a block, cells of all blocks' matrices together (64 MB in single precision), cells of running sums at once.
_BLOCK = 256
_CELLS = 1 << 24
_AT_ONCE = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """Two neighbouring blocks at a time, in the order of y: who stands where, on the left or not, where both end."""

    order: IntArray
    left: FloatArray
    last: IntArray


class PairCounter:
    """Counts pairs of (rows, 2) numbers when every row occurs as often as a corpus says."""

    def __init__(self, rows: FloatArray) -> None:
        x, y = (np.unique(column, return_inverse=True)[1].astype(np.int64) for column in rows.T)
        self._order = np.lexsort((y, x))
        self._y = y[self._order]
        width = _BLOCK
        while width > 1 and width * len(rows) > _CELLS:
            width //= 2
        self._width = width
        self._blocks = [slice(first, first + width) for first in range(0, len(rows), width)]
        self._matrices = [_inversions(self._y[block]) for block in self._blocks] if width > 1 else []
        self._tied = [_Groups(column) for column in (x, y, x * (int(y.max(initial=0)) + 1) + y)]

    def untied(self, counts: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Give, for (corpora, rows) counts, ordered pairs untied in x, untied in y, concordant less discordant."""
        size = counts.sum(axis=1)
        every = size * (size - 1)
        # A row drawn twice is tied with itself.
        tied_x, tied_y, tied_both = (groups.pairs(counts) for groups in self._tied)
        discordant = self._discordant(counts[:, self._order])
        return every - tied_x, every - tied_y, every - tied_x - tied_y + tied_both - 4 * discordant

    def shares(self) -> FloatArray:
        """Give, for every row, concordant less discordant pairs it is part of."""
        n = len(self._y)
        inversions = np.zeros(n)
        for block, matrix in zip(self._blocks, self._matrices, strict=False):
            inversions[block] += matrix.sum(axis=0) + matrix.sum(axis=1)
        for level in self._levels():
            left = np.cumsum(level.left)
            right = np.arange(1, n + 1) - left
            # On the right: those of the left that follow. On the left: those of the right that come before.
            before = np.concatenate(([0.0], right))[_first(level.last)]
            inversions[level.order] += np.where(level.left > 0, right - before, left[level.last] - left)
        found = np.empty(n)
        found[self._order] = inversions
        tied = [groups.others() for groups in self._tied]
        shares: FloatArray = (n - 1) - tied[0] - tied[1] + tied[2] - 2 * found
        return shares

    def _discordant(self, counts: FloatArray) -> FloatArray:
        single = np.ascontiguousarray(counts, dtype=np.float32)
        total = np.zeros(len(counts))
        for block, matrix in zip(self._blocks, self._matrices, strict=False):
            # Whole numbers below 2^24 in every partial sum: the product is exact, whatever the number of threads.
            total += ((single[:, block] @ matrix).astype(np.float64) * counts[:, block]).sum(axis=1)
        step = max(1, _AT_ONCE // max(1, len(self._y)))
        # Corpora in columns: running sums are then sums of rows.
        parts = [(slice(i, i + step), counts[i : i + step].T.copy()) for i in range(0, len(counts), step)]
        for level in self._levels():
            for part, columns in parts:
                ordered = columns[level.order]
                left = ordered * level.left[:, None]
                ordered -= left
                reach = np.cumsum(left, axis=0)
                total[part] += np.einsum("ij,ij->j", ordered, reach[level.last] - reach)
        return total

    def _levels(self) -> Iterator[_Level]:
        n, width = len(self._y), self._width
        position, top = np.arange(n), int(self._y.max(initial=0)) + 1
        while width < n:
            pair, right = position // (2 * width), position // width % 2
            # On ties the left comes first: equal y are no inversion.
            order = np.argsort((pair * top + self._y) * 2 + right, kind="stable")
            last = np.minimum((pair + 1) * (2 * width), n) - 1
            yield _Level(order, np.where(right[order], 0.0, 1.0), last)
            width *= 2


class _Groups:
    """Rows with equal numbers in a column."""

    def __init__(self, column: IntArray) -> None:
        _, self._group, sizes = np.unique(column, return_inverse=True, return_counts=True)
        self._sizes = sizes
        # Only groups of two rows or more need adding up.
        tied = np.flatnonzero(sizes[self._group] > 1)
        self._order = tied[np.argsort(self._group[tied], kind="stable")]
        self._starts = np.flatnonzero(np.diff(self._group[self._order], prepend=-1))
        self._alone = np.flatnonzero(sizes[self._group] == 1)

    def pairs(self, counts: FloatArray) -> FloatArray:
        """Give the ordered pairs within groups, for every corpus."""
        alone = counts if not len(self._order) else counts[:, self._alone]
        total: FloatArray = (alone * (alone - 1)).sum(axis=1)
        if len(self._order):
            sizes = np.add.reduceat(counts[:, self._order], self._starts, axis=1)
            total += (sizes * (sizes - 1)).sum(axis=1)
        return total

    def others(self) -> FloatArray:
        """Give how many other rows share each row's group."""
        return (self._sizes[self._group] - 1).astype(np.float64)


def _inversions(y: IntArray) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Give 1 for pairs of a block whose first row has the larger y."""
    return np.triu(y[:, None] > y[None, :]).astype(np.float32)


def _first(last: IntArray) -> IntArray:
    """Give where each pair of blocks begins, from where it ends."""
    ends = np.unique(last)
    starts = np.concatenate(([0], ends[:-1] + 1))
    found: IntArray = starts[np.searchsorted(ends, last)]
    return found
