"""What corrections share: work on sorted p-values along the last axis, answer in the caller's order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nofluke.types import FloatArray


def in_order(p_values: FloatArray, adjust: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Sort, adjust, cap at 1 and put the values back where they came from."""
    order = np.argsort(p_values, axis=-1, kind="stable")
    adjusted = np.minimum(adjust(np.take_along_axis(p_values, order, axis=-1)), 1.0)
    result = np.empty_like(adjusted)
    np.put_along_axis(result, order, adjusted, axis=-1)
    return result


def step_down(ascending: FloatArray) -> FloatArray:
    """Make values monotone from the smallest p-value upwards: running maximum."""
    result: FloatArray = np.maximum.accumulate(ascending, axis=-1)
    return result


def step_up(ascending: FloatArray) -> FloatArray:
    """Make values monotone from the largest p-value downwards: running minimum."""
    result: FloatArray = np.minimum.accumulate(ascending[..., ::-1], axis=-1)[..., ::-1]
    return result


def ranks(size: int) -> FloatArray:
    """Give 1, 2, ..., size."""
    return np.arange(1, size + 1, dtype=np.float64)


def left(size: int) -> FloatArray:
    """Give how many hypotheses are still in play at each step down: size, ..., 2, 1."""
    return np.arange(size, 0, -1, dtype=np.float64)
