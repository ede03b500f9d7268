"""The interval of mean differences that the sign-flip permutation test does not reject."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from nofluke.engine.saddlepoint import flip_tail_saddlepoint
from nofluke.inference.intervals.flip_patterns import Groups, Patterns, are_countable
from nofluke.inference.intervals.inversion import smallest_not_rejected, where_tail_passes
from nofluke.types import IntArray, Interval

# Where patterns are too many to be counted, limits are found to this part of the standard error.
_RESOLUTION = 1e-6
# A limit that would contradict the p-value by a hair is moved past the tested difference by this part of it.
_HAIR = 1e-9
# p-values that equal the level up to rounding are rejected, as everywhere.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Anchor:
    """The tested difference, with the logs of its one-sided p-values (nan where not computed: at least one half)."""

    delta: float
    log_greater: float
    log_less: float


def flip_interval(
    totals: IntArray, sizes: IntArray, step: Fraction, below: float, above: float, level: float, anchor: Anchor
) -> Interval | None:
    """Invert the flip test of the totals D_c of groups of n_c items: the deltas with D_c - n_c delta not rejected.

    Flipping a set F of groups reaches the observed sum exactly when the mean over F is at most delta, so the
    one-sided p-value never falls as delta grows, and each limit is the mean over some F. Where the patterns can be
    counted, limits are exact: with ties the p-value jumps at 0, which no smooth approximation sees. Elsewhere tails on
    the way are saddlepoints. Either way the interval leaves out the tested difference exactly when the p-value rejects
    it. `step` is the size of a grid step in score units, in which the anchor and the limits are given; totals may be
    Python's whole numbers of any length. None where nothing varies.
    """
    groups = Groups(totals, sizes).merged()
    if not groups.vary():
        return None
    low = _limit(groups, step, below, anchor.delta, anchor.log_greater) if below else -math.inf
    high = -_limit(groups.mirrored(), step, above, -anchor.delta, anchor.log_less) if above else math.inf
    return Interval(low, high, level, "sign-flip inversion")


def _limit(groups: Groups, step: Fraction, level: float, delta: float, log_p: float) -> float:
    mean, standard_error = groups.mean, groups.standard_error
    start = mean + _normal_quantile(level) * standard_error
    if groups.number * math.log(2) < -math.log(level) - _ROUNDING:
        # Even the smallest possible p-value, 2^-groups, is above the level: nothing can be excluded.
        found = -math.inf
    elif are_countable(groups):
        found = float(_counted(Patterns(groups), level, start, standard_error) * step)
    else:
        found = _approximated(groups, level, start) * float(step)
    if level <= 0.5:
        found = min(found, mean * float(step))
    if math.isnan(log_p) or log_p > math.log(level) + _ROUNDING:
        return min(found, delta)
    return found if found > delta else delta + max(_HAIR * standard_error * float(step), math.ulp(delta))


def _counted(patterns: Patterns, level: float, start: float, standard_error: float) -> Fraction:
    def log_tail(k: int) -> float:
        return math.log(patterns.share(k))

    scale = patterns.scale
    # All means lie between that of the lowest and that of the highest group; below them only the empty set counts.
    ends = (math.floor(patterns.lowest * scale) - 1, math.ceil(patterns.highest * scale) + 1)
    level *= 1 + _ROUNDING
    if patterns.wide:
        low, high = patterns.narrowed(level, ends)
        return patterns.mean_at(high, low)
    spread = max(1, round(standard_error * scale / 10))
    found = smallest_not_rejected(log_tail, level, round(start * scale), spread, ends)
    return patterns.mean_at(found, found - 1)


def _approximated(groups: Groups, level: float, start: float) -> float:
    def log_tail(null: float) -> float:
        shifted = groups.less(null)
        return flip_tail_saddlepoint(shifted, groups.sum(shifted), groups.alike)

    # A few extreme items make the standard error large, and a limit that all others set must not be lost in it.
    residual = groups.less(groups.mean)
    usual = groups.median(np.abs(residual - groups.median(residual))) / (groups.items / math.sqrt(groups.number))
    scale = min(groups.standard_error, usual) if usual > 0 else groups.standard_error
    return where_tail_passes(log_tail, level, start, scale, _RESOLUTION)


def _normal_quantile(level: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(level))
