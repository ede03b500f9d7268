"""The Hodges-Lehmann interval for the shift between two independent groups: order statistics of all A - B pairs."""

from __future__ import annotations

import math

import numpy as np

from nofluke.inference.rank_sum import distribution
from nofluke.types import IntArray


def exact_positions(n_a: int, n_b: int, below: float, above: float) -> tuple[int, int, float]:
    """Give which smallest and which largest pair difference bound the interval, and the level they really reach.

    The k-th smallest is the limit for the largest k with P(count < k) <= below, in the distribution without ties; 0
    means that nothing can be excluded on that side. With ties the closed interval covers at least as often.
    """
    counts, _ = distribution(np.ones(n_a + n_b, np.int64), min(n_a, n_b))
    tail = np.cumsum(counts) / counts.sum()
    # A tail that equals the level in exact arithmetic must not fall on the wrong side by rounding.
    low = int(np.sum(tail <= below * (1 + 1e-12))) if below else 0
    high = int(np.sum(tail <= above * (1 + 1e-12))) if above else 0
    outside = (float(tail[low - 1]) if low else 0.0) + (float(tail[high - 1]) if high else 0.0)
    return low, high, 1 - outside


def normal_positions(pairs: int, sd: float, below: float, above: float, continuity: bool) -> tuple[int, int]:
    """Give the same two positions by the normal approximation, with the standard deviation the test used."""
    from scipy.special import ndtri

    half = 0.5 if continuity else 0.0

    def position(error: float) -> int:
        # Rejected while (pairs - k + 1 - pairs / 2 - half) / sd reaches the quantile: solved for the last such k.
        return max(0, math.floor(pairs / 2 + 1 - half + float(ndtri(error)) * sd)) if error else 0

    return position(below), position(above)


def kth_difference(a: IntArray, b: IntArray, k: int) -> int:
    """Give the k-th smallest (from 1) of all a_i - b_j, by halving: never more than O(n log n) a step."""
    ordered, others = np.sort(a), np.sort(b)
    low, high = int(ordered[0] - others[-1]), int(ordered[-1] - others[0])
    while low < high:
        middle = (low + high) // 2
        if int(np.searchsorted(ordered, others + middle, "right").sum()) >= k:
            high = middle
        else:
            low = middle + 1
    return low


def median_difference(a: IntArray, b: IntArray) -> float:
    """Give the median of all a_i - b_j: the Hodges-Lehmann estimate of the shift."""
    pairs = len(a) * len(b)
    lower = kth_difference(a, b, (pairs + 1) // 2)
    return lower if pairs % 2 else (lower + kth_difference(a, b, pairs // 2 + 1)) / 2
