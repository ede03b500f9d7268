"""All ways to swap the two outputs of a few items: where there are fewer of them than draws, none need be drawn."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from nofluke.types import FloatArray, frozen

# 2^15 patterns take about as long as the usual number of draws.
MOST_UNITS = 15


@lru_cache(maxsize=2)
def every_swap(units: int) -> FloatArray:
    """Give the (2^units, units) matrix of all patterns, read-only: 1 where a unit changes sides.

    >>> every_swap(2)
    array([[0., 0.],
           [1., 0.],
           [0., 1.],
           [1., 1.]])
    """
    numbers = np.arange(1 << units, dtype=np.int64)[:, None]
    return frozen(numbers >> np.arange(units) & 1)
