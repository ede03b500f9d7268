"""Monte Carlo swaps of a ratio with own denominators, raw or divided by their standard error."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.engine.corrected.draws import exact_table, swapped_sums
from nofluke.engine.flips.draws import FlipCounts
from nofluke.engine.randomness import CHUNK, SWAP
from nofluke.engine.randomness import chunks as all_chunks
from nofluke.engine.ratio_swaps.event import observed_event
from nofluke.engine.ratio_swaps.tail import ratio_totals
from nofluke.executors import Progress, in_replicates, ordered
from nofluke.types import FloatArray, IntArray, frozen

# 2^15 patterns take about as long as the usual number of draws.
MOST_UNITS = 15


@lru_cache(maxsize=2)
def every_swap(units: int) -> FloatArray:
    """Give the (2^units, units) matrix of all patterns, read-only: 1 where a unit changes sides.

    >>> every_swap(2)
    array([[0., 0.],
           [1., 0.],
           [0., 1.],
           [1., 1.]])
    """
    numbers = np.arange(1 << units, dtype=np.int64)[:, None]
    return frozen(numbers >> np.arange(units) & 1)


# Two patterns may give the same quotient by different roundings: closer than this is a tie, and ties count.
TIE = 1e-11
# A variance below this share of its terms is rounding, not spread.
_NO_SPREAD = 1e-13


@dataclass(frozen=True, slots=True)
class StudentizedRatio:
    """F_A - F_B, its standard error by the delta method, and their quotient."""

    difference: float
    standard_error: float
    t: float


def studentized_ratio(
    num_a: npt.ArrayLike, num_b: npt.ArrayLike, den_a: npt.ArrayLike, den_b: npt.ArrayLike, *, empty: Fraction | int = 0
) -> StudentizedRatio:
    """How many standard errors apart are two ratios?

    >>> round(studentized_ratio([2, 2, 0, 2], [0, 2, 0, 2], [3, 2, 2, 2], [2, 3, 2, 2]).difference, 12)
    0.222222222222
    """
    moments = _Moments(*ratio_totals(num_a, num_b, den_a, den_b), float(empty))
    difference, error, t = moments.studentized(np.zeros((1, 6)))
    return StudentizedRatio(float(difference[0]), float(error[0]), float(t[0]))


def ratio_swap_draws(
    num_a: npt.ArrayLike,
    num_b: npt.ArrayLike,
    den_a: npt.ArrayLike,
    den_b: npt.ArrayLike,
    *,
    resamples: int,
    seed: int,
    stage: int = SWAP,
    studentized: bool = True,
    empty: Fraction | int | None = 0,
    chunks: Iterable[int] | None = None,
    progress: Progress | None = None,
) -> FlipCounts:
    """How often is F_A - F_B at least (at most) what was observed when outputs are swapped at random?

    Studentized: (F_A - F_B) / se, with the delta-method standard error computed anew after every swap, which keeps its
    size near alpha when equally good systems differ in their denominators. Otherwise the difference itself, compared in
    whole numbers. A system whose denominators add up to 0 scores `empty`; with None it has no score, and the swap
    counts on both sides. `chunks` runs some chunks of 256 only; the counts of disjoint sets of chunks add up to the
    whole. p = (1 + count) / (1 + resamples).
    """
    columns = ratio_totals(num_a, num_b, den_a, den_b)
    count = _StudentizedCounter(columns, empty) if studentized else _RawCounter(columns, empty)
    plan = dict(all_chunks(resamples))
    wanted = [(chunk, plan[chunk]) for chunk in (plan if chunks is None else chunks)]
    report = in_replicates(progress, CHUNK, resamples)
    counted = list(ordered(partial(_counted, seed=seed, stage=stage), count, wanted, report))
    return FlipCounts(
        sum(above for above, _ in counted), sum(below for _, below in counted), sum(number for _, number in wanted)
    )


def _counted(
    count: _RawCounter | _StudentizedCounter, chunk: tuple[int, int], *, seed: int, stage: int
) -> tuple[int, int]:
    return count(swapped_sums(count.table, *chunk, seed=seed, stage=stage))


def ratio_swap_patterns(
    num_a: npt.ArrayLike,
    num_b: npt.ArrayLike,
    den_a: npt.ArrayLike,
    den_b: npt.ArrayLike,
    *,
    empty: Fraction | int | None = 0,
) -> FlipCounts | None:
    """What would ratio_swap_draws (studentized) count among all patterns of swaps? None where these are too many.

    Items on which a swap changes nothing are left out, so `resamples` is 2 to the power of the others.
    """
    count = _StudentizedCounter(ratio_totals(num_a, num_b, den_a, den_b), empty)
    moving = count.table[np.any(count.table != 0, axis=1)].astype(np.float64)
    if len(moving) > MOST_UNITS:
        return None
    swaps = every_swap(len(moving))
    return FlipCounts(*count(swaps @ moving), len(swaps))


class _RawCounter:
    def __init__(self, columns: tuple[IntArray, IntArray, IntArray, IntArray], empty: Fraction | int | None) -> None:
        num_a, num_b, den_a, den_b = columns
        self._undefined = empty is None
        self._event = observed_event(num_a, num_b, den_a, den_b, Fraction(empty or 0))
        self._start = np.array([(num_a - num_b).sum(), (den_a - den_b).sum()])
        moved = np.stack((num_b - num_a, den_b - den_a), axis=1)
        self.table = exact_table(moved.astype(np.float64), len(moved))

    def __call__(self, sums: FloatArray) -> tuple[int, int]:
        if self._event.denominators == 0:
            return len(sums), len(sums)
        u, v = (self._start + 2 * sums.astype(np.int64)).T
        without = (np.abs(v) == self._event.denominators) & self._undefined
        above = np.count_nonzero(self._event.holds_for(u, v) | without)
        beyond = np.count_nonzero(dataclasses.replace(self._event, strict=True).holds_for(u, v) & ~without)
        return int(above), len(sums) - int(beyond)


class _StudentizedCounter:
    def __init__(self, columns: tuple[IntArray, IntArray, IntArray, IntArray], empty: Fraction | int | None) -> None:
        self._moments = _Moments(*columns, math.nan if empty is None else float(empty))
        self.table = self._moments.table
        self._observed = float(self._moments.studentized(np.zeros((1, 6)))[2][0])

    def __call__(self, sums: FloatArray) -> tuple[int, int]:
        t = self._moments.studentized(sums)[2]
        slack = TIE * abs(self._observed) if np.isfinite(self._observed) else 0.0
        # Said the other way round, so that a swap without a score (nan) counts on both sides.
        below, above = np.count_nonzero(t < self._observed - slack), np.count_nonzero(t > self._observed + slack)
        return len(t) - int(below), len(t) - int(above)


class _Moments:
    """All that F_A - F_B and its standard error need: sums of c, y, c^2, c y, y^2 of A and of c_A y_B."""

    def __init__(self, num_a: IntArray, num_b: IntArray, den_a: IntArray, den_b: IntArray, empty: float) -> None:
        c_a, c_b, y_a, y_b = (column.astype(np.float64) for column in (num_a, num_b, den_a, den_b))
        of_a = np.stack((c_a, y_a, c_a * c_a, c_a * y_a, y_a * y_a, c_a * y_b), axis=1)
        of_b = np.stack((c_b, y_b, c_b * c_b, c_b * y_b, y_b * y_b, c_b * y_a), axis=1)
        self.table = exact_table(of_b - of_a, len(of_a))
        self._of_a, self._of_b = of_a.sum(axis=0), of_b.sum(axis=0)
        self._cc, self._yy, self._empty = float(c_a @ c_b), float(y_a @ y_b), empty

    def studentized(self, moved: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Give differences, standard errors and quotients after the moments `moved` have gone from B to A."""
        return studentized(
            tuple((self._of_a + moved).T), tuple((self._of_b - moved).T), self._cc, self._yy, self._empty
        )


def studentized(
    of_a: Sequence[FloatArray], of_b: Sequence[FloatArray], both_c: Any, both_y: Any, empty: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give F_A - F_B, its standard error by the delta method and their quotient; F = sum of c / sum of y.

    Of each system: sums over items of c, y, c^2, c y, y^2, and of its c times the other's y; of both the sums of
    c_A c_B and of y_A y_B. A system whose y add up to 0 scores `empty`. se^2 = sum of
    ((c_A - F_A y_A) / Y_A - (c_B - F_B y_B) / Y_B)^2 over items, the delta method's variance.
    """
    c_a, y_a, cc_a, cy_a, yy_a, a_b = of_a
    c_b, y_b, cc_b, cy_b, yy_b, b_a = of_b
    some_a, some_b = y_a > 0, y_b > 0
    full_a, full_b = np.where(some_a, y_a, 1.0), np.where(some_b, y_b, 1.0)
    f_a, f_b = np.where(some_a, c_a / full_a, empty), np.where(some_b, c_b / full_b, empty)
    own_a = np.where(some_a, cc_a - 2 * f_a * cy_a + f_a * f_a * yy_a, 0.0) / full_a**2
    own_b = np.where(some_b, cc_b - 2 * f_b * cy_b + f_b * f_b * yy_b, 0.0) / full_b**2
    # Grouped so that exchanging A and B gives the same bits.
    both = (both_c + f_a * f_b * both_y) - (f_b * a_b + f_a * b_a)
    variance = (own_a + own_b) - 2 * np.where(some_a & some_b, both, 0.0) / (full_a * full_b)
    terms = (cc_a + f_a * f_a * yy_a) / full_a**2 + (cc_b + f_b * f_b * yy_b) / full_b**2
    error = np.sqrt(np.where(variance > _NO_SPREAD * terms, variance, 0.0))
    difference = f_a - f_b
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(difference == 0.0, 0.0, difference / error)
    return difference, error, t
