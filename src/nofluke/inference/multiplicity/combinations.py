"""Combinations: one p-value against "there is no effect anywhere" from the p-values of several tests."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np

from nofluke.errors import MethodError
from nofluke.inference.multiplicity.corrections import ranks
from nofluke.inference.p_values import p_of
from nofluke.laws.tails import log_lower, log_normal_tail, log_t_tail, log_upper
from nofluke.registry import COMBINATIONS
from nofluke.types import FloatArray


@COMBINATIONS.register(
    "cauchy",
    label="Cauchy",
    null="there is no effect anywhere",
    under="any dependence, for small p-values (approximate)",
    cite="Liu and Xie 2020",
)
def cauchy(p_values: FloatArray, weights: FloatArray | None = None) -> float:
    """Is there an effect anywhere, by a sum whose tail hardly notices dependence?

    The weighted mean of cot(pi p) is Cauchy distributed for independent tests, and its far tail stays so under most
    kinds of dependence: trust it where the result is small, not near 0.05 and above. A p-value of 1 would outweigh all
    others, whatever they are, and is refused.
    """
    if (p_values == 1).any():
        raise MethodError(
            "a p-value is 1: the Cauchy combination would then be 1 whatever the others are.",
            fix="use simes or, for independent tests, fisher.",
        )
    weights = np.ones(len(p_values)) if weights is None else weights
    # Everything is multiplied by the smallest p-value, so that 1/p cannot overflow: atan2(m, m T) = atan(1/T).
    smallest = float(p_values.min())
    mean = float((weights * _scaled_cotangents(p_values, smallest)).sum() / weights.sum())
    return max(math.atan2(smallest, mean) / math.pi, smallest * 1e-16, math.ulp(0.0))


def _scaled_cotangents(p: FloatArray, smallest: float) -> FloatArray:
    """Give smallest * cot(pi p); tiny p by 1 / (pi p), and above 1/2 through 1 - p, which is exact there."""
    with np.errstate(under="ignore"):
        upper = p > 0.5
        angle = math.pi * np.where(upper, 1 - p, p)
        ratio = np.where(upper, -smallest / np.where(upper, 1 - p, 1.0), smallest / p)
        # x cot(x) is 1 for tiny x and never overflows.
        damped = np.where(angle < 1e-8, 1.0, angle / np.tan(np.where(angle < 1e-8, 1.0, angle)))
        scaled: FloatArray = ratio * damped / math.pi
    return scaled


@COMBINATIONS.register(
    "fisher",
    label="Fisher",
    null="there is no effect anywhere",
    under="independence",
    cite="Fisher 1932",
)
def fisher(p_values: FloatArray) -> float:
    """Is there an effect anywhere, by the product of all p-values?

    -2 times the sum of the log p-values is chi-square with 2 N degrees of freedom. Strong when many tests show a
    little. Only for independent tests: on dependent ones it finds far too much (23 of 100 instead of 5).
    """
    with np.errstate(divide="ignore"):
        return p_of(float(log_fisher(np.log(p_values))))


def log_fisher(log_p_values: FloatArray) -> FloatArray:
    """Give the logarithm of Fisher's combined p-value along the last axis."""
    return log_upper(float(log_p_values.shape[-1]), -log_p_values.sum(axis=-1))


@COMBINATIONS.register(
    "harmonic_mean",
    label="harmonic mean p-value",
    null="there is no effect anywhere",
    under="any dependence with calibration=vovk_wang; without calibration it is no p-value",
    cite="Wilson 2019; Vovk and Wang 2020",
)
def harmonic_mean(
    p_values: FloatArray,
    *,
    calibration: Annotated[
        Literal["none", "vovk_wang"], "none is the bare mean, too small for a p-value; vovk_wang makes it a valid one"
    ] = "none",
) -> float:
    """Is there an effect anywhere, by N divided by the sum of all 1/p?

    The bare mean is the usual printed figure, and somewhat too small to be read as a p-value. With
    calibration="vovk_wang" it is multiplied by the smallest factor (near log N) that makes it valid whatever the
    dependence.
    """
    smallest = float(p_values.min())
    mean = smallest * len(p_values) / float((smallest / p_values).sum())
    if calibration == "none":
        return mean
    return min(mean * vovk_wang_factor(len(p_values)), 1.0)


def vovk_wang_factor(size: int) -> float:
    """The factor of Vovk and Wang (2020), proposition 6: exact, below e log N for N > 2."""
    if size <= 2:
        return float(size)

    def gap(y: float) -> float:
        return y * y - size * ((y + 1) * math.log1p(y) - y)

    low, high = 1e-9, 1.0
    while gap(high) < 0:
        high *= 2
    low = high / 2 if high > 1 else low
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if gap(middle) < 0 else (low, middle)
    return float(np.divide((high + size) ** 2, (high + 1) * size))


@COMBINATIONS.register(
    "mudholkar_george",
    label="Mudholkar-George (logit)",
    null="there is no effect anywhere",
    under="independence",
    cite="Mudholkar and George 1979",
)
def mudholkar_george(p_values: FloatArray) -> float:
    """Is there an effect on the whole, by the sum of log odds?

    Lies between fisher and pearson. The sum is compared with Student's t with 5 N + 4 degrees of freedom, which is an
    approximation. Only for independent tests.
    """
    if (p_values == 1).any():
        return 1.0
    size = len(p_values)
    odds = float((np.log1p(-p_values) - np.log(p_values)).sum())
    freedom = 5 * size + 4
    scale = math.sqrt(3 / size) / math.pi * math.sqrt(freedom / (freedom - 2))
    return p_of(log_t_tail(odds * scale, freedom))


@COMBINATIONS.register(
    "pearson",
    label="Pearson",
    null="there is no effect anywhere",
    under="independence",
    cite="Pearson 1933; Owen 2009",
)
def pearson(p_values: FloatArray) -> float:
    """Is there an effect on the whole, by the product of all 1 - p?

    Looks at how far the p-values stay from 1, so one large p-value counts against many small ones: strong when all
    tests agree. Only for independent tests.
    """
    if (p_values == 1).any():
        return 1.0
    return min(p_of(log_lower(float(len(p_values)), float(-np.log1p(-p_values).sum()))), 1.0)


@COMBINATIONS.register(
    "simes",
    label="Simes",
    null="there is no effect anywhere",
    under="independence or positive dependence",
    cite="Simes 1986",
)
def simes(p_values: FloatArray) -> float:
    """Is there an effect anywhere, by the smallest p-value for its rank?

    The minimum of N p(i) / i over the sorted p-values: the smallest p-value that bh would give. Valid for independent
    tests and for statistics that rise and fall together.
    """
    size = len(p_values)
    return float(np.minimum((np.sort(p_values) * size / ranks(size)).min(), 1.0))


@COMBINATIONS.register(
    "stouffer",
    label="Stouffer",
    null="there is no effect anywhere",
    under="independence",
    cite="Stouffer et al. 1949; Liptak 1958",
)
def stouffer(p_values: FloatArray, weights: FloatArray | None = None) -> float:
    """Is there an effect on the whole, by the sum of z-scores?

    Takes weights (the square root of the number of items is usual). Tests that point the other way count against those
    that point forward: one p-value of 1 makes the whole 1. Only for independent one-sided tests.
    """
    return p_of(log_normal_tail(stouffer_z(p_values, weights)))


def stouffer_z(p_values: FloatArray, weights: FloatArray | None = None) -> float:
    """Give the weighted sum of z-scores, standardised; minus infinity when a p-value is 1."""
    from scipy.special import ndtri

    weights = np.ones(len(p_values)) if weights is None else weights
    used = weights > 0
    scores = -ndtri(p_values[used])
    if np.isneginf(scores).any():
        return -math.inf
    return float((weights[used] * scores).sum() / math.sqrt((weights**2).sum()))


@COMBINATIONS.register(
    "tippett",
    label="Tippett",
    null="there is no effect anywhere",
    under="independence",
    cite="Tippett 1931",
)
def tippett(p_values: FloatArray) -> float:
    """Is there an effect anywhere, by the smallest p-value alone?

    1 - (1 - min p)^N. Strong when one test shows much; looks at nothing else. Only for independent tests (with any
    dependence: N min p, Bonferroni's).
    """
    smallest = float(p_values.min())
    return 1.0 if smallest == 1 else -math.expm1(len(p_values) * math.log1p(-smallest))
