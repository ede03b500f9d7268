"""Whole numbers whose sums are exact: in 64 bits while no sum of them can leave those, in Python's integers beyond.

Every score on a grid is a whole number, and every method adds them up. So it is the array that must be safe to add up,
not each sum: arrays of whole numbers are made here, and then .sum(), @, np.add.at and cumsum are exact at any size.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.types import FloatArray, IntArray

# No sum of terms, with any signs, may reach this; room for a factor of 2 is left.
_SAFE = 1 << 61
# Doubles below this hold every whole number.
EXACT_DOUBLES = 2.0**53
# From so many numbers on, equal ones are worth merging.
_LONG = 10_000


def summable(numbers: npt.NDArray[Any]) -> IntArray:
    """Give whole numbers in a type in which every sum of them, with any signs, is exact.

    >>> summable(np.array([2**60, 2**60, 2**60])).sum()
    3458764513820540928
    """
    fits = largest(numbers) * max(numbers.size, 1) < _SAFE
    if not fits and numbers.dtype != object:
        # Few numbers near the largest: their sum decides, a little more than rounding could hide.
        fits = float(np.abs(numbers.astype(np.float64)).sum()) * 1.001 < _SAFE
    return numbers.astype(np.int64 if fits else object, copy=False)


def fitting(numbers: npt.NDArray[Any]) -> IntArray:
    """Give whole numbers as int64 where each of them fits, for those who add up with care."""
    return numbers.astype(np.int64) if numbers.dtype == object and largest(numbers) < _SAFE else numbers


def largest(numbers: npt.NDArray[Any]) -> int:
    """Give the largest size of any of the whole numbers."""
    return max(abs(int(numbers.min())), abs(int(numbers.max()))) if numbers.size else 0


def tally(numbers: npt.NDArray[Any]) -> tuple[IntArray, IntArray]:
    """Give the different whole numbers, ascending, and how often each of them occurs.

    >>> tally(np.array([5, -1, 5]))
    (array([-1,  5]), array([1, 2]))
    """
    low, high = (int(numbers.min()), int(numbers.max())) if numbers.size else (0, 0)
    if numbers.dtype != object and high - low < numbers.size:
        # Counting is linear, sorting is not.
        often = np.bincount(numbers - low)
        places = np.flatnonzero(often)
        return places + low, often[places]
    different, counts = np.unique(numbers, return_counts=True)
    return different, counts.astype(np.int64)


def merged(numbers: npt.NDArray[Any]) -> tuple[IntArray, IntArray] | None:
    """Give the tally of a long column with few different numbers, which is quicker to work with; None for others."""
    if len(numbers) < _LONG or numbers.dtype == object or 2 * (int(numbers.max()) - int(numbers.min())) >= len(numbers):
        return None
    return tally(numbers)


def shifted_by(totals: IntArray, sizes: IntArray | int, shift: Fraction) -> IntArray:
    """Give totals - sizes * shift, in steps of 1 / (the denominator of shift)."""
    top, bottom = shift.numerator, shift.denominator
    widest = sizes if isinstance(sizes, int) else largest(sizes)
    # Zeros fit whatever they are multiplied by, but what they are multiplied by must fit too.
    if totals.dtype != object and (max(largest(totals), 1) * bottom + max(widest, 1) * abs(top)) < _SAFE:
        return summable(totals * bottom - sizes * top)
    wide = sizes if isinstance(sizes, int) else sizes.astype(object)
    return summable(totals.astype(object) * bottom - wide * top)


def products(numbers: IntArray, factors: IntArray) -> IntArray:
    """Multiply whole numbers one by one, in a type in which the products can be added up."""
    if numbers.dtype != object and factors.dtype != object and largest(numbers) * largest(factors) < _SAFE:
        return summable(numbers * factors)
    return summable(numbers.astype(object) * factors.astype(object))


def rounded(values: FloatArray, per_unit: Fraction, coarser: IntArray | None = None) -> IntArray:
    """Round values * per_unit to whole numbers; those with coarser > 0 to multiples of 10^coarser.

    Beyond 2^53 a product of doubles is no longer what was meant: it is then taken of the decimals they print as.
    """
    scaled = values * float(per_unit)
    if coarser is None and scaled.size and max(-scaled.min(), scaled.max()) < EXACT_DOUBLES:
        return np.rint(scaled, out=scaled).astype(np.int64)
    exactly = np.abs(scaled) >= EXACT_DOUBLES
    if coarser is not None:
        exactly |= coarser > 0
    if not exactly.any():
        return np.rint(scaled).astype(np.int64)
    whole = np.rint(np.where(exactly, 0.0, scaled)).astype(np.int64).astype(object)
    for place in zip(*np.nonzero(exactly), strict=True):
        cell = 1 if coarser is None else 10 ** int(coarser[place])
        whole[place] = round(Fraction(repr(float(values[place]))) * per_unit / cell) * cell
    return fitting(whole)


def coarse(numbers: IntArray, bits: int) -> tuple[IntArray, int, int]:
    """Cut whole numbers to so many bits: numbers = cut * 2^shift + rest; gives cut, shift and the sum of |rest|."""
    shift = max(0, largest(numbers).bit_length() - bits)
    if not shift:
        return numbers.astype(np.int64), 0, 0
    half = 1 << (shift - 1)
    wide = numbers.astype(object)
    cut = (wide + half) >> shift
    return cut.astype(np.int64), shift, int(np.abs(wide - (cut << shift)).sum())


def leans_up(ascending: IntArray) -> bool:
    """Whether the sum is positive; where it is 0, whether the outermost value without an opposite is positive.

    It changes with the names of A and B and with nothing else, so draws that follow it are mirrored when those change.
    """
    total = int(ascending.sum())
    if total:
        return total > 0
    excess = ascending + ascending[::-1]
    return not excess.any() or bool(excess[np.flatnonzero(excess)[0]] > 0)
