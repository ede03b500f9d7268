"""The score interval of a single proportion."""

from __future__ import annotations

import math

from nofluke.types import Interval


def wilson(k: int, n: int, below: float, above: float, level: float) -> Interval:
    """Give the proportions that the score test of k out of n does not reject (Wilson 1927).

    `below` and `above` are the errors allowed on either side; 0 leaves that side open.

    >>> wilson(0, 20, 0.025, 0.025, 0.95).high
    0.161...
    """
    low = _lower(k, n, below) if below and n else 0.0
    high = 1.0 - _lower(n - k, n, above) if above and n else 1.0
    return Interval(low, high, level, "Wilson score")


def _lower(k: int, n: int, error: float) -> float:
    """Solve k - n p = z sqrt(n p (1 - p)), taking the root that loses no digits."""
    from scipy.special import ndtri

    z = -float(ndtri(error))
    middle, half = k + z * z / 2, z * math.sqrt(k * (n - k) / n + z * z / 4)
    if z <= 0:
        return (middle - half) / (n + z * z)
    return k * k / n / (middle + half) if k else 0.0
