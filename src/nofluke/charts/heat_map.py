"""The pairwise heat map of many systems."""

from __future__ import annotations

from typing import Any

import numpy as np

from nofluke.charts.drawing import Chart, altair_or_hint, data, distinct, finish, told
from nofluke.charts.refusing import Needs
from nofluke.charts.theme import COLOURS
from nofluke.registry import CHARTS
from nofluke.types import Ranking
from nofluke.words import pictures
from nofluke.words.marks import PairSays
from nofluke.words.ranking import correction_name

_STATES = ("row better", "unclear", "row worse")


@CHARTS.register(
    "heat_map",
    label="Pairwise heat map",
    takes=("Ranking",),
    applies=Needs("2 systems", lambda r: len(r.systems) > 1),
    cite="Zhu 2020",
)
def heat_map(result: Ranking) -> Chart:
    """Which systems are really better than which?"""
    alt = altair_or_hint()
    count = len(result.systems)
    names = distinct(result.systems, 28)
    step, size = (22, 11) if count <= 30 else (12, 9) if count <= 70 else (7, 6)
    plain = {"labelFontSize": size, "labelOverlap": False, "ticks": False, "grid": False, "domain": False}
    cells = (
        alt.Chart(data(_rows(result, names)), width=alt.Step(step), height=alt.Step(step))
        .mark_rect()
        .encode(
            x=alt.X("column:N", sort=names, title=None).axis(labelAngle=-90, orient="top", **plain),
            y=alt.Y("row:N", sort=names, title=None).axis(**plain),
            color=alt.Color("state:N", title=None)
            .scale(domain=list(_STATES), range=[COLOURS["a"], COLOURS["wash"], COLOURS["b"]])
            .legend(orient="bottom", symbolStrokeColor=COLOURS["soft"], symbolStrokeWidth=1),
            opacity=alt.Opacity("strength:Q", legend=None).scale(domain=[0, 1], range=[0.35, 1]),
            **told(),
        )
    )
    return finish(
        cells,
        **pictures.heading(
            "heat_map",
            clear=pictures.clear_pairs(result),
            test=result.label,
            correction=correction_name(result),
            alpha=result.alpha,
        ),
        description=pictures.spoken_pairs(result),
    )


def _rows(result: Ranking, names: list[str]) -> list[dict[str, Any]]:
    """A row for each cell, row by row: the web page knows a cell by its place."""
    adjusted, says = np.maximum(result.adjusted, 1e-300), PairSays(result, names)
    rows = []
    for i, row in enumerate(names):
        for j, column in enumerate(names):
            if i == j:
                continue
            better, worse = bool(result.better[i, j]), bool(result.better[j, i])
            p = float(adjusted[i, j] if not worse else adjusted[j, i])
            state = _STATES[0] if better else _STATES[2] if worse else _STATES[1]
            strength = min(1.0, -float(np.log10(p)) / 6) if better or worse else 1.0
            rows.append(
                {
                    "row": row,
                    "column": column,
                    "state": state,
                    "strength": strength,
                    "says": says(i, j),
                }
            )
    return rows
