"""Histograms of A, B and A - B, with the interval of the difference."""

from __future__ import annotations

import math
from typing import Any

from nofluke.charts.drawing import HAS_LENGTH, Chart, altair_or_hint, data, finish, shortened, told
from nofluke.charts.theme import look
from nofluke.registry import CHARTS
from nofluke.types import Comparison, Interval, Summary
from nofluke.types.base import counted
from nofluke.words import pictures
from nofluke.words.marks import bins_say, difference_says

_FEW = 4
_SIZE = {"width": 240, "height": 160}


@CHARTS.register("histograms", label="Histograms of A, B and A - B", takes=("Comparison",), cite="Zhu 2020")
def histograms(result: Comparison) -> Chart:
    """How are the scores of A, of B, and their differences spread?"""
    alt = altair_or_hint()
    profile = result.profile
    panels = [_bars(profile.a, "a-bar", _around(profile.a)), _bars(profile.b, "b-bar", _around(profile.b))]
    panels.append(_differences(result))
    one_score = profile.difference.sd == 0
    return finish(
        alt.hconcat(*panels, spacing=28),
        **pictures.heading(
            "histograms",
            a=shortened(result.systems[0]),
            b=shortened(result.systems[1]),
            items=counted(result.n, "item"),
            rest=_explained(result),
        ),
        description=pictures.spoken_histograms(result, one_score=one_score),
    )


def _explained(result: Comparison) -> str:
    """What the dot and its line are, where they are drawn."""
    interval = _bounded(result)
    return "" if interval is None else f"; dot and line, the mean difference and its {interval.level * 100:g}% CI"


def _bounded(result: Comparison) -> Interval | None:
    interval = result.effects["mean_difference"].interval
    known = interval is not None and math.isfinite(interval.low) and math.isfinite(interval.high)
    return interval if known else None


def _rows(summary: Summary) -> list[dict[str, Any]]:
    edges, counts, half = summary.histogram.edges, summary.histogram.counts, _half(summary)
    bins = zip(edges, edges[1:], counts, bins_say(shortened(summary.name), edges, counts), strict=False)
    return [{"low": low - half, "high": high + half, "count": count, "says": says} for low, high, count, says in bins]


def _half(summary: Summary) -> float:
    """Half the width of the bar where all scores are one value: a bin without width would not be seen."""
    return 0.0 if summary.minimum < summary.maximum else abs(summary.minimum) / 20 or 0.05


def _around(summary: Summary) -> list[float] | None:
    """The axis around a single value; None: the axis follows from the bins."""
    half = _half(summary)
    return [summary.minimum - 5 * half, summary.maximum + 5 * half] if half else None


def _bars(summary: Summary, role: str, domain: list[float] | None = None) -> Chart:
    alt = altair_or_hint()
    highest = max(summary.histogram.counts)
    # So few items cannot be shown in halves.
    ticks = {"values": list(range(highest + 1))} if highest < _FEW else {"tickCount": _FEW}
    scale = alt.Scale(domain=domain, nice=False) if domain else alt.Undefined
    return (
        alt.Chart(data(_rows(summary)), **_SIZE)
        .mark_bar(**look(role))
        .encode(
            x=alt.X("low:Q", title=shortened(summary.name), bin="binned", scale=scale).axis(grid=False, tickCount=5),
            x2="high:Q",
            y=alt.Y("count:Q", title="items").axis(**ticks),
            **told(),
        )
    )


def _differences(result: Comparison) -> Chart:
    alt = altair_or_hint()
    top = alt.value(4)
    layers = [_bars(result.profile.difference, "soft-bar")]
    zero = alt.Chart(data([{"at": 0.0}])).mark_rule(**look("zero")).encode(x="at:Q")
    layers.append(zero)
    interval = _bounded(result)
    if interval is not None:
        low, high = interval.low, interval.high
        mean = result.effects["mean_difference"].value
        base = alt.Chart(data([{"low": low, "high": high, "mean": mean, "says": difference_says(result)}]))
        line = base.transform_filter(HAS_LENGTH).mark_rule(**look("ink"), strokeWidth=3)
        point = base.mark_point(**look("ink"), filled=True, size=50)
        layers.append(line.encode(x="low:Q", x2="high:Q", y=top, **told()))
        layers.append(point.encode(x="mean:Q", y=top, **told(unless=HAS_LENGTH)))
    return alt.layer(*layers)
