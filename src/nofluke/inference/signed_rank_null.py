"""The null distribution of the signed-rank statistic: every rank positive or negative by the toss of a fair coin."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nofluke.inference.distributions import log_normal_tail
from nofluke.types import FloatArray, IntArray

# Up to here the distribution is counted out (2^-n must stay a normal double); beyond, the flip engine inverts it.
COUNTED_UP_TO = 1_000


@dataclass(frozen=True, slots=True)
class Tails:
    """log P(T >= observed) and log P(T <= observed), the relative error bound of the numbers, and the way there."""

    log_greater: float
    log_less: float
    bound: float
    path: str


def exact_tails(ranks: IntArray, difference: int) -> Tails:
    """Give both tails of the sum of randomly signed whole ranks at the observed signed sum, for any ties."""
    if len(ranks) <= COUNTED_UP_TO:
        return counted_tails(ranks, difference)
    from nofluke.engine.flips import flip_tail

    greater, less = flip_tail(ranks, difference), flip_tail(ranks, -difference)
    return Tails(greater.log_p, less.log_p, max(greater.bound, less.bound), greater.path)


def counted_tails(ranks: IntArray, difference: int) -> Tails:
    """Count the sign patterns by dynamic programming over the rank sum.

    The rank sum of one sign, T = (S + difference) / 2, is symmetric about S / 2, so only the smaller tail is counted:
    all terms are positive and a tail of 1e-300 keeps its 12 digits. The other one is 1 minus what lies strictly below.
    """
    if not len(ranks):
        return Tails(0.0, 0.0, 0.0, "counting")
    total = int(ranks.sum())
    step = int(np.gcd.reduce(ranks))
    smaller = (total - abs(difference)) // 2
    probabilities = _subset_sum_probabilities(ranks // step, smaller // step)
    near = math.log(float(probabilities.sum()))
    far = math.log1p(-float(probabilities[:-1].sum()))
    greater, less = (near, far) if difference >= 0 else (far, near)
    return Tails(greater, less, 0.0, "counting")


def _subset_sum_probabilities(ranks: IntArray, limit: int) -> FloatArray:
    """Give P(T = 0), ..., P(T = limit) for T the sum of a random half of the ranks."""
    probabilities = np.zeros(limit + 1)
    probabilities[0] = 2.0 ** -len(ranks)
    top = 0
    for rank in np.sort(ranks[ranks <= limit]).tolist():
        new_top = min(limit, top + rank)
        probabilities[rank : new_top + 1] += probabilities[: new_top + 1 - rank]
        top = new_top
    return probabilities


def normal_tails(difference: int, spread: float, *, continuity: bool) -> Tails:
    """Give both tails by the normal approximation; the continuity correction is half a step of W+."""
    if not spread:
        return Tails(0.0, 0.0, 0.0, "normal approximation")
    # W+ - E W+ is a quarter of the doubled signed sum, so half a unit of W+ is 2 here.
    correction = 2 if continuity else 0
    greater = log_normal_tail((difference - correction) / spread)
    less = log_normal_tail((-difference - correction) / spread)
    return Tails(greater, less, math.nan, "normal approximation")


@lru_cache(maxsize=256)
def untied_quantile(n: int, level: float) -> tuple[int, float]:
    """Give the largest k with P(T <= k) <= level for the ranks 1..n (-1 if there is none), and P(T <= max(k, 0)).

    Above COUNTED_UP_TO the tail is Edgeworth's with the kurtosis term, right to about 1e-7 of itself there.
    """
    if n <= COUNTED_UP_TO:
        limit = max(0, math.ceil(_edgeworth_quantile(n, level) + 3))
        while True:
            cumulative = np.cumsum(_subset_sum_probabilities(np.arange(1, n + 1), limit))
            if cumulative[-1] > level or limit >= n * (n + 1) // 2:
                break
            limit = min(2 * limit + 1, n * (n + 1) // 2)
        k = int(np.searchsorted(cumulative, level, side="right")) - 1
        return k, float(cumulative[max(k, 0)])
    k = math.floor(_edgeworth_quantile(n, level))
    while _edgeworth_tail(n, k) > level:
        k -= 1
    while _edgeworth_tail(n, k + 1) <= level:
        k += 1
    return k, _edgeworth_tail(n, k)


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
    """Give P(T <= k) with half a step of continuity correction; the next terms are of order n^-2."""
    from scipy.special import ndtr

    mean, sd, kurtosis = _moments(n)
    x = (k + 0.5 - mean) / sd
    density = math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    return float(ndtr(x)) - density * kurtosis * (x**3 - 3 * x) / 24


def normal_quantile_rank(n: int, level: float, *, continuity: bool) -> int:
    """Give the largest k with P(W+ <= k) <= level by the normal approximation of the untied statistic."""
    from scipy.special import ndtri

    mean, sd, _ = _moments(n)
    return max(-1, math.floor(mean + sd * float(ndtri(level)) - (0.5 if continuity else 0.0)))
