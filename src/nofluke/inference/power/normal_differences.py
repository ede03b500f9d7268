"""The power of tests of normal differences: t, sign flips and signed ranks, also where few items make steps."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal

import numpy as np

from nofluke.inference.power.effect import Effect
from nofluke.laws.noncentral_t import noncentral_t_cdf, noncentral_t_sf
from nofluke.laws.signed_rank import untied_quantile
from nofluke.laws.tails import t_quantile
from nofluke.types import FloatArray

Kind = Literal["flips", "ranks"]

# With this seed and so many draws results are within 0.005 of the truth (measured), and always the same.
_SEED, _DRAWS = 20_260_101, 8_000
# The smallest means of subsets are made of the smallest differences: of so many.
_LOWEST = 10
# With more patterns of signs that may reject, t is within 0.01 (at a level of .001: 0.014, measured).
_FEW_PATTERNS = 100
# For normal differences n items are worth 3n / pi to the t-test (Pitman's asymptotic relative efficiency).
_EFFICIENCY = 3 / math.pi
# Up to here the level that the rank sum can attain is taken; beyond, its steps no longer show.
_EXACT_UP_TO = 100
# Up to here the law of the ranks is drawn: the steps of the p-value show in the power.
_DRAWN_UP_TO = 20


def power_with_few(kind: Kind, n: int, steps: int, size: float, shift: float, alternative: str) -> float:
    """Give the power for n normal differences with mean `shift` and standard deviation 1.

    One side rejects when fewer than `steps` subset means (flips) or Walsh averages (ranks) lie at or below 0; `size` is
    the exact chance of that without an effect. Both count the averages of z + shift, so that a sample z rejects from a
    shift of minus the `steps`-th smallest average of z on. With z = mean + rest, the mean is integrated out:
    power = E Phi(sqrt(n) (shift - threshold(rest))), an average over drawn rests.
    """
    upper, lower = _one_sided(kind, n, steps, size, shift), _one_sided(kind, n, steps, size, -shift)
    if alternative == "two-sided":
        return min(1.0, upper + lower)
    return upper if alternative == "greater" else lower


def _one_sided(kind: Kind, n: int, steps: int, size: float, shift: float) -> float:
    if steps == 1:
        # The smallest average is the smallest difference: all of them have to be above 0.
        from scipy.special import ndtr

        return float(ndtr(shift)) ** n
    return _one_side(_thresholds(kind, n, steps, size), n, shift)


def _one_side(thresholds: FloatArray, n: int, shift: float) -> float:
    from scipy.special import ndtr

    return float(np.mean(ndtr(math.sqrt(n) * (shift - thresholds))))


@lru_cache(maxsize=512)
def _thresholds(kind: Kind, n: int, steps: int, size: float) -> FloatArray:
    """Draw the shifts from which samples reject, moved together so that without an effect the size is exact."""
    z = np.sort(np.random.default_rng((_SEED, n)).standard_normal((_DRAWS, n)), axis=1)
    z -= z.mean(axis=1, keepdims=True)
    averages = _subset_means(z) if kind == "flips" else _walsh_averages(z)
    drawn: FloatArray = -np.partition(averages, steps - 1, axis=1)[:, steps - 1]
    low, high = -10.0, 10.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _one_side(drawn + middle, n, 0.0) > size else (low, middle)
    return drawn + high


def _subset_means(z: FloatArray) -> FloatArray:
    lowest = z[:, :_LOWEST]
    width = lowest.shape[1]
    members = (np.arange(1, 2**width)[:, None] >> np.arange(width)) & 1
    shares = members / members.sum(axis=1, keepdims=True)
    means: FloatArray = lowest @ shares.T
    return means


def _walsh_averages(z: FloatArray) -> FloatArray:
    first, second = np.triu_indices(z.shape[1])
    averages: FloatArray = (z[:, first] + z[:, second]) / 2
    return averages


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


def wilcoxon_power(sizes: FloatArray, effect: Effect, level: float, alternative: str) -> FloatArray:
    """Give the power: up to 20 items from draws of the ranks, beyond as t with 3n / pi items at the size of the test.

    Both are within 0.01 of simulation. Without an effect it is the exact size.
    """
    shift = effect.shift / effect.sd
    return np.array([_power(int(n), shift, level, alternative) for n in sizes.tolist()])


def _power(n: int, shift: float, level: float, alternative: str) -> float:
    sides = 2 if alternative == "two-sided" else 1
    worth = shift * math.sqrt(_EFFICIENCY * n)
    if n > _EXACT_UP_TO:
        return t_power(n - 1, worth, level, alternative)
    if n < 2:
        return 0.0
    k, size = untied_quantile(n, level / sides)
    if k < 0:
        return 0.0
    if n <= _DRAWN_UP_TO:
        return power_with_few("ranks", n, k + 1, size, shift, alternative)
    return t_power(n - 1, worth, size * sides, alternative)
