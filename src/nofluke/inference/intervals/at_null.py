"""Make an interval say of the null hypothesis what the p-value says of it."""

from __future__ import annotations

import math
from dataclasses import replace

from nofluke.types import Interval, Note, note


def agree_at_null(interval: Interval, null: float, log_p: float) -> tuple[Interval, tuple[Note, ...]]:
    """Draw the interval out to the null value when the test does not reject it, and note any disagreement.

    For intervals that invert another test than the one that gave p: with the p-value's own test at the null value and
    the interval's test at all others, the range of what is not rejected is this one.
    """
    rejected = log_p <= math.log1p(-interval.level)
    if rejected != (null in interval):
        return interval, ()
    if rejected:
        return interval, (note("interval.contains_rejected", method=interval.method, null=null),)
    alone = note("interval.extended", method=interval.method, low=interval.low, high=interval.high, null=null)
    return replace(interval, low=min(interval.low, null), high=max(interval.high, null), extended=True), (alone,)
