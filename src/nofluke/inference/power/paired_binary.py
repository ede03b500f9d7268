"""The exact power of tests of paired 0/1 scores: unconditional over the number of items on which the systems differ."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from nofluke.inference.power.effect import Effect
from nofluke.inference.tests.tango import EXACT_UP_TO
from nofluke.laws.trinomial import least_wins
from nofluke.types import FloatArray, IntArray

# Numbers of disagreements further out than this have probability below 1e-18.
_FAR = 9.0
# p <= alpha up to the last bits, as `significant` has it.
_SLACK = 1 + 1e-12

# (numbers of disagreements, number of items) -> the chance to reject, given that many.
Given = Callable[[IntArray, int], FloatArray]


def mcnemar_power(sizes: FloatArray, effect: Effect, level: float, alternative: str) -> FloatArray:
    """Give the power of the exact McNemar (or sign) test at each number of items."""
    if not len(sizes):
        return np.empty(0)
    sides = 2 if alternative == "two-sided" else 1
    share = effect.p10 / effect.disagreement
    # Given the disagreements the number of items does not matter: one table serves all sizes.
    first = int(_likely(int(sizes.min()), effect.disagreement)[0])
    m = np.arange(first, int(_likely(int(sizes.max()), effect.disagreement)[-1]) + 1)
    least, never = critical_wins(m, level / sides), m + 1
    for_a, for_b = (never if alternative == "less" else least), (never if alternative == "greater" else least)
    table = binomial_at_least(for_a, m, share) + binomial_at_least(for_b, m, 1 - share)
    return _unconditional(sizes, effect, lambda chosen, _: table[chosen - first])


def tango_power(sizes: FloatArray, effect: Effect, level: float, alternative: str) -> FloatArray:
    """Give the power of Tango's test of a difference above -margin (or, without margin, of none).

    Of the form that will be run: the exact one up to 50 items, the score test beyond.
    """
    from scipy.special import ndtri

    sides = 2 if alternative == "two-sided" else 1
    edge = -float(ndtri(level / sides))

    share = effect.p10 / effect.disagreement

    def given(m: IntArray, n: int) -> FloatArray:
        never = m + 1
        if n <= EXACT_UP_TO:
            for_a, for_b = (least_wins(n, side * effect.margin, level / sides * _SLACK)[m] for side in (-1, 1))
        else:
            for_a, for_b = (_least_score(m, n, side * effect.margin, edge, level) for side in (-1, 1))
        for_a, for_b = (never if alternative == "less" else for_a), (never if alternative == "greater" else for_b)
        return binomial_at_least(for_a, m, share) + binomial_at_least(for_b, m, 1 - share)

    return _unconditional(sizes, effect, given)


def _unconditional(sizes: FloatArray, effect: Effect, given: Given) -> FloatArray:
    """Sum over the number m of disagreements: P(m) times the power given m."""
    from scipy.special import gammaln, xlogy

    disagreement = effect.disagreement
    powers = []
    for size in sizes.tolist():
        n = int(size)
        m = _likely(n, disagreement)
        logs = gammaln(n + 1) - gammaln(m + 1) - gammaln(n - m + 1)
        weights = np.exp(logs + xlogy(m, disagreement) + xlogy(n - m, 1 - disagreement))
        powers.append(float(weights @ given(m, n) / weights.sum()))
    return np.minimum(np.array(powers, dtype=np.float64), 1.0)


def _likely(n: int, disagreement: float) -> IntArray:
    """Give the numbers of disagreements among n items that can be met at all."""
    spread = _FAR * math.sqrt(n * disagreement * (1 - disagreement)) + _FAR
    low, high = max(0, math.floor(n * disagreement - spread)), min(n, math.ceil(n * disagreement + spread))
    return np.arange(low if disagreement < 1 else n, high + 1)


def binomial_at_least(k: IntArray, n: IntArray, probability: float) -> FloatArray:
    """Give P(X >= k) for X binomial, element by element; 0 where k is above n."""
    from scipy.special import betainc

    inside = (k >= 1) & (k <= n)
    tail = betainc(np.where(inside, k, 1), np.where(inside, n - k + 1, 1), probability)
    result: FloatArray = np.where(inside, tail, (k < 1).astype(np.float64))
    return result


def critical_wins(n: IntArray, level: float) -> IntArray:
    """Give the least k with P(X >= k) <= level for n fair coins; n + 1 where there is none."""
    from scipy.special import ndtri

    z = -float(ndtri(level))
    k = np.clip(np.ceil((n + z * np.sqrt(n)) / 2), 1, n + 1).astype(np.int64)
    while (over := binomial_at_least(k, n, 0.5) > level * _SLACK).any():
        k = k + over
    while (under := (k > 1) & (binomial_at_least(k - 1, n, 0.5) <= level * _SLACK)).any():
        k = k - under
    return k


def _least_score(m: IntArray, n: int, delta: float, edge: float, level: float) -> IntArray:
    """Give the least wins b of m disagreements whose score statistic against p10 - p01 = delta reaches the edge.

    The statistic rises with b, so halving finds it. Without any disagreement the p-value is at least (1 + delta)^n.
    """
    low, high = np.full_like(m, -1), m + 1
    while (high - low > 1).any():
        middle = (low + high) // 2
        reached = score_z(np.clip(middle, 0, m), m, n, delta) >= edge - 1e-12
        high, low = np.where(reached, middle, high), np.where(reached, low, middle)
    too_few = (m == 0) & (n * math.log1p(min(delta, 0.0)) > math.log(level))
    return np.where(too_few, m + 1, high)


def score_z(b: IntArray, m: IntArray, n: int | IntArray, delta: float) -> FloatArray:
    """Give Tango's score statistic with b wins of m disagreements among n items, for arrays."""
    if delta < 0:
        return -score_z(m - b, m, n, -delta)
    c = m - b
    linear = m - (2 * n - b + c) * delta
    constant = c * (delta * (1 - delta))
    root = np.sqrt(linear * linear + 8 * n * constant)
    q = np.where(linear > 0, (root + linear) / (4 * n), 2 * constant / np.where(root > linear, root - linear, 1.0))
    excess, variance = b - c - n * delta, n * (2 * q + delta * (1 - delta))
    with np.errstate(divide="ignore", invalid="ignore"):
        z: FloatArray = np.where(excess == 0, 0.0, excess / np.sqrt(np.maximum(variance, 0.0)))
    return z
