"""The basic (reflected) bootstrap interval, which inverts the shift form of the bootstrap test."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from nofluke.inference.intervals.percentile import percentile_limits


def basic_limits(points: npt.NDArray[Any], twice_estimate: Any, below: float, above: float) -> tuple[Any, Any]:
    """Reflect the percentile limits about the estimate: what the draws miss above, the interval reaches below.

    >>> import numpy as np
    >>> basic_limits(np.arange(1, 40), 50, 0.05, 0.05)
    (12, 48)
    """
    low, high = percentile_limits(points, above, below)
    return twice_estimate - high, twice_estimate - low
