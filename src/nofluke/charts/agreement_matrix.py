"""Agreement of every annotator with every other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from nofluke.charts.drawing import Chart, altair_or_hint, data, distinct, finish, told
from nofluke.charts.refusing import Needs
from nofluke.charts.theme import COLOURS
from nofluke.registry import CHARTS
from nofluke.types import Agreement
from nofluke.words import pictures
from nofluke.words.marks import agreement_says

_FEW = 16


@CHARTS.register(
    "agreement_matrix",
    label="Agreement of every pair of annotators",
    takes=("Agreement",),
    applies=Needs("two annotators", lambda result: len(result.pairwise_annotators) > 1),
    cite="Artstein & Poesio 2008",
)
def agreement_matrix(result: Agreement) -> Chart:
    """Who agrees with whom?"""
    alt = altair_or_hint()
    names = distinct(result.pairwise_annotators, 24)
    few = len(names) <= _FEW
    rows = [
        {
            "one": one,
            "other": other,
            "value": float(result.pairwise[i, j]),
            **({"text": f"{result.pairwise[i, j]:.2f}"} if few else {}),
            "says": agreement_says(one, other, result.pairwise_name, float(result.pairwise[i, j])),
        }
        for i, one in enumerate(names)
        for j, other in enumerate(names)
        if i != j and math.isfinite(result.pairwise[i, j])
    ]
    step = 44 if few else 14 if len(names) <= 60 else 6
    base = alt.Chart(data(rows), width=alt.Step(step), height=alt.Step(step))
    axis = alt.Axis(ticks=False, domain=False, grid=False, labelFontSize=12 if few else 8, labelOverlap=not few)
    x = alt.X("one:N", sort=names, title=None, axis=axis)
    y = alt.Y("other:N", sort=names, title=None, axis=axis)
    cells = base.mark_rect().encode(
        x=x,
        y=y,
        color=alt.Color("value:Q", title=None).scale(domain=[min(0.0, _lowest(rows)), 1]),
        **told(),
    )
    layers = [cells]
    if few:
        dark = alt.condition("datum.value > 0.6", alt.value(COLOURS["paper"]), alt.value(COLOURS["ink"]))
        layers.append(
            base.mark_text(fontSize=11, aria=False).encode(x=x, y=y, text="text:N", color=dark, tooltip="says:N")
        )
    return finish(
        alt.layer(*layers),
        **pictures.heading("agreement_matrix", name=result.pairwise_name, annotators=len(names), items=result.items),
        description=pictures.spoken_agreement(result),
    )


def _lowest(rows: Sequence[Mapping[str, Any]]) -> float:
    return min((float(row["value"]) for row in rows), default=0.0)
