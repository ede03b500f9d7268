"""The JZS Bayes factor of one sample of differences, in logarithms, by one integral."""

from __future__ import annotations

import math

import numpy as np

from nofluke.laws.tails import log_t_tail
from nofluke.types import FloatArray

# Spacing in log g: the integrand is analytic in a strip of half-width pi / 2, so 0.05 leaves an error below 1e-30.
_STEP = 0.05
# The prior of g vanishes doubly exponentially below exp(-6) / 2; above it falls like g^-1/2, and with the likelihood
# like 1 / g beyond 1 / (n r^2).
_FIRST = -7.0
_BEYOND = 48.0


def log_bayes_factor(t: float, n: int, r: float, alternative: str = "two-sided") -> float:
    """Give log BF10 of a t statistic from n differences, with a Cauchy prior of scale r on the standardised effect.

    Rouder et al. (2009), equation 1: the effect is normal with variance g r^2, and g inverse chi-square with 1 degree
    of freedom. One-sided, the prior is the half of the Cauchy on that side: given g, the factor is then multiplied by
    2 P(T < c sqrt(n)), T Student's t with n degrees of freedom and c / sqrt(1 + c^2) = t' sqrt(a / (1 + a)), where
    a = n g r^2 and t' = t / sqrt(n - 1 + t^2).

    >>> round(math.exp(log_bayes_factor(4.0621277, 10, 2**-0.5)), 4)
    17.2589
    """
    df = n - 1
    log_g = np.arange(_FIRST, _BEYOND + max(0.0, -math.log(n * r * r)) + 2 * math.log1p(t * t / df), _STEP)
    g = np.exp(log_g)
    scaled = n * r * r * g
    log_prior = -0.5 * math.log(2 * math.pi) - 1.5 * log_g - 0.5 / g
    # (1 + t^2/df)^(n/2) (1 + t^2 / ((1 + a) df))^(-n/2), as one quotient.
    gain = 0.5 * n * np.log1p(t * t / df * scaled / (1 + scaled) / (1 + t * t / (df * (1 + scaled))))
    terms: FloatArray = log_prior - 0.5 * np.log1p(scaled) + gain + log_g
    if alternative != "two-sided":
        side = t if alternative == "greater" else -t
        terms = terms + math.log(2) + _log_on_side(side, n, scaled)
    peak = float(terms.max())
    return peak + math.log(_STEP * math.fsum(np.exp(terms - peak).tolist()))


def _log_on_side(t: float, n: int, scaled: FloatArray) -> FloatArray:
    """Give log P(effect > 0) given g and the data."""
    df = n - 1
    # c^2 = k^2 t'^2 / (1 - k^2 t'^2) with k^2 = a / (1 + a) and t'^2 = t^2 / (df + t^2).
    c = t * np.sqrt(scaled / (df + t * t + df * scaled))
    return np.array([log_t_tail(-float(x), n) for x in c * math.sqrt(n)])
