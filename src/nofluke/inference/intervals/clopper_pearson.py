"""The exact interval of a single proportion."""

from __future__ import annotations

from nofluke.types import Interval


def clopper_pearson(k: int, n: int, below: float, above: float, level: float) -> Interval:
    """Give the proportions under which k of n is not too many and not too few (Clopper and Pearson 1934).

    `below` and `above` are the errors allowed on either side; 0 leaves that side open.

    >>> clopper_pearson(9, 11, 0.025, 0.025, 0.95).low
    0.482...
    """
    from scipy.special import betainccinv, betaincinv

    low = float(betaincinv(k, n - k + 1, below)) if k and below else 0.0
    high = float(betainccinv(k + 1, n - k, above)) if k < n and above else 1.0
    return Interval(low, high, level, "Clopper-Pearson")
