"""Tails of resampled means for many test sets at once: the bootstrap of a power curve without an inner loop."""

from __future__ import annotations

import math

import numpy as np

from nofluke.engine.pairs.draw_saddlepoint import one_draw
from nofluke.engine.saddlepoint import corrected_normal, solve_rows
from nofluke.inference.power.curves.flip_tails import near_level
from nofluke.types import FloatArray

# Beyond the largest value no resample can be.
_NEVER = -700.0


def resample_log_tails(
    values: FloatArray, counts: FloatArray, distance: FloatArray, half_step: float, level: float
) -> FloatArray:
    """Give log P(S* - S >= distance), S* the sum of as many draws from each row as it holds items, for distance >= 0.

    `values` is (groups,) or (rows, groups). Edgeworth's series first; the saddlepoint where the p-value is anywhere
    near the level. Rows whose values do not vary give nan, for no resample differs; and so do rows whose resamples
    cannot get that far (with a half step below 0: farther): there the test has no p-value.
    """
    number = counts.sum(axis=1)
    mean = _sum(counts, values) / number
    # Central moments by the moments about the overall centre, which keeps the digits.
    centre = float(np.average(mean))
    about = values - centre
    squares = about * about
    m1, m2 = _sum(counts, about) / number, _sum(counts, squares) / number
    m3, m4 = _sum(counts, squares * about) / number, _sum(counts, squares * squares) / number
    variance = m2 - m1**2
    flat = variance <= 1e-14 * np.maximum(m2, 1e-300)
    safe = np.where(flat, 1.0, variance)
    third = m3 - 3 * m1 * m2 + 2 * m1**3
    fourth = m4 - 4 * m1 * m3 + 6 * m1**2 * m2 - 3 * m1**4
    deviation = np.sqrt(safe * number)
    z = (distance - half_step) / deviation
    skew, kurtosis = third / safe**1.5 / np.sqrt(number), (fourth / safe**2 - 3) / number
    tails, correction = _edgeworth(z, skew, kurtosis)
    logs = np.log(tails)
    rows = np.flatnonzero(~flat & near_level(logs, correction, level) & (z > 0.1))
    if rows.size:
        spread = np.sqrt(safe[rows])
        chosen = (np.broadcast_to(about, counts.shape)[rows] - m1[rows, None]) / spread[:, None]
        per_draw = z[rows] / np.sqrt(number[rows])
        logs[rows] = _saddlepoint(chosen, counts[rows] / number[rows, None], number[rows], per_draw)
    most = np.where(counts > 0, values, -np.inf).max(axis=1) - mean
    beyond = distance / number - most
    slack = 1e-9 * np.sqrt(safe)
    logs[flat | (beyond > slack if half_step >= 0 else beyond > -slack)] = np.nan
    return logs


def _sum(counts: FloatArray, values: FloatArray) -> FloatArray:
    total: FloatArray = counts @ values if values.ndim == 1 else np.einsum("ij,ij->i", counts, values)
    return total


def _edgeworth(z: FloatArray, skew: FloatArray, kurtosis: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the tail to second order, and the size of the correction to the normal one, as a part of that."""
    from scipy.special import ndtr

    z = np.clip(z, -8.0, 8.0)
    density = np.exp(-z * z / 2.0) / math.sqrt(2.0 * math.pi)
    h2, h3, h5 = z * z - 1.0, z**3 - 3.0 * z, z**5 - 10.0 * z**3 + 15.0 * z
    series = density * (skew / 6.0 * h2 + kurtosis / 24.0 * h3 + skew**2 / 72.0 * h5)
    normal = ndtr(-z)
    return np.clip(normal + series, 1e-300, 1.0), np.abs(series) / normal


def _saddlepoint(x: FloatArray, weights: FloatArray, number: FloatArray, target: FloatArray) -> FloatArray:
    """Lugannani and Rice, to first order, for the mean of `number` draws at least `target` > 0.

    Rows have mean 0 and variance 1.
    """
    logs = np.full(len(x), _NEVER)
    rows = np.flatnonzero(np.where(weights > 0, x, -np.inf).max(axis=1) > target * (1 + 1e-12))
    x, weights, number, target = x[rows], weights[rows], number[rows], target[rows]
    s = solve_rows(target, (x, weights), lambda tilt, *law: one_draw(tilt, *law)[1:])
    cumulant, _, variance = one_draw(s, x, weights)
    w = np.sqrt(np.maximum(2.0 * number * (s * target - cumulant), 1e-12))
    u = s * np.sqrt(number * variance)
    logs[rows] = np.minimum(corrected_normal(w, 1.0 / u - 1.0 / w, least=-1.0 + 1e-12), 0.0)
    return logs
