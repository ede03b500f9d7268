"""Mee's score interval for the difference of two independent proportions."""

from __future__ import annotations

import math

from nofluke.inference.intervals.roots import falling_root
from nofluke.types import Interval


def mee_interval(
    right_a: int,
    n_a: int,
    right_b: int,
    n_b: int,
    below: float,
    above: float,
    level: float,
    *,
    continuity: bool = False,
) -> Interval:
    """Give the differences p_a - p_b that the score test does not reject (Mee 1984).

    At 0 the score test is Pearson's chi-square test, so test and interval agree; Miettinen and Nurminen's variance is
    larger by N / (N - 1) and would belong to another test. `below` and `above` are the errors allowed on either side (0
    leaves that side open); `continuity` is Yates's correction, half an item of each system towards the limit.
    """
    shift = (1 / n_a + 1 / n_b) / 2 if continuity else 0.0
    low = _lower(right_a, n_a, right_b, n_b, below, shift) if below else -1.0
    high = -_lower(right_b, n_b, right_a, n_a, above, shift) if above else 1.0
    return Interval(low, high, level, "Mee score")


def _lower(x1: int, n1: int, x2: int, n2: int, error: float, shift: float) -> float:
    from scipy.special import ndtri

    z = -float(ndtri(error))

    def tilt(delta: float) -> float:
        # z / sqrt(1 + z^2) of the score statistic z: falls with delta as z does, and is finite where the variance is 0.
        second = most_likely(x1, n1, x2, n2, delta)
        first = min(max(second + delta, 0.0), 1.0)
        excess = x1 / n1 - x2 / n2 - delta - shift
        error = math.sqrt(first * (1 - first) / n1 + second * (1 - second) / n2)
        return excess / math.hypot(excess, error) if excess else 0.0

    return falling_root(tilt, z / math.hypot(1.0, z), -1.0, 1.0)


def most_likely(x1: int, n1: int, x2: int, n2: int, delta: float) -> float:
    """Give the most likely p2 under p1 - p2 = delta: where the log likelihood, which is concave, stops rising."""

    def slope(p2: float) -> float:
        p1 = p2 + delta
        rise = _share(x1, p1) + _share(x2, p2) - _share(n1 - x1, 1 - p1) - _share(n2 - x2, 1 - p2)
        return math.copysign(1.0, rise) if math.isinf(rise) else rise / (n1 + n2 + abs(rise))

    return falling_root(slope, 0.0, max(0.0, -delta), min(1.0, 1.0 - delta))


def _share(count: int, probability: float) -> float:
    if not count:
        return 0.0
    return count / probability if probability > 0 else math.inf
