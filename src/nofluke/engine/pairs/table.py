"""What all pairs of systems share: checked scores, exact totals, blocks of differences, and the table of tails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.errors import InputError
from nofluke.types import FloatArray, IntArray

BoolArray = npt.NDArray[np.bool_]
Progress = Callable[[int, int], None]

# Differences held at a time: 256 KB per array, which stays in the cache, and larger ones would be asked of the system
# anew every time; it does not change a number.
_BLOCK = 1 << 15
# Fewer rows cost more in calls than wide ones do in memory.
_LEAST_ROWS = 16
# Differences of two scores, and twice that, must fit 64 bits.
_WIDEST = 1 << 61
_FEW_ITEMS = 64


@dataclass(frozen=True, slots=True, eq=False)
class PairTails:
    """One-sided tails of all ordered pairs: entry [i, j] is for "system i is better than system j".

    `log_p` are natural logarithms; the diagonal is log 1. `computed` says how each was obtained ("exact" only where a
    bound below 1e-9 was computed). `bound` is the relative error of p: a bound where exact, an estimate elsewhere.
    """

    log_p: FloatArray
    computed: npt.NDArray[np.str_]
    bound: FloatArray

    @property
    def exact(self) -> BoolArray:
        """Which entries are exact."""
        result: BoolArray = self.computed == "exact"
        return result


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Differences of one system against several later ones: row r holds scores of `first` minus those of others[r]."""

    first: int
    others: IntArray
    differences: IntArray


def checked(scores: npt.NDArray[Any]) -> IntArray:
    """Give the (n, S) scores as a contiguous (S, n) matrix, or say why they cannot be compared."""
    table = np.asarray(scores)
    if table.ndim != 2 or table.shape[0] < 1 or table.shape[1] < 2:
        raise InputError(
            f"scores of shape {table.shape} hold no pair of systems.", fix="give one row per item, two columns or more."
        )
    if not np.issubdtype(table.dtype, np.signedinteger):
        raise InputError(f"scores of type {table.dtype} are not on a grid.", fix="give whole multiples of one step.")
    systems = np.ascontiguousarray(table.T, dtype=np.int64)
    if int(systems.max()) - int(systems.min()) >= _WIDEST:
        raise InputError("the scores span more than 61 bits.", fix="give them on a coarser grid.")
    return systems


def totals(systems: IntArray) -> list[int]:
    """Add up each system's scores in Python's integers, which cannot overflow."""
    high, low = (systems >> 31).sum(axis=1), (systems & 0x7FFFFFFF).sum(axis=1)
    return [(h << 31) + v for h, v in zip(high.tolist(), low.tolist(), strict=True)]


def blocks(systems: IntArray) -> Iterator[Block]:
    """Give the differences of all pairs i < j, a bounded number at a time."""
    number, n = systems.shape
    rows = rows_at_a_time(n)
    for first in range(number - 1):
        for start in range(first + 1, number, rows):
            others = np.arange(start, min(number, start + rows))
            yield Block(first, others, systems[first] - systems[others])


def rows_at_a_time(width: int) -> int:
    """Give the number of rows of this width that are held at a time."""
    return max(_LEAST_ROWS, _BLOCK // width)


def coarsest(systems: IntArray) -> int:
    """Give the greatest common divisor of all differences of systems on the same item; 0 when there is none."""
    return int(np.gcd.reduce(np.gcd.reduce(systems - systems[0], axis=1)))


def steps(differences: IntArray, known: int) -> IntArray:
    """Give the greatest common divisor of each row, all multiples of `known`; 0 for a row of zeros.

    A few items, of all datasets, nearly always settle it, and reading all would take longer than the tails.
    """
    result: IntArray = np.gcd.reduce(differences[:, :: max(1, differences.shape[1] // _FEW_ITEMS)], axis=1)
    open_rows = np.flatnonzero(result != known)
    if open_rows.size and differences.shape[1] > _FEW_ITEMS:
        result[open_rows] = np.gcd.reduce(differences[open_rows], axis=1)
    return result
