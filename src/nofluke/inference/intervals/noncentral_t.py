"""The interval of noncentralities, and so of standardised mean differences, that an observed t does not contradict."""

from __future__ import annotations

import math

from nofluke.inference.intervals.inversion import where_tail_passes
from nofluke.laws.noncentral_t import log_noncentral_t_above, log_noncentral_t_below
from nofluke.types import Interval

_RESOLUTION = 1e-11


def noncentral_t_interval(t: float, df: float, below: float, above: float, level: float) -> Interval:
    """Invert the noncentral t distribution: the ncp with P(T >= t) > below and P(T <= t) > above.

    Each tail is monotone in the noncentrality, so each limit is one crossing (Steiger and Fouladi 1997). A limit with
    error 0 is open.
    """

    def rising(ncp: float) -> float:
        return log_noncentral_t_above(t, df, ncp)

    def falling(mirrored: float) -> float:
        return log_noncentral_t_below(t, df, -mirrored)

    # The large-sample standard error of the noncentrality: 1 from the mean, t^2 / 2 df from the sd.
    scale = math.sqrt(1 + t * t / (2 * df))
    low = (
        where_tail_passes(rising, below, t + _normal_quantile(below) * scale, scale, _RESOLUTION)
        if below
        else -math.inf
    )
    high = (
        -where_tail_passes(falling, above, -t + _normal_quantile(above) * scale, scale, _RESOLUTION)
        if above
        else math.inf
    )
    return Interval(low, high, level, "noncentral t")


def _normal_quantile(level: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(level))
