"""Values that are whole multiples of a step which is no whole number itself: k/1021 written with twelve decimals.

u = q k + e with errors e that together stay below q: then the sums q K + E of the u lie in narrow bands about the
multiples of q, and unless the threshold lies inside a band, T >= x says K >= some whole number. K is a sum of signs of
small numbers, of which everything can be proved. A threshold inside a band lies between two such numbers: there the
errors decide a tie, and the tail is known up to the weight of that tie.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nofluke.types import FloatArray, IntArray

# Bands this narrow, as a share of the step, are told apart with certainty.
NARROW = 0.2
# What float64 may lose in u - q k, as a share of the largest u.
_ROUNDING = 2.0**-48
_LEAST_STEP = 4.0


class Coarse(NamedTuple):
    """The multiples k (distinct, positive, rising) with counts, their sum, the first K that may do, and that must."""

    values: IntArray
    counts: IntArray
    total: int
    may: int
    must: int


def on_hidden_grid(values: IntArray, counts: IntArray, threshold: int, step: float) -> Coarse | None:
    """Give the problem on the grid of about this step; None where the values are not clearly on it."""
    found = multiples_of(values, counts, step)
    if found is None:
        return None
    step, multiples, errors = found
    whole, place = np.unique(multiples, return_inverse=True)
    often = np.bincount(place, counts).astype(np.int64)
    distinct, often = whole[whole > 0], often[whole > 0]
    total = int((distinct * often).sum())
    band = float((counts * errors).sum())
    may, must = (_next(least, total) for least in first_multiples(threshold, step, band))
    if band > NARROW * step or not 0 < may <= must < total:
        return None
    return Coarse(distinct, often, total, may, must)


def multiples_of(values: IntArray, weights: IntArray, step: float) -> tuple[float, IntArray, FloatArray] | None:
    """Give the step that fits best near `step`, the nearest multiples of it, and bounds on how far values are off."""
    sizes: FloatArray = values.astype(np.float64)
    multiples = np.rint(sizes / step)
    if step < _LEAST_STEP or not multiples[-1] >= 1.0:
        return None
    moments = weights.astype(np.float64) * multiples
    step = float(moments @ sizes) / float(moments @ multiples)
    multiples = np.rint(sizes / step)
    return step, multiples.astype(np.int64), np.abs(sizes - step * multiples) + _ROUNDING * sizes


def first_multiples(threshold: int, step: float, band: float) -> tuple[int, int]:
    """Give the first K whose band may reach the threshold, and the first whose whole band does."""
    slack = band + 4.0 * _ROUNDING * abs(threshold)
    return math.ceil((threshold - slack) / step), math.ceil((threshold + slack) / step)


def _next(least: int, total: int) -> int:
    """Give the first number from `least` on that K, which has the parity of its largest value, can be."""
    return least + (total - least) % 2
