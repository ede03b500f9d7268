"""Tails of the classical distributions in logarithms, so that 1e-30 and 1e-3000 are right too.

Only scipy.special is used: importing scipy.stats costs most of a second.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from nofluke.types import FloatArray

# Below this a probability in floating point is near the end of its range and the logarithm is computed directly.
_SMALL = 1e-290
# From here on the next term of a t tail is below 1e-18 of the first.
_FAR_T = 1e10
# What stands for 0 in a continued fraction, and the most steps of one or of a series.
_TINY = 1e-300
_STEPS = 2_000


def log_normal_tail(z: float) -> float:
    """Give log P(Z >= z) of the standard normal distribution."""
    from scipy.special import log_ndtr

    return float(log_ndtr(-z))


def log_t_tail(t: float, df: float) -> float:
    """Give log P(T >= t) of Student's t with df degrees of freedom."""
    from scipy.special import betainc, betaincc, betaln

    if math.isinf(t):
        return -math.inf if t > 0 else 0.0
    if t < 0:
        return math.log1p(-math.exp(log_t_tail(-t, df)))
    if t > _FAR_T * math.sqrt(df):
        # The density is its leading power there, df^(df/2) t^-df / (df B(df/2, 1/2)); t^2 need not be a double.
        return 0.5 * df * math.log(df) - df * math.log(t) - math.log(df) - float(betaln(df / 2, 0.5))
    # Of x and 1 - x the smaller one carries the digits.
    x, y = df / (df + t * t), t * t / (df + t * t)
    tail = 0.5 * float(betaincc(0.5, df / 2, y) if y < x else betainc(df / 2, 0.5, x))
    if tail > _SMALL:
        return math.log(tail)
    return math.log(0.5) + _log_incomplete_beta(df / 2, 0.5, x)


def log_t_tails(t: FloatArray, df: npt.ArrayLike) -> FloatArray:
    """Give log P(T >= t) of Student's t element by element; nan stays nan."""
    from scipy.special import betainc, betaincc

    size, df = np.abs(t), np.broadcast_to(df, t.shape)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        square = size * size
        # Of x and 1 - x the smaller one carries the digits.
        x, y = df / (df + square), square / (df + square)
        tail = 0.5 * np.where(y < x, betaincc(0.5, df / 2, y), betainc(df / 2, 0.5, x))
        result: FloatArray = np.where(t < 0, np.log1p(-tail), np.log(tail))
    for index in np.flatnonzero((tail < _SMALL) & (t > 0)):
        result[index] = log_t_tail(float(t[index]), float(df[index]))
    return result


def _log_incomplete_beta(a: float, b: float, x: float) -> float:
    """Logarithm of the regularised incomplete beta function for x far below a / (a + b), by Lentz's fraction."""
    from scipy.special import betaln

    front = a * math.log(x) + b * math.log1p(-x) - math.log(a) - float(betaln(a, b))
    tiny = 1e-300
    c, d = 1.0, 1.0 / max(1.0 - (a + b) * x / (a + 1.0), tiny)
    fraction = d
    for m in range(1, 100_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for coefficient in (even, odd):
            d = 1.0 / (1.0 + coefficient * d or tiny)
            c = 1.0 + coefficient / c or tiny
            fraction *= c * d
        if abs(c * d - 1.0) < 1e-16:
            break
    return front + math.log(fraction)


def t_quantile(probability: float, df: float) -> float:
    """Give the value that Student's t stays below with this probability."""
    from scipy.special import stdtrit

    return float(stdtrit(df, probability))


def log_binomial_tail(k: int, n: int) -> float:
    """Give log P(X >= k) for X binomial with n fair coins."""
    from scipy.special import betainc, gammaln, logsumexp

    if k <= 0:
        return 0.0
    if k > n:
        return -math.inf
    tail = float(betainc(k, n - k + 1, 0.5))
    if tail > _SMALL:
        return math.log(tail)
    # Terms fall at least geometrically this far out; 2,000 of them leave nothing behind.
    counts = np.arange(k, min(n, k + 2_000) + 1, dtype=np.float64)
    terms = gammaln(n + 1) - gammaln(counts + 1) - gammaln(n - counts + 1) - n * math.log(2)
    return float(logsumexp(terms))


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


def log_chi_square_tail(x: float, df: float) -> float:
    """Give log P(X >= x) for chi-square with df degrees of freedom."""
    return float(log_upper(df / 2, x / 2))


def log_f_tail(f: float, df1: float, df2: float) -> float:
    """Give log P(F >= f) for Fisher's F."""
    from scipy.special import betainc, betaincc

    if math.isinf(f):
        return -math.inf
    # Of x and 1 - x the smaller one carries the digits.
    x, y = df2 / (df2 + df1 * f), df1 * f / (df2 + df1 * f)
    tail = float(betaincc(df1 / 2, df2 / 2, y) if y < x else betainc(df2 / 2, df1 / 2, x))
    return math.log(tail) if tail > _SMALL else _log_beta_series(df2 / 2, df1 / 2, x)


def _log_beta_series(a: float, b: float, x: float) -> float:
    """Logarithm of the regularised incomplete beta function for small x: x^a / (a B(a, b)) (1-x)^b 2F1(a+b, 1; a+1; x).

    The hypergeometric series has positive terms, so nothing cancels; this far out it falls fast.
    """
    from scipy.special import betaln

    term = total = 1.0
    for k in range(100_000):
        term *= (a + b + k) / (a + 1 + k) * x
        total += term
        if term < 1e-17 * total:
            break
    return a * math.log(x) + b * math.log1p(-x) - math.log(a) - float(betaln(a, b)) + math.log(total)
