"""Intervals of one proportion (Clopper-Pearson, Wilson) and of the difference of two independent ones (Mee)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from nofluke.inference.intervals.inversion import falling_root
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


def wilson(k: int, n: int, below: float, above: float, level: float) -> Interval:
    """Give the proportions that the score test of k out of n does not reject (Wilson 1927).

    `below` and `above` are the errors allowed on either side; 0 leaves that side open.

    >>> wilson(0, 20, 0.025, 0.025, 0.95).high
    0.161...
    """
    low = _wilson_lower(k, n, below) if below and n else 0.0
    high = 1.0 - _wilson_lower(n - k, n, above) if above and n else 1.0
    return Interval(low, high, level, "Wilson score")


# The weight of a dataset, how many of its items are right, and how many there are.
Share = tuple[float, int, int]


def wilson_average(shares: Sequence[Share], below: float, above: float, level: float) -> Interval:
    """Give the weighted averages of proportions that the score test does not reject; of one proportion Wilson's.

    The variance is that of the most likely proportions with such an average. They solve k - n p = slope w p (1 - p),
    one slope for all datasets, so that z^2 = slope (S - average), S being the average observed.

    >>> wilson_average([(0.5, 18, 20), (0.5, 1800, 2000)], 0.025, 0.025, 0.95).low
    0.799...
    """
    from scipy.special import ndtri

    low = _average_lower(shares, -float(ndtri(below))) if below else 0.0
    high = 1.0 - _average_lower(wrong(shares), -float(ndtri(above))) if above else 1.0
    return Interval(low, high, level, "Wilson score of the average")


def wrong(shares: Sequence[Share]) -> list[Share]:
    """Give the same datasets with the items that are wrong in place of those that are right."""
    return [(weight, n - k, n) for weight, k, n in shares]


def average_z(shares: Sequence[Share], against: float) -> float:
    """Give the score statistic of a number between 0 and 1: positive where the average is above it."""
    gap = average_share(shares) - against
    if gap <= 0:
        return -average_z(wrong(shares), 1.0 - against) if gap else 0.0
    if against <= 0:
        return math.inf
    slope = _rising_root(lambda slope: against - _most_likely_average(shares, slope))
    return math.sqrt(slope * gap)


def average_share(shares: Sequence[Share]) -> float:
    """Give the weighted average of the proportions."""
    return math.fsum(weight * k / n for weight, k, n in shares)


def _average_lower(shares: Sequence[Share], z: float) -> float:
    if z < 0:
        return 1.0 - _average_lower(wrong(shares), -z)
    observed = average_share(shares)
    if not observed or not z:
        return observed
    slope = _rising_root(lambda slope: slope * (observed - _most_likely_average(shares, slope)) - z * z)
    return _most_likely_average(shares, slope)


def _most_likely_average(shares: Sequence[Share], slope: float) -> float:
    """The average of the most likely proportions whose average is smaller, by a slope of at least 0."""
    total = []
    for weight, k, n in shares:
        whole = n + slope * weight
        # The root that loses no digits.
        total.append(weight * 2 * k / (whole + math.sqrt(max(whole * whole - 4 * slope * weight * k, 0.0))))
    return math.fsum(total)


def _rising_root(function: Callable[[float], float]) -> float:
    """Give the positive root of a function that rises from 0 or below it on."""
    low, high = 0.0, 1.0
    while function(high) < 0:
        low, high = high, high * 2
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return high


def _wilson_lower(k: int, n: int, error: float) -> float:
    """Solve k - n p = z sqrt(n p (1 - p)), taking the root that loses no digits."""
    from scipy.special import ndtri

    z = -float(ndtri(error))
    middle, half = k + z * z / 2, z * math.sqrt(k * (n - k) / n + z * z / 4)
    if z <= 0:
        return (middle - half) / (n + z * z)
    return k * k / n / (middle + half) if k else 0.0


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
    low = _mee_lower(right_a, n_a, right_b, n_b, below, shift) if below else -1.0
    high = -_mee_lower(right_b, n_b, right_a, n_a, above, shift) if above else 1.0
    return Interval(low, high, level, "Mee score")


def _mee_lower(x1: int, n1: int, x2: int, n2: int, error: float, shift: float) -> float:
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
