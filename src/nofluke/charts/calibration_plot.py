"""How often the winner is truly better, or better elsewhere, against the p-value."""

from __future__ import annotations

from typing import Any

from nofluke.charts.drawing import Chart, altair_or_hint, data, distinct, finish, told
from nofluke.charts.theme import look
from nofluke.registry import CHARTS
from nofluke.types import Study
from nofluke.words import pictures
from nofluke.words.marks import winners_say

_STEPS = 40
# Smaller mean p-values, of the first bin, stand at the edge.
_LOWEST_P, _EDGE = 0.0004, 0.0002


@CHARTS.register("calibration_plot", label="Calibration plot", takes=("Study",), cite="Berg-Kirkpatrick et al. 2012")
def calibration_plot(study: Study) -> Chart:
    """How often is the winner truly better?"""
    alt = altair_or_hint()
    series = study.series["calibration"]
    names = list(dict.fromkeys(series.labels["target"]))
    shown = dict(zip(names, distinct(names, 28), strict=True))
    columns = zip(series.columns["p"], series.columns["share"], series.columns["comparisons"], strict=True)
    rows: list[dict[str, Any]] = [
        {
            "p": max(float(p), _LOWEST_P),
            "share": float(share),
            "comparisons": int(count),
            "target": shown[target],
            "says": winners_say(study, shown[target], float(p), float(share), int(count)),
        }
        for (p, share, count), target in zip(columns, series.labels["target"], strict=True)
    ]
    lowest = min([0.45, *(row["share"] for row in rows)])
    base = alt.Chart(data(rows), width=560, height=300)
    # The winner's own one-sided p-value does not reach far beyond a half.
    highest = 1.0 if study.settings["sides"] == "two" else 0.55
    x = alt.X("p:Q", title=f"p-value on the test set ({study.settings['sides']}-sided)").scale(
        type="log", domain=[_EDGE, highest], nice=False
    )
    x = x.axis(
        values=[0.00125, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64], format="~g", labelSeparation=8
    )
    y = alt.Y("share:Q", title="winner is better").axis(format="%").scale(domain=[max(0.0, lowest - 0.03), 1])
    legend = alt.Legend(title=None, orient="bottom") if len(names) > 1 else None
    colour = alt.Color("target:N", legend=legend).scale(domain=list(shown.values()))
    most = max((row["comparisons"] for row in rows), default=1)
    sizes = sorted({max(1, most // 10), max(1, most // 3), most})
    key = alt.Legend(title="comparisons", values=sizes, format=",d") if len(names) > 1 else None
    size = alt.Size("comparisons:Q", legend=key).scale(type="sqrt", range=[15, 320], domainMin=0)
    lines = base.mark_line(strokeWidth=2, aria=False).encode(x=x, y=y, color=colour)
    points = base.mark_point(filled=True, opacity=0.85).encode(
        x=x,
        y=y,
        color=colour,
        size=size,
        **told(),
    )
    layers = [_one_minus_p(alt, x, y, lowest, highest), lines, points]
    if len(names) == 1:
        layers += _counts(alt, rows, x, y)
    return finish(
        alt.layer(*layers),
        **pictures.heading(
            "calibration_plot",
            title=pictures.calibration_title(study),
            marks="Numbers" if len(names) == 1 else "Size",
        ),
        description=pictures.spoken_of_study("calibration_plot", study),
    )


def _counts(alt: Chart, rows: list[dict[str, Any]], x: Chart, y: Chart) -> list[Chart]:
    """How many comparisons each point stands for, in turn below and above the line, so that neighbours do not touch."""
    places = ({"dy": 16, "dx": -14}, {"dy": -14, "dx": 10})
    return [
        alt.Chart(data(rows[turn::2]))
        .mark_text(**{**look("label"), "fontSize": 10, **place})
        .encode(x=x, y=y, text=alt.Text("comparisons:Q", format=","))
        for turn, place in enumerate(places)
        if rows[turn::2]
    ]


def _one_minus_p(alt: Chart, x: Chart, y: Chart, lowest: float, high: float) -> Chart:
    grid = [_EDGE * (high / _EDGE) ** (step / _STEPS) for step in range(_STEPS + 1)]
    rows = [{"p": p, "share": 1 - p} for p in grid if 1 - p >= lowest - 0.03]
    return alt.Chart(data(rows)).mark_line(**look("zero")).encode(x=x, y=y)
