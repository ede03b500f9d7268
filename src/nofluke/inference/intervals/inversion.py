"""Find the limits of an interval that inverts a test: the nulls the test does not reject."""

from __future__ import annotations

import math
from collections.abc import Callable

_MOST_DOUBLINGS = 200


def smallest_not_rejected(
    log_tail: Callable[[int], float], level: float, start: int, spread: int, ends: tuple[int, int]
) -> int:
    """Give the smallest whole k with log_tail(k) > log(level), for a staircase that never falls as k grows.

    It lies between the `ends`: the first is rejected, the second is not. False position with the Illinois rule on the
    scale of normal quantiles, where a staircase of many steps is nearly a line; every third turn halves what is left.
    """
    target = math.log(level)
    height = _height_above(target)
    low, high = ends
    at_low, at_high = -math.inf, math.inf
    guess, step, turn = start, max(1, spread), 0
    while high - low > 1:
        guess = min(max(guess, low + 1), high - 1)
        value = log_tail(guess)
        if value > target:
            high, at_high, at_low = guess, height(value), at_low / 2
        else:
            low, at_low, at_high = guess, height(value), at_high / 2
        if math.isinf(at_low) or math.isinf(at_high):
            guess, step = (high - step if math.isinf(at_low) else low + step), step * 2
            continue
        turn += 1
        line = turn % 3 and at_high > at_low
        guess = low - round((high - low) * (at_low / (at_high - at_low))) if line else (low + high) // 2
    return high


def _height_above(target: float) -> Callable[[float], float]:
    """How far a log probability lies above the target on the scale of normal quantiles, within 1000."""
    zero = _quantile(target)

    def height(log_probability: float) -> float:
        return max(-1e3, min(1e3, _quantile(log_probability) - zero))

    return height


def where_tail_passes(
    log_tail: Callable[[float], float], level: float, start: float, scale: float, resolution: float
) -> float:
    """Give the x at which a smooth rising tail passes the level, to `resolution` scales.

    On the scale of normal quantiles such tails are nearly straight lines, so false position with the Illinois rule
    (halve the value at an end that stays put) needs a handful of steps.
    """
    above = _height_above(math.log(level))

    def height(x: float) -> float:
        return above(log_tail(x))

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
