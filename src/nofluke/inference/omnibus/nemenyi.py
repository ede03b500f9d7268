"""Nemenyi's comparison of mean ranks and its critical difference: the studentised range with infinite df."""

from __future__ import annotations

import math

import numpy as np

from nofluke.check import is_whole
from nofluke.errors import InputError
from nofluke.inference.omnibus.ranked import Ranked
from nofluke.types import FloatArray

# The integrand is analytic and falls like a Gaussian: the trapezoidal rule with this step is right to 1e-15.
_STEP = 0.05
_BEYOND = 12.0


def log_range_tail(q: FloatArray, systems: int) -> FloatArray:
    """Give log P(range of `systems` standard normal variables >= q), elementwise.

    P = k int phi(z) {Phi(z)^(k-1) - (Phi(z) - Phi(z - q))^(k-1)} dz with z the largest; in this form nothing cancels,
    so far tails are right too.
    """
    from scipy.special import log_ndtr, logsumexp

    q = np.asarray(q, dtype=np.float64)
    result = np.zeros(q.shape)
    inside = q > 0
    if not inside.any():
        return result
    values = q[inside][:, None]
    z = np.arange(-_BEYOND, float(values.max()) + _BEYOND, _STEP)
    log_cdf = log_ndtr(z)
    ratio = np.exp(np.minimum(log_ndtr(z - values) - log_cdf, 0.0))
    # 1 - (1 - ratio)^(k-1); where the ratio is 1 (q so small that all of it lies below) it is 1.
    with np.errstate(divide="ignore"):
        lost = -np.expm1((systems - 1) * np.log1p(-np.minimum(ratio, 1.0)))
        log_terms = -z * z / 2.0 + (systems - 1) * log_cdf + np.log(lost)
    scale = math.log(systems * _STEP) - 0.5 * math.log(2.0 * math.pi)
    result[inside] = np.minimum(logsumexp(log_terms, axis=1) + scale, 0.0)
    return result


def nemenyi_p(table: Ranked) -> FloatArray:
    """Give the p-values of all pairs of systems, corrected for their number by the studentised range."""
    gaps = np.abs(np.subtract.outer(table.mean_ranks, table.mean_ranks))
    q = gaps * math.sqrt(2.0) / unit_of_ranks(table.systems, table.rows)
    distinct, back = np.unique(q, return_inverse=True)
    p = np.maximum(np.exp(log_range_tail(distinct, table.systems)), 5e-324)
    result: FloatArray = p[back.reshape(-1)].reshape(q.shape)
    return result


def critical_gap(systems: int, datasets: int, alpha: float) -> float:
    """Give the gap of mean ranks from which Nemenyi's test rejects at alpha."""
    for value, name, least in ((systems, "n_systems", 2), (datasets, "n_datasets", 1)):
        if not is_whole(value, least):
            raise InputError(
                f"{name} = {value!r} is not a whole number of at least {least}.", fix="give a number such as 10."
            )
    return _range_quantile(alpha, int(systems)) / math.sqrt(2.0) * unit_of_ranks(int(systems), int(datasets))


def unit_of_ranks(systems: int, datasets: int) -> float:
    """The standard deviation of a difference of two mean ranks under random orders."""
    return math.sqrt(systems * (systems + 1) / (6.0 * datasets))


def _range_quantile(alpha: float, systems: int) -> float:
    """Give the q that the range exceeds with probability alpha, by halving on the logarithm of the tail."""
    target = math.log(alpha)
    low, high = 0.0, 1.0
    while float(log_range_tail(np.array([high]), systems)[0]) > target:
        low, high = high, high * 2.0
    while high - low > 4e-15 * high:
        middle = (low + high) / 2.0
        if middle in (low, high):
            break
        if float(log_range_tail(np.array([middle]), systems)[0]) > target:
            low = middle
        else:
            high = middle
    return high
