"""Intervals of the difference of two paired proportions: Tango's score, and the exact unconditional one."""

from __future__ import annotations

import math

from nofluke.inference.intervals.inversion import falling_root
from nofluke.laws.trinomial import exact_tail
from nofluke.types import Interval

# The limits are found to this many units of the difference.
_RESOLUTION = 1e-8
# Steps of 1 / (4n): the p-value as a function of delta has small gaps, seen up to 0.6 / n wide, so the search goes
# on for 8 steps, 2 / n, past the last difference that is not rejected.
_STEPS_PER_ITEM = 4
_PATIENCE = 8


def score_parts(b: int, c: int, n: int, delta: float) -> tuple[float, float]:
    """Give b - c - n delta and its variance at the most likely probabilities under p10 - p01 = delta (Tango 1998).

    For delta >= 0 the most likely p01 is the larger root of 2n q^2 - [b + c - (2n - b + c) delta] q = c delta
    (1 - delta), written here without cancellation; a negative delta is the same problem with b and c exchanged.
    """
    if delta < 0:
        excess, variance = score_parts(c, b, n, -delta)
        return -excess, variance
    linear = b + c - (2 * n - b + c) * delta
    constant = c * (delta * (1 - delta))
    root = math.sqrt(linear * linear + 8 * n * constant)
    # Where the linear term is negative the root is a quotient, and 0 / 0 stands for 0.
    q = (root + linear) / (4 * n) if linear > 0 else 2 * constant / ((root - linear) or 1.0)
    return b - c - n * delta, n * (2 * q + delta * (1 - delta))


def score_z(b: int, c: int, n: int, delta: float) -> float:
    """Give the score statistic of H0: p10 - p01 = delta; at delta = 0 it is (b - c) / sqrt(b + c)."""
    excess, variance = score_parts(b, c, n, delta)
    if excess == 0:
        return 0.0
    return excess / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, excess)


def tango_interval(
    b: int, c: int, n: int, below: float, above: float, level: float, *, continuity: bool = False
) -> Interval:
    """Give the differences p10 - p01 that the score test does not reject, with b and c items that only A, only B get.

    `below` and `above` are the errors allowed on either side (0 leaves that side open). Without any disagreement the
    score test is too lenient, so both limits are at least as far from 0 as 1 - error^(1/n), where items that all
    agree have that probability. `continuity` moves b - c by 1 towards the limit (Chang and others 2024).
    """
    low = _score_lower(b, c, n, below, continuity) if below else -1.0
    high = -_score_lower(c, b, n, above, continuity) if above else 1.0
    return Interval(low, high, level, "Tango score")


def _score_lower(b: int, c: int, n: int, error: float, continuity: bool) -> float:
    from scipy.special import ndtri

    return score_lower(b, c, n, -float(ndtri(error)), math.log(error), shift=1.0 if continuity else 0.0)


def score_lower(b: int, c: int, n: int, z: float, log_error: float, *, shift: float = 0.0) -> float:
    """Give the difference from which on the score statistic no longer exceeds z, whose normal tail is the error."""

    def tilt(delta: float) -> float:
        # z / sqrt(1 + z^2) of the score statistic z: falls with delta as z does, and is finite where the variance is 0.
        excess, variance = score_parts(b, c, n, delta)
        excess -= shift
        return excess / math.hypot(excess, math.sqrt(variance)) if excess else 0.0

    found = falling_root(tilt, z / math.hypot(1.0, z), -1.0, 1.0)
    if b or c:
        return found
    return min(found, math.expm1(log_error / n))


def paired_exact_interval(b: int, c: int, n: int, below: float, above: float, level: float) -> Interval:
    """Give the range of the differences p10 - p01 that the exact unconditional test does not reject."""
    start = tango_interval(b, c, n, below, above, level)
    low = _exact_lower(b, c, n, below, start.low) if below else -1.0
    high = -_exact_lower(c, b, n, above, -start.high) if above else 1.0
    return Interval(low, high, level, "exact unconditional")


def _exact_lower(b: int, c: int, n: int, error: float, start: float) -> float:
    if c == n:
        return -1.0

    def rejected(delta: float) -> bool:
        return exact_tail(b, c, n, delta, error).log_value <= math.log(error)

    step = 1 / (_STEPS_PER_ITEM * n)
    lowest, delta, misses = math.inf, start, 0
    while misses < _PATIENCE and delta > -1:
        if rejected(delta):
            misses += 1
        else:
            lowest, misses = delta, 0
        delta -= step
    while math.isinf(lowest):
        # The score limit is too low here: go up to the first difference that is not rejected.
        start = min(start + step, 1.0)
        lowest = math.inf if start < 1 and rejected(start) else start
    # A difference of -1, which puts all items on B's side, is ruled out by any other item.
    outside = max(lowest - step, -1.0)
    while lowest - outside > _RESOLUTION:
        middle = (lowest + outside) / 2
        lowest, outside = (lowest, middle) if rejected(middle) else (middle, outside)
    return lowest
