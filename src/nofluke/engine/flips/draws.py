"""Monte Carlo sign flips that reproduce approximate randomisation as published, the same on every machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from nofluke.align.exact_sums import largest, leans_up, summable
from nofluke.errors import InputError
from nofluke.executors import in_replicates, ordered
from nofluke.types import IntArray

# Replicates per chunk; part of the definition of the stream, never to be changed with the machine.
CHUNK = 4096
# Bytes of signs drawn at a time: 256 groups of 8 items, 1 MB of bits and 0.5 MB of tables.
_GROUPS = 256
_LOW_BITS = 31
_LOW_MASK = (1 << _LOW_BITS) - 1


@dataclass(frozen=True, slots=True)
class FlipCounts:
    """How many of the resampled sums reached a threshold; 0 for a threshold that was not given."""

    at_least: int
    at_most: int
    resamples: int


def flip_draws(
    integers: IntArray,
    threshold_low: int | None,
    threshold_high: int | None,
    *,
    resamples: int,
    seed: int,
    stage: int = 0,
    chunks: Iterable[int] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> FlipCounts:
    """How often does a sum with random signs reach the thresholds (>= high, <= low) in `resamples` draws?

    Chunk c holds replicates 4096 c ... with its own stream SFC64(SeedSequence((seed, stage, c))); `chunks` runs some of
    them only, in any order, and the counts of disjoint sets of chunks add up to the whole.

    >>> import numpy as np
    >>> flip_draws(np.array([1, 1]), -2, 2, resamples=4096, seed=0).resamples
    4096
    """
    if resamples < 1 or seed < 0:
        raise InputError(
            f"resamples = {resamples} and seed = {seed} cannot be drawn", fix="give resamples >= 1 and a seed >= 0"
        )
    tables = _SignTables(_in_order(np.asarray(integers)))
    wanted = list(range(-(-resamples // CHUNK)) if chunks is None else chunks)
    one = partial(_counted, low=threshold_low, high=threshold_high, resamples=resamples, seed=seed, stage=stage)
    counted = np.zeros(3, dtype=np.int64)
    for counts in ordered(one, tables, wanted, in_replicates(progress, CHUNK, resamples)):
        counted += counts
    return FlipCounts(*counted.tolist())


def _counted(
    tables: _SignTables, chunk: int, *, low: int | None, high: int | None, resamples: int, seed: int, stage: int
) -> tuple[int, int, int]:
    number = min(CHUNK, resamples - chunk * CHUNK)
    sums = tables.sums(np.random.SFC64(np.random.SeedSequence((seed, stage, chunk))), number)
    at_least = 0 if high is None else _reaching(sums, high)
    return at_least, 0 if low is None else number - _reaching(sums, low + 1), number


def _in_order(integers: IntArray) -> IntArray:
    """Put the items into an order of their own, whatever the order and the names of the systems they came in.

    Only sizes matter to sums with random signs. They point to where the sum leans, so that the draws are mirrored when
    A and B change places.
    """
    ascending = np.sort(summable(integers[integers != 0]))
    sizes = np.sort(np.abs(ascending))
    return sizes if leans_up(ascending) else -sizes


def _reaching(limbs: list[IntArray], threshold: int) -> int:
    """Count the sums, given in limbs of 31 bits with the lowest first, that are at least the threshold."""
    if len(limbs) == 1:
        clipped = max(min(threshold, (1 << 62) + 1), -(1 << 62) - 1)
        return int(np.count_nonzero(limbs[0] >= clipped))
    carry = np.zeros_like(limbs[0])
    reached = np.ones(len(carry), dtype=bool)
    for place, limb in enumerate(limbs):
        last = place == len(limbs) - 1
        carried = limb + carry
        carry = carried >> _LOW_BITS
        digit = carried if last else carried & _LOW_MASK
        rest = threshold >> (_LOW_BITS * place)
        wanted = max(min(rest, (1 << 62) + 1), -(1 << 62) - 1) if last else rest & _LOW_MASK
        # Higher limbs decide; equal ones leave it to the lower.
        reached = (digit > wanted) | ((digit == wanted) & reached)
    return int(np.count_nonzero(reached))


class _SignTables:
    """Sums of 8 items at a time for all 256 bytes of signs, so that one look-up stands for 8 flips."""

    def __init__(self, items: IntArray) -> None:
        padded = np.zeros(-(-max(items.size, 1) // 8) * 8, dtype=items.dtype)
        padded[: items.size] = items
        parts = []
        while 2 * largest(padded) * padded.size >= 1 << 62:
            parts.append((padded & _LOW_MASK).astype(np.int64))
            padded = padded >> _LOW_BITS
        parts.append(padded.astype(np.int64))
        self._parts = [part.reshape(-1, 8) for part in parts]
        self._kept: list[IntArray] | None = None
        if self._parts[0].shape[0] <= _GROUPS:
            self._kept = [_table(part) for part in self._parts]

    def sums(self, stream: np.random.SFC64, number: int) -> list[IntArray]:
        """Give the sums of the first `number` replicates of a chunk, in limbs of 31 bits, the lowest first."""
        totals = [np.zeros(number, dtype=np.int64) for _ in self._parts]
        groups = self._parts[0].shape[0]
        for start in range(0, groups, _GROUPS):
            stop = min(start + _GROUPS, groups)
            # Whole chunks are drawn even when fewer replicates are wanted: more resamples continue the same run.
            words = stream.random_raw((stop - start) * CHUNK // 8)
            # Little-endian bytes on every machine, so that the same seed gives the same signs.
            signs = words.astype("<u8", copy=False).view(np.uint8).reshape(stop - start, CHUNK)[:, :number]
            tables = self._kept or [_table(part[start:stop]) for part in self._parts]
            for total, table in zip(totals, tables, strict=True):
                _look_up(total, table, signs)
        return totals


def _table(items: IntArray) -> IntArray:
    """Give the (groups, 256) sums of 8 items with the signs of every byte: bit b set means +item b."""
    table: IntArray = -items.sum(axis=1, keepdims=True)
    for bit in range(8):
        table = np.concatenate((table, table + 2 * items[:, bit : bit + 1]), axis=1)
    return table


def _look_up(total: IntArray, table: IntArray, signs: npt.NDArray[np.uint8]) -> None:
    for row, byte in zip(table, signs, strict=True):
        total += row[byte]
