"""Cells that several reports share: intervals as people read them."""

from __future__ import annotations

import math

from nofluke.types import Bar, Interval
from nofluke.words.numbers import ends_text, level_text


def interval_heading(*intervals: Interval | None, word: str = "CI") -> str:
    """The heading of a column of intervals: with the level, where all have the same."""
    levels = {interval.level for interval in intervals if interval is not None}
    return f"{level_text(levels.pop())} {word}" if len(levels) == 1 else word


def interval_cell(interval: Interval | None, scale: float, *, level: bool = False) -> str:
    """Both ends of an interval; an open side says so."""
    if interval is None:
        return ""
    text = ends_text(interval, scale)
    return f"{text} ({level_text(interval.level)})" if level else text


def bar_of(interval: Interval | None, value: float, null: float = 0.0) -> Bar | None:
    """The interval as a picture takes it; None where an end is open or unknown."""
    if interval is None or not all(map(math.isfinite, (interval.low, interval.high, value))):
        return None
    return Bar(interval.low, value, interval.high, null)
