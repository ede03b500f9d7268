"""Cliff's delta of two independent groups with its variance and interval, in O(n log n)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.align.decimals import to_integers
from nofluke.types import Sample


@dataclass(frozen=True, slots=True)
class Dominance:
    """P(A better) - P(B better) over all pairs, and Cliff's consistent estimate of its variance (nan if unknown)."""

    delta: float
    variance: float
    n_a: int
    n_b: int


def dominance(sample: Sample, snap: bool) -> Dominance:
    """Compare every score of A with every score of B, by sorting; positive = A better."""
    sign = 1 if sample.higher_is_better else -1
    a, b = (
        sign * (to_integers(sample.scores(index), sample.grid) if snap else sample.scores(index)) for index in (0, 1)
    )
    n_a, n_b = len(a), len(b)
    ordered_a, ordered_b = np.sort(a), np.sort(b)
    wins, beaten = np.searchsorted(ordered_b, a, "left"), np.searchsorted(ordered_b, a, "right")
    rows = wins + beaten - n_b  # wins minus losses of each score of A
    columns = n_a - np.searchsorted(ordered_a, b, "left") - np.searchsorted(ordered_a, b, "right")
    total, untied = int(rows.sum()), int(np.sum(wins + n_b - beaten))
    delta = total / (n_a * n_b)
    if min(n_a, n_b) < 2:
        return Dominance(delta, math.nan, n_a, n_b)
    # Cliff 1996: the variances of the row means, of the column means and of the single comparisons.
    of_rows = float(np.sum((rows / n_b - delta) ** 2)) / (n_a - 1)
    of_columns = float(np.sum((columns / n_a - delta) ** 2)) / (n_b - 1)
    of_pairs = (untied - n_a * n_b * delta**2) / ((n_a - 1) * (n_b - 1))
    variance = ((n_b - 1) * of_rows + (n_a - 1) * of_columns + max(0.0, of_pairs)) / (n_a * n_b)
    return Dominance(delta, variance, n_a, n_b)


def dominance_limits(delta: float, variance: float, quantile: float) -> tuple[float, float]:
    """Give Cliff's limits, which lean towards 0 and stay within -1 and 1 (Feng and Cliff 2004)."""
    spread = quantile**2 * variance
    centre, free = delta - delta**3, 1 - delta**2 + spread
    half = math.sqrt(spread * ((1 - delta**2) ** 2 + spread))
    return (centre - half) / free, (centre + half) / free


def separated_limit(n_a: int, n_b: int, error: float) -> float:
    """Bound delta from below when A wins every pair: the smallest delta that this would not be surprising for.

    Newcombe 2006 (part 2, method 5): the variance of the share of pairs theta is theta (1 - theta) (1 + (N - 1)
    ((1 - theta) / (2 - theta) + theta / (1 + theta))) / (n_a n_b), N the mean group size; solve 1 - theta = z sd.
    """
    from scipy.special import ndtri

    z, size = float(ndtri(error)), (n_a + n_b) / 2

    def excess(theta: float) -> float:
        shape = 1 + (size - 1) * ((1 - theta) / (2 - theta) + theta / (1 + theta))
        # Divided by 1 - theta, which is a root as well: rises through the one that is sought.
        return z * z * theta * shape / (n_a * n_b) - (1 - theta)

    low, high = 0.0, 1.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    return 2 * low - 1
