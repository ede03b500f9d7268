"""The exact unconditional interval for the difference of two paired proportions."""

from __future__ import annotations

import math

from nofluke.inference.intervals.tango import tango_interval
from nofluke.laws.trinomial import exact_tail
from nofluke.types import Interval

# The limits are found to this many units of the difference.
_RESOLUTION = 1e-8
# Steps of 1 / (4n): the p-value as a function of delta has small gaps, seen up to 0.6 / n wide, so the search goes
# on for 8 steps, 2 / n, past the last difference that is not rejected.
_STEPS_PER_ITEM = 4
_PATIENCE = 8


def paired_exact_interval(b: int, c: int, n: int, below: float, above: float, level: float) -> Interval:
    """Give the range of the differences p10 - p01 that the exact unconditional test does not reject."""
    start = tango_interval(b, c, n, below, above, level)
    low = _lower(b, c, n, below, start.low) if below else -1.0
    high = -_lower(c, b, n, above, -start.high) if above else 1.0
    return Interval(low, high, level, "exact unconditional")


def _lower(b: int, c: int, n: int, error: float, start: float) -> float:
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
