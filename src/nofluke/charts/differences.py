"""All paired differences in order: where A wins, where it loses, and by how much."""

from __future__ import annotations

from nofluke.charts.drawing import Chart, altair_or_hint, data, finish, shortened, told
from nofluke.charts.refusing import Needs
from nofluke.charts.theme import look
from nofluke.registry import CHARTS
from nofluke.types import Comparison
from nofluke.types.base import counted
from nofluke.words import pictures
from nofluke.words.marks import quantile_says


@CHARTS.register(
    "differences",
    label="Paired differences in order",
    takes=("Comparison",),
    applies=Needs("two items or more", lambda result: bool(result.profile.quantiles)),
    cite="Wilk & Gnanadesikan 1968",
)
def differences(result: Comparison) -> Chart:
    """On which share of the items does A win, and by how much?"""
    alt = altair_or_hint()
    a, b = (shortened(name, 18) for name in result.systems)
    quantiles = result.profile.quantiles
    last = len(quantiles) - 1
    rows = []
    for i, q in enumerate(reversed(quantiles)):
        share, better = 100 * i / last, a if q > 0 else b if q < 0 else "tied"
        says = quantile_says(result, share, q, better)
        rows.append({"share": share, "difference": q, "better": better, "says": says})
    names = [a, b, "tied"]
    bars = (
        alt.Chart(data(rows), width=560, height=260)
        .mark_bar(size=560 / len(rows) + 0.3)
        .encode(
            x=alt.X("share:Q", title=f"share of items, best for {a} first (%)").scale(domain=[0, 100]),
            y=alt.Y("difference:Q", title=["difference", f"positive = {a} better"]),
            color=alt.Color("better:N", title="better").scale(domain=names),
            **told(),
        )
    )
    zero = alt.Chart(data([{"at": 0.0}])).mark_rule(**look("zero")).encode(y="at:Q")
    profile = result.profile
    counts = f"{profile.wins:,} better, {profile.losses:,} worse, {profile.ties:,} tied"
    return finish(
        alt.layer(bars, zero),
        **pictures.heading("differences", a=a, items=counted(result.n, "item"), counts=counts),
        description=pictures.spoken_differences((a, b), counts),
    )
