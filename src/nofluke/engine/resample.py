"""Sums and medians of items drawn with replacement: only draws, what they mean is decided elsewhere.

Items are whole numbers, so a sum is exact whatever the order of its terms; numbers too wide for 64-bit sums are cut
into parts that are summed apart. Memory is bounded by the block, whatever the number of items and resamples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.engine.randomness import RESAMPLE, Stream, filled, in_chunks
from nofluke.types import IntArray

Progress = Callable[[int, int], None]

# Draws made at a time: 0.25 MB of indices and as much of items, which stay in the cache. It does not change a number.
_BLOCK = 1 << 15
_SAFE_BITS = 62


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """One column of items, or some of its bits: the column is the sum of its parts, each times 2^shift."""

    column: int
    shift: int
    items: IntArray


def resampled_sums(
    items: npt.NDArray[Any],
    resamples: int,
    *,
    seed: int,
    stage: int = RESAMPLE,
    size: int | None = None,
    progress: Progress | None = None,
) -> npt.NDArray[Any]:
    """Draw `size` of the n items with replacement, `resamples` times, and give the sum of each draw.

    `items` is (n,) or (n, k), of int64 or Python integers; the result is (resamples,) or (resamples, k), of int64, or
    of Python integers when a sum might not fit. `size` is n unless given.

    >>> import numpy as np
    >>> resampled_sums(np.array([1, 1, 1]), 4, seed=0)
    array([3, 3, 3, 3])
    """
    size = len(items) if size is None else size
    parts = split(items, size)
    drawn = in_chunks(partial(_chunk_sums, seed=seed, stage=stage, size=size), parts, resamples, progress)
    joined = _join(parts, filled(np.empty((resamples, len(parts)), dtype=np.int64), drawn))
    return joined[:, 0] if items.ndim == 1 else joined


def _chunk_sums(parts: Sequence[_Part], chunk: tuple[int, int], *, seed: int, stage: int, size: int) -> IntArray:
    return chunk_sums(parts, *chunk, seed=seed, stage=stage, size=size)


def split(items: npt.NDArray[Any], size: int) -> list[_Part]:
    """Cut the columns into parts narrow enough that any sum of `size` items fits 64 bits."""
    width = _SAFE_BITS - size.bit_length()
    mask = (1 << width) - 1
    parts = []
    for column, values in enumerate(np.atleast_2d(items.T)):
        rest, shift = values, 0
        while max(abs(int(rest.min())), abs(int(rest.max()))) > mask:
            parts.append(_Part(column, shift, (rest & mask).astype(np.int64)))
            rest, shift = rest >> width, shift + width
        parts.append(_Part(column, shift, np.ascontiguousarray(rest, dtype=np.int64)))
    return parts


def chunk_sums(parts: Sequence[_Part], chunk: int, number: int, *, seed: int, stage: int, size: int) -> IntArray:
    """Give the (number, parts) sums of one chunk; chunks may be run in any order, by anyone."""
    sums = np.zeros((number, len(parts)), dtype=np.int64)
    room = np.empty(min(_BLOCK, number * size), dtype=np.int64)
    for first, last, drawn in _draws(Stream(seed, stage, chunk), number, size, len(parts[0].items)):
        for position, part in enumerate(parts):
            # The indices are in range by construction; mode "clip" spares NumPy a buffered copy.
            taken = np.take(part.items, drawn, out=room[: len(drawn)], mode="clip")
            sums[first:last, position] += taken.reshape(last - first, -1).sum(axis=1)
    return sums


def _draws(stream: Stream, number: int, size: int, n: int) -> Iterator[tuple[int, int, IntArray]]:
    """Give the indices of replicates first to last - 1, or, where one replicate is too long, a piece of it."""
    room = np.empty(min(_BLOCK, number * size), dtype=np.int64)
    rows = _BLOCK // size
    if rows:
        for first in range(0, number, rows):
            last = min(number, first + rows)
            yield first, last, stream.indices((last - first) * size, n, room)
        return
    for row in range(number):
        for start in range(0, size, _BLOCK):
            yield row, row + 1, stream.indices(min(_BLOCK, size - start), n, room)


def _join(parts: Sequence[_Part], sums: IntArray) -> npt.NDArray[Any]:
    columns = parts[-1].column + 1
    if len(parts) == columns:
        return sums
    joined = np.zeros((len(sums), columns), dtype=object)
    for position, part in enumerate(parts):
        joined[:, part.column] += sums[:, position].astype(object) << part.shift
    return joined


def resampled_medians(
    items: IntArray,
    resamples: int,
    *,
    seed: int,
) -> IntArray:
    """Draw n of the n items with replacement, `resamples` times, and give twice the median of each draw.

    Twice, because the median of an even number of whole numbers may end in one half. The draws are those of
    resampled_sums on the items in ascending order. One replicate is held at a time, so memory grows with n.

    >>> import numpy as np
    >>> resampled_medians(np.array([4, 4]), 3, seed=0)
    array([8, 8, 8])
    """
    drawn = in_chunks(partial(_doubled_medians, seed), np.sort(items), resamples)
    return filled(np.empty(resamples, dtype=items.dtype), drawn)


def _doubled_medians(seed: int, ascending: IntArray, chunk: tuple[int, int]) -> IntArray:
    stream, number, size = Stream(seed, RESAMPLE, chunk[0]), chunk[1], len(ascending)
    middle = [(size - 1) // 2, size // 2]
    doubled = np.empty(number, dtype=ascending.dtype)
    rows = max(1, _BLOCK // size)
    for first in range(0, number, rows):
        last = min(number, first + rows)
        # The median of the draw is the item at the median rank, so ranks are selected, not items.
        ranks = stream.indices((last - first) * size, size).reshape(last - first, size)
        ranks.partition(sorted(set(middle)), axis=1)
        doubled[first:last] = ascending[ranks[:, middle]].sum(axis=1)
    return doubled
