"""The interval of mean differences that the sign-flip permutation test does not reject."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from nofluke.engine.flips import flip_tail
from nofluke.engine.saddlepoint import flip_tail_saddlepoint
from nofluke.inference.intervals.inversion import smallest_not_rejected
from nofluke.types import Interval, IntArray

# Up to here each limit is found with exact tails; beyond, the saddlepoint's error is below the last printed digit.
EXACT_UP_TO = 3_000
# The limits are found to this part of the standard error.
_RESOLUTION = 1e-6


def flip_interval(totals: IntArray, sizes: IntArray, below: float, above: float, level: float) -> Interval:
    """Invert the flip test of the totals D_c of groups of n_c items: the deltas with D_c - n_c delta not rejected.

    Flipping a set F of groups reaches the observed sum exactly when the mean over F is at most delta, so the
    one-sided p-value never falls as delta grows and each limit is a single crossing. Limits are in grid steps.
    """
    low = _limit(totals, sizes, below) if below else -math.inf
    high = -_limit(-totals, sizes, above) if above else math.inf
    return Interval(low, high, level, "sign-flip inversion")


def _limit(totals: IntArray, sizes: IntArray, level: float) -> float:
    groups = len(totals)
    if groups * math.log(2) <= -math.log(level):
        # Even the smallest possible p-value, 2^-groups, is above the level: nothing can be excluded.
        return -math.inf
    items = int(sizes.sum())
    mean = float(totals.sum()) / items
    residual = totals - sizes * mean
    standard_error = float(np.sqrt(np.sum(residual**2))) / items
    if standard_error <= 1e-12 * max(1.0, abs(mean)):
        return mean
    scale = _scale(totals, sizes, standard_error)
    start = round((mean + _normal_quantile(level) * standard_error) * scale)
    found = smallest_not_rejected(_tail(totals, sizes, scale), level, start, max(1, round(standard_error * scale / 50)))
    return found / scale


def _scale(totals: IntArray, sizes: IntArray, standard_error: float) -> int:
    """How finely delta is divided, so that everything still fits whole numbers."""
    largest = float(np.max(np.abs(totals), initial=1)) + float(sizes.max()) * 10 * standard_error
    wanted = 1 / (_RESOLUTION * standard_error)
    return max(1, round(min(wanted, 1e13 / largest)))


def _tail(totals: IntArray, sizes: IntArray, scale: int) -> Callable[[int], float]:
    scaled = totals * scale

    def exact(k: int) -> float:
        shifted = scaled - sizes * k
        return flip_tail(shifted, int(shifted.sum())).log_p

    def approximate(k: int) -> float:
        shifted = (scaled - sizes * k).astype(np.float64)
        return flip_tail_saddlepoint(shifted, float(shifted.sum()))

    return exact if len(totals) <= EXACT_UP_TO else approximate


def _normal_quantile(level: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(level))
