"""Saddlepoint tails of many sums of draws with replacement at once: the far tails of the bootstrap."""

from __future__ import annotations

import numpy as np

from nofluke.engine.pairs.sign_tails import lugannani_rice
from nofluke.types import FloatArray

_TOLERANCE = 1e-9
_MOST_STEPS = 80


def draw_saddle(
    values: FloatArray, threshold: FloatArray, half_step: FloatArray, draws: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Approximate log P(S >= x), P(S = x) and the relative error, S the sum of `draws` numbers from each row.

    Rows have mean 0 and are in units of the standard deviation of S, as are the thresholds, well above 0 and below the
    end of the support; `half_step` is half the step of the lattice that x lies on. K(s) = draws log mean e^(sy). The
    error is estimated by the size of the first terms left out.
    """
    x = threshold - half_step
    s = _solve(values, x, draws)
    moments = _tilted(values, s)
    log_mean, _, variance, third, fourth, sixth = moments
    k2, k3, k4 = draws * variance, draws * third, draws * (fourth - 3.0 * variance**2)
    log_tail, point = lugannani_rice(x, half_step, s, (draws * log_mean, k2, k3, k4))
    skew, kurtosis = np.abs(k3) / k2**1.5, np.abs(k4) / k2**2
    error = (kurtosis / 4.0 + 5.0 / 12.0 * skew**2) ** 2 + draws * sixth / k2**3 / 24.0
    return log_tail, point, error


def _solve(values: FloatArray, x: FloatArray, draws: int) -> FloatArray:
    """Solve K'(s) = x by Newton's method inside a bracket; K' rises from 0 to the end of the support."""
    s, low, high = x.copy(), np.zeros_like(x), np.full_like(x, np.inf)
    rows, part = np.arange(x.size), values
    for _ in range(_MOST_STEPS):
        now = s[rows]
        weight = _weights(part, now)
        mean = np.einsum("ij,ij->i", weight, part)
        variance = np.einsum("ij,ij,ij->i", weight, part, part) - mean**2
        miss = x[rows] - draws * mean
        low[rows] = np.where(miss > 0, now, low[rows])
        high[rows] = np.where(miss > 0, high[rows], now)
        moved = now + miss / np.maximum(draws * variance, 1e-300)
        middle = np.where(np.isinf(high[rows]), 2.0 * now, (low[rows] + high[rows]) / 2.0)
        moved = np.where((moved > low[rows]) & (moved < np.minimum(high[rows], 3.0 * now)), moved, middle)
        going = np.abs(moved - now) > _TOLERANCE * moved
        s[rows] = moved
        if not going.any():
            break
        if going.sum() < 0.7 * rows.size:
            rows, part = rows[going], part[going]
    return s


def _weights(values: FloatArray, s: FloatArray) -> FloatArray:
    """Give e^(sy) over its sum, row by row; s > 0, so the largest exponent is that of the largest value."""
    weight: FloatArray = values - values.max(axis=1, keepdims=True)
    weight *= s[:, None]
    np.exp(weight, out=weight)
    weight /= weight.sum(axis=1, keepdims=True)
    return weight


def _tilted(values: FloatArray, s: FloatArray) -> tuple[FloatArray, ...]:
    """Give log mean e^(sy), and the mean, central moments 2, 3, 4 and 6 of the tilted law."""
    top = values.max(axis=1)
    weight = values - top[:, None]
    weight *= s[:, None]
    np.exp(weight, out=weight)
    total = weight.sum(axis=1)
    weight /= total[:, None]
    mean = np.einsum("ij,ij->i", weight, values)
    centred = values - mean[:, None]
    squares = centred * centred
    weight *= squares
    second, third = weight.sum(axis=1), np.einsum("ij,ij->i", weight, centred)
    weight *= squares
    fourth, sixth = weight.sum(axis=1), np.einsum("ij,ij->i", weight, squares)
    return np.log(total / values.shape[1]) + s * top, mean, second, third, fourth, sixth
