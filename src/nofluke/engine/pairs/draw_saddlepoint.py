"""Saddlepoint tails of many sums of draws with replacement at once: the far tails of the bootstrap."""

from __future__ import annotations

import numpy as np

from nofluke.engine.saddlepoint import lugannani_rice, solve_rows
from nofluke.types import FloatArray


def draw_saddle(
    values: FloatArray, threshold: FloatArray, half_step: FloatArray, draws: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Approximate log P(S >= x), P(S = x) and the relative error, S the sum of `draws` numbers from each row.

    Rows have mean 0 and are in units of the standard deviation of S, as are the thresholds, well above 0 and below the
    end of the support; `half_step` is half the step of the lattice that x lies on. K(s) = draws log mean e^(sy). The
    error is estimated by the size of the first terms left out.
    """
    x = threshold - half_step
    s = solve_rows(x, (values,), lambda tilt, rows: tuple(draws * part for part in one_draw(tilt, rows)[1:]))
    log_mean, variance, third, fourth, sixth = _moments(s, values)
    k2, k3, k4 = draws * variance, draws * third, draws * (fourth - 3.0 * variance**2)
    log_tail, point = lugannani_rice(x, half_step, s, (draws * log_mean, k2, k3, k4))
    skew, kurtosis = np.abs(k3) / k2**1.5, np.abs(k4) / k2**2
    error = (kurtosis / 4.0 + 5.0 / 12.0 * skew**2) ** 2 + draws * sixth / k2**3 / 24.0
    return log_tail, point, error


def one_draw(
    s: FloatArray, values: FloatArray, shares: FloatArray | None = None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give log mean e^(sy), its slope and its curvature, row by row; the values have `shares`, or all the same."""
    weight, top = _tilted(s, values, shares)
    total = weight.sum(axis=1)
    mean = np.einsum("ij,ij->i", weight, values) / total
    square = np.einsum("ij,ij,ij->i", weight, values, values) / total
    return np.log(total) + top, mean, square - mean * mean


def _tilted(s: FloatArray, values: FloatArray, shares: FloatArray | None) -> tuple[FloatArray, FloatArray]:
    """Give the shares times e^(sy - top), and the top."""
    weight = values * s[:, None]
    if shares is not None:
        # Values without a share must not set the scale: all others could vanish beside them.
        weight[shares <= 0] = -np.inf
    top = weight.max(axis=1)
    weight -= top[:, None]
    np.exp(weight, out=weight)
    weight *= 1.0 / values.shape[1] if shares is None else shares
    return weight, top


def _moments(s: FloatArray, values: FloatArray) -> tuple[FloatArray, ...]:
    """Give log mean e^(sy), and the central moments 2, 3, 4 and 6 of the tilted law."""
    weight, top = _tilted(s, values, None)
    total = weight.sum(axis=1)
    weight /= total[:, None]
    centred = values - np.einsum("ij,ij->i", weight, values)[:, None]
    squares = centred * centred
    weight *= squares
    second, third = weight.sum(axis=1), np.einsum("ij,ij->i", weight, centred)
    weight *= squares
    return np.log(total) + top, second, third, weight.sum(axis=1), np.einsum("ij,ij->i", weight, squares)
