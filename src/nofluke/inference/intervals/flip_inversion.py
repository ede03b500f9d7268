"""The interval of mean differences that the sign-flip permutation test does not reject."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.engine.flips import flip_tail
from nofluke.engine.saddlepoint import flip_tail_saddlepoint
from nofluke.inference.intervals.inversion import smallest_not_rejected, where_tail_passes
from nofluke.types import IntArray, Interval

# Up to this many groups every tail on the way is counted exactly; the p-value is a staircase there.
COUNTED_UP_TO = 20
# The limits are found to this part of the standard error.
_RESOLUTION = 1e-6


@dataclass(frozen=True, slots=True)
class Anchor:
    """The tested difference, in grid steps, with the logs of its one-sided p-values (nan where not computed)."""

    delta: float
    log_greater: float
    log_less: float


def flip_interval(
    totals: IntArray, sizes: IntArray, below: float, above: float, level: float, anchor: Anchor
) -> Interval | None:
    """Invert the flip test of the totals D_c of groups of n_c items: the deltas with D_c - n_c delta not rejected.

    Flipping a set F of groups reaches the observed sum exactly when the mean over F is at most delta, so the
    one-sided p-value never falls as delta grows and each limit is a single crossing. Above 20 groups tails on the way
    are saddlepoints, scaled to agree with the exact one at the tested difference: so the interval excludes that
    difference exactly when the test rejects it. Limits are in grid steps; None where nothing varies.
    """
    if np.all(totals * sizes[0] == sizes * totals[0]):
        return None
    low = _limit(totals, sizes, below, anchor.delta, anchor.log_greater) if below else -math.inf
    high = -_limit(-totals, sizes, above, -anchor.delta, anchor.log_less) if above else math.inf
    return Interval(low, high, level, "sign-flip inversion")


def _limit(totals: IntArray, sizes: IntArray, level: float, delta: float, log_p: float) -> float:
    groups = len(totals)
    if groups * math.log(2) <= -math.log(level):
        # Even the smallest possible p-value, 2^-groups, is above the level: nothing can be excluded.
        return -math.inf
    items = int(sizes.sum())
    mean = float(totals.sum()) / items
    residual = totals - sizes * mean
    standard_error = math.sqrt(float(np.sum(residual**2))) / items
    start = mean + _normal_quantile(level) * standard_error
    if groups <= COUNTED_UP_TO:
        return _counted_limit(totals, sizes, level, start, standard_error)

    def log_tail(null: float) -> float:
        shifted = totals - sizes * null
        return flip_tail_saddlepoint(shifted, float(shifted.sum()))

    correction = 0.0 if math.isnan(log_p) else log_p - log_tail(delta)
    # A few extreme items make the standard error large, and a limit that all others set must not be lost in it.
    usual = float(np.median(np.abs(residual - np.median(residual)))) / (items / math.sqrt(groups))
    scale = min(standard_error, usual) if usual > 0 else standard_error
    return where_tail_passes(lambda null: log_tail(null) + correction, level, start, scale, _RESOLUTION)


def _counted_limit(totals: IntArray, sizes: IntArray, level: float, start: float, standard_error: float) -> float:
    largest = float(np.max(np.abs(totals), initial=1)) + float(sizes.max()) * 10 * standard_error
    scale = max(1, round(min(1 / (_RESOLUTION * standard_error), 1e13 / largest)))

    def log_tail(k: int) -> float:
        shifted = totals * scale - sizes * k
        return flip_tail(shifted, int(shifted.sum())).log_p

    spread = max(1, round(standard_error * scale / 10))
    return smallest_not_rejected(log_tail, level, round(start * scale), spread) / scale


def _normal_quantile(level: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(level))
