"""The upper tail of a fair binomial, accurate in relative terms however deep."""

from __future__ import annotations

import math

import numpy as np


def log_fair_binomial_tail(trials: int, least: int) -> float:
    """Give log P(B >= least) for B ~ Binomial(trials, 1/2) and trials / 2 < least <= trials.

    The point probability comes from Loader's saddlepoint form (log-gammas of a million trials would lose nine digits);
    the points above it follow by the ratio P(k + 1) / P(k) = (trials - k) / (k + 1) < 1.

    >>> round(math.exp(log_fair_binomial_tail(3, 2)), 15)
    0.5
    """
    # Beyond 9 standard deviations past the first point, further points are below 1e-30 of it.
    terms = min(trials - least, int(9 * math.sqrt(trials)) + 64)
    k = np.arange(least, least + terms, dtype=np.float64)
    following = np.cumprod((trials - k) / (k + 1.0))
    return _log_point(trials, least) + math.log1p(math.fsum(following.tolist()))


def _log_point(trials: int, k: int) -> float:
    """Give log C(trials, k) - trials log 2."""
    if k == trials:
        return -trials * math.log(2.0)
    # n KL(k/n, 1/2) = n/2 [log(1 - e^2) + e log((1 + e)/(1 - e))] with e = 2k/n - 1: no cancellation while e is small.
    excess = (2 * k - trials) / trials
    if excess < 0.5:
        divergence = trials / 2 * (math.log1p(-excess * excess) + 2.0 * excess * math.atanh(excess))
    else:
        divergence = k * math.log(2 * k / trials) + (trials - k) * math.log(2 * (trials - k) / trials)
    corrections = _stirling_error(trials) - _stirling_error(k) - _stirling_error(trials - k)
    return corrections - divergence + 0.5 * math.log(trials / (2.0 * math.pi * k * (trials - k)))


def _stirling_error(n: int) -> float:
    """Give log n! minus Stirling's formula."""
    if n < 20:
        return math.log(math.factorial(n)) - (0.5 * math.log(2.0 * math.pi * n) + n * math.log(n) - n)
    square = float(n) * n
    series = 1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - (1 / 1188) / square) / square) / square) / square
    return series / n
