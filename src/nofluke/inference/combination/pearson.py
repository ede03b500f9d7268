"""Pearson's combination."""

from __future__ import annotations

import numpy as np

from nofluke.inference.combination.gamma_tails import log_lower
from nofluke.inference.significance.sides import p_of
from nofluke.registry import COMBINATIONS
from nofluke.types import FloatArray


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
