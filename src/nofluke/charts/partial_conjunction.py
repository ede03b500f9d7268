"""The p-value against "better on fewer than u datasets", for every u."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nofluke.charts.drawing import Chart, altair_or_hint, data, distinct, finish, told, whole_numbers
from nofluke.charts.theme import COLOURS, look
from nofluke.registry import CHARTS
from nofluke.types import Replication
from nofluke.words import pictures
from nofluke.words.marks import count_says

_FLOOR = 1e-12
_DASHES = [[1, 0], [6, 3], [2, 2], [1, 4]]
# Powers of ten in one style; the axis of small ranges has plain decimals.
_LABELS = "datum.value == 1 ? '1' : '1e' + round(log(datum.value) / LN10)"


@CHARTS.register(
    "partial_conjunction", label="Partial conjunction p-values against u", takes=("Replication",), cite="Dror 2017"
)
def partial_conjunction(result: Replication) -> Chart:
    """On at least how many datasets is A better, and on how many B?"""
    alt = altair_or_hint()
    winners = _winners(result)
    rows = [row for winner, claim in winners.items() for row in _rows(claim, winner)]
    methods = [name.capitalize() for name in result.partial_conjunction]
    panels = [
        _panel([row for row in rows if row["claim"] == f"{winner} better"], methods, _lowest(rows), len(winners))
        for winner in winners
    ]
    clipped = f"; triangles: below {_FLOOR:g}" if any(row["below"] for row in rows) else ""
    return finish(
        alt.hconcat(*panels, spacing=24) if len(panels) > 1 else panels[0],
        **pictures.heading(
            "partial_conjunction",
            title=pictures.count_title(result, winners),
            method=result.method.capitalize(),
            dependence=result.dependence,
            level=result.level,
            rest=clipped,
        ),
        description=pictures.spoken_counts(result),
    )


def _winners(result: Replication) -> dict[str, Replication]:
    """Who is claimed to be better, with the p-values of that claim."""
    a, b = distinct(result.systems, 24)
    if result.alternative == "less":
        return {b: result}
    return {a: result} if result.opposite is None else {a: result, b: result.opposite}


def _rows(claim: Replication, winner: str) -> Iterator[dict[str, Any]]:
    for name, values in claim.partial_conjunction.items():
        for u, p in enumerate(values, start=1):
            yield {
                "u": u,
                "p": max(float(p), _FLOOR),
                "exact": float(p),
                "below": bool(p < _FLOOR),
                "method": name.capitalize(),
                "answer": name == claim.method,
                "claim": f"{winner} better",
                "level": claim.level,
                "total": len(claim.datasets),
                "says": count_says(f"{winner} better", u, len(claim.datasets), float(p), name.capitalize()),
            }


def _panel(rows: list[dict[str, Any]], methods: list[str], lowest: float, panels: int) -> Chart:
    alt = altair_or_hint()
    claim, total = rows[0]["claim"], rows[0]["total"]
    base = alt.Chart(data(rows), width=520 if panels == 1 else 330, height=280)
    x = alt.X("u:Q", title=f"u: {claim} on at least this many datasets")
    x = x.scale(domain=[0.5, total + 0.5], nice=False).axis(values=whole_numbers(1, total), format="d", grid=False)
    y = alt.Y("p:Q", title="p-value against fewer than u").scale(type="log", domain=[lowest, 1], nice=False)
    y = y.axis(values=_decades(lowest), labelExpr=_LABELS if lowest < 1e-4 else alt.Undefined)
    answer = next(row["method"] for row in rows if row["answer"])
    others = [name for name in methods if name != answer]
    order = [answer, *others]
    # No colour of A or B: these are methods. The dashes tell them apart where they lie on each other.
    shades = [COLOURS["ink"], *[COLOURS["soft"]] * len(others)]
    colour = alt.Color("method:N", title="method").scale(domain=order, range=shades)
    dash = alt.StrokeDash("method:N", title="method").scale(domain=order, range=_DASHES[: len(order)])
    strong = alt.condition("datum.answer", alt.value(3), alt.value(1.4))
    shade = alt.condition("datum.answer", alt.value(COLOURS["ink"]), alt.value(COLOURS["soft"]))
    size = alt.condition("datum.answer", alt.value(60), alt.value(22))
    lines = base.mark_line(interpolate="step-after", aria=False)
    lines = lines.encode(x=x, y=y, color=colour, strokeWidth=strong, strokeDash=dash)
    points = base.transform_filter("!datum.below").mark_point(filled=True, opacity=1)
    edge = base.transform_filter("datum.below").mark_point(shape="triangle-down", filled=False, opacity=1)
    level = alt.Chart(data(rows[:1])).mark_rule(**look("limit")).encode(y="level:Q")
    marks = [one.encode(x=x, y=y, color=shade, size=size, **told()) for one in (points, edge)]
    return alt.layer(lines, *marks, level)


def _lowest(rows: Sequence[Mapping[str, Any]]) -> float:
    """The lower end of the axis: a power of ten."""
    return min(0.01, 10.0 ** math.floor(math.log10(min(float(row["p"]) for row in rows))))


def _decades(lowest: float) -> list[float]:
    """Ticks at powers of ten, not more than eight."""
    last = -round(math.log10(lowest))
    return [10.0**-power for power in range(0, last + 1, 1 if last <= 7 else 2)]
