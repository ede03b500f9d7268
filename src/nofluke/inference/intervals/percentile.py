"""The percentile bootstrap interval: order statistics of the resampled estimates."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt


def rank_of(level: float, resamples: int) -> int:
    """Give the largest k with k / (1 + resamples) <= level: so many extreme draws a limit may leave outside.

    A test whose p-value is (1 + hits) / (1 + resamples) rejects at `level` exactly when hits < k.
    """
    # 1 - 0.95 is a little more than 0.05, 0.05 / 2 a little less than 0.025 for others: a hair settles it.
    return math.floor(level * (1 + resamples) + 1e-9)


def percentile_limits(points: npt.NDArray[Any], below: float, above: float) -> tuple[Any, Any]:
    """Give the k-th smallest and the k-th largest of the points, k by the error allowed on that side.

    A side with no error allowed, or with too few points to allow it, is infinite.

    >>> import numpy as np
    >>> percentile_limits(np.arange(1, 40), 0.05, 0.05)
    (2, 38)
    """
    low, high = rank_of(below, len(points)), rank_of(above, len(points))
    return (
        _ordered(points, low - 1) if low else -math.inf,
        _ordered(points, len(points) - high) if high else math.inf,
    )


def _ordered(points: npt.NDArray[Any], position: int) -> Any:
    """Give one order statistic as a plain number; points too wide for 64 bits are plain numbers already."""
    return np.partition(points, position)[position : position + 1].tolist()[0]
