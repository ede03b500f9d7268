"""On how many items a ratio of sums rests, and what so few of them can show."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from nofluke.types import IntArray, Note, note

# A ratio that rests on fewer items than this is spoken of.
FEW = 10


def units_behind(denominators: IntArray) -> IntArray:
    """Give for each column of (units, systems) denominators how many units add to it.

    >>> units_behind(np.array([[2, 0], [1, 3], [4, 0]]))
    array([3, 1])
    """
    numbers: IntArray = np.count_nonzero(denominators, axis=0).astype(np.int64)
    return numbers


def least_log_p(units: int, sides: int = 1) -> float:
    """Give the smallest log p-value that so many swapped units can reach.

    Swapping outputs of two systems shows that their outputs differ. Where one of them has hardly any, that is no
    evidence that their ratios do: with its units alone no swap test gets below 2 to the power of minus their number.
    """
    return min(0.0, math.log(sides) - units * math.log(2.0))


def support_notes(
    names: Sequence[str], behind: Iterable[int], total: int, metric: str, unit: str, *, held: bool
) -> tuple[Note, ...]:
    """Name the systems whose ratio rests on few units; `held` says that p-values are kept above what these allow."""
    few = {name: number for name, number in zip(names, behind, strict=True) if number < min(FEW, total)}
    return tuple(
        note("test.few_behind_ratio", metric=metric, system=name, units=number, n=total, unit=unit, held=held)
        for name, number in few.items()
    )
