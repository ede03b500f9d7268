"""The gain that every pair of systems needs, against how alike the two are."""

from __future__ import annotations

import math

import numpy as np

from nofluke.charts.drawing import Chart, altair_or_hint, data, finish, told
from nofluke.charts.theme import look
from nofluke.registry import CHARTS
from nofluke.types import Study
from nofluke.words import pictures
from nofluke.words import studies as words
from nofluke.words.marks import needed_gain_says

_MOST_POINTS = 1_200
# So few are seen better when they are larger, and each can tell its values without making the file heavy.
_FEW_POINTS = 300


@CHARTS.register(
    "similarity_curve", label="Gain needed against likeness", takes=("Study",), cite="Berg-Kirkpatrick et al. 2012"
)
def similarity_curve(study: Study) -> Chart:
    """Do similar systems need a smaller gain?"""
    alt = altair_or_hint()
    metric, points = str(study.settings["metric"]), study.series["comparisons"]
    correlation, needed = points.columns["correlation"], points.columns["needed"]
    every = max(1, math.ceil(len(needed) / _MOST_POINTS))
    chosen = np.flatnonzero(np.isfinite(correlation))[::every].tolist()
    rows = []
    for place in chosen:
        alike, gain = float(f"{correlation[place]:.5g}"), float(f"{needed[place]:.5g}")
        pair = f"{points.labels['better'][place]} and {points.labels['worse'][place]}"
        rows.append({"correlation": alike, "needed": gain, "says": needed_gain_says(study, pair, alike, gain)})
    x = alt.X("correlation:Q", title="correlation of the two systems' item scores", scale=alt.Scale(zero=False))
    y = alt.Y("needed:Q", title=f"gain in {metric} needed", scale=alt.Scale(zero=True))
    few = len(rows) <= _FEW_POINTS
    dots = (
        alt.Chart(data(rows), width=560, height=320)
        .mark_point(**look("a"), filled=True, size=40 if few else 14, opacity=0.4, aria=few)
        .encode(x=x, y=y, **told())
    )
    law = study.series["law"]
    curve = [
        {"correlation": float(c), "needed": float(v)}
        for c, v in zip(law.columns["correlation"], law.columns["needed"], strict=True)
    ]
    line = alt.Chart(data(curve)).mark_line(**look("b-line")).encode(x=x, y=y)
    drawn = "" if every == 1 else f"; {len(rows):,} of {len(needed):,} pairs drawn"
    return finish(
        alt.layer(dots, line),
        **pictures.heading("similarity_curve", title=words.title(study), rest=drawn),
        description=pictures.spoken_of_study("similarity_curve", study),
    )
