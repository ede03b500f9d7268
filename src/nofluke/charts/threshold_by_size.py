"""Thresholds by the size of the test set, with the square-root law."""

from __future__ import annotations

import math
from typing import Any

from nofluke.charts.drawing import Chart, altair_or_hint, data, finish, told
from nofluke.charts.theme import COLOURS
from nofluke.registry import CHARTS
from nofluke.types import Study
from nofluke.words import pictures
from nofluke.words import studies as words
from nofluke.words.marks import threshold_says
from nofluke.words.studies.pairs import ENOUGH, HEADINGS

_THRESHOLD, _USUAL, _LAW = ENOUGH, HEADINGS["needed by the usual pair"], pictures.SQUARE_ROOT_LAW
_CLOSE = 1.25


@CHARTS.register(
    "threshold_by_size", label="Threshold by test size", takes=("Study",), cite="Berg-Kirkpatrick et al. 2012"
)
def threshold_by_size(study: Study) -> Chart:
    """How does the gain that is needed shrink as the test set grows?"""
    alt = altair_or_hint()
    metric, rows = str(study.settings["metric"]), _rows(study)
    kinds = [_THRESHOLD, _USUAL, _LAW]
    # Colour and dashes share one legend, so that the law is dashed there too.
    legend = alt.Legend(orient="top-right", symbolType="stroke", symbolStrokeWidth=2, fillColor=COLOURS["paper"])
    colour = alt.Color(
        "kind:N",
        title=None,
        scale=alt.Scale(domain=kinds, range=[COLOURS["b"], COLOURS["a"], COLOURS["soft"]]),
        legend=legend,
    )
    dashes = alt.StrokeDash(
        "kind:N", title=None, scale=alt.Scale(domain=kinds, range=[[1, 0], [1, 0], [4, 3]]), legend=legend
    )
    *smaller, last = [int(size) for size in study.series["thresholds"].columns["items"]]
    # The largest size is always named; one just below it has no room beside it.
    sizes = [*(size for size in smaller if last / size > _CLOSE), last]
    x = alt.X(
        "items:Q",
        title="items",
        axis=alt.Axis(values=sizes, format=",", labelOverlap="greedy", labelSeparation=8, labelFlush=False),
    )
    x = x.scale(type="log", nice=False)
    y = alt.Y("value:Q", title=f"gain in {metric}", scale=alt.Scale(zero=True))
    base = alt.Chart(width=560, height=320)
    # The line of thresholds has a gap where a size has none.
    lines = base.mark_line(strokeWidth=2, aria=False, invalid="break-paths-show-path-domains").encode(
        x=x, y=y, color=colour, strokeDash=dashes
    )
    solid = [
        {
            **row,
            "says": threshold_says(study, f"{row['items']:,.0f} items", row["kind"], row["value"], int(row["behind"])),
        }
        for row in rows
        if row["kind"] != _LAW and row["value"] is not None
    ]
    points = base.mark_point(filled=True, size=45, opacity=1).encode(x=x, y=y, color=colour, **told())
    return finish(
        alt.layer(lines.properties(data=data(rows)), points.properties(data=data(solid))),
        title=words.title(study),
        subtitle=pictures.threshold_subtitle(),
        description=pictures.spoken_of_study("threshold_by_size", study),
    )


def _rows(study: Study) -> list[dict[str, Any]]:
    columns = study.series["thresholds"].columns
    items, limits, usual, near = (columns[name].tolist() for name in ("items", "threshold", "needed", "near"))
    # The law begins at the smallest set on which scores vary.
    start = next(((size, needed) for size, needed in zip(items, usual, strict=True) if math.isfinite(needed)), None)
    rows: list[dict[str, Any]] = []
    for size, limit, needed, behind in zip(items, limits, usual, near, strict=True):
        value = limit if math.isfinite(limit) else None
        rows.append({"items": size, "kind": _THRESHOLD, "value": value, "behind": behind})
        if start is not None and math.isfinite(needed):
            rows.append({"items": size, "kind": _USUAL, "value": needed, "behind": behind})
            law = start[1] * math.sqrt(start[0] / size)
            rows.append({"items": size, "kind": _LAW, "value": law, "behind": behind})
    return rows
