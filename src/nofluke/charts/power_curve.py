"""Power against the number of items, with the band of its Monte Carlo error."""

from __future__ import annotations

import math

from nofluke.charts.drawing import Chart, altair_or_hint, data, finish, told
from nofluke.charts.refusing import Needs
from nofluke.charts.theme import look
from nofluke.registry import CHARTS
from nofluke.types import PowerCurve
from nofluke.words.marks import needed_says, size_says
from nofluke.words.power_curve import picture


@CHARTS.register(
    "power_curve",
    label="Power curve",
    takes=("PowerCurve",),
    applies=Needs("two sizes or more", lambda result: len(result.sizes) > 1),
    cite="Zhu 2020",
)
def power_curve(result: PowerCurve) -> Chart:
    """How many items would find this difference?"""
    alt = altair_or_hint()
    columns = zip(result.sizes, result.power, result.low, result.high, strict=True)
    rows = [
        {"n": int(n), "power": float(p), "low": float(low), "high": float(high), "says": size_says(result, place)}
        for place, (n, p, low, high) in enumerate(columns)
    ]
    base = alt.Chart(data(rows), width=520, height=300)
    x = alt.X("n:Q", title=result.unit).scale(zero=False, nice=False)
    scale = alt.Scale(domain=[0, 1])
    band = base.mark_area(**look("a-band")).encode(x=x, y=alt.Y("low:Q", title="power", scale=scale), y2="high:Q")
    line = base.mark_line(**look("a-line")).encode(x=x, y=alt.Y("power:Q", scale=scale))
    points = base.mark_point(**look("a"), filled=True, size=30).encode(
        x=x,
        y="power:Q",
        **told(),
    )
    target = alt.Chart(data([{"target": result.target}])).mark_rule(**look("limit")).encode(y="target:Q")
    layers = [band, line, points, target]
    reached = math.isfinite(result.size_for_target) and not result.scenarios
    if reached:
        mark = alt.Chart(data([{"n": result.size_for_target, "says": needed_says(result)}]))
        layers.append(mark.mark_rule(**{**look("zero"), "aria": True}).encode(x="n:Q", **told()))
    return finish(alt.layer(*layers), **picture(result))
