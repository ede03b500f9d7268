"""Systems on a line of scores or mean ranks, with bars over neighbours without a clear difference."""

from __future__ import annotations

import math
from typing import Any

from nofluke.charts.drawing import Chart, altair_or_hint, data, distinct, finish, told
from nofluke.charts.refusing import Needs
from nofluke.charts.theme import look
from nofluke.registry import CHARTS
from nofluke.types import Ranking
from nofluke.types.base import counted
from nofluke.words import pictures
from nofluke.words.marks import group_says, place_says
from nofluke.words.ranking import correction_name

_MOST = 60
_WIDTH = 520


@CHARTS.register(
    "groups",
    label="Groups without a clear difference (critical-difference diagram)",
    takes=("Ranking",),
    # With a baseline most pairs are not tested, and there are no groups.
    applies=Needs(
        f"2 to {_MOST} systems, each compared with each (no baseline)",
        lambda result: 1 < len(result.systems) <= _MOST and not result.baseline,
    ),
    cite="Demsar 2006",
)
def groups(result: Ranking) -> Chart:
    """Which neighbouring systems show no clear difference?"""
    alt = altair_or_hint()
    names = distinct(result.systems, 32)
    by_rank = bool(result.mean_ranks)
    values = dict(zip(result.systems, result.mean_ranks if by_rank else result.scores, strict=True))
    labelled = dict(zip(result.systems, names, strict=True))
    rows = [
        {"name": labelled[s], "value": values[s], "row": i, "says": place_says(result, i, labelled[s])}
        for i, s in enumerate(result.systems)
    ]
    joined = [group for group in result.groups if len(group) > 1]
    title = "mean rank (1 is best)" if by_rank else result.metric or "score"
    x = alt.X("value:Q", title=title).scale(zero=False, nice=True).axis(orient="top")
    base = alt.Chart(data(rows), width=_WIDTH, height=alt.Step(20))
    order = names
    points = base.mark_point(**look("a"), filled=True, size=50).encode(
        x=x,
        y=alt.Y("name:N", sort=None, title=None).scale(domain=order).axis(ticks=False),
        **told(),
    )
    layers = [points]
    if joined:
        # In pixels right of the plot: a bar is no score, and must not stretch the axis to scores that nobody can have.
        spans = alt.Chart(data(_spans(joined, labelled, order))).transform_calculate(at="width + datum.beyond")
        rule = spans.mark_rule(**look("ink"), strokeWidth=4, opacity=0.55).encode(
            x=alt.X("at:Q", scale=None, axis=None),
            y=alt.Y("first:N", sort=None).scale(domain=order),
            y2="last:N",
            **told(),
        )
        layers.append(rule)
    settled = (
        f"; critical difference {result.critical_difference:.3g}" if math.isfinite(result.critical_difference) else ""
    )
    return finish(
        alt.layer(*layers),
        **pictures.heading(
            "critical_difference",
            test=result.label,
            correction=correction_name(result),
            alpha=result.alpha,
            rest=f"{settled}{_others_open(result)}",
        ),
        description=pictures.spoken_groups(len(rows), len(joined)),
    )


def _others_open(result: Ranking) -> str:
    """Bars join neighbours; pairs farther apart in the order may be open without one."""
    others = result.open_outside_groups
    return f"; {counted(others, 'other pair')} unclear too" if others else ""


def _spans(joined: list[tuple[str, ...]], labelled: dict[str, str], order: list[str]) -> list[dict[str, Any]]:
    """One bar a group, beside the points; groups that overlap stand in different lanes."""
    ends: list[int] = []
    spans = []
    for first, last, group in sorted((order.index(labelled[g[0]]), order.index(labelled[g[-1]]), g) for g in joined):
        free = next((lane for lane, end in enumerate(ends) if end < first), len(ends))
        ends[free : free + 1] = [last]
        spans.append(
            {
                "first": order[first],
                "last": order[last],
                "beyond": 12 + 8 * free,
                "says": group_says([labelled[system] for system in group]),
            }
        )
    return spans
