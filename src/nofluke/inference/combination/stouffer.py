"""Stouffer's combination."""

from __future__ import annotations

import math

import numpy as np

from nofluke.inference.distributions import log_normal_tail
from nofluke.inference.significance.sides import p_of
from nofluke.registry import COMBINATIONS
from nofluke.types import FloatArray


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
