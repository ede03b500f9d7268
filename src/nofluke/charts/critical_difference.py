"""Systems on a line of scores or mean ranks, with bars over those that are not separated."""

from __future__ import annotations

import math
from typing import Any

from nofluke.charts.drawing import Chart, altair_or_hint, data, distinct, finish
from nofluke.charts.refusing import Needs
from nofluke.charts.theme import look
from nofluke.registry import CHARTS
from nofluke.types import Ranking
from nofluke.types.base import counted

_MOST = 60


@CHARTS.register(
    "groups",
    label="Groups that are not separated (critical-difference diagram)",
    takes=("Ranking",),
    # With a baseline most pairs are not tested, and there are no groups.
    applies=Needs(
        f"2 to {_MOST} systems, each compared with each (no baseline)",
        lambda result: 1 < len(result.systems) <= _MOST and not result.baseline,
    ),
    cite="Demsar 2006",
)
def groups(result: Ranking) -> Chart:
    """Which neighbouring systems are not separated?"""
    alt = altair_or_hint()
    names = distinct(result.systems, 32)
    by_rank = bool(result.mean_ranks)
    values = dict(zip(result.systems, result.mean_ranks if by_rank else result.scores, strict=True))
    labelled = dict(zip(result.systems, names, strict=True))
    rows = [{"name": labelled[s], "value": values[s], "row": i} for i, s in enumerate(result.systems)]
    joined = [group for group in result.groups if len(group) > 1]
    title = "mean rank (1 is best)" if by_rank else result.metric or "score"
    x = alt.X("value:Q", title=title).scale(zero=False, nice=True).axis(orient="top")
    base = alt.Chart(data(rows), width=520, height=alt.Step(20))
    order = [row["name"] for row in rows]
    points = base.mark_point(**look("a"), filled=True, size=50).encode(
        x=x,
        y=alt.Y("name:N", sort=None, title=None).scale(domain=order).axis(ticks=False),
        tooltip=["name:N", "value:Q"],
    )
    layers = [points]
    if joined:
        first, last = "first:N", "last:N"
        spans = alt.Chart(data(_spans(joined, labelled, values)))
        rule = spans.mark_rule(**look("ink"), strokeWidth=4, opacity=0.55).encode(
            x=alt.X("at:Q"), y=alt.Y(first, sort=None).scale(domain=order), y2=last, tooltip=["members:N"]
        )
        layers.append(rule)
    settled = (
        f"; critical difference {result.critical_difference:.3g}" if math.isfinite(result.critical_difference) else ""
    )
    return finish(
        alt.layer(*layers),
        title="Systems joined by a bar are not separated",
        subtitle=f"{result.label}, {result.adjust}, alpha {result.alpha:g}{settled}{_others_open(result)}",
        description=f"{len(rows)} systems in order; {len(joined)} groups of neighbours are not separated.",
    )


def _others_open(result: Ranking) -> str:
    """Bars join neighbours; pairs farther apart in the order may be open without one."""
    others = result.open_outside_groups
    return f"; {counted(others, 'other pair')} not separated either" if others else ""


def _spans(joined: list[tuple[str, ...]], labelled: dict[str, str], values: dict[str, float]) -> list[dict[str, Any]]:
    low, high = min(values.values()), max(values.values())
    width = (high - low) or 1.0
    return [
        {
            "first": labelled[group[0]],
            "last": labelled[group[-1]],
            # Bars stand beside the points, each group in its own lane.
            "at": low - width * (0.04 + 0.025 * (i % 8)),
            "members": ", ".join(labelled[s] for s in group),
        }
        for i, group in enumerate(joined)
    ]
