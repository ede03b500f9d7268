"""The p-value against "better on fewer than u datasets", for every u."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nofluke.charts.drawing import Chart, altair_or_hint, data, finish, shortened
from nofluke.charts.theme import look
from nofluke.registry import CHARTS
from nofluke.types import Replication

_FLOOR = 1e-12


@CHARTS.register(
    "partial_conjunction",
    label="Partial conjunction p-values against u",
    takes=("Replication",),
    applies=lambda _: True,
    cite="Dror 2017",
)
def partial_conjunction(result: Replication) -> Chart:
    """On at least how many datasets is A better?"""
    alt = altair_or_hint()
    total = len(result.datasets)
    rows = [
        {
            "u": u,
            "p": max(float(p), _FLOOR),
            "method": name,
            "answer": "the answer" if name == result.method else "others",
        }
        for name, values in result.partial_conjunction.items()
        for u, p in enumerate(values, start=1)
    ]
    base = alt.Chart(data(rows), width=520, height=280)
    x = alt.X("u:Q", title="u: better on at least this many datasets").axis(tickMinStep=1, format="d")
    y = alt.Y("p:Q", title="p-value against fewer than u").scale(type="log", domain=[_lowest(rows), 1], clamp=True)
    methods = list(result.partial_conjunction)
    colour = alt.Color("method:N", title="method").scale(domain=methods)
    strong = alt.condition("datum.answer == 'the answer'", alt.value(3), alt.value(1.4))
    lines = base.mark_line(interpolate="step-after", point=False).encode(x=x, y=y, color=colour, strokeWidth=strong)
    points = base.mark_point(filled=True, size=28).encode(
        x=x, y=y, color=colour, tooltip=["u:Q", alt.Tooltip("p:Q", format=".3g"), "method:N"]
    )
    level = alt.Chart(data([{"level": result.level}])).mark_rule(**look("limit")).encode(y="level:Q")
    a = shortened(result.systems[0], 24)
    # Where the p-values count losses as wins, the picture must not repeat their claim as its own.
    doubtful = set(result.identified) & set(result.against)
    answer = f"at least {result.count} of {total} datasets"
    return finish(
        alt.layer(lines, points, level),
        title=f"The p-values as they stand: {answer}" if doubtful else f"{a} is better on {answer}",
        subtitle=f"{result.method} (dependence: {result.dependence}); dashed line: {result.level:g}",
        description=f"Partial conjunction p-values for u from 1 to {total}; {result.headline}",
    )


def _lowest(rows: Sequence[Mapping[str, Any]]) -> float:
    lowest = min(float(row["p"]) for row in rows)
    return min(0.01, max(lowest / 2, _FLOOR))
