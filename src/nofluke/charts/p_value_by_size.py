"""P-values against the number of items, with and without a true difference: Figure 5 of Zhu et al. 2020."""

from __future__ import annotations

from typing import Any

from nofluke.charts.drawing import Chart, altair_or_hint, data, finish, told
from nofluke.charts.theme import look
from nofluke.registry import CHARTS
from nofluke.types import Study
from nofluke.words import pictures
from nofluke.words.marks import p_by_size_says


@CHARTS.register("p_value_by_size", label="P-value against sample size", takes=("Study",), cite="Zhu et al. 2020")
def p_value_by_size(study: Study) -> Chart:
    """What becomes of a p-value as the test set grows?"""
    alt = altair_or_hint()
    series = study.series["p-values"]
    names = {"items": "items", "mean p": "mean", "lowest p": "low", "highest p": "high", "alpha": "alpha"}
    rows: list[dict[str, Any]] = [
        {**{names[name]: float(column[index]) for name, column in series.columns.items()}, "panel": panel}
        for index, panel in enumerate(series.labels["panel"])
    ]
    for row in rows:
        row["says"] = p_by_size_says(row["panel"], int(row["items"]), row["mean"], row["low"], row["high"])
    order = list(dict.fromkeys(series.labels["panel"]))
    # One panel alone gets the room of two.
    width, columns = (300, 2) if len(order) > 1 else (520, 1)
    base = alt.Chart(data(rows), width=width, height=170)
    x = alt.X("items:Q", title="items").axis(format="~s", tickCount=6).scale(nice=False)
    scale = alt.Scale(domain=[0, 1])
    band = base.mark_area(**look("a-band")).encode(x=x, y=alt.Y("low:Q", title="p-value", scale=scale), y2="high:Q")
    line = base.mark_line(**look("a-line")).encode(x=x, y=alt.Y("mean:Q", scale=scale))
    points = base.mark_point(**look("a"), filled=True, size=18).encode(
        x=x,
        y="mean:Q",
        **told(),
    )
    level = base.mark_line(**look("limit")).encode(x=x, y="alpha:Q")
    panels = alt.layer(band, line, points, level).facet(
        facet=alt.Facet("panel:N", title=None, sort=order), columns=columns
    )
    panels = panels.resolve_axis(x="independent")
    return finish(
        panels,
        **pictures.heading("p_value_by_size", sets=study.settings["iterations"], alpha=study.settings["alpha"]),
        description=pictures.spoken_of_study("p_value_by_size", study),
    )
