"""Scores that nearly live on a coarser grid: where smooth approximations of a tail would miss its steps.

If most differences are multiples of Q and a few are not, sums still crowd near the multiples of Q. The mean of
cos(2 pi d / Q) over the items shows it, and for all pairs at once it is one product of matrices. Looked at are
Q = 10^k / l in units of the grid: decimals and their simple fractions. This is a search, not a proof.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from nofluke.engine.pairs.table import BoolArray
from nofluke.types import FloatArray, IntArray

_FRACTIONS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12)
# A period below 1e-5 of the spread of the sum cannot move a tail by more than about 1e-5.
_DECADES = 6
# Within the main lobe, up to this many over the deviation, there are no steps.
LOBE = 8.0
# Every item can only dampen a resonance, so when some items leave less than this, the others need not be looked at.
_SOME_ITEMS, _MORE_ITEMS = 256, 2048
_NOTHING = 1e-16

# Of a period, a number of items and the mean wave over them: how much of each tail is steps of that period.
Share = Callable[[float, int, FloatArray], FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class _Waves:
    """e^(2 pi i (x_i - x_j) / Q) for all pairs, in single precision, which is enough to recognise a resonance."""

    period: float
    residues: FloatArray

    def mean(self, *, every: int, sine: bool) -> FloatArray:
        """Give the (S, S) means over every so many items: modulus, or real part only."""
        turns = self.residues[:, ::every] / self.period
        turns -= np.rint(turns)
        angle = (turns * (2.0 * math.pi)).astype(np.float32)
        cosines, sines = np.cos(angle), np.sin(angle)
        waves = np.concatenate((cosines, sines), axis=1)
        mean = (waves @ waves.T).astype(np.float64)
        if sine:
            cross = sines @ cosines.T
            mean = np.hypot(mean, cross - cross.T)
        result: FloatArray = mean / angle.shape[1]
        return result


def _waves(systems: IntArray) -> Iterator[_Waves]:
    """Go through the periods."""
    centred, last, residues = systems - systems[0], 0, np.empty((0, 0))
    for modulus, fraction in periods(widest_difference(systems)):
        if modulus != last:
            last, residues = modulus, (centred % modulus).astype(np.float64)
        yield _Waves(modulus / fraction, residues)


def periods(largest: int) -> Iterator[tuple[int, int]]:
    """Name the periods Q = 10^k / l, from the widest difference down to more than 1, the step of the grid itself."""
    top = min(len(str(largest)), 17)
    for power in range(top, max(top - _DECADES, 0), -1):
        modulus = 10**power
        for fraction in _FRACTIONS:
            if fraction < modulus <= largest * fraction:
                yield modulus, fraction


def _worst(systems: IntArray, outside: Callable[[float], BoolArray], share: Share, *, sine: bool) -> FloatArray:
    """Give the largest share over all periods, where they are outside the main lobe and no lattice of their own."""
    number, n = systems.shape
    worst = np.zeros((number, number))
    for waves in _waves(systems):
        counted = outside(waves.period)
        for every in sorted({max(1, n // _SOME_ITEMS), max(1, n // _MORE_ITEMS), 1}, reverse=True):
            mean = waves.mean(every=every, sine=sine)
            found = np.where(counted, share(waves.period, -(-n // every), mean), 0.0)
            if float(found.max()) < _NOTHING:
                break
        else:
            np.maximum(worst, found, out=worst)
    return worst


def flip_resonance(
    systems: IntArray, tilt: FloatArray, curvature: FloatArray, deviation: FloatArray, step: IntArray
) -> FloatArray:
    """Estimate how much of each flip tail, relatively, is steps that a smooth approximation misses.

    |psi(t)|^2 = prod (1 - sech^2(s u) sin^2(t d)) <= exp(-curvature sum sin^2(t d)), t = pi / Q, and a lobe at t counts
    for s / |s + it| of the main one, twice. `tilt` is in units of 1 / deviation; within the main lobe there is no step,
    and the true lattice of the differences, of period `step`, is no approximation's mistake.
    """

    share = partial(share_of_flips, tilt, curvature, deviation)
    return _worst(systems, partial(outside_of_flips, deviation, step), share, sine=False)


def share_of_flips(
    tilt: FloatArray, curvature: FloatArray, deviation: FloatArray, period: float, items: int, cosines: FloatArray
) -> FloatArray:
    """How much of each flip tail is steps of a period, from the mean cosine of so many items."""
    modulus = np.exp(-curvature * np.maximum(items * (1.0 - cosines), 0.0) / 4.0)
    result: FloatArray = 2.0 * modulus * np.maximum(tilt, 1.0) / np.maximum(math.pi / period * deviation, LOBE)
    return result


def outside_of_flips(deviation: FloatArray, step: IntArray, period: float) -> BoolArray:
    """Which pairs have a lobe of this period beyond the main one, and no lattice of their own there."""
    outside: BoolArray = (math.pi / period * deviation > LOBE) & (period > step)
    return outside


def draw_resonance(systems: IntArray, deviation: FloatArray, step: IntArray) -> FloatArray:
    """Estimate the same for sums of n draws, in absolute terms: a lobe at t = 2 pi / Q holds |psi| / (t deviation).

    |psi| = |phi|^n <= e^(n (|phi| - 1)), and n |phi| is at most its part over some items plus 1 for each of the others.
    """

    def share(period: float, items: int, moduli: FloatArray) -> FloatArray:
        modulus = np.exp(np.minimum(items * (moduli - 1.0), 0.0))
        result: FloatArray = modulus / np.maximum(2.0 * math.pi / period * deviation, LOBE)
        return result

    return _worst(systems, lambda q: (2.0 * math.pi / q * deviation > LOBE) & (q > step), share, sine=True)


def widest_difference(systems: IntArray) -> int:
    """Give the largest difference of two systems on one item."""
    return int((systems.max(axis=0) - systems.min(axis=0)).max())
