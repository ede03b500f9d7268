"""Tails of sums of random signs for many test sets at once, given as counts over groups of equal items.

Edgeworth's series for all, and Lugannani and Rice's saddlepoint, to second order and corrected for the lattice, for
those whose p-value lies anywhere near the level.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from nofluke.engine.pairs.sign_tails import lugannani_rice
from nofluke.types import FloatArray

_TOLERANCE = 1e-8
_MOST_STEPS = 60


def near_level(logs: FloatArray, correction: FloatArray, level: float) -> npt.NDArray[np.bool_]:
    """Whether the saddlepoint has to decide: the series might be on the wrong side of the level.

    The error of the series is of the order of its correction squared; three times the correction is far more.
    """
    return np.abs(logs - math.log(level)) < 0.1 + 3.0 * correction


def flip_log_tails(
    sizes: FloatArray, counts: FloatArray, observed: FloatArray, half_step: FloatArray, level: float
) -> FloatArray:
    """Give log P(sum of randomly signed sizes >= observed), row by row, for observed >= 0.

    `sizes` is (groups,) or (rows, groups), `counts` how often each is there, `half_step` half the step of the lattice
    that the sum lies on. `level` is the tail probability around which precision is wanted.
    """
    squares = sizes * sizes
    second, fourth, sixth = _power_sums(counts, squares)
    flat = second <= 0
    deviation = np.sqrt(np.where(flat, 1.0, second))
    fourth, sixth = fourth / deviation**4, sixth / deviation**6
    x, a = observed / deviation, half_step / deviation
    tails, correction = _edgeworth(x - a, a, fourth, sixth)
    logs = np.log(tails)
    # All signs equal: one pattern of 2^m.
    ends = ~flat & (observed >= _sum(counts, sizes) * (1 - 1e-12))
    if ends.any():
        there = counts[ends] * (sizes > 0 if sizes.ndim == 1 else sizes[ends] > 0)
        logs[ends] = -there.sum(axis=1) * math.log(2)
    rows = np.flatnonzero(~flat & ~ends & near_level(logs, correction, level) & (x - a > 0.3))
    if rows.size:
        chosen = sizes if sizes.ndim == 1 else sizes[rows]
        logs[rows] = _saddlepoint(chosen / deviation[rows, None], counts[rows], (x - a)[rows], a[rows])
    logs[flat] = 0.0
    return logs


def _power_sums(counts: FloatArray, squares: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give the sums of counts times squares, their second and their third powers."""
    if squares.ndim == 1:
        return counts @ squares, counts @ squares**2, counts @ squares**3
    weighted = counts * squares
    second, fourth = weighted.sum(axis=1), np.einsum("ij,ij->i", weighted, squares)
    weighted *= squares
    return second, fourth, np.einsum("ij,ij->i", weighted, squares)


def _sum(counts: FloatArray, values: FloatArray) -> FloatArray:
    total: FloatArray = counts @ values if values.ndim == 1 else np.einsum("ij,ij->i", counts, values)
    return total


def _edgeworth(x: FloatArray, a: FloatArray, fourth: FloatArray, sixth: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Edgeworth's series with cumulants 1, -2 sum u^4, 16 sum u^6 (as engine.pairs.sign_tails has it).

    Also gives the size of the correction to the normal tail, as a part of that.
    """
    from scipy.special import ndtr

    deviation = np.sqrt(np.maximum(1.0 - a**2 / 3.0, 0.1))
    k4 = (-2.0 * fourth + (2.0 * a) ** 4 / 120.0) / deviation**4
    k6 = (16.0 * sixth - (2.0 * a) ** 6 / 252.0) / deviation**6
    z = np.clip(x / deviation, -8.0, 8.0)
    density = np.exp(-z * z / 2.0) / math.sqrt(2.0 * math.pi)
    h3, h5 = z**3 - 3.0 * z, z**5 - 10.0 * z**3 + 15.0 * z
    h7 = z**7 - 21.0 * z**5 + 105.0 * z**3 - 105.0 * z
    series = density * (k4 / 24.0 * h3 + k6 / 720.0 * h5 + k4 * k4 / 1152.0 * h7)
    normal = ndtr(-z)
    return np.clip(normal + series, 1e-300, 1.0), np.abs(series) / normal


def _saddlepoint(sizes: FloatArray, counts: FloatArray, x: FloatArray, a: FloatArray) -> FloatArray:
    """Lugannani and Rice at K'(s) = x, with K(s) = sum of counts log cosh(s u)."""
    s = _solve(sizes, counts, x)
    y = sizes * s[:, None]
    shrunk = np.exp(-2.0 * y)
    plus = 1.0 + shrunk
    cumulant = np.einsum("ij,ij->i", counts, y + np.log(plus / 2.0))
    tanh = (1.0 - shrunk) / plus * sizes
    weight = counts * 4.0 * shrunk / plus**2 * sizes**2
    k2 = np.maximum(weight.sum(axis=1), 1e-300)
    k3 = -2.0 * np.einsum("ij,ij->i", weight, tanh)
    k4 = 6.0 * np.einsum("ij,ij->i", weight, tanh**2) - 2.0 * np.einsum("ij,ij->i", weight, sizes**2)
    return lugannani_rice(x, a, s, (cumulant, k2, k3, k4))[0]


def _solve(sizes: FloatArray, counts: FloatArray, x: FloatArray) -> FloatArray:
    """Newton's method; K' is concave and K''(0) = 1, so from s = x it rises to the root and never oversteps."""
    s = x.copy()
    rows = np.arange(len(x))
    for _ in range(_MOST_STEPS):
        u, c = sizes[rows], counts[rows]
        tanh = np.tanh(u * s[rows, None])
        weighted = c * u
        miss = x[rows] - np.einsum("ij,ij->i", weighted, tanh)
        slope = np.maximum(np.einsum("ij,ij,ij->i", weighted, u, 1.0 - tanh * tanh), 1e-12)
        moved = np.maximum(s[rows] + miss / slope, x[rows])
        going = np.abs(moved - s[rows]) > _TOLERANCE * moved
        s[rows] = moved
        rows = rows[going]
        if not rows.size:
            break
    return s
