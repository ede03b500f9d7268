"""The distribution of the mean difference under random swaps, as a curve to look at.

For the picture only: p-values come from the engine, with a bound. Without clusters or with them, the swapped totals
v_i have signs that are fair coins, so the characteristic function of their sum is the product of cos(t v_i).
"""

from __future__ import annotations

import numpy as np

from nofluke.align import differences, weighed_totals
from nofluke.align.exact_sums import tally
from nofluke.types import Distribution, FloatArray, IntArray, Sample, frozen

_POINTS = 161
_REACH = 4.2  # standard deviations on either side
_NODES = 120
_HIGHEST_FREQUENCY = 7.0  # in units of 1 / sd: a Gaussian has died to 2e-11 there
_MOST_ATOMS = 81
_MOST_CONVOLVED = 4_000
_MOST_DISTINCT = 20_000


def null_distribution(sample: Sample) -> Distribution | None:
    """Give the curve for a mean of paired scores; None where there is nothing to draw."""
    if not sample.aggregate.linear or not sample.paired or sample.n < 2:
        return None
    d = differences(sample)
    totals, weights = weighed_totals(sample, d.snapped)
    sizes = np.abs(totals[totals != 0])
    if not len(sizes):
        return None
    unit = float(d.step) / float(weights.sum())
    different, counts = tally(sizes)
    common = int(np.gcd.reduce(different))
    reach = int(different @ counts) // common
    distinct: FloatArray = different.astype(np.float64)
    if reach <= _MOST_CONVOLVED:
        grid, mass = _atoms((different // common).astype(np.int64), counts, reach)
        kept = _visible(grid, mass, float(np.sqrt((distinct / common) ** 2 @ counts)))
        if kept.sum() <= _MOST_ATOMS:
            return Distribution(frozen(grid[kept] * common * unit), frozen(mass[kept]), True, "exact")
    sd = float(np.sqrt(distinct**2 @ counts))
    grid = np.linspace(-_REACH * sd, _REACH * sd, _POINTS)
    density, how = _smooth(distinct, counts, grid, sd)
    return Distribution(frozen(grid * unit), frozen(density / unit), False, how)


def _atoms(sizes: IntArray, counts: IntArray, reach: int) -> tuple[FloatArray, FloatArray]:
    """Every attainable sum with its probability, by adding one size after the other."""
    mass = np.zeros(2 * reach + 1)
    mass[reach] = 1.0
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        for _ in range(count):
            shifted = np.zeros_like(mass)
            shifted[size:] += mass[:-size]
            shifted[:-size] += mass[size:]
            mass = shifted / 2
    grid = np.arange(-reach, reach + 1, dtype=np.float64)
    attainable = mass > 0
    return grid[attainable], mass[attainable]


def _visible(grid: FloatArray, mass: FloatArray, sd: float) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return (np.abs(grid) <= max(_REACH * sd, 1.0)) & (mass > 0)


def _smooth(sizes: FloatArray, counts: IntArray, grid: FloatArray, sd: float) -> tuple[FloatArray, str]:
    """The density by inversion of the characteristic function; its far frequencies, which only ripple, are left out."""
    if len(sizes) > _MOST_DISTINCT:
        return np.exp(-((grid / sd) ** 2) / 2) / (sd * np.sqrt(2 * np.pi)), "normal"
    frequency = (np.arange(_NODES) + 0.5) * (_HIGHEST_FREQUENCY / sd / _NODES)
    cosines = np.cos(frequency[:, None] * sizes[None, :])
    with np.errstate(divide="ignore"):
        modulus = np.exp(np.log(np.abs(cosines)) @ counts.astype(np.float64))
    sign = np.where((cosines < 0) @ counts % 2 == 1, -1.0, 1.0)
    waves = np.cos(grid[:, None] * frequency[None, :])
    density = waves @ (modulus * sign) * (_HIGHEST_FREQUENCY / sd / _NODES) / np.pi
    return np.maximum(density, 0.0), "smoothed"
