"""Find where a falling function reaches a value, to the last digits of a double."""

from __future__ import annotations

import math
from collections.abc import Callable


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
