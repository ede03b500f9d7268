"""Scores with two values: joint counts of all pairs by one product of matrices, then exact tails of distinct counts."""

from __future__ import annotations

import numpy as np

from nofluke.engine.flips.binomial import log_fair_binomial_tail
from nofluke.types import FloatArray, IntArray

# Below this, double precision would underflow and the tail is taken in logarithms, one by one.
_UNDERFLOW = 1e-290
# How far a tail may be off, relatively.
BINOMIAL_BOUND = 1e-11


def two_valued(systems: IntArray) -> bool:
    """Whether all scores are one of at most two numbers."""
    low, high = systems.min(), systems.max()
    return bool(((systems == low) | (systems == high)).all())


def wins(systems: IntArray) -> IntArray:
    """Give the (S, S) numbers of items on which system i has the higher of two scores and system j the lower."""
    # Whole numbers below 2^53: exact whatever the order of the terms, so whatever the number of threads.
    high = (systems == systems.max()).astype(np.float64)
    both = (high @ high.T).astype(np.int64)
    result: IntArray = both.diagonal()[:, None] - both
    return result


def fair_binomial_tails(trials: IntArray, least: IntArray) -> FloatArray:
    """Give log P(B >= least) for B ~ Binomial(trials, 1/2), elementwise; each distinct pair is computed once."""
    from scipy.special import betainc

    keys, back = np.unique(np.stack((trials.ravel(), least.ravel())), axis=1, return_inverse=True)
    n, k = keys
    # I_(1/2)(k, n - k + 1), whose complement is the tail for k' = n - k + 1.
    inside = (k > 0) & (k <= n)
    p = np.ones(n.size)
    p[inside] = betainc(k[inside], n[inside] - k[inside] + 1.0, 0.5)
    with np.errstate(divide="ignore"):
        log_p = np.where(k > n, -np.inf, np.log(p))
    for index in np.flatnonzero((k <= n) & (p < _UNDERFLOW)):
        log_p[index] = log_fair_binomial_tail(int(n[index]), int(k[index]))
    result: FloatArray = log_p[back.reshape(-1)].reshape(trials.shape)
    return result
