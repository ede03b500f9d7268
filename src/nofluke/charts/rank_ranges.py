"""The ranks that the data leave open for each system."""

from __future__ import annotations

from nofluke.charts.drawing import Chart, altair_or_hint, data, distinct, finish, told, whole_numbers
from nofluke.charts.refusing import Needs
from nofluke.charts.theme import look
from nofluke.registry import CHARTS
from nofluke.types import Ranking
from nofluke.words import pictures
from nofluke.words.marks import ranks_say


@CHARTS.register(
    "rank_ranges",
    label="Rank ranges",
    takes=("Ranking",),
    applies=Needs("2 systems", lambda result: len(result.systems) > 1),
    cite="Mohamad, Goeman & van Zwet 2022",
)
def rank_ranges(result: Ranking) -> Chart:
    """Which ranks could each system really have?"""
    alt = altair_or_hint()
    names = distinct(result.systems)
    rows = [
        {"name": name, "from": low - 0.35, "to": high + 0.35, "place": i + 1, "says": ranks_say(result, i, name)}
        for i, (name, (low, high)) in enumerate(zip(names, result.rank_ranges, strict=True))
    ]
    step = 22 if len(rows) <= 40 else 12 if len(rows) <= 90 else 8
    base = alt.Chart(data(rows), width=max(360, min(900, 9 * len(rows))), height=alt.Step(step))
    y = alt.Y("name:N", sort=names, title=None).axis(
        ticks=False, labelFontSize=12 if step > 20 else 9 if step > 10 else 7, labelOverlap=False
    )
    scale = alt.Scale(domain=[0.5, len(rows) + 0.5], nice=False)
    bars = base.mark_bar(**look("a-bar"), height=max(3, step * 0.55), cornerRadius=3).encode(
        x=alt.X("from:Q", title="rank", scale=scale).axis(values=whole_numbers(1, len(rows)), format="d"),
        x2="to:Q",
        y=y,
        **told(),
    )
    points = base.mark_point(**look("ink"), filled=True, size=18, aria=False).encode(x="place:Q", y=y, **told())
    return finish(
        alt.layer(bars, points),
        **pictures.heading("rank_ranges", hold=pictures.ranges_hold(result)),
        description=pictures.spoken_ranges(result),
    )
