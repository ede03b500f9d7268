"""Tails of the noncentral t distribution in logarithms, at any argument, by one integral over the chi variable."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from nofluke.errors import MethodError
from nofluke.types import FloatArray

# The integrand is dropped where it is below exp(-45) of its peak: 3e-20, far under the 1e-12 that is kept.
_DROP = 45.0
# Two points of log s closer than this part are one to a double; beyond the farthest argument squares overflow.
_SMALLEST_STEP = 2e-15
_FARTHEST = 1e100
_HOPELESS = 1e13
_PANELS = 24
_NODES = 24


def log_noncentral_t_above(t: float, df: float, ncp: float) -> float:
    """Give log P(T >= t) for T = (Z + ncp) / sqrt(chi2_df / df)."""
    return _log_tail(t, df, ncp, -1.0)


def log_noncentral_t_below(t: float, df: float, ncp: float) -> float:
    """Give log P(T <= t)."""
    return _log_tail(t, df, ncp, 1.0)


def noncentral_t_sf(t: float, df: float, ncp: float) -> float:
    """Give P(T >= t), right to 1e-10 of itself also where it is tiny."""
    return math.exp(log_noncentral_t_above(t, df, ncp))


def noncentral_t_cdf(t: float, df: float, ncp: float) -> float:
    """Give P(T <= t), right to 1e-10 of itself also where it is tiny."""
    return math.exp(log_noncentral_t_below(t, df, ncp))


def _log_tail(t: float, df: float, ncp: float, side: float) -> float:
    """Integrate the density of u = log s, s = sqrt(chi2_df / df), times P(Z <= side (t s - ncp)).

    Both factors are log-concave in s, so the integrand has one peak: it is found, the range where the rest can matter
    is found, and Gauss-Legendre panels cover it. Everything is relative to the peak, so nothing underflows.
    """
    from scipy.special import log_ndtr

    if math.isinf(t):
        return 0.0 if side * t > 0 else -math.inf
    if math.isinf(df) or t == 0:
        return float(log_ndtr(side * (t - ncp)))

    def log_integrand(u: FloatArray) -> FloatArray:
        # df (u - (s^2 - 1) / 2): the density of u up to its value at s = 1, free of cancellation near u = 0.
        with np.errstate(over="ignore"):
            density = df * (u - np.expm1(2 * u) / 2)
            return np.asarray(density + log_ndtr(side * (t * np.exp(u) - ncp)), dtype=np.float64)

    if max(abs(t), abs(ncp)) > _FARTHEST:
        raise MethodError(
            f"the noncentral t distribution is out of reach at t = {t:g}, noncentrality {ncp:g}.",
            fix="the scores hardly vary against their difference: report the mean difference instead.",
        )
    peak, low, high = _range(log_integrand, df)
    top = float(log_integrand(np.array([peak]))[0])
    if top < -_HOPELESS:
        # The peak alone is right to eleven digits of this logarithm, and no double resolves what lies around it.
        return top
    edges = _edges(low, high, t, ncp)
    nodes, weights = _gauss_legendre()
    half = np.diff(edges)[:, None] / 2
    points = edges[:-1, None] + half * (1 + nodes)
    total = float(np.sum(half * weights * np.exp(log_integrand(points) - top)))
    return min(0.0, top + math.log(total) + _log_density_at_one(df))


def _log_density_at_one(df: float) -> float:
    """Log density of u = log s at s = 1: log 2 + a log a - a - log Gamma(a), a = df / 2."""
    from scipy.special import gammaln

    a = df / 2
    if a < 20:
        return math.log(2) + a * math.log(a) - a - float(gammaln(a))
    # Stirling's series takes the large terms out beforehand; its next term is below 1e-15 here.
    series = 1 / (12 * a) - 1 / (360 * a**3) + 1 / (1260 * a**5) - 1 / (1680 * a**7)
    return math.log(2) + 0.5 * math.log(a / (2 * math.pi)) - series


def _range(log_integrand: Callable[[FloatArray], FloatArray], df: float) -> tuple[float, float, float]:
    """Find the peak of a function with one peak, and where it has fallen by exp(-45) to either side."""
    width = 1 / math.sqrt(2 * df)
    low, high = -4 * width, 4 * width
    for _ in range(200):
        u = np.linspace(low, high, 65)
        values = log_integrand(u)
        best = int(np.argmax(values))
        step = float(u[1] - u[0])
        if best in (0, 64):
            # The peak lies outside: move on, four times as far.
            reach = 4 * (high - low)
            low, high = (low - reach, low + 2 * step) if best == 0 else (high - 2 * step, high + reach)
            continue
        if step < _SMALLEST_STEP * max(1.0, abs(low)) or values[best] - min(values[best - 1], values[best + 1]) < 0.5:
            break
        low, high = float(u[best - 1]), float(u[best + 1])
    peak, floor = float(u[best]), float(values[best]) - _DROP
    step = max(step, _SMALLEST_STEP * max(1.0, abs(peak)))
    return peak, _fall(log_integrand, peak, -step, floor), _fall(log_integrand, peak, step, floor)


def _fall(log_integrand: Callable[[FloatArray], FloatArray], peak: float, step: float, floor: float) -> float:
    """Step away from the peak until the function is below the floor, then halve to where it passes it."""
    inside, outside = peak, peak + step
    while float(log_integrand(np.array([outside]))[0]) > floor:
        inside, outside = outside, outside + 2 * (outside - peak)
    for _ in range(6):
        middle = (inside + outside) / 2
        if float(log_integrand(np.array([middle]))[0]) > floor:
            inside = middle
        else:
            outside = middle
    return outside


def _edges(low: float, high: float, t: float, ncp: float) -> FloatArray:
    """Even panels, with finer ones around s = ncp / t, where the normal factor steps from 1 to 0 within 1 / |ncp|."""
    edges = np.linspace(low, high, _PANELS + 1)
    if ncp == 0 or t * ncp < 0:
        return edges
    step = math.log(ncp / t)
    widths = np.concatenate(([0.0], 2.0 ** np.arange(-1, 60) / max(1.0, abs(ncp))))
    extra = np.concatenate((step - widths, step + widths))
    return np.unique(np.concatenate((edges, extra[(extra > low) & (extra < high)])))


@cache
def _gauss_legendre() -> tuple[FloatArray, FloatArray]:
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return np.asarray(nodes, dtype=np.float64), np.asarray(weights, dtype=np.float64)
