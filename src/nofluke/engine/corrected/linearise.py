"""A smooth function of sums, replaced by its tangent where it matters most: at the likeliest point of the boundary."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nofluke.types import FloatArray, IntArray

Function = Callable[[FloatArray], FloatArray]
Gradient = Callable[[FloatArray], FloatArray]

_STEPS = 12
# Central differences over this share of a standard deviation: far below the curvature, far above rounding.
_SHARE = 1e-3
# How far rounding may turn the tangent, in standard deviations: well below the curvature of the boundary, which matters
# like 1 / n. A finer grid would have so long a period that the exact tail could not be proved.
_LEAST_TURN = 3e-4
_MOST_TURN = 1e-2
_TURN_TIMES_N = 0.3
_LARGEST = 2.0**50


@dataclass(frozen=True, slots=True, eq=False)
class LinearEvent:
    """{sum of values >= threshold}, in whole numbers, so that it means the same to an exact tail and to draws."""

    values: IntArray
    threshold: int


@dataclass(frozen=True, slots=True, eq=False)
class Tangent:
    """{gradient . (sums - point) >= gap}: the half-space that touches {function >= level}, gap being about 0."""

    gradient: FloatArray
    point: FloatArray
    gap: float


def central_gradient(function: Function, deviations: FloatArray) -> Gradient:
    """Give the gradient by central differences, each over a small share of that sum's standard deviation.

    >>> central_gradient(lambda x: x[..., 0] ** 2 + 3 * x[..., 1], np.array([1.0, 1.0]))(np.array([2.0, 5.0])).round(6)
    array([4., 3.])
    """
    steps = _SHARE * deviations
    moves = np.diag(steps)

    def gradient(point: FloatArray) -> FloatArray:
        with np.errstate(all="ignore"):
            rise = function(np.concatenate((point + moves, point - moves)))
        half = len(steps)
        slopes: FloatArray = np.divide(rise[:half] - rise[half:], 2.0 * steps, out=np.zeros(half), where=steps > 0)
        return slopes

    return gradient


def tangent_at_boundary(
    function: Function, gradient: Gradient, mean: FloatArray, covariance: FloatArray, level: float
) -> Tangent | None:
    """Give the tangent of {function >= level} at its most probable point, were the sums Gaussian.

    x <- mean + lam S g with g the gradient at x and lam = (g.(x - mean) - (f(x) - level)) / (g' S g): a fixed point has
    f = level and x - mean along S g. None where the function has no slope or is not finite.
    """
    point, best = mean, None
    for _ in range(_STEPS):
        with np.errstate(all="ignore"):
            height, slope = float(function(point[None])[0]), gradient(point)
        spread = float(slope @ covariance @ slope)
        if not (math.isfinite(height) and math.isfinite(spread) and spread > 0.0):
            break
        best = Tangent(slope, point, level - height)
        following = mean + (float(slope @ (point - mean)) + best.gap) / spread * (covariance @ slope)
        moved = following - point
        if abs(float(slope @ moved)) ** 2 <= 1e-12 * spread and abs(height - level) ** 2 <= 1e-12 * spread:
            break
        point = following
    return best


def on_grid(items: FloatArray, tangent: Tangent, covariance: FloatArray) -> LinearEvent | None:
    """Round the gradient to whole numbers, so that the linear form of whole statistics is whole too.

    The event is what the rounded gradient says, through the same point; draws correct the small turn of the tangent.
    Forms on a grid of 2^40 steps would not do: few distinct statistics (F1) put them nearly, but not quite, on a coarse
    lattice, of which no tail can be vouched for. None if nothing is left.
    """
    turn = min(_MOST_TURN, max(_LEAST_TURN, _TURN_TIMES_N / len(items)))
    spread = math.sqrt(float(tangent.gradient @ covariance @ tangent.gradient))
    # Rounding errors of the coefficients are like independent uniform ones, of variance 1/12.
    scale = math.sqrt(float(np.trace(covariance)) / 12.0) / (turn * spread)
    largest = float((np.abs(items) @ np.abs(tangent.gradient)).max()) * len(items)
    scale = min(scale, _LARGEST / largest)
    coefficients = np.rint(tangent.gradient * scale)
    values = (items @ coefficients).astype(np.int64)
    if not values.any():
        return None
    limit = float(np.abs(values).sum()) + 1.0
    threshold = float(coefficients @ tangent.point) + scale * tangent.gap
    return LinearEvent(values, math.ceil(max(-limit, min(limit, threshold))))
