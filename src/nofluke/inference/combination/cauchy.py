"""The Cauchy combination."""

from __future__ import annotations

import math

import numpy as np

from nofluke.errors import MethodError
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
