"""Cells that several reports share: intervals, p-values and effect sizes as people read them."""

from __future__ import annotations

import math

from nofluke.types import Bar, Interval, TestResult
from nofluke.words.numbers import end_of, p_of


def p_cell(result: TestResult) -> str:
    """A p-value for a column that is headed p."""
    return p_of(result).removeprefix("p = ").removeprefix("p ")


def percent(level: float) -> str:
    """A level as people write it.

    >>> percent(0.95), percent(1 - 0.1 / 3)
    ('95%', '96.6667%')
    """
    return f"{level * 100:g}%"


def interval_heading(*intervals: Interval | None, word: str = "CI") -> str:
    """The heading of a column of intervals: with the level, where all have the same."""
    levels = {interval.level for interval in intervals if interval is not None}
    return f"{percent(levels.pop())} {word}" if len(levels) == 1 else word


def interval_cell(interval: Interval | None, scale: float, *, level: bool = False) -> str:
    """Both ends of an interval; an open side says so."""
    if interval is None:
        return ""
    low, high = end_of(interval.low, scale), end_of(interval.high, scale)
    if math.isinf(interval.low) and math.isinf(interval.high):
        text = "unbounded"
    elif math.isinf(interval.low):
        text = f"up to {high}"
    elif math.isinf(interval.high):
        text = f"from {low} up"
    else:
        text = f"{low} to {high}"
    return f"{text} ({percent(interval.level)})" if level else text


def bar_of(interval: Interval | None, value: float, null: float = 0.0) -> Bar | None:
    """The interval as a picture takes it; None where an end is open or unknown."""
    if interval is None or not all(map(math.isfinite, (interval.low, interval.high, value))):
        return None
    return Bar(interval.low, value, interval.high, null)
