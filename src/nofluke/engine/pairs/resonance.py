"""Scores that nearly live on a coarser grid: where smooth approximations of a tail would miss its steps.

If most differences are multiples of Q and a few are not, sums still crowd near the multiples of Q. The mean of
cos(2 pi d / Q) over the items shows it, and for all pairs at once it is one product of matrices. Looked at are
Q = 10^k / l in units of the grid: decimals and their simple fractions. This is a search, not a proof.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from nofluke.types import FloatArray, IntArray

_FRACTIONS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12)
# A period below 1e-5 of the spread of the sum cannot move a tail by more than about 1e-5.
_DECADES = 6


def mean_waves(systems: IntArray, largest: int, *, sine: bool = True) -> Iterator[tuple[float, FloatArray]]:
    """Give periods Q up to `largest` and the (S, S) means of e^(2 pi i (x_i - x_j) / Q): modulus, or real part only.

    Single precision is enough to recognise a resonance. Periods up to 1 are left out: the grid itself has step 1.
    """
    centred, n = systems - systems[0], systems.shape[1]
    top = min(len(str(largest)), 17)
    for power in range(top, max(top - _DECADES, 0), -1):
        modulus = 10**power
        residues = (centred % modulus).astype(np.float64)
        for fraction in _FRACTIONS:
            if modulus <= fraction or modulus > largest * fraction:
                continue
            turns = residues * (fraction / modulus)
            turns -= np.rint(turns)
            angle = (turns * (2.0 * math.pi)).astype(np.float32)
            cosines, sines = np.cos(angle), np.sin(angle)
            waves = np.concatenate((cosines, sines), axis=1)
            mean = (waves @ waves.T).astype(np.float64)
            if sine:
                cross = sines @ cosines.T
                mean = np.hypot(mean, cross - cross.T)
            yield modulus / fraction, mean / n


def flip_resonance(
    systems: IntArray, tilt: FloatArray, curvature: FloatArray, deviation: FloatArray, step: IntArray
) -> FloatArray:
    """Estimate how much of each flip tail, relatively, is steps that a smooth approximation misses.

    |psi(t)|^2 = prod (1 - sech^2(s u) sin^2(t d)) <= exp(-curvature sum sin^2(t d)), t = pi / Q, and a lobe at t counts
    for s / |s + it| of the main one, twice. `tilt` is in units of 1 / deviation; within the main lobe there is no step,
    and the true lattice of the differences, of period `step`, is no approximation's mistake.
    """
    n = systems.shape[1]
    worst = np.zeros_like(deviation)
    for period, cosines in mean_waves(systems, widest_difference(systems), sine=False):
        frequency = math.pi / period * deviation
        modulus = np.exp(-curvature * np.maximum(n * (1.0 - cosines), 0.0) / 4.0)
        share = 2.0 * modulus * np.maximum(tilt, 1.0) / np.maximum(frequency, 8.0)
        np.maximum(worst, np.where((frequency > 8.0) & (period > step), share, 0.0), out=worst)
    return worst


def draw_resonance(systems: IntArray, deviation: FloatArray, step: IntArray) -> FloatArray:
    """Estimate the same for sums of n draws, in absolute terms: a lobe at t = 2 pi / Q holds |psi| / (t deviation)."""
    n = systems.shape[1]
    worst = np.zeros_like(deviation)
    for period, moduli in mean_waves(systems, widest_difference(systems)):
        frequency = 2.0 * math.pi / period * deviation
        modulus = np.exp(np.minimum(n * (moduli - 1.0), 0.0))
        share = modulus / np.maximum(frequency, 8.0)
        np.maximum(worst, np.where((frequency > 8.0) & (period > step), share, 0.0), out=worst)
    return worst


def widest_difference(systems: IntArray) -> int:
    """Give the largest difference of two systems on one item."""
    return int((systems.max(axis=0) - systems.min(axis=0)).max())
