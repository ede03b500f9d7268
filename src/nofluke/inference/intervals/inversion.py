"""Limits of intervals that invert a test: the nulls the test does not reject, found on staircases and on smooth tails.

An interval that inverts another test than the one that gave p is made to say of the null what the p-value says.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from nofluke.types import Interval, Note, note

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
    zero = _normal_quantile(target)

    def height(log_probability: float) -> float:
        return max(-1e3, min(1e3, _normal_quantile(log_probability) - zero))

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


def _normal_quantile(log_probability: float) -> float:
    """Normal quantile of a probability given as its logarithm; rises with it."""
    from scipy.special import ndtri_exp

    if log_probability >= 0:
        return math.inf
    return float(ndtri_exp(log_probability))


def falling_root(function: Callable[[float], float], level: float, low: float, high: float) -> float:
    """Give x in [low, high] with function(x) = level for a falling function; an end when it is not reached inside.

    Chandrupatla (1997): inverse quadratic interpolation wherever three points allow it, halving otherwise.
    """
    x1, f1 = high, function(high) - level
    x2, f2 = low, function(low) - level
    if f2 <= 0:
        return low
    if f1 >= 0:
        return high
    x3, f3, step = x1, f1, 0.5
    for _ in range(200):
        x = x1 + step * (x2 - x1)
        f = function(x) - level
        if (f > 0) == (f1 > 0):
            x3, f3 = x1, f1
        else:
            x3, x2, f3, f2 = x2, x1, f2, f1
        x1, f1 = x, f
        best = x1 if abs(f1) < abs(f2) else x2
        nearest = (2 * math.ulp(best) + 1e-300) / abs(x2 - x1) if x2 != x1 else 1.0
        if nearest >= 0.5 or f1 == 0:
            return best
        step = min(1 - nearest, max(nearest, _next_step(x1, x2, x3, f1, f2, f3)))
    return best


def _next_step(x1: float, x2: float, x3: float, f1: float, f2: float, f3: float) -> float:
    """Where between x1 and x2 to look next: interpolate when the points are monotone enough, else halve."""
    xi = (x1 - x2) / (x3 - x2) if x3 != x2 else 0.5
    phi = (f1 - f2) / (f3 - f2) if f3 != f2 else 0.5
    if phi * phi < xi and (1 - phi) * (1 - phi) < 1 - xi and f1 not in (f2, f3) and f2 != f3:
        return f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
    return 0.5


def agree_at_null(interval: Interval, null: float, log_p: float) -> tuple[Interval, tuple[Note, ...]]:
    """Draw the interval out to the null value when the test does not reject it, and note any disagreement.

    For intervals that invert another test than the one that gave p: with the p-value's own test at the null value and
    the interval's test at all others, the range of what is not rejected is this one.
    """
    rejected = log_p <= math.log1p(-interval.level)
    if rejected != (null in interval):
        return interval, ()
    if rejected:
        return interval, (note("interval.contains_rejected", method=interval.method, null=null),)
    alone = note("interval.extended", method=interval.method, low=interval.low, high=interval.high, null=null)
    return replace(interval, low=min(interval.low, null), high=max(interval.high, null), extended=True), (alone,)
