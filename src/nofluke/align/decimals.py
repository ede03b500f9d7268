"""Ties are decided on exact decimals, or on one grid for the whole sample; never on raw binary differences.

In binary64 0.3 - 0.2 and 0.8 - 0.7 differ in the last bit, so ranking raw differences ranks noise. A score that was
written as a decimal of up to 15 digits comes back unchanged from its nearest double: rint(v * 10^q) is the integer that
was meant whenever dividing it by 10^q gives v again. That check is what decides whether a sample is exact. Short binary
fractions are exact as they are. Thirds, sevenths and their like (means of three runs, F1 of single items) are doubles
next to fractions: with a common denominator they are whole numbers too, and 1/6 + 1/6 is 1/3. All other scores are
measured: their differences are rounded to one grid, far above the noise of the last bits and far below what is typical.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal, DecimalTuple
from fractions import Fraction

import numpy as np

from nofluke.align.exact_sums import rounded, summable, tally
from nofluke.errors import InputError, MethodError
from nofluke.types import FloatArray, Grid, IntArray, Sample

# Digits after which a decimal no longer survives a double, and the largest power of ten a double holds exactly.
TEXT_DIGITS = 15
FLOAT_DIGITS = 12
_LAST_EXACT_POWER = 22
# Measured scores: the grid in parts of what is typical, what share of them is smaller than that, and the noise of a
# score in parts of itself (16 to 32 units in the last place).
_RELATIVE_GRID = 1e-12
_TYPICAL = 0.25
NOISE = 2.0**-48
# Scores as written must spread over so many times that noise for ties among them to be told.
_TELLING = 100
_SMALLEST_GRID = 1e-130
_LARGEST = 1e100
# Binary fractions count as exact up to this many bits, as decimals do up to 12 digits: more would take noise for data.
_DYADIC_BITS = 40
# Fractions: the largest denominator of a score whatever its size, and how rarely a double at random may be next to
# a fraction with a larger one; how far the last bits may be off, how many different scores are looked at, and how many
# steps the largest score may have.
LARGEST_DENOMINATOR = 1_000
_BY_CHANCE = 1e-6
_LAST_BITS = 4
MOST_FRACTIONS = 5_000
_PROBED = 64
_MOST_STEPS = 1e13
# Decimals read off what scores print as: how many different ones, and from the first place of the largest to the last.
_MOST_PRINTED = 100_000
_MOST_PLACES = 120


@dataclass(frozen=True, slots=True, eq=False)
class Differences:
    """Oriented paired differences (positive = A better) as multiples of one step.

    `integers` is None only for snap=False, where `values` are the raw binary differences, as other tools take them.
    `rounding` is None where the integers are exact; otherwise what each of them may be off by, 0 for a tie.
    """

    values: FloatArray
    integers: IntArray | None
    step: float
    rounding: IntArray | None = None

    @property
    def signs(self) -> IntArray:
        """-1, 0 or 1 for every item."""
        source = self.values if self.integers is None else self.integers
        return np.sign(source).astype(np.int64)

    @property
    def snapped(self) -> IntArray:
        """The integers, for methods that always snap."""
        if self.integers is None:
            raise TypeError("raw differences have no integers")
        return self.integers

    @property
    def distinct(self) -> int:
        """The number of different values."""
        return len(np.unique(self.values) if self.integers is None else tally(self.integers)[0])


def find_grid(values: FloatArray, digits: int = FLOAT_DIGITS) -> Grid:
    """Find the decimals all scores share, or the one grid their differences are rounded to.

    >>> import numpy as np
    >>> find_grid(np.array([0.25, 0.3]))
    Grid(decimals=2, divisor=1, exact=True)
    """
    finite = values.ravel()
    if not np.isfinite(finite).all():
        finite = finite[np.isfinite(finite)]
    largest = float(max(-finite.min(), finite.max())) if finite.size else 0.0
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
    if digits >= TEXT_DIGITS:
        _refuse_lost_digits(finite, largest)
    denominator = _shared_denominator(finite, largest)
    if denominator is not None:
        return Grid(0, denominator, exact=True)
    return Grid(_measured_decimals(finite, largest), 1, exact=False)


def _shared_decimals(values: FloatArray, largest: float, digits: int) -> int | None:
    probe = values[:_PROBED]
    for decimals in range(_LAST_EXACT_POWER + 1):
        power = 10.0**decimals
        if largest * power >= 2.0**53:
            break
        if _are_multiples(probe, power) and _are_multiples(values, power):
            return decimals if _short_enough(np.rint(values * power), digits) else None
    return _decimals_as_printed(values, digits)


def _decimals_as_printed(values: FloatArray, digits: int) -> int | None:
    """Find the decimals of scores too large or too small to be checked in floating point: by what they print as.

    A few huge scores beside ordinary ones, and scores that are all of the order of 1e30 or 1e-30.
    """
    if any(len(_printed(value).digits) > digits for value in values[:_PROBED].tolist()):
        return None
    distinct = np.unique(np.abs(values))
    if len(distinct) > _MOST_PRINTED:
        return None
    printed = [_printed(value) for value in distinct.tolist() if value]
    last = min((int(number.exponent) for number in printed), default=0)
    widest = max((len(number.digits) + int(number.exponent) for number in printed), default=0)
    short = all(len(number.digits) <= digits for number in printed) and widest - last <= _MOST_PLACES
    return -last if short else None


def _printed(value: float) -> DecimalTuple:
    return Decimal(repr(value)).normalize().as_tuple()


def _refuse_lost_digits(values: FloatArray, largest: float) -> None:
    """Refuse scores, written with more digits than doubles keep, that differ in the last of them only.

    100000000.00000002 and 100000000.00000003 are two numbers to whoever wrote them, and a tie within noise here; with
    ...28 and ...29 not even the doubles differ, so that nobody can say whether such scores were all the same. The
    double next to a fraction such as 1/3 is what that prints as.
    """
    if len(values) and np.all(values == values[0]):
        one = float(values[0])
        if float(Fraction(one).limit_denominator(LARGEST_DENOMINATOR)) != one:
            raise InputError(
                f"all scores are read as {one!r}, in digits that floating point does not keep: whether they differ "
                "cannot be told.",
                fix="subtract the same number from all scores, or round them to 15 digits.",
            )
    if 0 < float(np.ptp(values)) < _TELLING * NOISE * largest:
        raise InputError(
            f"the scores lie between {float(values.min())!r} and {float(values.max())!r}: they differ only in digits "
            "that floating point does not keep.",
            fix="subtract the same number from all scores, or round them to 15 digits.",
        )


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
    usual = min(largest, 4 * _binade(values, _TYPICAL))
    if largest > _MOST_STEPS or _denominator(np.abs(values[:_PROBED]), largest, usual) is None:
        return None
    distinct = np.unique(np.abs(values))
    return _denominator(distinct, largest, usual) if len(distinct) <= MOST_FRACTIONS else None


def _denominator(values: FloatArray, largest: float, usual: float) -> int | None:
    """Allow for the last bits of each score, or of the usual ones where it may be what they left when subtracted."""
    common = 1
    for value in values.tolist():
        rounding = _LAST_BITS * math.ulp(max(value, usual))
        if abs(value * common - round(value * common)) <= rounding * common:
            continue
        # There are about 0.3 D^2 fractions between 0 and 1 with denominators up to D.
        most = max(LARGEST_DENOMINATOR, int(min(math.sqrt(_BY_CHANCE / rounding), 1e150)))
        fraction = Fraction(value).limit_denominator(most)
        if abs(float(fraction) - value) > rounding:
            return None
        common = math.lcm(common, fraction.denominator)
        if common * largest > _MOST_STEPS:
            return None
    return common


def _measured_decimals(values: FloatArray, largest: float) -> int:
    """Choose the grid of measured scores by what is typical of them, so that one huge score cannot swallow the others.

    The unit is the size of scores or, where they share an offset, how far they lie from their middle; the grid is never
    finer than the noise of typical scores, which an offset makes larger, nor than doubles can square.
    """
    size, usual = _binade(values, _TYPICAL), _binade(values, 1 - _TYPICAL)
    # Only scores of one binade can share an offset.
    unit = size if size < usual else min(size, _binade(values - np.median(values), _TYPICAL))
    return -math.ceil(math.log10(max(_RELATIVE_GRID * unit, NOISE * size, largest * _SMALLEST_GRID)))


def _binade(values: FloatArray, share: float) -> float:
    """Give the power of two below the size that this share of the values other than 0 does not exceed; 0 without any.

    Read from the exponents of the doubles, which takes a tenth of the time of sorting.
    """
    exponents = (np.ascontiguousarray(values).view(np.int64) >> 52) & 0x7FF
    reached = np.cumsum(np.bincount(exponents, minlength=0x7FF)[1:])
    if not reached[-1]:
        return 0.0
    return math.ldexp(1.0, int(np.searchsorted(reached, share * reached[-1])) + 1 - 1023)


def _are_multiples(values: FloatArray, power: float) -> bool:
    scaled = values * power
    np.rint(scaled, out=scaled)
    scaled /= power
    return bool(np.array_equal(scaled, values))


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
    """Give scores as multiples of the grid's step: int64, or Python's integers where one of them is wider."""
    return rounded(values, grid.exact_per_unit)


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
        better, worse = (first, second) if sign > 0 else (second, first)
        integers = summable(to_integers(better, grid) - to_integers(worse, grid))
        # Negative powers of ten are no doubles; positive ones are, up to 10^22.
        values = integers * grid.step if grid.decimals < 0 else integers / grid.per_unit
        return Differences(values.astype(np.float64, copy=False), integers, grid.step)
    raw = sign * (first - second)
    integers, cells = _on_the_grid(raw, np.maximum(np.abs(first), np.abs(second)), grid)
    tied = integers == 0
    # The grid decides ties and ranks; sums keep the digits below it.
    return Differences(np.where(tied, 0.0, raw), summable(integers), grid.step, summable(np.where(tied, 0, cells)))


def _on_the_grid(raw: FloatArray, sizes: FloatArray, grid: Grid) -> tuple[IntArray, IntArray]:
    """Round differences to the grid, and say in which cells: where scores are so large that their own noise exceeds
    the grid, in cells of ten, a hundred, ... steps, which hold that noise. Cells are nested, so ties stay ties.
    """
    noise = sizes * NOISE * grid.per_unit
    if not np.any(noise > 1.0):
        return rounded(raw, grid.exact_per_unit), np.ones(len(raw), np.int64)
    coarser = np.ceil(np.log10(np.maximum(noise, 1.0))).astype(np.int64)
    cells = np.array([10**power for power in coarser.tolist()], dtype=object)
    return rounded(raw, grid.exact_per_unit, coarser), cells


def rounding_of_sums(sample: Sample) -> int:
    """Say how many grid steps two sums of differences of rounded scores may be apart that are equal.

    None on an exact grid. Otherwise each score was rounded by up to half a step, and a flip counts a difference twice.
    """
    return 0 if sample.grid.exact else 2 * sample.n


def in_steps(delta: float, grid: Grid) -> Fraction:
    """Give delta, read as the decimal it prints as, in steps of the grid; on a grid of thirds 1/3 is one third."""
    per_unit = grid.exact_per_unit
    whole = round(Fraction(delta) * per_unit)
    if grid.divisor != 1 and abs(whole / per_unit - Fraction(delta)) <= _LAST_BITS * Fraction(math.ulp(delta)):
        return Fraction(whole)
    return Fraction(repr(float(delta))) * per_unit
