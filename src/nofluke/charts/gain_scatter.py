"""Gain against confidence, a point for every pair of systems: the picture of Berg-Kirkpatrick et al. (2012)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nofluke.charts.drawing import Chart, altair_or_hint, data, finish, told
from nofluke.charts.theme import COLOURS, look
from nofluke.registry import CHARTS
from nofluke.types import Series, Study
from nofluke.types.base import counted
from nofluke.words import pictures
from nofluke.words import studies as words
from nofluke.words.marks import gain_says, threshold_says
from nofluke.words.studies.pairs import ENOUGH

# More points would only hide each other, and make the file heavy.
_MOST_POINTS = 1_200
# So few are seen better when they are larger, and each can tell its values without making the file heavy.
_FEW_POINTS = 300
_BEYOND = 2.5
_COLOURS = ("b", "yes", "a", "soft", "open", "no")


@CHARTS.register("gain_scatter", label="Gain against confidence", takes=("Study",), cite="Berg-Kirkpatrick et al. 2012")
def gain_scatter(study: Study) -> Chart:
    """From which gain on are comparisons usually significant?"""
    alt = altair_or_hint()
    metric, limits = str(study.settings["metric"]), _thresholds(study)
    far = _right_end(study, limits)
    rows, inside, all_points = _rows(study, far)
    labels = _labels(rows, limits)
    scale = alt.Scale(domain=labels, range=[COLOURS[_COLOURS[i % len(_COLOURS)]] for i in range(len(labels))])
    axis = alt.Axis(labelFlush=False, tickCount=6)
    x = alt.X("gain:Q", title=f"gain in {metric}", scale=alt.Scale(domain=[0, far], nice=False), axis=axis)
    few = len(rows) <= _FEW_POINTS
    points = (
        alt.Chart(data(rows), width=560, height=340)
        .mark_point(filled=True, size=45 if few else 16, opacity=0.45, aria=few)
        .encode(
            x=x,
            y=alt.Y("confidence:Q", title="1 - p", scale=alt.Scale(domain=[_lower_end(rows), 1.0], nice=False)),
            color=alt.Color("label:N", title=None, scale=scale, legend=_legend(alt, labels)),
            **told(),
        )
    )
    confident, uprights = _level(study), _limits(alt, study, limits, labels, scale)
    level = alt.Chart(data([{"at": confident}])).mark_rule(**look("zero")).encode(y="at:Q")
    return finish(
        alt.layer(points, level, *uprights),
        **pictures.heading(
            "gain_scatter",
            _left_out(len(rows), inside, all_points, far),
            title=words.title(study),
            confident=confident,
            upright="upright: threshold" if uprights else "no threshold",
        ),
        description=pictures.spoken_of_study("gain_scatter", study, comparisons=all_points),
    )


def _left_out(drawn: int, inside: int, all_points: int, far: float) -> list[str]:
    """Say which comparisons are not in the picture."""
    parts = [f"{drawn:,} of {inside:,} points drawn"] if drawn < inside else []
    if inside < all_points:
        parts.append(f"{counted(all_points - inside, 'comparison')} with a gain over {far:.3g} not shown")
    return ["; ".join(parts)] if parts else []


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
    """Show up to two and a half thresholds, beyond which everything is significant, and all that is laid over it."""
    known = [value for value in limits.values() if math.isfinite(value)]
    largest = {name: float(np.max(one.columns["gain"], initial=0.0)) for name, one in _points_of(study).items()}
    laid = max((gain for name, gain in largest.items() if name in study.settings.get("overlay", ())), default=0.0)
    whole = max(largest.values())
    return min(whole, max(_BEYOND * max(known), laid)) if known else whole or 1.0


def _lower_end(rows: list[dict[str, Any]]) -> float:
    """Show confidences from one half on, and from lower where there are lower ones."""
    return math.floor(20 * min([0.5, *(float(row["confidence"]) for row in rows)])) / 20


def _rows(study: Study, far: float) -> tuple[list[dict[str, Any]], int, int]:
    """Give the points inside the picture, how many there are, and how many in all.

    Of very many every so many are taken, so that crowds stay crowds.
    """
    series = _points_of(study)
    inside = {name: np.flatnonzero(one.columns["gain"] <= far) for name, one in series.items()}
    number = sum(len(found) for found in inside.values())
    every = max(1, math.ceil(number / _MOST_POINTS))
    rows = [_row(study, series[name], int(place)) for name, found in inside.items() for place in found[::every]]
    return rows, number, sum(len(one.columns["gain"]) for one in series.values())


def _row(study: Study, series: Series, place: int) -> dict[str, Any]:
    gain, p = float(f"{series.columns['gain'][place]:.5g}"), float(f"{series.columns['p_value'][place]:.4g}")
    names = {name: series.labels[name][place] for name in ("better", "worse") if name in series.labels}
    confidence = float(f"{series.columns['confidence'][place]:.5g}")
    says = gain_says(study, names, gain, p)
    return {"gain": gain, "p": p, "confidence": confidence, "label": series.labels["label"][place], "says": says}


def _limits(alt: Any, study: Study, limits: dict[str, float], labels: list[str], scale: Any) -> list[Any]:
    known = {label: limits[label] for label in labels if math.isfinite(limits.get(label, math.nan))}
    rows = [
        {"gain": gain, "label": label, "says": threshold_says(study, label, ENOUGH, gain)}
        for label, gain in known.items()
    ]
    if not rows:
        return []
    base = alt.Chart(data(rows))
    rules = base.mark_rule(strokeWidth=1.5)
    return [rules.encode(x="gain:Q", color=alt.Color("label:N", scale=scale, title=None), **told())]
