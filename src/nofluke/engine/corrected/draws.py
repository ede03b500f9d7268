"""Monte Carlo for any aggregate of summed statistics: resampled scores of many systems, swapped scores of two.

One matrix of counts (how often each item was drawn) serves all systems (Berg-Kirkpatrick et al. 2012, footnote 5). It
is multiplied by the statistics as whole numbers held in floats that can hold them, so that the product is exact and
does not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.engine.randomness import CHUNK, RESAMPLE, SWAP, Stream, filled, in_chunks
from nofluke.engine.resample import Progress
from nofluke.errors import InputError
from nofluke.types import Aggregate, FloatArray

# Cells of a count or sign matrix at a time: 4 MB in single precision. They do not change a number.
_CELLS = 1 << 20
_DRAWS = 1 << 15
# Items per block of swaps: part of the definition of the numbers, never to be tuned.
_SWAP_ITEMS = 2048
_WORD_BITS = 32

_Matrix = npt.NDArray[Any]


class RoundedSumsError(InputError):
    """No double holds such sums exactly."""


def resampled_scores(
    statistics: npt.ArrayLike,
    aggregate: Aggregate,
    resamples: int,
    *,
    seed: int,
    stage: int = RESAMPLE,
    size: int | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """What would the systems score on `resamples` test sets of `size` items drawn with replacement?

    `statistics` is (n, systems, k), whole numbers; the result is (resamples, systems), every row one test set shared by
    all systems. The draws are those of resampled_sums. Memory is one chunk beside the result.

    >>> from nofluke.types import MEAN
    >>> resampled_scores(np.ones((3, 2, 1)), MEAN, 2, seed=0)
    array([[1., 1.],
           [1., 1.]])
    """
    whole = whole_statistics(statistics)
    size = len(whole) if size is None else size
    table = exact_table(whole.reshape(len(whole), -1), size)
    one = partial(_chunk_scores, shape=whole.shape[1:], seed=seed, stage=stage, size=size)
    drawn = in_chunks(one, (table, aggregate), resamples, progress)
    return filled(np.empty((resamples, whole.shape[1])), drawn)


def _chunk_scores(
    shared: tuple[_Matrix, Aggregate],
    chunk: tuple[int, int],
    *,
    shape: tuple[int, ...],
    seed: int,
    stage: int,
    size: int,
) -> FloatArray:
    table, aggregate = shared
    sums = drawn_sums(table, *chunk, seed=seed, stage=stage, size=size)
    return np.asarray(aggregate(sums.reshape(chunk[1], *shape), float(size)), np.float64)


def swapped_differences(
    statistics: npt.ArrayLike,
    aggregate: Aggregate,
    resamples: int,
    *,
    seed: int,
    stage: int = SWAP,
    progress: Progress | None = None,
) -> Iterator[FloatArray]:
    """How would A and B differ if the two outputs of each item were swapped at random, `resamples` times?

    `statistics` is (n, 2, k), whole numbers; differences come chunk by chunk, and whoever has seen enough may stop.
    With p = (1 + #{|difference| >= observed}) / (1 + resamples) this is Yeh's approximate randomization; a comparison
    with the observed difference has to allow for the rounding of the aggregate.
    """
    whole = whole_statistics(statistics)
    total_a, total_b = whole[:, 0].sum(axis=0), whole[:, 1].sum(axis=0)
    table = exact_table(whole[:, 1] - whole[:, 0], len(whole))
    shared = (table, (total_a, total_b), aggregate)
    return in_chunks(partial(_chunk_differences, seed=seed, stage=stage), shared, resamples, progress)


def _chunk_differences(
    shared: tuple[_Matrix, tuple[FloatArray, FloatArray], Aggregate], chunk: tuple[int, int], *, seed: int, stage: int
) -> FloatArray:
    table, (total_a, total_b), aggregate = shared
    moved, n = swapped_sums(table, *chunk, seed=seed, stage=stage), float(len(table))
    return np.asarray(aggregate(total_a + moved, n) - aggregate(total_b - moved, n))


def whole_statistics(statistics: npt.ArrayLike) -> FloatArray:
    """Give (n, systems, k) statistics as floats, after a check that they are whole numbers."""
    whole = np.asarray(statistics, dtype=np.float64)
    if whole.ndim != 3 or not np.array_equal(whole, np.rint(whole)):
        raise InputError(
            "statistics must be whole numbers, for items x systems x statistics.",
            fix="give counts, or scores times a power of ten.",
        )
    return whole


def exact_table(columns: FloatArray, size: int) -> _Matrix:
    """Give (n, columns) whole numbers in the narrowest floats in which no sum of `size` of them is ever rounded."""
    largest = float(np.abs(columns).max(initial=0.0)) * size
    if largest >= 2.0**53:
        raise RoundedSumsError(
            f"sums of statistics may reach {largest:.3g}, beyond 2^53.", fix="divide out common factors or round."
        )
    return np.ascontiguousarray(columns, dtype=np.float32 if largest < 2.0**24 else np.float64)


def drawn_sums(table: _Matrix, chunk: int, number: int, *, seed: int, stage: int, size: int) -> FloatArray:
    """Give the (number, columns) sums of one chunk of resamples; chunks may be run in any order, by anyone."""
    sums = np.empty((number, table.shape[1]))
    stream, n = Stream(seed, stage, chunk), len(table)
    rows = max(1, _CELLS // n)
    counts = np.empty((min(rows, number), n), dtype=table.dtype)
    for first in range(0, number, rows):
        part = counts[: min(rows, number - first)]
        _count(stream, part, size)
        sums[first : first + len(part)] = part @ table
    return sums


def _count(stream: Stream, counts: _Matrix, size: int) -> None:
    """Fill rows with how often each item is drawn, in draws of one after the other."""
    rows, n = counts.shape
    together = max(1, _DRAWS // size)
    room = np.empty(max(1, min(together, rows) * min(size, _DRAWS)), dtype=np.int64)
    for first in range(0, rows, together):
        part = counts[first : first + together]
        if size > _DRAWS:
            part[:] = 0
            for start in range(0, size, _DRAWS):
                drawn = stream.indices(min(_DRAWS, size - start), n, room)
                part[0] += np.bincount(drawn, minlength=n)
            continue
        drawn = stream.indices(len(part) * size, n, room).reshape(len(part), size)
        drawn += (np.arange(len(part)) * n)[:, None]
        part[:] = np.bincount(drawn.ravel(), minlength=part.size).reshape(part.shape)


def swapped_sums(table: _Matrix, chunk: int, number: int, *, seed: int, stage: int) -> FloatArray:
    """Give the (number, columns) sums over the swapped items of one chunk; every item is swapped with chance 1/2."""
    sums = np.zeros((number, table.shape[1]))
    for items, swapped in swap_blocks(Stream(seed, stage, chunk), number, len(table)):
        sums += swapped.astype(table.dtype) @ table[items]
    return sums


def swap_blocks(stream: Stream, number: int, n: int) -> Iterator[tuple[slice, npt.NDArray[np.uint8]]]:
    """Give blocks of items with a 0/1 matrix (number, items) of those swapped."""
    for start in range(0, n, _SWAP_ITEMS):
        items = min(_SWAP_ITEMS, n - start)
        words = -(-items // _WORD_BITS)
        # Whole chunks are drawn even when fewer replicates are wanted: more resamples continue the same run.
        drawn = stream.words(CHUNK * words).astype("<u4", copy=False).reshape(CHUNK, words)[:number]
        bits = np.unpackbits(np.ascontiguousarray(drawn).view(np.uint8), axis=1, bitorder="little")
        yield slice(start, start + items), bits[:, :items]
