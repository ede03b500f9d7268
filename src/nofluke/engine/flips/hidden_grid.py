"""Values that are whole multiples of a step which is no whole number itself: k/1021 written with twelve decimals.

u = q k + e with errors e that together stay below q: then the sums q K + E of the u lie in narrow bands about the
multiples of q, and unless the threshold lies inside a band, T >= x says K >= some whole number. K is a sum of signs of
small numbers, of which everything can be proved.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nofluke.types import FloatArray, IntArray

# Bands this narrow, as a share of the step, are told apart with certainty.
_NARROW = 0.2
# What float64 may lose in u - q k, as a share of the largest u.
_ROUNDING = 2.0**-48


class Coarse(NamedTuple):
    """The multiples k (distinct, positive, rising) with counts, their sum, and the threshold for K."""

    values: IntArray
    counts: IntArray
    total: int
    threshold: int


def on_hidden_grid(values: IntArray, counts: IntArray, threshold: int, step: float) -> Coarse | None:
    """Give the problem on the grid of about this step; None where values or threshold are not clearly on it."""
    sizes: FloatArray = values.astype(np.float64)
    multiples = np.rint(sizes / step)
    if step < 4.0 or not multiples[-1] >= 1.0:
        return None
    weights: FloatArray = counts * multiples
    step = float((weights * sizes).sum() / (weights * multiples).sum())
    multiples = np.rint(sizes / step)
    errors = np.abs(sizes - step * multiples) + _ROUNDING * sizes
    band = float((counts * errors).sum())
    if band > _NARROW * step:
        return None
    whole = multiples.astype(np.int64)
    distinct, place = np.unique(whole, return_inverse=True)
    often = np.bincount(place, counts).astype(np.int64)
    distinct, often = distinct[distinct > 0], often[distinct > 0]
    total = int((distinct * often).sum())
    slack = band + _ROUNDING * (abs(threshold) + step * total)
    reached, sure = (_next(math.ceil((threshold + side * slack) / step), total) for side in (-1.0, 1.0))
    if reached != sure or not 0 < reached < total:
        return None
    return Coarse(distinct, often, total, reached)


def _next(least: int, total: int) -> int:
    """Give the first number from `least` on that K, which has the parity of its largest value, can be."""
    return least + (total - least) % 2
