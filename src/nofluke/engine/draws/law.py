"""The law of one draw from a list of integers, brought to its own lattice: Y >= 0, step 1, smallest value 0."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.errors import InputError
from nofluke.types import FloatArray, IntArray

# Differences and what is computed from them have to fit 64 bits.
WIDEST = 1 << 62


@dataclass(frozen=True, slots=True, eq=False)
class DrawLaw:
    """Distinct values 0 = y_0 < y_1 < ... without a common divisor, how often each is there, and how many are drawn.

    `scale` is what the user's differences were divided by.
    """

    values: IntArray
    counts: IntArray
    draws: int
    scale: int = 1

    @property
    def items(self) -> int:
        """How many numbers the list has."""
        return int(self.counts.sum())

    @property
    def largest(self) -> int:
        """The largest value of one draw."""
        return int(self.values[-1])

    @property
    def top(self) -> int:
        """The largest possible sum."""
        return self.largest * self.draws

    @property
    def total(self) -> int:
        """The sum over the whole list, added up in two parts that cannot overflow."""
        high, low = self.values >> 31, self.values & 0x7FFFFFFF
        return (int(np.dot(high, self.counts)) << 31) + int(np.dot(low, self.counts))

    def mirrored(self) -> DrawLaw:
        """The law of y_max - Y."""
        values: IntArray = (self.largest - self.values)[::-1]
        return DrawLaw(values, self.counts[::-1], self.draws, self.scale)

    def spread(self) -> float:
        """The standard deviation of one draw."""
        return spread_of(self.values, self.counts)

    def log_share(self, position: int) -> float:
        """The logarithm of the probability of one value."""
        items, there = self.items, int(self.counts[position])
        return math.log(there / items) if 2 * there < items else math.log1p(-(items - there) / items)


def spread_of(values: IntArray, counts: IntArray) -> float:
    """Give the standard deviation of one draw."""
    weights = counts.astype(np.float64) / float(counts.sum())
    origin = int(values[np.argmax(counts)])
    around: FloatArray = (values - origin).astype(np.float64)
    around -= float((weights * around).sum())
    return math.sqrt(float((weights * around * around).sum()))


def multiset(values: npt.NDArray[Any], counts: IntArray | None) -> tuple[npt.NDArray[Any], IntArray]:
    """Give the distinct values in order, and how often each is there."""
    values = np.asarray(values)
    if values.dtype != object:
        values = values.astype(np.int64)
    if values.ndim != 1 or not len(values):
        raise InputError("there are no numbers to draw from.", fix="give at least one.")
    if counts is None:
        distinct, often = np.unique(values, return_counts=True)
        return distinct, often.astype(np.int64)
    often = np.asarray(counts, dtype=np.int64)
    if often.shape != values.shape or bool((often < 0).any()) or not often.any():
        raise InputError("counts do not fit the values.", fix="give one count of at least 0 for each value, not all 0.")
    distinct, position = np.unique(values[often > 0], return_inverse=True)
    merged = np.zeros(len(distinct), np.int64)
    np.add.at(merged, position, often[often > 0])
    return distinct, merged


def on_lattice(distinct: npt.NDArray[Any], counts: IntArray, draws: int, scale: int = 1) -> DrawLaw | None:
    """Take the smallest value off and divide by the greatest common divisor; None when that does not fit 64 bits.

    The step of the sum is the divisor of the *differences*: grid data shifted by a margin keep their grid.
    """
    lowest, highest = int(distinct[0]), int(distinct[-1])
    if highest - lowest < WIDEST and distinct.dtype != object and abs(lowest) < WIDEST:
        offsets: IntArray = distinct - lowest
        divisor = int(np.gcd.reduce(offsets[:16]))
        if divisor != 1:
            divisor = int(np.gcd.reduce(offsets))
    else:
        wide = [int(value) - lowest for value in distinct.tolist()]
        divisor = math.gcd(*wide)
        if divisor and wide[-1] // divisor >= WIDEST:
            return None
        offsets = np.array([value // max(divisor, 1) for value in wide], dtype=np.int64)
        return DrawLaw(offsets, counts, draws, scale * max(divisor, 1))
    if divisor > 1:
        offsets = offsets // divisor
    return DrawLaw(offsets, counts, draws, scale * max(divisor, 1))
