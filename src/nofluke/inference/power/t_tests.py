"""The power of t-tests: both tails of the noncentral t distribution."""

from __future__ import annotations

import math

import numpy as np

from nofluke.inference.power.effect import Effect
from nofluke.inference.power.few_items import power_with_few
from nofluke.laws.noncentral_t import noncentral_t_cdf, noncentral_t_sf
from nofluke.laws.tails import t_quantile
from nofluke.types import FloatArray

# With more patterns of signs that may reject, t is within 0.01 (at a level of .001: 0.014, measured).
_FEW_PATTERNS = 100


def paired_t_power(sizes: FloatArray, effect: Effect, level: float, alternative: str) -> FloatArray:
    """Give the power at each number of pairs; n may be any real number above 1 (the solution before rounding)."""
    return np.array(
        [t_power(n - 1, effect.shift / effect.sd * math.sqrt(n), level, alternative) for n in sizes.tolist()]
    )


def permutation_power(sizes: FloatArray, effect: Effect, level: float, alternative: str) -> FloatArray:
    """Give the power of sign flips: near the smallest p-value they can attain from draws, beyond as that of t.

    So many of the 2^n patterns of signs may reject on one side: floor(level / sides 2^n). With none of them the power
    is 0; up to a hundred it is far from that of t. Between whole numbers of items it is interpolated.
    """
    return np.array([_flips_power(n, effect.shift / effect.sd, level, alternative) for n in sizes.tolist()])


def _flips_power(n: float, shift: float, level: float, alternative: str) -> float:
    whole, part = math.floor(n), n - math.floor(n)
    tail = level / (2 if alternative == "two-sided" else 1)
    patterns = math.floor(tail * 2.0 ** min(whole, 200) * (1 + 1e-12))
    if patterns > _FEW_PATTERNS:
        return t_power(n - 1, shift * math.sqrt(n), level, alternative)
    size = patterns / 2.0**whole
    here = power_with_few("flips", whole, patterns, size, shift, alternative) if patterns else 0.0
    return here if not part else (1 - part) * here + part * _flips_power(whole + 1, shift, level, alternative)


def student_t_power(sizes: FloatArray, effect: Effect, level: float, alternative: str) -> FloatArray:
    """Give the power with n scores of each system, both with the same standard deviation."""
    shifts = [(n, effect.shift / effect.sd * math.sqrt(n / 2)) for n in sizes.tolist()]
    return np.array([t_power(2 * n - 2, ncp, level, alternative) for n, ncp in shifts])


def welch_t_power(sizes: FloatArray, effect: Effect, level: float, alternative: str) -> FloatArray:
    """Give the power with n scores of each system, from Satterthwaite's degrees of freedom at the true spreads.

    An approximation: in a sample those degrees of freedom vary. For equal spreads it is Student's power.
    """
    first, second = effect.sd**2, effect.sd_b**2
    share = first / (first + second)
    ratio = 1 / (share**2 + (1 - share) ** 2)
    shift = effect.shift / math.sqrt(first + second)
    return np.array([t_power((n - 1) * ratio, shift * math.sqrt(n), level, alternative) for n in sizes.tolist()])


def t_power(df: float, ncp: float, level: float, alternative: str) -> float:
    """Give P(reject): the far tail counts too, so that the power at no effect is the level."""
    if df <= 0:
        return 0.0
    if alternative != "two-sided":
        upper = ncp if alternative == "greater" else -ncp
        return noncentral_t_sf(-t_quantile(level, df), df, upper)
    edge = -t_quantile(level / 2, df)
    return min(1.0, noncentral_t_sf(edge, df, ncp) + noncentral_t_cdf(-edge, df, ncp))
