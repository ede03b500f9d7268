"""Gain against confidence, a point for every pair of systems: the picture of Berg-Kirkpatrick et al. (2012)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nofluke.charts.drawing import Chart, altair_or_hint, data, finish
from nofluke.charts.theme import COLOURS, look
from nofluke.registry import CHARTS
from nofluke.types import Series, Study

# More points would only hide each other, and make the file heavy.
_MOST_POINTS = 1_200
_BEYOND = 2.5
_COLOURS = ("b", "yes", "a", "soft", "open", "no")


@CHARTS.register(
    "gain_scatter",
    label="Gain against confidence",
    takes=("Study",),
    applies=lambda study: "gain_scatter" in study.charts,
    cite="Berg-Kirkpatrick et al. 2012",
)
def gain_scatter(study: Study) -> Chart:
    """From which gain on are comparisons usually significant?"""
    alt = altair_or_hint()
    metric, limits = str(study.settings["metric"]), _thresholds(study)
    far = _right_end(study, limits)
    rows, shown, all_points = _rows(study, far)
    labels = _labels(rows, limits)
    scale = alt.Scale(domain=labels, range=[COLOURS[_COLOURS[i % len(_COLOURS)]] for i in range(len(labels))])
    axis = alt.Axis(labelFlush=False, tickCount=6)
    x = alt.X("gain:Q", title=f"gain in {metric}", scale=alt.Scale(domain=[0, far], nice=False), axis=axis)
    points = (
        alt.Chart(data(rows), width=560, height=340)
        .mark_point(filled=True, size=16, opacity=0.45, aria=False)
        .encode(
            x=x,
            y=alt.Y("confidence:Q", title="1 - p", scale=alt.Scale(domain=[0.5, 1.0], nice=False)),
            color=alt.Color("label:N", title=None, scale=scale, legend=_legend(alt, labels)),
            tooltip=["better:N", "worse:N", alt.Tooltip("gain:Q", format=".4g"), alt.Tooltip("p:Q", format=".4f")],
        )
    )
    confident = _level(study)
    level = alt.Chart(data([{"at": confident}])).mark_rule(**look("zero")).encode(y="at:Q")
    layers = [points, level, *_limits(alt, limits, labels, scale)]
    drawn = "" if shown == all_points else f"; {shown:,} of {all_points:,} points drawn"
    return finish(
        alt.layer(*layers),
        title=study.title,
        subtitle=f"each point is a pair of systems; dashed: 1 - p = {confident:g}; upright: threshold{drawn}",
        description=f"Confidence against gain for {all_points:,} comparisons. {study.headline}",
    )


def _level(study: Study) -> float:
    """1 - p of the comparisons that are just significant: the middle of the window they are taken from."""
    low, high = study.settings["window"]
    return round(1.0 - (float(low) + float(high)) / 2.0, 10)


def _thresholds(study: Study) -> dict[str, float]:
    """The thresholds by label: the main table has one a row, of a kind of pairs, a size or a test set."""
    table = next(iter(study.tables.values()))
    names = [f"{name:,} items" if isinstance(name, int) else str(name) for name in next(iter(table.values()))]
    return {name: float(value) for name, value in zip(names, table["threshold"], strict=True)}


def _points_of(study: Study) -> dict[str, Series]:
    return {name: series for name, series in study.series.items() if "confidence" in series.columns}


def _legend(alt: Any, labels: list[str]) -> Any:
    if len(labels) == 1:
        return None
    return alt.Legend(orient="bottom-right", symbolOpacity=1, symbolSize=60, fillColor=COLOURS["paper"], padding=6)


def _labels(rows: list[dict[str, Any]], limits: dict[str, float]) -> list[str]:
    found = list(dict.fromkeys(row["label"] for row in rows))
    return [label for label in limits if label in found] + [label for label in found if label not in limits]


def _right_end(study: Study, limits: dict[str, float]) -> float:
    """Show up to two and a half thresholds: beyond, everything is significant."""
    known = [value for value in limits.values() if math.isfinite(value)]
    largest = max(float(np.max(series.columns["gain"], initial=0.0)) for series in _points_of(study).values())
    return min(largest, _BEYOND * max(known)) if known else largest or 1.0


def _rows(study: Study, far: float) -> tuple[list[dict[str, Any]], int, int]:
    """Give the points inside the picture; of very many, every so many, so that crowds stay crowds."""
    inside = {name: _inside(series, far) for name, series in _points_of(study).items()}
    all_points = sum(len(found) for found in inside.values())
    every = max(1, math.ceil(all_points / _MOST_POINTS))
    rows: list[dict[str, Any]] = []
    for name, found in inside.items():
        rows += [_row(study.series[name], int(place)) for place in found[::every]]
    return rows, len(rows), all_points


def _inside(series: Series, far: float) -> np.ndarray:
    gain, confidence = series.columns["gain"], series.columns["confidence"]
    return np.flatnonzero((gain <= far) & (confidence >= 0.5))


def _row(series: Series, place: int) -> dict[str, Any]:
    numbers = {
        "gain": float(f"{series.columns['gain'][place]:.5g}"),
        "p": float(f"{series.columns['p_value'][place]:.4g}"),
    }
    names = {name: series.labels[name][place] for name in ("better", "worse") if name in series.labels}
    confidence = float(f"{series.columns['confidence'][place]:.5g}")
    return {**numbers, "confidence": confidence, "label": series.labels["label"][place], **names}


def _limits(alt: Any, limits: dict[str, float], labels: list[str], scale: Any) -> list[Any]:
    rows = [{"gain": limits[label], "label": label} for label in labels if math.isfinite(limits.get(label, math.nan))]
    if not rows:
        return []
    base = alt.Chart(data(rows))
    rules = base.mark_rule(strokeWidth=1.5).encode(x="gain:Q", color=alt.Color("label:N", scale=scale, title=None))
    return [rules]
