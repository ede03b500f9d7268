"""Lugannani and Rice's saddlepoint tail of a sum of draws, for many lists at once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.engine.saddlepoint import corrected_normal
from nofluke.types import FloatArray, IntArray


def draw_tail_saddlepoint(
    values: FloatArray, threshold: float, *, draws: int | None = None, counts: IntArray | None = None
) -> float:
    """Give log P(sum of n draws from the values >= threshold), approximately; the relative error falls like 1 / n.

    >>> import numpy as np
    >>> round(math.exp(draw_tail_saddlepoint(np.array([-2.0, -1.0, 1.0, 2.0] * 10), 0.0)), 3)
    0.5
    """
    weights = None if counts is None else np.asarray(counts, dtype=np.float64)[None, :]
    number = None if draws is None else np.array([draws])
    if draws is None and counts is not None:
        number = np.array([int(np.sum(counts))])
    rows = np.asarray(values, dtype=np.float64)[None, :]
    return float(draw_tails_saddlepoint(rows, np.array([threshold]), draws=number, counts=weights)[0])


def draw_tails_saddlepoint(
    values: FloatArray,
    thresholds: FloatArray,
    *,
    draws: npt.NDArray[Any] | None = None,
    counts: FloatArray | None = None,
) -> FloatArray:
    """Give log P(sum of draws >= threshold) for every row of `values`, approximately.

    P = Phi(-w) + phi(w) (1/u - 1/w), w = sgn(s) sqrt(2 (s x - K(s))), u = s sqrt(K''(s)), K'(s) = x. It is the tail
    of a continuous law: on a lattice, half of the atom at the threshold is left out.
    """
    weights = np.ones_like(values) if counts is None else np.broadcast_to(counts, values.shape)
    weights = weights / weights.sum(axis=1, keepdims=True)
    number = np.full(len(values), values.shape[1]) if draws is None else np.asarray(draws)
    number = number.astype(np.float64)
    mean = np.sum(weights * values, axis=1, keepdims=True)
    spread = np.sqrt(np.sum(weights * np.square(values - mean), axis=1))
    flat = spread == 0
    scale = np.where(flat, 1.0, spread)[:, None]
    used = np.where(weights > 0, values, mean)
    # Per draw, in standard deviations, about the threshold: the saddlepoint makes the mean of x zero.
    x = (used - (thresholds / number)[:, None]) / scale
    logs = np.empty(len(values))
    lowest, highest = x.min(axis=1), x.max(axis=1)
    inside = ~flat & (lowest < 0) & (highest > 0)
    logs[~inside] = np.where(lowest[~inside] >= 0, 0.0, -math.inf)
    ends = ~inside & ~flat & (highest == 0)
    with np.errstate(divide="ignore"):
        logs[ends] = (number * np.log(np.sum(np.where(x == 0, weights, 0.0), axis=1)))[ends]
    if inside.any():
        s = _solve(x[inside], weights[inside])
        logs[inside] = _lugannani_rice(x[inside], weights[inside], number[inside], s)
    return logs


def _moments(
    x: FloatArray, weights: FloatArray, s: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Give K, K', K'' and the third cumulant of one draw at s."""
    exponents = s[:, None] * x
    largest = exponents.max(axis=1, keepdims=True)
    tilted = weights * np.exp(exponents - largest)
    total = tilted.sum(axis=1)
    tilted /= total[:, None]
    mean = np.sum(tilted * x, axis=1)
    about = x - mean[:, None]
    variance = np.sum(tilted * about**2, axis=1)
    return largest[:, 0] + np.log(total), mean, variance, np.sum(tilted * about**3, axis=1)


def _solve(x: FloatArray, weights: FloatArray) -> FloatArray:
    """Newton's method for K'(s) = 0 in every row, kept inside a bracket; s may be of either sign."""
    low, high = np.full(len(x), -math.inf), np.full(len(x), math.inf)
    s = np.zeros(len(x))
    for _ in range(100):
        _, mean, variance, _ = _moments(x, weights, s)
        low, high = np.where(mean < 0, s, low), np.where(mean < 0, high, s)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = s - mean / variance
        outward = np.where(mean < 0, 2.0 * np.maximum(s, 0.5), 2.0 * np.minimum(s, -0.5))
        middle = np.where(np.isfinite(low) & np.isfinite(high), (low + high) / 2.0, outward)
        new = np.where((step > low) & (step < high), step, middle)
        if bool((np.abs(new - s) <= 1e-12 * (1.0 + np.abs(s))).all()):
            return new
        s = new
    return s


def _lugannani_rice(x: FloatArray, weights: FloatArray, number: FloatArray, s: FloatArray) -> FloatArray:
    cumulant, _, variance, third = _moments(x, weights, s)
    w = np.sign(s) * np.sqrt(np.maximum(-2.0 * number * cumulant, 0.0))
    u = s * np.sqrt(number * variance)
    # At the centre 1/u - 1/w is the difference of two large numbers; its limit is -K''' / (6 K''^1.5).
    central = np.abs(w) < 1e-4
    with np.errstate(divide="ignore", invalid="ignore"):
        bracket = np.where(central, -third / (6.0 * np.sqrt(number) * variance**1.5), 1.0 / u - 1.0 / w)
    return np.minimum(corrected_normal(w, bracket), 0.0)
