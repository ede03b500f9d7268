"""Forest plot: every system's score, or every dataset's difference, with its interval."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from nofluke.charts.drawing import Chart, altair_or_hint, data, distinct, finish, shortened
from nofluke.charts.theme import look
from nofluke.registry import CHARTS
from nofluke.types import Ranking, Replication

_FEW = 40


def _has_rows(result: Ranking | Replication) -> bool:
    if isinstance(result, Ranking):
        return True
    return any(math.isfinite(value) for value in result.estimates)


@CHARTS.register(
    "forest",
    label="Forest plot of systems or datasets",
    takes=("Ranking", "Replication"),
    applies=_has_rows,
    cite="Lewis & Clarke 2001",
)
def forest(result: Ranking | Replication) -> Chart:
    """How large is each score or difference, and how sure are we of it?"""
    if isinstance(result, Ranking):
        return _of_systems(result)
    return _of_datasets(result)


def _of_systems(result: Ranking) -> Chart:
    names = distinct(result.systems)
    rows = []
    for name, score, interval, (low, high) in zip(
        names, result.scores, result.intervals, result.rank_ranges, strict=True
    ):
        ends = {"low": interval.low, "high": interval.high} if interval is not None else {"low": score, "high": score}
        rows.append({"name": name, "value": score, **ends, "state": "system", "ranks": f"{low} to {high}"})
    level = next((interval.level for interval in result.intervals if interval is not None), math.nan)
    about = f"{level:.0%} interval of each single score" if level == level else "scores"
    direction = "" if result.higher_is_better else " (lower is better)"
    return finish(
        _plot(rows, result.metric or "score", None),
        title=f"{len(names)} systems, best first",
        subtitle=f"{about}; overlapping intervals do not mean equal systems",
        description=f"Scores of {len(names)} systems{direction} with intervals, the best, {names[0]}, at the top.",
    )


def _of_datasets(result: Replication) -> Chart:
    a, b = (shortened(name, 24) for name in result.systems)
    rows = list(_dataset_rows(result))
    return finish(
        _plot(rows, f"{a} - {b}, positive = {a} better", 0.0),
        title=f"{a} against {b} on {len(result.datasets)} datasets",
        subtitle=f"identified by {result.method}: {len(result.identified)}; against the claim: {len(result.against)}",
        description=f"Difference between {a} and {b} on each dataset with its interval; {result.headline}",
    )


def _dataset_rows(result: Replication) -> Iterator[dict[str, Any]]:
    names = distinct(result.datasets)
    for i, name in enumerate(names):
        value = float(result.estimates[i])
        if not math.isfinite(value):
            continue
        interval = result.tests[i].interval if result.tests else None
        bounded = interval is not None and math.isfinite(interval.low) and math.isfinite(interval.high)
        dataset = result.datasets[i]
        state = "identified" if dataset in result.identified else "other way" if dataset in result.against else "open"
        yield {
            "name": name,
            "value": value,
            "low": interval.low if interval is not None and bounded else value,
            "high": interval.high if interval is not None and bounded else value,
            "state": state,
            "p": float(result.p_values[i]),
        }


def _plot(rows: list[dict[str, Any]], title: str, zero: float | None) -> Chart:
    alt = altair_or_hint()
    step = 22 if len(rows) <= _FEW else 13
    base = alt.Chart(data(rows), width=460, height=alt.Step(step))
    names = alt.Y("name:N", title=None, sort=[row["name"] for row in rows]).axis(
        grid=True, labelFontSize=12 if step > 20 else 10, ticks=False, labelOverlap=False
    )
    scale = alt.Scale(zero=False, nice=True)
    states = ["identified", "open", "other way"]
    coloured = any(row["state"] in states for row in rows)
    colour = alt.Color("state:N", title=None).scale(domain=states, range="ordinal") if coloured else alt.Undefined
    tips = [alt.Tooltip(f"{key}:{'N' if key in ('name', 'state', 'ranks') else 'Q'}") for key in rows[0]]
    bars = base.mark_rule(strokeWidth=2).encode(
        y=names, x=alt.X("low:Q", title=title, scale=scale), x2="high:Q", color=colour, tooltip=tips
    )
    points = base.mark_point(filled=True, size=45 if step > 20 else 25, opacity=1).encode(
        y=names, x=alt.X("value:Q", title=title, scale=scale), color=colour, tooltip=tips
    )
    layers = [bars, points]
    if zero is not None:
        layers.insert(0, alt.Chart(data([{"at": zero}])).mark_rule(**look("zero")).encode(x="at:Q"))
    return alt.layer(*layers)
