"""How often a test is significant without any difference, against the level it promises."""

from __future__ import annotations

from typing import Any

from nofluke.charts.drawing import Chart, altair_or_hint, data, finish
from nofluke.charts.theme import look
from nofluke.registry import CHARTS
from nofluke.types import Study
from nofluke.words import pictures
from nofluke.words import studies as words


@CHARTS.register("audit", label="Audit of a test", takes=("Study",), cite="Efron and Tibshirani 1993")
def audit(study: Study) -> Chart:
    """Does the test keep its promise, on both sides?"""
    alt = altair_or_hint()
    series = study.series["p-values"]
    tests, codes = series.labels["test"], series.labels["claim"]
    claims = [words.cell(study, "claim", code) for code in codes]
    figures = zip(series.columns["level"], series.columns["share"], strict=True)
    rows: list[dict[str, Any]] = [
        {"level": float(level), "share": float(share), "test": test, "claim": claim}
        for (level, share), test, claim in zip(figures, tests, claims, strict=True)
    ]
    order = list(dict.fromkeys(claims))
    highest = max([0.2, *(row["share"] for row in rows)])
    x = alt.X("level:Q", title="promised: level of the test").axis(format="%", tickCount=5)
    y = alt.Y("share:Q", title="found").axis(format="%").scale(domain=[0, highest], nice=False)
    colour = alt.Color("claim:N", title="falsely claimed", sort=order).scale(
        domain=order, range=[look("soft")["color"], look("a")["color"], look("b")["color"]]
    )
    names = list(dict.fromkeys(tests))
    # One test alone gets the room of two.
    width, columns = (300, 2) if len(names) > 1 else (520, 1)
    base = alt.Chart(data(rows), width=width, height=200)
    lines = base.mark_line(strokeWidth=2, aria=False).encode(x=x, y=y, color=colour.legend(orient="bottom"))
    promise = (
        base.transform_filter(alt.datum.claim == order[0])
        .mark_line(**look("zero"))
        .encode(x=x, y=alt.Y("level:Q", title="found"))
    )
    panels = alt.layer(promise, lines).facet(facet=alt.Facet("test:N", title=None, sort=names), columns=columns)
    return finish(
        panels.resolve_axis(x="independent"),
        **pictures.heading("audit", sets=study.settings["iterations"], items=study.settings["size"]),
        description=pictures.spoken_of_study("audit", study),
    )
