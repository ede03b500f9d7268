"""The null distribution of the signed-rank statistic: every rank positive or negative by the toss of a fair coin."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from nofluke.engine.flips import flip_tail
from nofluke.engine.tail import Tail
from nofluke.types import FloatArray, IntArray

# Up to here the sign patterns are counted out (2 ms). Beyond, the flip engine inverts the same distribution: the two
# agree to 1e-13, and at 1,000 ranks inversion takes 2 ms where counting takes 150.
COUNTED_UP_TO = 200
# Beyond this the quantile of the untied statistic is Edgeworth's: one rank in half a million is nothing any more.
_EXACT_QUANTILE_UP_TO = 10_000


def exact_tail(ranks: IntArray, threshold: int) -> Tail:
    """Give log P(sum of the randomly signed ranks >= threshold) for whole ranks with any ties."""
    if len(ranks) <= COUNTED_UP_TO:
        return counted_tail(ranks, threshold)
    return flip_tail(ranks, threshold)


def counted_tail(ranks: IntArray, threshold: int) -> Tail:
    """Count the sign patterns by dynamic programming over the rank sum; for up to 1,000 ranks (2^-n is a double).

    The rank sum of one sign, T = (S + signed sum) / 2, is symmetric about S / 2. Only its lower half is ever counted:
    all terms are positive, so a tail of 1e-300 keeps its 12 digits; an upper half is 1 minus what lies strictly beyond.
    """
    total = int(ranks.sum())
    if not total:
        return Tail(0.0 if threshold <= 0 else -math.inf, 0.0, "counting")
    step = int(np.gcd.reduce(ranks))
    # P(signed sum >= threshold) = P(T <= (S - threshold) / 2), on the lattice of the common divisor.
    most = (total - threshold) // 2 // step
    whole = total // step
    if most < 0:
        return Tail(-math.inf, 0.0, "counting")
    if 2 * most < whole:
        log_p = math.log(float(_subset_sums(ranks // step, most).sum()))
    elif most >= whole:
        log_p = 0.0
    else:
        log_p = math.log1p(-float(_subset_sums(ranks // step, whole - most - 1).sum()))
    return Tail(log_p, 0.0, "counting")


def _subset_sums(ranks: IntArray, limit: int) -> FloatArray:
    """Give P(T = 0), ..., P(T = limit) for T the sum of a random half of the ranks."""
    probabilities = np.zeros(limit + 1)
    probabilities[0] = 2.0 ** -len(ranks)
    top = 0
    for rank in np.sort(ranks[ranks <= limit]).tolist():
        top = min(limit, top + rank)
        probabilities[rank : top + 1] += probabilities[: top + 1 - rank]
    return probabilities


@lru_cache(maxsize=256)
def untied_quantile(n: int, level: float) -> tuple[int, float]:
    """Give the largest k with P(W+ <= k) <= level for the ranks 1..n (-1 if there is none), and P(W+ <= max(k, 0))."""

    def tail(k: int) -> float:
        if n > _EXACT_QUANTILE_UP_TO:
            return _edgeworth_tail(n, k)
        # W+ <= k is a signed sum of at most 2 k - S, and the signed sum is symmetric.
        return math.exp(exact_tail(np.arange(1, n + 1), n * (n + 1) // 2 - 2 * k).log_p) if k >= 0 else 0.0

    k = max(-1, math.floor(_edgeworth_quantile(n, level)))
    while k >= 0 and tail(k) > level:
        k -= 1
    while tail(k + 1) <= level:
        k += 1
    return k, tail(max(k, 0))


def normal_quantile(n: int, level: float, *, continuity: bool) -> tuple[int, float]:
    """Give what `untied_quantile` gives, with the largest k found by the normal approximation of W+."""
    from scipy.special import ndtri

    mean, sd, _ = _moments(n)
    k = max(-1, math.floor(mean + sd * float(ndtri(level)) - (0.5 if continuity else 0.0)))
    if n > _EXACT_QUANTILE_UP_TO:
        return k, _edgeworth_tail(n, k)
    return k, math.exp(exact_tail(np.arange(1, n + 1), n * (n + 1) // 2 - 2 * max(k, 0)).log_p)


def _moments(n: int) -> tuple[float, float, float]:
    """Mean, standard deviation and excess kurtosis of W+ without ties."""
    squares = n * (n + 1) * (2 * n + 1) / 6
    fourth = n * (n + 1) * (2 * n + 1) * (3 * n * n + 3 * n - 1) / 30
    # The cumulants of r B with B a fair coin are r^2 / 4 and -r^4 / 8.
    return n * (n + 1) / 4, math.sqrt(squares / 4), -fourth / 8 / (squares / 4) ** 2


def _edgeworth_quantile(n: int, level: float) -> float:
    from scipy.special import ndtri

    mean, sd, kurtosis = _moments(n)
    z = float(ndtri(level))
    return mean + sd * (z + kurtosis * (z**3 - 3 * z) / 24) - 0.5


def _edgeworth_tail(n: int, k: int) -> float:
    """Give P(W+ <= k) with half a step of continuity correction; the next terms are of order n^-2."""
    from scipy.special import ndtr

    mean, sd, kurtosis = _moments(n)
    x = (k + 0.5 - mean) / sd
    density = math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    return float(ndtr(x)) - density * kurtosis * (x**3 - 3 * x) / 24
