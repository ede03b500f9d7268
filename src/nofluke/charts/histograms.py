"""Histograms of A, B and A - B, with the interval of the difference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nofluke.charts.drawing import Chart, altair_or_hint, data, finish, shortened
from nofluke.charts.theme import look
from nofluke.registry import CHARTS
from nofluke.types import Comparison, Summary

_SIZE = {"width": 240, "height": 160}


@CHARTS.register(
    "histograms", label="Histograms of A, B and A - B", takes=("Comparison",), applies=lambda _: True, cite="Zhu 2020"
)
def histograms(result: Comparison) -> Chart:
    """How are the scores of A, of B, and their differences spread?"""
    alt = altair_or_hint()
    profile = result.profile
    panels = [_bars(profile.a, "a-bar"), _bars(profile.b, "b-bar"), _differences(result)]
    one_score = profile.difference.sd == 0
    return finish(
        alt.hconcat(*panels, spacing=28),
        title=f"{shortened(result.systems[0])} and {shortened(result.systems[1])}, item by item",
        subtitle=f"{result.n:,} items; differences are positive where {shortened(result.systems[0])} is better",
        description=f"Histograms of the scores of {result.systems[0]} and {result.systems[1]} and of their differences"
        + (" (all equal)." if one_score else f"; mean difference {profile.difference.mean:.4g}."),
    )


def _rows(summary: Summary) -> Iterator[dict[str, Any]]:
    edges, counts = summary.histogram.edges, summary.histogram.counts
    for low, high, count in zip(edges, edges[1:], counts, strict=False):
        yield {"low": low, "high": high, "count": count}


def _bars(summary: Summary, role: str) -> Chart:
    alt = altair_or_hint()
    return (
        alt.Chart(data(list(_rows(summary))), **_SIZE)
        .mark_bar(**look(role))
        .encode(
            x=alt.X("low:Q", title=shortened(summary.name), bin="binned").axis(grid=False, tickCount=5),
            x2="high:Q",
            y=alt.Y("count:Q", title="items").axis(tickCount=4),
            tooltip=[alt.Tooltip(name, type="quantitative") for name in ("low", "high", "count")],
        )
    )


def _differences(result: Comparison) -> Chart:
    alt = altair_or_hint()
    top = alt.value(4)
    layers = [_bars(result.profile.difference, "soft-bar")]
    zero = alt.Chart(data([{"at": 0.0}])).mark_rule(**look("zero")).encode(x="at:Q")
    layers.append(zero)
    interval = result.effects["mean_difference"].interval
    if interval is not None and interval.low > -float("inf") and interval.high < float("inf"):
        low, high = interval.low, interval.high
        row = {"from": low, "to": high, "mean": result.effects["mean_difference"].value, "level": interval.level}
        tip = [alt.Tooltip(f"{name}:Q") for name in ("mean", "from", "to", "level")]
        base = alt.Chart(data([row]))
        layers.append(base.mark_rule(**look("ink"), strokeWidth=3).encode(x="from:Q", x2="to:Q", y=top, tooltip=tip))
        layers.append(base.mark_point(**look("ink"), filled=True, size=50).encode(x="mean:Q", y=top, tooltip=tip))
    return alt.layer(*layers)
