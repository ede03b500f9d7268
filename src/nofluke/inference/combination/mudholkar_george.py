"""The combination of Mudholkar and George."""

from __future__ import annotations

import math

import numpy as np

from nofluke.inference.distributions import log_t_tail
from nofluke.inference.significance.sides import p_of
from nofluke.registry import COMBINATIONS
from nofluke.types import FloatArray


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
