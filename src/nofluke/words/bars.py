"""Intervals on one common scale: where the ends, the value and the line of no difference stand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from nofluke.types import Bar

# What the line says of a value that is no difference of two systems.
_LINES = {"Agreement": "agreement by chance", "SystemScore": "score to compare with"}
_MARGIN = 0.09  # of the span, so that a label has room beside the line of no difference


def line_of(kind: str) -> str:
    """Name the line in the picture of a kind of result."""
    return _LINES.get(kind, "no difference")


@dataclass(frozen=True, slots=True)
class Placed:
    """An interval in shares of the width, from 0 at the left to 1 at the right; `null` is None where there is none.

    `label` says where the line of no difference stands. An open end lies at the edge of the picture.
    """

    low: float
    value: float
    high: float
    null: float | None
    label: str = ""
    open_low: bool = False
    open_high: bool = False


def place(bars: Sequence[Bar | None]) -> list[Placed | None]:
    """Put all intervals of a table on one scale that shows them and the places of no difference whole.

    >>> place([Bar(-1.0, 0.0, 1.0), None])[0].value
    0.5
    >>> place([Bar(0.2, 0.5, math.inf)])[0].open_high
    True
    """
    known = [bar for bar in bars if bar is not None and _can_be_drawn(bar)]
    if not known:
        return [None] * len(bars)
    ends = [end for bar in known for end in (*_seen(bar), bar.null) if math.isfinite(end)]
    least, most = min(ends), max(ends)
    span = (most - least) or 1.0
    start, width = least - _MARGIN * span, span * (1 + 2 * _MARGIN)

    def at(value: float) -> float:
        return min(1.0, max(0.0, (value - start) / width))

    return [
        Placed(
            at(bar.low),
            at(bar.value),
            at(bar.high),
            at(bar.null) if math.isfinite(bar.null) else None,
            "0" if bar.null == 0 else "",
            math.isinf(bar.low),
            math.isinf(bar.high),
        )
        if bar in known and bar is not None
        else None
        for bar in bars
    ]


def _can_be_drawn(bar: Bar) -> bool:
    """An interval may be open at one end, not at both."""
    return math.isfinite(bar.value) and not math.isnan(bar.low + bar.high) and math.isfinite(max(bar.low, -bar.high))


def _seen(bar: Bar) -> tuple[float, float, float]:
    """What must be in the picture; an open side gets as much room as the other one."""
    low = bar.low if math.isfinite(bar.low) else 2 * bar.value - bar.high
    high = bar.high if math.isfinite(bar.high) else 2 * bar.value - bar.low
    return low, bar.value, high


def bar_text(bar: Placed, width: int, *, ascii_only: bool = False) -> str:
    """Draw one interval in characters; dots lead from the line of no difference to an interval beside it.

    An arrow stands at an open end.

    >>> bar_text(Placed(0.3, 0.6, 0.9, 0.1), 20)
    '  |···├─────●─────┤'
    >>> bar_text(Placed(0.1, 0.6, 0.9, 0.3), 20, ascii_only=True)
    '  [---|-----o-----]'
    >>> bar_text(Placed(0.3, 0.6, 1.0, 0.1, "0", open_high=True), 20)
    '0 |···├─────●──────→'
    """
    line, point, left, right, null, dots = "-o[]|." if ascii_only else "─●├┤|·"
    left = ("<" if ascii_only else "←") if bar.open_low else left
    right = (">" if ascii_only else "→") if bar.open_high else right
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
        if zero < low and zero > 1:
            cells[zero - 2] = bar.label or " "
        elif zero > high and zero < width - 2:
            cells[zero + 2] = bar.label or " "
    cells[cell(bar.value)] = point
    return "".join(cells).rstrip()
