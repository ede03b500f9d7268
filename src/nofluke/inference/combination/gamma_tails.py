"""Tails of sums of exponential variables (chi-square with an even number of degrees of freedom), in logarithms."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nofluke.types import FloatArray

# Below this the tail in floating point is near the end of its range and the logarithm is computed directly.
_SMALL = 1e-290
_TINY = 1e-300
_STEPS = 2_000


def log_upper(shape: npt.ArrayLike, x: npt.ArrayLike) -> FloatArray:
    """Give log P(X >= x) for the sum X of `shape` standard exponential variables (2X is chi-square, 2 shape df)."""
    from scipy.special import gammaincc

    a, x = np.broadcast_arrays(np.asarray(shape, dtype=np.float64), np.asarray(x, dtype=np.float64))
    tail = gammaincc(a, x)
    with np.errstate(divide="ignore"):
        result = np.log(tail)
    far = (tail < _SMALL) & np.isfinite(x)
    if far.any():
        result = np.array(result)
        result[far] = _log_far_upper(a[far], x[far])
    return np.asarray(result)


def _log_far_upper(a: FloatArray, x: FloatArray) -> FloatArray:
    """Continue the fraction of the incomplete gamma function (Lentz), which converges fast for x far above a."""
    from scipy.special import gammaln

    b = x + 1 - a
    c, d = np.full_like(b, 1 / _TINY), 1 / b
    fraction = d.copy()
    for step in range(1, _STEPS):
        numerator = -step * (step - a)
        b = b + 2
        d = 1 / _off_zero(numerator * d + b)
        c = _off_zero(b + numerator / c)
        fraction = fraction * (c * d)
        if np.all(np.abs(c * d - 1) < 1e-15):
            break
    log_tail: FloatArray = a * np.log(x) - x - gammaln(a) + np.log(fraction)
    return log_tail


def _off_zero(values: FloatArray) -> FloatArray:
    return np.where(np.abs(values) < _TINY, _TINY, values)


def log_lower(shape: float, x: float) -> float:
    """Give log P(X <= x) for the sum X of `shape` standard exponential variables."""
    from scipy.special import gammainc, gammaln

    tail = float(gammainc(shape, x))
    if tail > _SMALL:
        return float(np.log(tail))
    if x == 0:
        return -np.inf
    # x is far below the shape here: the series 1 + x/(a+1) + x^2/((a+1)(a+2)) + ... falls from its first term on.
    factors = x / (shape + np.arange(1, _STEPS, dtype=np.float64))
    series = 1 + float(np.cumprod(factors).sum())
    return float(shape * np.log(x) - x - gammaln(shape + 1) + np.log(series))
