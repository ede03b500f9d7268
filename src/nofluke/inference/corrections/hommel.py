"""Hommel's correction."""

from __future__ import annotations

import numpy as np

from nofluke.inference.corrections.ordered import in_order, ranks
from nofluke.registry import CORRECTIONS
from nofluke.types import FloatArray


@CORRECTIONS.register(
    "hommel",
    label="Hommel",
    controls="family-wise error",
    under="independence or positive dependence",
    cite="Hommel 1988; Wright 1992",
)
def hommel(p_values: FloatArray) -> FloatArray:
    """Which claims stand, by closed testing with Simes' test?

    The strongest of the classical corrections where Simes' inequality holds: independent claims, or test statistics
    that rise and fall together. Not for claims whose dependence is unknown, and not for all pairs of systems.
    """
    return in_order(p_values, _adjust)


def _adjust(p: FloatArray) -> FloatArray:
    """Wright's algorithm: for every size m of an intersection, its Simes p-value at the worst place, then the maximum.

    Along the last axis; O(N^2) in vectorised steps.
    """
    size = p.shape[-1]
    counts = ranks(size)
    found = np.broadcast_to((size * p / counts).min(axis=-1, keepdims=True), p.shape).copy()
    for m in range(size - 1, 1, -1):
        head = size - m + 1
        simes = (m * p[..., head:] / counts[1:m]).min(axis=-1, keepdims=True)
        found[..., :head] = np.maximum(found[..., :head], np.minimum(m * p[..., :head], simes))
        worst = np.minimum(m * p[..., head - 1 : head], simes)
        found[..., head:] = np.maximum(found[..., head:], worst)
    result: FloatArray = np.maximum(found, p)
    return result
