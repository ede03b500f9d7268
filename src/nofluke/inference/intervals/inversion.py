"""Find the limits of an interval that inverts a test: the nulls the test does not reject."""

from __future__ import annotations

import math
from collections.abc import Callable


def smallest_not_rejected(log_tail: Callable[[int], float], level: float, start: int, spread: int) -> int:
    """Give the smallest whole k with log_tail(k) > log(level), for a tail that never falls as k grows.

    On the scale of normal quantiles such tails are nearly straight lines, so interpolation needs few evaluations;
    halving steps in where it does not.
    """
    target = _quantile(math.log(level))

    def height(k: int) -> float:
        return _quantile(log_tail(k)) - target

    low, high, below, above = _bracket(height, start, max(1, spread))
    turn = 0
    while high - low > 1:
        middle = (low + high) // 2
        if turn % 3 != 2 and math.isfinite(below) and math.isfinite(above):
            guess = low + (high - low) * below / (below - above)
            # Aim a little past the guess, to either side in turn, so that both ends close in.
            aside = max(1.0, (high - low) * 1e-3)
            middle = round(guess + (aside if turn % 3 == 0 else -aside))
            middle = min(max(middle, low + 1), high - 1)
        value = height(middle)
        if value > 0:
            high, above = middle, value
        else:
            low, below = middle, value
        turn += 1
    return high


def _bracket(height: Callable[[int], float], start: int, spread: int) -> tuple[int, int, float, float]:
    value = height(start)
    step = spread
    if value > 0:
        high, above = start, value
        low = start - step
        while (below := height(low)) > 0:
            high, above, step = low, below, step * 2
            low -= step
        return low, high, below, above
    low, below = start, value
    high = start + step
    while (above := height(high)) <= 0:
        low, below, step = high, above, step * 2
        high += step
    return low, high, below, above


def _quantile(log_probability: float) -> float:
    """Normal quantile of a probability given as its logarithm; rises with it."""
    from scipy.special import ndtri_exp

    if log_probability >= 0:
        return math.inf
    return float(ndtri_exp(log_probability))
