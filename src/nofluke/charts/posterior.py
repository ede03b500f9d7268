"""The posterior of the difference with its region of practical equivalence."""

from __future__ import annotations

import math

from nofluke.charts.drawing import Chart, altair_or_hint, data, finish, shortened
from nofluke.charts.theme import look
from nofluke.registry import CHARTS
from nofluke.types import Posterior


@CHARTS.register(
    "posterior",
    label="Posterior with region of equivalence",
    takes=("Posterior",),
    applies=lambda _: True,
    cite="Benavoli 2017",
)
def posterior(result: Posterior) -> Chart:
    """How probable is it that A is better, equal in practice, or worse?"""
    chart = _density(result) if len(result.grid) > 1 else _three_bars(result)
    a, b = (shortened(name, 24) for name in result.systems)
    said = f"{a} better {result.p_better:.3f}, {b} better {result.p_worse:.3f}"
    if math.isfinite(result.p_equal):
        said += f", practically equal {result.p_equal:.3f}"
    return finish(
        chart,
        title=f"P({a} is better) = {result.p_better:.3f}",
        subtitle=f"{result.label}; {said}",
        description=f"Posterior of {result.about}: {said}.",
    )


def _density(result: Posterior) -> Chart:
    alt = altair_or_hint()
    low, high = result.rope if result.rope is not None else (result.null, result.null)
    a, b = (shortened(name, 24) for name in result.systems)
    parts = {f"{a} better": (high, math.inf), f"{b} better": (-math.inf, low), "practically equal": (low, high)}
    rows = []
    for part, (start, end) in parts.items():
        inside = [(float(x), float(y)) for x, y in zip(result.grid, result.density, strict=True) if start <= x <= end]
        rows += [{"x": x, "density": y, "part": part} for x, y in inside]
    names = list(parts) if result.rope is not None else list(parts)[:2]
    base = alt.Chart(data([row for row in rows if row["part"] in names]), width=520, height=260)
    areas = base.mark_area(opacity=0.75, line=False).encode(
        x=alt.X("x:Q", title=result.about).scale(zero=False, nice=False),
        y=alt.Y("density:Q", title=None, stack=None).axis(labels=False, ticks=False, grid=False),
        color=alt.Color("part:N", title=None).scale(domain=names),
        tooltip=["part:N", alt.Tooltip("x:Q", format=".4g")],
    )
    layers = [areas]
    if result.interval is not None:
        row = {"low": result.interval.low, "high": result.interval.high, "level": result.interval.level}
        tips = ["low:Q", "high:Q", "level:Q"]
        span = (
            alt.Chart(data([row])).mark_rule(**look("ink"), strokeWidth=4).encode(x="low:Q", x2="high:Q", tooltip=tips)
        )
        layers.append(span.encode(y=alt.value(254)))
    layers.append(alt.Chart(data([{"at": result.null}])).mark_rule(**look("zero")).encode(x="at:Q"))
    return alt.layer(*layers)


def _three_bars(result: Posterior) -> Chart:
    alt = altair_or_hint()
    a, b = (shortened(name, 24) for name in result.systems)
    shares = {f"{a} better": result.p_better, f"{b} better": result.p_worse, "practically equal": result.p_equal}
    rows = [{"part": part, "p": p, "text": f"{p:.3f}"} for part, p in shares.items() if math.isfinite(p)]
    names = [row["part"] for row in rows]
    base = alt.Chart(data(rows), width=460, height=alt.Step(34))
    y = alt.Y("part:N", sort=names, title=None).axis(ticks=False)
    bars = base.mark_bar().encode(
        x=alt.X("p:Q", title="probability").scale(domain=[0, 1]),
        y=y,
        color=alt.Color("part:N", legend=None).scale(domain=names),
    )
    texts = base.mark_text(**look("label"), align="left", dx=5).encode(x="p:Q", y=y, text="text:N")
    return alt.layer(bars, texts)
