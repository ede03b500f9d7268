"""Test sets drawn from the items of a pilot with given weights, as the number of times each item was drawn.

The draws of one size depend on the seed and that size only, so a point of the curve stays the same whatever other
sizes are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from nofluke.engine.randomness import NORMAL, POWER, Stream, chunks
from nofluke.types import FloatArray, IntArray

_WORD = 2.0**32
_LOW = np.uint64(2**32 - 1)
# Numbers held at a time; it does not change a draw.
_BLOCK = 1 << 20


def chunk_of(size: int, chunk: int) -> int:
    """Give every size its own streams."""
    return size * 2**20 + chunk


class Alias:
    """Walker's table: one random word chooses a group with any weights, in two looks (Vose 1991).

    The high half of word * groups is a group, the low half decides between it and its alias; probabilities are right
    to 2^-32.
    """

    __slots__ = ("_even", "_limits", "_others", "groups")

    def __init__(self, weights: FloatArray) -> None:
        self.groups = len(weights)
        scaled = weights / weights.sum() * self.groups
        self._limits = np.full(self.groups, _WORD)
        self._others = np.arange(self.groups)
        self._even = bool(np.allclose(scaled, 1.0, rtol=1e-12, atol=0.0))
        if self._even:
            return
        small, large = list(np.flatnonzero(scaled < 1)), list(np.flatnonzero(scaled >= 1))
        while small and large:
            low, high = small.pop(), large[-1]
            self._limits[low], self._others[low] = scaled[low] * _WORD, high
            scaled[high] -= 1.0 - scaled[low]
            if scaled[high] < 1:
                small.append(large.pop())

    def pick(self, words: npt.NDArray[np.uint32]) -> IntArray:
        """Choose one group for every word."""
        products = words.astype(np.uint64) * np.uint64(self.groups)
        groups = (products >> np.uint64(32)).astype(np.int64)
        if self._even:
            return groups
        low = (products & _LOW).astype(np.float64)
        return np.where(low < self._limits[groups], groups, self._others[groups])


def drawn_counts(table: Alias, size: int, iterations: int, seed: int) -> Iterator[FloatArray]:
    """Give blocks of (test sets, groups): how often each group is in each test set of this size."""
    rows = max(1, _BLOCK // max(size, table.groups))
    for chunk, number in chunks(iterations):
        stream = Stream(seed, POWER, chunk_of(size, chunk))
        for first in range(0, number, rows):
            height = min(rows, number - first)
            picked = table.pick(stream.words(height * size)).reshape(height, size)
            picked += (np.arange(height) * table.groups)[:, None]
            counts = np.bincount(picked.ravel(), minlength=height * table.groups)
            yield counts.reshape(height, table.groups).astype(np.float64)


def drawn_within(tables: Sequence[Alias], sizes: Sequence[int], iterations: int, seed: int) -> Iterator[FloatArray]:
    """The same for groups of several datasets, side by side: of every dataset so many are drawn as `sizes` says."""
    size, groups = sum(sizes), sum(table.groups for table in tables)
    rows = max(1, _BLOCK // max(size, groups))
    for chunk, number in chunks(iterations):
        stream = Stream(seed, POWER, chunk_of(size, chunk))
        for first in range(0, number, rows):
            height = min(rows, number - first)
            parts = []
            for table, own in zip(tables, sizes, strict=True):
                picked = table.pick(stream.words(height * own)).reshape(height, own)
                picked += (np.arange(height) * table.groups)[:, None]
                counts = np.bincount(picked.ravel(), minlength=height * table.groups)
                parts.append(counts.reshape(height, table.groups).astype(np.float64))
            yield np.concatenate(parts, axis=1)


def drawn_normals(mean: float, sd: float, size: int, iterations: int, seed: int) -> Iterator[FloatArray]:
    """Give blocks of (test sets, items) of normal differences, by the quantile of raw random numbers."""
    from scipy.special import ndtri

    rows = max(1, _BLOCK // size)
    for chunk, number in chunks(iterations):
        stream = Stream(seed, NORMAL, chunk_of(size, chunk))
        for first in range(0, number, rows):
            height = min(rows, number - first)
            uniform = stream.uniforms(height * size)
            yield mean + sd * ndtri(uniform).reshape(height, size)
