"""The power of Wilcoxon's signed-rank test for normal differences, by its efficiency against t."""

from __future__ import annotations

import math

import numpy as np

from nofluke.inference.power.effect import Effect
from nofluke.inference.power.t_tests import t_power
from nofluke.inference.signed_rank_null import untied_quantile
from nofluke.types import FloatArray

# For normal differences n items are worth 3n / pi to the t-test (Pitman's asymptotic relative efficiency).
_EFFICIENCY = 3 / math.pi
# Up to here the level that the rank sum can attain is taken; beyond, its steps no longer show.
_EXACT_UP_TO = 100


def wilcoxon_power(sizes: FloatArray, effect: Effect, level: float, alternative: str) -> FloatArray:
    """Give the power of t with 3n / pi items in its shift and n - 1 degrees of freedom, at the exact size of the test.

    An approximation: within 0.01 of simulation from 8 items at a level of .05, and within 0.02 from 15 items at .001.
    Without an effect it is the exact size.
    """
    shift = effect.shift / effect.sd * math.sqrt(_EFFICIENCY)
    return np.array([_power(int(n), shift, level, alternative) for n in sizes.tolist()])


def _power(n: int, shift: float, level: float, alternative: str) -> float:
    sides = 2 if alternative == "two-sided" else 1
    if n > _EXACT_UP_TO:
        return t_power(n - 1, shift * math.sqrt(n), level, alternative)
    if n < 2:
        return 0.0
    k, size = untied_quantile(n, level / sides)
    return t_power(n - 1, shift * math.sqrt(n), size * sides, alternative) if k >= 0 else 0.0
