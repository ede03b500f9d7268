"""The Shapiro-Wilk test of normality after Royston 1995 (algorithm AS R94), as R and SciPy compute it.

Written here because the library version lives in scipy.stats, whose import costs more than a whole comparison.
"""

from __future__ import annotations

import math

import numpy as np

from nofluke.types import FloatArray

SMALLEST_N, LARGEST_N = 3, 5000

# Polynomial coefficients of Royston's tables, lowest power first.
_FIRST = (0.0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056)
_SECOND = (0.0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633)
_SMALL_MEAN = (0.544, -0.39978, 0.025054, -6.714e-4)
_SMALL_SD = (1.3822, -0.77857, 0.062767, -0.0020322)
_LARGE_MEAN = (-1.5861, -0.31082, -0.083751, 0.0038915)
_LARGE_SD = (-0.4803, -0.082676, 0.0030302)
_GAMMA = (-2.273, 0.459)


def shapiro_wilk(values: FloatArray) -> tuple[float, float]:
    """Give W and its p-value for 3 to 5,000 values that are not all equal."""
    x = np.sort(values)
    x = x - x[len(x) // 2]
    x = x / (x[-1] - x[0])
    weights = _weights(len(x))
    centred = x - x.mean()
    numerator = float(weights @ centred)
    spread = float(centred @ centred)
    # 1 - W directly: W itself is so close to 1 that subtracting it would lose digits.
    scaled = math.sqrt(spread)
    lack = (scaled - numerator) * (scaled + numerator) / spread
    return 1 - lack, _p_value(max(lack, 0.0), len(x))


def _weights(n: int) -> FloatArray:
    """Antisymmetric weights a_i of the order statistics, normed to length 1."""
    from scipy.special import ndtri

    half = n // 2
    upper = np.empty(half)
    if n == 3:
        upper[0] = math.sqrt(0.5)
    else:
        m = ndtri((np.arange(1, half + 1) - 0.375) / (n + 0.25))
        total = 2 * float(m @ m)
        root = 1 / math.sqrt(n)
        first = _polynomial(_FIRST, root) - m[0] / math.sqrt(total)
        if n > 5:
            second = _polynomial(_SECOND, root) - m[1] / math.sqrt(total)
            rest = math.sqrt((total - 2 * m[0] ** 2 - 2 * m[1] ** 2) / (1 - 2 * first**2 - 2 * second**2))
            upper[:2] = first, second
            upper[2:] = -m[2:] / rest
        else:
            rest = math.sqrt((total - 2 * m[0] ** 2) / (1 - 2 * first**2))
            upper[0] = first
            upper[1:] = -m[1:] / rest
    weights = np.zeros(n)
    weights[:half] = -upper
    weights[n - half :] = upper[::-1]
    return weights


def _p_value(lack: float, n: int) -> float:
    from scipy.special import ndtr

    if n == 3:
        return max(0.0, 6 / math.pi * (math.asin(math.sqrt(1 - lack)) - math.asin(math.sqrt(0.75))))
    if lack <= 0:
        return 1.0
    y = math.log(lack)
    if n <= 11:
        gamma = _polynomial(_GAMMA, n)
        if y >= gamma:
            return 1e-99
        y = -math.log(gamma - y)
        mean, sd = _polynomial(_SMALL_MEAN, n), math.exp(_polynomial(_SMALL_SD, n))
    else:
        mean, sd = _polynomial(_LARGE_MEAN, math.log(n)), math.exp(_polynomial(_LARGE_SD, math.log(n)))
    return float(ndtr((mean - y) / sd))


def _polynomial(coefficients: tuple[float, ...], x: float) -> float:
    value = 0.0
    for coefficient in reversed(coefficients):
        value = value * x + coefficient
    return value
