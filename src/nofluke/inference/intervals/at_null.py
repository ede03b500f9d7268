"""Make an interval say of the null hypothesis what the p-value says of it."""

from __future__ import annotations

import math
from dataclasses import replace

from nofluke.types import Interval


def agree_at_null(interval: Interval, null: float, log_p: float) -> tuple[Interval, tuple[str, ...]]:
    """Draw the interval out to the null value when the test does not reject it, and note any disagreement.

    For intervals that invert another test than the one that gave p: with the p-value's own test at the null value and
    the interval's test at all others, the range of what is not rejected is this one.
    """
    rejected = log_p <= math.log1p(-interval.level)
    if rejected != (null in interval):
        return interval, ()
    if rejected:
        text = (
            f"the p-value rejects a difference of {null:g} at this level, and the {interval.method} interval, "
            "which comes from another test, still contains it: decide by the p-value."
        )
        return interval, (text,)
    text = (
        f"the {interval.method} interval alone, {interval.low:.4g} to {interval.high:.4g}, leaves out a difference of "
        f"{null:g} that the p-value does not reject; it is drawn out to {null:g} so that both say the same."
    )
    wider = replace(interval, low=min(interval.low, null), high=max(interval.high, null))
    return replace(wider, method=f"{interval.method}, drawn out to the null value"), (text,)
