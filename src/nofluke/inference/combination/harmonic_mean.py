"""The harmonic mean of p-values."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np

from nofluke.registry import COMBINATIONS
from nofluke.types import FloatArray


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
    return min(mean * _factor(len(p_values)), 1.0)


def _factor(size: int) -> float:
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
