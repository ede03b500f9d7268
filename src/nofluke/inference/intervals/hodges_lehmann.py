"""The interval of pseudo-medians that the signed-rank test does not reject: two order statistics of Walsh averages."""

from __future__ import annotations

import math

from nofluke.inference.signed_rank_null import normal_quantile, untied_quantile
from nofluke.inference.walsh import WalshAverages
from nofluke.types import Interval

METHOD = "Hodges-Lehmann (Walsh order statistics)"


def walsh_interval(
    averages: WalshAverages, below: float, above: float, level: float, *, normal: bool = False, continuity: bool = False
) -> Interval:
    """Invert the signed-rank test of n differences, ties or not.

    Without ties W- of the differences minus theta is the number of Walsh averages below theta. Theta is too small when
    at most k averages lie below it, k the largest number with P(W- <= k) <= error, so the lower limit is the average of
    rank k + 1. Where there is no such k (n < 6 at 95 %) it is the smallest average and `achieved` falls short of the
    level (R's rule). With ties the closed interval covers at least as often (Noether 1967): it needs no correction.
    """
    low = high = 0.0
    missed = 0.0
    if below:
        k, error = _quantile(averages.n, below, normal, continuity)
        low, missed = averages.ranked(max(k, 0) + 1), missed + error
    if above:
        k, error = _quantile(averages.n, above, normal, continuity)
        high, missed = averages.ranked(averages.total - max(k, 0)), missed + error
    return Interval(low if below else -math.inf, high if above else math.inf, level, METHOD, max(0.0, 1 - missed))


def _quantile(n: int, error: float, normal: bool, continuity: bool) -> tuple[int, float]:
    return normal_quantile(n, error, continuity=continuity) if normal else untied_quantile(n, error)
