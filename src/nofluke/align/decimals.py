"""Ties are decided on exact decimals, or on one grid for the whole sample; never on raw binary differences.

In binary64 0.3 - 0.2 and 0.8 - 0.7 differ in the last bit, so ranking raw differences ranks noise. A score that was
written as a decimal of up to 15 digits comes back unchanged from its nearest double: rint(v * 10^q) is the integer that
was meant whenever dividing it by 10^q gives v again. That check is what decides whether a sample is exact. Short binary
fractions are exact as they are. Thirds, sevenths and their like (means of three runs, F1 of single items) are doubles
next to fractions: with a common denominator they are whole numbers too, and 1/6 + 1/6 is 1/3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from nofluke.errors import InputError, MethodError
from nofluke.types import FloatArray, Grid, IntArray, Sample

# Digits after which a decimal no longer survives a double, and the largest power of ten a double holds exactly.
TEXT_DIGITS = 15
FLOAT_DIGITS = 12
_LAST_EXACT_POWER = 22
_RELATIVE_GRID = 1e-12
_LARGEST = 1e100
# Binary fractions count as exact up to this many bits, as decimals do up to 12 digits: more would take noise for data.
_DYADIC_BITS = 40
# Fractions: the largest denominator of a single score whatever its size, and how rarely a double at random may be next to
# a fraction with a larger one; how far the last bits may be off, how many different scores are looked at, and how many
# steps the largest score may have.
_LARGEST_DENOMINATOR = 1_000
_BY_CHANCE = 1e-6
_LAST_BITS = 4
_MOST_FRACTIONS = 5_000
_PROBED = 64
_MOST_STEPS = 1e13
# So many different printed fractions must be longer than their decimals before they are taken for fractions.
_FEWEST_LONG = 3


@dataclass(frozen=True, slots=True, eq=False)
class Differences:
    """Oriented paired differences (positive = A better) as multiples of one step.

    `integers` is None only for snap=False, where `values` are the raw binary differences, as other tools take them.
    """

    values: FloatArray
    integers: IntArray | None
    step: float

    @property
    def signs(self) -> IntArray:
        """-1, 0 or 1 for every item."""
        source = self.values if self.integers is None else self.integers
        return np.sign(source).astype(np.int64)

    @property
    def whole(self) -> IntArray:
        """The integers, for methods that always snap."""
        if self.integers is None:
            raise TypeError("raw differences have no integers")
        return self.integers

    @property
    def distinct(self) -> int:
        """The number of different values."""
        return len(np.unique(self.values if self.integers is None else self.integers))


def find_grid(values: FloatArray, digits: int = FLOAT_DIGITS) -> Grid:
    """Find the decimals all scores share, or the one grid their differences are rounded to.

    >>> import numpy as np
    >>> find_grid(np.array([0.25, 0.3]))
    Grid(decimals=2, divisor=1, exact=True)
    """
    finite = values[np.isfinite(values)].ravel()
    largest = float(np.max(np.abs(finite), initial=0.0))
    if largest > _LARGEST or 0 < largest < 1 / _LARGEST:
        raise InputError(
            f"the largest score is {largest:g}, where arithmetic with doubles fails.",
            fix="rescale the scores, so that they lie between 1e-100 and 1e100.",
        )
    decimals = _shared_decimals(finite, largest, digits)
    if decimals is not None:
        return Grid(decimals, 1, exact=True)
    halvings = _shared_halvings(finite, largest)
    if halvings is not None:
        return Grid(0, 2**halvings, exact=True)
    denominator = _shared_denominator(finite, largest)
    if denominator is not None:
        return Grid(0, denominator, exact=True)
    return Grid(-math.ceil(math.log10(_RELATIVE_GRID * largest)), 1, exact=False)


def _shared_decimals(values: FloatArray, largest: float, digits: int) -> int | None:
    probe = values[:_PROBED]
    for decimals in range(_LAST_EXACT_POWER + 1):
        power = 10.0**decimals
        if largest * power >= 2.0**53:
            return None
        if _are_multiples(probe, power) and _are_multiples(values, power):
            return decimals if _short_enough(np.rint(values * power), digits) else None
    return None


def _shared_halvings(values: FloatArray, largest: float) -> int | None:
    """Fractions of a power of two (k/4096, say) are long decimals but exact in binary: find their grid."""
    halvings = _DYADIC_BITS - math.ceil(math.log2(largest))
    if halvings < 0 or halvings > 1000:
        return None
    scaled = values * 2.0**halvings
    return halvings if np.array_equal(scaled, np.rint(scaled)) else None


def _shared_denominator(values: FloatArray, largest: float) -> int | None:
    """Give the common denominator of scores that are fractions k/m, up to rounding in the last bits."""
    # Measured scores give themselves away at once, without sorting a million of them.
    if largest > _MOST_STEPS or _denominator(np.abs(values[:_PROBED]), largest) is None:
        return None
    distinct = np.unique(np.abs(values))
    return _denominator(distinct, largest) if len(distinct) <= _MOST_FRACTIONS else None


def _denominator(values: FloatArray, largest: float) -> int | None:
    common, rounding = 1, _LAST_BITS * float(np.spacing(largest))
    for value in values.tolist():
        if abs(value * common - round(value * common)) <= rounding * common:
            continue
        # There are about 0.3 D^2 fractions between 0 and 1 with denominators up to D.
        most = max(_LARGEST_DENOMINATOR, int(math.sqrt(_BY_CHANCE / rounding)))
        fraction = Fraction(value).limit_denominator(most)
        if abs(float(fraction) - value) > rounding:
            return None
        common = math.lcm(common, fraction.denominator)
        if common * largest > _MOST_STEPS:
            return None
    return common


def _are_multiples(values: FloatArray, power: float) -> bool:
    return bool(np.array_equal(np.rint(values * power) / power, values))


def _short_enough(integers: FloatArray, digits: int) -> bool:
    """Whether every integer has at most `digits` significant digits."""
    long = integers[np.abs(integers) >= 10.0**digits]
    while long.size:
        if np.any(long % 10):
            return False
        long = long / 10
        long = long[np.abs(long) >= 10.0**digits]
    return True


def to_integers(values: FloatArray, grid: Grid) -> IntArray:
    """Give scores as multiples of the grid's step."""
    return np.rint(values * grid.per_unit).astype(np.int64)


def differences(sample: Sample, a: int = 0, b: int = 1, *, snap: bool = True) -> Differences:
    """Give the oriented differences of two systems of a linear metric."""
    if not sample.paired:
        raise MethodError(
            "this needs scores of the same items, and the sample is unpaired.",
            fix="score both systems on the same items, or use an unpaired test such as welch_t.",
        )
    if not sample.aggregate.linear:
        raise MethodError(
            f"{sample.aggregate.name} is not a mean over items, so single items have no difference.",
            fix="use method 'permutation' or 'bootstrap', which work on the metric itself.",
        )
    sign = 1 if sample.higher_is_better else -1
    first, second = sample.scores(a), sample.scores(b)
    if not snap:
        return Differences(sign * (first - second), None, 0.0)
    grid = sample.grid
    if grid.exact:
        integers = sign * (to_integers(first, grid) - to_integers(second, grid))
        return Differences(integers / grid.per_unit, integers, grid.step)
    raw = sign * (first - second)
    integers = to_integers(raw, grid)
    # The grid decides ties and ranks; sums keep the digits below it.
    return Differences(np.where(integers == 0, 0.0, raw), integers, grid.step)


def rounding_of_sums(sample: Sample, *, of_scores: bool = False) -> int:
    """Say how many grid steps two sums of differences may be apart that are equal: none on an exact grid.

    Otherwise each difference was rounded by up to half a step (by a whole one where both scores were), and a flip
    counts it twice.
    """
    if sample.grid.exact:
        return 0
    return 2 * sample.n if of_scores else sample.n


def in_steps(delta: float, grid: Grid) -> Fraction:
    """Give delta, read as the decimal it prints as, in steps of the grid; on a grid of thirds 1/3 is one third."""
    whole = round(delta * grid.per_unit)
    if grid.divisor != 1 and abs(whole / grid.per_unit - delta) <= _LAST_BITS * float(np.spacing(abs(delta))):
        return Fraction(whole)
    return Fraction(repr(float(delta))) * Fraction(10) ** grid.decimals * grid.divisor


def fractions_behind(values: FloatArray, decimals: int) -> int | None:
    """Give the denominator of which all scores are fractions, printed with so many decimals: .667 and .167 are sixths.

    None where decimals say all there is to say, or where so many fractions would fit that some always do.

    >>> fractions_behind(np.array([0.667, 0.167, 0.5, 1.0, 0.833]), 3)
    6
    """
    distinct = np.unique(np.abs(values))
    shown = 0.5001 * 10.0**-decimals
    most = min(_LARGEST_DENOMINATOR, 10**decimals // 30)
    if len(distinct) > _MOST_FRACTIONS:
        return None
    for denominator in range(3, most + 1):
        if 10**decimals % denominator == 0:
            continue
        scaled = distinct * denominator
        if np.all(np.abs(scaled - np.rint(scaled)) <= shown * denominator):
            long = np.count_nonzero(np.rint(scaled) * 10**decimals % denominator)
            return denominator if long >= _FEWEST_LONG else None
    return None


def widen_ties(integers: IntArray) -> IntArray | None:
    """Merge differences that printing may have torn apart: sizes one printed unit from each other, or from 0.

    Thirds printed as .333333 and .666667 differ by .333334 or .333333; both mean one third. Gives None when nothing
    is that close, or when values lie so densely that neighbours are no accident of printing.
    """
    sizes = np.abs(integers)
    values = np.unique(np.concatenate([[0], sizes]))
    starts = np.concatenate([[True], np.diff(values) > 1])
    group = np.cumsum(starts) - 1
    first = values[starts]
    last = values[np.concatenate([np.flatnonzero(starts)[1:] - 1, [len(values) - 1]])]
    if not np.any(last > first) or np.any(last - first > 2):
        return None
    merged: IntArray = np.sign(integers) * first[group[np.searchsorted(values, sizes)]]
    return merged
