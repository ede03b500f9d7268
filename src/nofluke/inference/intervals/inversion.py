"""Find the limits of an interval that inverts a test: the nulls the test does not reject."""

from __future__ import annotations

import math
from collections.abc import Callable

_MOST_DOUBLINGS = 200


def smallest_not_rejected(log_tail: Callable[[int], float], level: float, start: int, spread: int) -> int:
    """Give the smallest whole k with log_tail(k) > log(level), for a staircase that never falls as k grows."""
    target = math.log(level)
    low = high = start
    step = max(1, spread)
    while log_tail(low) > target:
        high, low, step = low, low - step, step * 2
    step = max(1, spread)
    while log_tail(high) <= target:
        low, high, step = high, high + step, step * 2
    while high - low > 1:
        middle = (low + high) // 2
        if log_tail(middle) > target:
            high = middle
        else:
            low = middle
    return high


def where_tail_passes(
    log_tail: Callable[[float], float], level: float, start: float, scale: float, resolution: float
) -> float:
    """Give the x at which a smooth rising tail passes the level, to `resolution` scales.

    On the scale of normal quantiles such tails are nearly straight lines, so false position with the Illinois rule
    (halve the value at an end that stays put) needs a handful of steps.
    """
    target = _quantile(math.log(level))

    def height(x: float) -> float:
        return max(-1e3, min(1e3, _quantile(log_tail(x)) - target))

    x, value = start, height(start)
    step = -math.copysign(max(0.02, min(2.0, abs(value) * 1.2)), value) * scale
    other, opposite = x + step, height(x + step)
    for _ in range(_MOST_DOUBLINGS):
        if opposite * value <= 0:
            break
        step *= 2
        x, value = other, opposite
        other, opposite = x + step, height(x + step)
    else:
        return math.copysign(math.inf, step)
    for _ in range(200):
        if abs(other - x) <= resolution * scale or value == 0:
            break
        middle = (x * opposite - other * value) / (opposite - value)
        found = height(middle)
        if found * opposite < 0:
            x, value = other, opposite
        else:
            value /= 2
        if abs(middle - other) <= resolution * scale:
            return middle
        other, opposite = middle, found
    return other if abs(opposite) < abs(value) else x


def _quantile(log_probability: float) -> float:
    """Normal quantile of a probability given as its logarithm; rises with it."""
    from scipy.special import ndtri_exp

    if log_probability >= 0:
        return math.inf
    return float(ndtri_exp(log_probability))
