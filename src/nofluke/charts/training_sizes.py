"""Scores of synthesized systems by the size of their training set, a point for every system."""

from __future__ import annotations

from nofluke.charts.drawing import Chart, altair_or_hint, data, distinct, finish, told
from nofluke.registry import CHARTS
from nofluke.types import Study
from nofluke.words import pictures
from nofluke.words.marks import system_says


@CHARTS.register(
    "training_sizes", label="Scores by training size", takes=("Study",), cite="Berg-Kirkpatrick et al. 2012"
)
def training_sizes(study: Study) -> Chart:
    """Do the scores of the models overlap, so that small gains occur between them?"""
    alt = altair_or_hint()
    points = study.series["systems"]
    models = list(dict.fromkeys(points.labels["model"]))
    shown = dict(zip(models, distinct(models, 28), strict=True))
    rows = [
        {"size": int(size), "score": float(score), "model": shown[model], "says": system_says(study, system, score)}
        for size, score, model, system in zip(
            points.columns["training size"],
            points.columns["score"],
            points.labels["model"],
            points.labels["system"],
            strict=True,
        )
    ]
    # Sizes are few and chosen: a place for each, and the models side by side in it.
    x = alt.X("size:O", title="training examples").axis(labelAngle=0, labelExpr="format(datum.value, ',')")
    x = x.sort(sorted({int(size) for size in points.columns["training size"]}))
    y = alt.Y("score:Q", title=str(study.settings["metric"])).scale(zero=False, nice=True)
    legend = alt.Legend(title=None, orient="bottom", symbolOpacity=1) if len(models) > 1 else None
    dots = (
        alt.Chart(data(rows), width=520, height=300)
        .mark_point(filled=True, size=45, opacity=0.7)
        .encode(
            x=x,
            xOffset=alt.XOffset("model:N").sort(list(shown.values())),
            y=y,
            color=alt.Color("model:N", legend=legend).scale(domain=list(shown.values())),
            **told(),
        )
    )
    return finish(
        dots,
        **pictures.heading("training_sizes"),
        description=pictures.spoken_of_study("training_sizes", study),
    )
