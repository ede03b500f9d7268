"""All ways to swap the two outputs of a few items: where there are fewer of them than draws, none need be drawn."""

from __future__ import annotations

import numpy as np

from nofluke.types import FloatArray

# 2^15 patterns take about as long as the usual number of draws.
MOST_UNITS = 15


def every_swap(units: int) -> FloatArray:
    """Give the (2^units, units) matrix of all patterns: 1 where a unit changes sides.

    >>> every_swap(2)
    array([[0., 0.],
           [1., 0.],
           [0., 1.],
           [1., 1.]])
    """
    numbers = np.arange(1 << units, dtype=np.int64)[:, None]
    return (numbers >> np.arange(units) & 1).astype(np.float64)
