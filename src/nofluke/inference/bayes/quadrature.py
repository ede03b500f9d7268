"""The tanh-sinh rule: integrals of functions that are smooth inside an interval and may be singular at its ends."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from nofluke.types import FloatArray

# The rule ends where the rest of the interval is 1e-16 of it.
_REACH = 3.15
FEWEST = 100
MOST = 20_000


@lru_cache(maxsize=64)
def _rule(nodes: int) -> tuple[FloatArray, FloatArray]:
    """Nodes on (0, 1) and weights (Takahasi and Mori 1974)."""
    step = _REACH / nodes
    t = np.arange(-nodes, nodes + 1) * step
    u = 0.5 * math.pi * np.sinh(t)
    return np.exp(u) / (2 * np.cosh(u)), step * 0.25 * math.pi * np.cosh(t) / np.cosh(u) ** 2


def nodes_between(low: float, high: float, spacing: float) -> tuple[FloatArray, FloatArray]:
    """Give points between low and high, about `spacing` apart in the middle and ever closer at the ends, and weights.

    >>> x, w = nodes_between(0.0, 1.0, 0.1)
    >>> float(w @ x**-0.5).__round__(6)
    2.0
    """
    width = high - low
    share, weights = _rule(min(MOST, max(FEWEST, math.ceil(0.25 * math.pi * _REACH * width / spacing))))
    return low + width * share, width * weights
