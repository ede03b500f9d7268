"""Tails of sums of random signs for many test sets at once, given as counts over groups of equal items.

Edgeworth's series for all, and Lugannani and Rice's saddlepoint, to second order and corrected for the lattice, for
those whose p-value lies anywhere near the level.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from nofluke.engine.pairs.sign_tails import edgeworth, flip_cumulants, flip_slopes
from nofluke.engine.saddlepoint import lugannani_rice, solve_rows
from nofluke.types import FloatArray


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
    tails, correction = edgeworth(x - a, a, fourth, sixth)
    logs = np.log(tails)
    # All signs equal: one pattern of 2^m.
    ends = ~flat & (observed >= _sum(counts, sizes) * (1 - 1e-12))
    if ends.any():
        there = counts[ends] * (sizes > 0 if sizes.ndim == 1 else sizes[ends] > 0)
        logs[ends] = -there.sum(axis=1) * math.log(2)
    rows = np.flatnonzero(~flat & ~ends & near_level(logs, correction, level) & (x - a > 0.3))
    if rows.size:
        chosen = sizes if sizes.ndim == 1 else sizes[rows]
        law = chosen / deviation[rows, None], counts[rows]
        tilt = solve_rows((x - a)[rows], law, flip_slopes)
        cumulants, _ = flip_cumulants(tilt, *law)
        logs[rows], _ = lugannani_rice((x - a)[rows], a[rows], tilt, cumulants)
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
