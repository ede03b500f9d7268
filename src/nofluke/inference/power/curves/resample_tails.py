"""Tails of resampled means for many test sets at once: the bootstrap of a power curve without an inner loop."""

from __future__ import annotations

import math

import numpy as np

from nofluke.inference.power.curves.flip_tails import near_level
from nofluke.types import FloatArray

_TOLERANCE = 1e-7
_MOST_STEPS = 60


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
    """Lugannani and Rice for the mean of `number` draws at least `target` > 0; rows have mean 0 and variance 1.

    P = Phi(-w) + phi(w) (1/u - 1/w) with w = sqrt(2 n (s t - K(s))), u = s sqrt(n K''(s)), K'(s) = t
    (engine.draws.saddlepoint has it for any law; here s is small, so a few steps from s = t do).
    """
    from scipy.special import log_ndtr

    out = np.where(weights > 0, x, -np.inf).max(axis=1) <= target * (1 + 1e-12)
    s = target.copy()
    rows = np.flatnonzero(~out)
    for _ in range(_MOST_STEPS):
        if not rows.size:
            break
        _, mean, variance = _tilted(x[rows], weights[rows], s[rows])
        step = (target[rows] - mean) / np.maximum(variance, 1e-12)
        moved = np.clip(s[rows] + step, s[rows] / 4, s[rows] * 4)
        going = np.abs(moved - s[rows]) > _TOLERANCE * moved
        s[rows] = moved
        rows = rows[going]
    cumulant, _, variance = _tilted(x, weights, s)
    w = np.sqrt(np.maximum(2.0 * number * (s * target - cumulant), 1e-12))
    u = s * np.sqrt(number * variance)
    log_tail = log_ndtr(-w)
    mills = np.exp(-w * w / 2.0 - 0.5 * math.log(2.0 * math.pi) - log_tail)
    logs = log_tail + np.log1p(np.maximum(mills * (1.0 / u - 1.0 / w), -1.0 + 1e-12))
    # Beyond the largest value no resample can be.
    return np.where(out, -700.0, np.minimum(logs, 0.0))


def _tilted(x: FloatArray, weights: FloatArray, s: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give K(s), K'(s) and K''(s) of one draw."""
    # Items that a test set does not hold must not set the scale: all that it holds could vanish beside them.
    exponents = np.where(weights > 0, x * s[:, None], -np.inf)
    top = exponents.max(axis=1)
    exponents -= top[:, None]
    np.exp(exponents, out=exponents)
    exponents *= weights
    total = exponents.sum(axis=1)
    mean = np.einsum("ij,ij->i", exponents, x) / total
    square = np.einsum("ij,ij,ij->i", exponents, x, x) / total
    return np.log(total) + top, mean, square - mean * mean
