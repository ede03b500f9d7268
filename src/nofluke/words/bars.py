"""Intervals on one common scale: where the ends, the value and the line of no difference stand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from nofluke.types import Bar

_MARGIN = 0.06


@dataclass(frozen=True, slots=True)
class Placed:
    """An interval in shares of the width, from 0 at the left to 1 at the right; `null` is None where there is none."""

    low: float
    value: float
    high: float
    null: float | None


def place(bars: Sequence[Bar | None]) -> list[Placed | None]:
    """Put all intervals of a table on one scale that shows them and the places of no difference whole.

    >>> place([Bar(-1.0, 0.0, 1.0), None])[0].value
    0.5
    """
    known = [bar for bar in bars if bar is not None and all(map(math.isfinite, (bar.low, bar.value, bar.high)))]
    if not known:
        return [None] * len(bars)
    ends = [end for bar in known for end in (bar.low, bar.value, bar.high, bar.null) if math.isfinite(end)]
    least, most = min(ends), max(ends)
    span = (most - least) or 1.0
    start, width = least - _MARGIN * span, span * (1 + 2 * _MARGIN)

    def at(value: float) -> float:
        return (value - start) / width

    return [
        Placed(at(bar.low), at(bar.value), at(bar.high), at(bar.null) if math.isfinite(bar.null) else None)
        if bar in known and bar is not None
        else None
        for bar in bars
    ]


def drawn(bar: Placed, width: int, *, ascii_only: bool = False) -> str:
    """Draw one interval in characters; dots lead from the line of no difference to an interval beside it.

    >>> drawn(Placed(0.3, 0.6, 0.9, 0.1), 20)
    '  |···├─────●─────┤'
    >>> drawn(Placed(0.1, 0.6, 0.9, 0.3), 20, ascii_only=True)
    '  [---|-----o-----]'
    """
    line, point, left, right, null, dots = "-o[]|." if ascii_only else "─●├┤|·"
    cells = [" "] * width

    def cell(share: float) -> int:
        return min(width - 1, max(0, int(share * width)))

    low, high = cell(bar.low), cell(bar.high)
    cells[low : high + 1] = line * (high + 1 - low)
    cells[low], cells[high] = left, right
    if bar.null is not None:
        zero = cell(bar.null)
        for at in (*range(zero + 1, low), *range(high + 1, zero)):
            cells[at] = dots
        cells[zero] = null
    cells[cell(bar.value)] = point
    return "".join(cells).rstrip()
