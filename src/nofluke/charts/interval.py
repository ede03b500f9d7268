"""The difference with its interval against zero: the answer in one line."""

from __future__ import annotations

import math

from nofluke.charts.drawing import HAS_LENGTH, Chart, altair_or_hint, data, finish, shortened, told
from nofluke.charts.refusing import Needs
from nofluke.charts.theme import COLOURS, look
from nofluke.registry import CHARTS
from nofluke.types import Comparison
from nofluke.words import pictures
from nofluke.words.comparison import verdict_text
from nofluke.words.marks import difference_says
from nofluke.words.numbers import figure, interval_text


def _bounded(result: Comparison) -> bool:
    interval = result.effects["mean_difference"].interval
    return interval is not None and math.isfinite(interval.low) and math.isfinite(interval.high)


@CHARTS.register(
    "interval",
    label="The difference against zero",
    takes=("Comparison",),
    applies=Needs("an interval with two ends", _bounded),
    cite="Cumming 2014",
)
def interval(result: Comparison) -> Chart:
    """How large is the difference, and is zero among the values the data allow?"""
    alt = altair_or_hint()
    effect = result.effects["mean_difference"]
    found = effect.interval
    low, high = (found.low, found.high) if found is not None else (math.nan, math.nan)
    state = {"better": "yes", "worse": "no"}.get(result.verdict, "open")
    row = {"low": low, "high": high, "difference": effect.value, "zero": 0.0, "says": difference_says(result)}
    base = alt.Chart(data([row]), width=560, height=64)
    a, b = (shortened(name, 24) for name in result.systems)
    margin = result.margin or 0.0
    reach = max(abs(low), abs(high), margin) * 1.15 or 1.0
    x = alt.X("low:Q", title=f"worse than {b}   ←   {a}   →   better than {b}").scale(domain=[-reach, reach])
    middle = alt.value(32)
    layers = [base.mark_rule(**look("zero")).encode(x="zero:Q")]
    if margin:
        layers.append(alt.Chart(data([{"at": -margin}])).mark_rule(**look("limit")).encode(x="at:Q"))
    layers.append(
        base.transform_filter(HAS_LENGTH)
        .mark_rule(color=COLOURS[state], strokeWidth=6, strokeCap="round")
        .encode(x=x, x2="high:Q", y=middle, **told())
    )
    layers.append(
        base.mark_point(color=COLOURS[state], filled=True, size=220, opacity=1).encode(
            x="difference:Q", y=middle, **told(unless=HAS_LENGTH)
        )
    )
    scale = effect.standard_error
    shown = interval_text(found, scale) if found is not None else "no interval"
    return finish(
        alt.layer(*layers),
        **pictures.heading(
            "interval",
            difference=figure(effect.value, scale),
            interval=shown,
            rest=f"; red: the margin {margin:g}" if margin else "",
        ),
        description=pictures.spoken_interval(verdict_text(result), shown),
    )
