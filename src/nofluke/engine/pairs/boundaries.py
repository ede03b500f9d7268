"""Which p-values of a family are so near to a decision that an approximation will not do."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from nofluke.engine.pairs.table import BoolArray
from nofluke.types import FloatArray

# A p-value this near to a boundary, by factor, is computed exactly. It is far more than any saddlepoint error.
BAND = 1.3


def near_any(log_p: FloatArray, boundaries: Sequence[float]) -> BoolArray:
    """Whether each p is within the band of any boundary."""
    levels = np.sort(np.log([b for b in boundaries if b > 0]))
    if not levels.size:
        return np.zeros(log_p.shape, dtype=bool)
    after = np.searchsorted(levels, log_p)
    above = levels[np.minimum(after, levels.size - 1)]
    below = levels[np.maximum(after - 1, 0)]
    result: BoolArray = np.minimum(np.abs(above - log_p), np.abs(log_p - below)) <= math.log(BAND)
    return result


def near_holm(log_p: FloatArray, alpha: float | None) -> BoolArray:
    """Whether each p is near its own boundary alpha / (m - rank) before Holm's procedure ends, or near where it ends.

    The m - k p-values beyond the end may be anything: naming every boundary would make all of them exact in vain.
    """
    near = np.zeros(log_p.shape, dtype=bool)
    if alpha is None:
        return near
    off = ~np.eye(len(log_p), dtype=bool)
    values = log_p[off]
    order = np.argsort(values, kind="stable")
    levels = math.log(alpha) - np.log(np.arange(values.size, 0, -1.0))
    distance = values[order] - levels
    failed = np.flatnonzero(distance > 0)
    end = int(failed[0]) if failed.size else values.size - 1
    close = np.abs(values - levels[end]) <= math.log(BAND)
    close[order[: end + 1]] |= np.abs(distance[: end + 1]) <= math.log(BAND)
    near[off] = close
    return near
