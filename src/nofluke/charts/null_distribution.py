"""What differences chance alone would give, beside the one that was seen."""

from __future__ import annotations

from typing import Any

from nofluke.charts.drawing import Chart, altair_or_hint, data, finish, shortened, told
from nofluke.charts.refusing import Needs
from nofluke.charts.theme import COLOURS, look
from nofluke.errors import MethodError
from nofluke.registry import CHARTS
from nofluke.types import Comparison
from nofluke.words import pictures
from nofluke.words.computed import distribution_line
from nofluke.words.marks import chance_says, seen_says


@CHARTS.register(
    "null_distribution",
    label="Distribution under the null hypothesis",
    takes=("Comparison",),
    applies=Needs("a permutation test of a mean, on items that differ", lambda result: result.distribution is not None),
    cite="Fisher 1935",
)
def null_distribution(result: Comparison) -> Chart:
    """Which differences would chance alone give?"""
    alt = altair_or_hint()
    found = result.distribution
    if found is None:
        raise MethodError(f"{result.test.label} has no such picture.", fix="use method 'permutation'.")
    seen = result.effects["mean_difference"].value
    a, b = (shortened(name, 18) for name in result.systems)
    both = result.test.alternative == "two-sided"
    rows: list[dict[str, Any]] = [
        {
            "x": float(x),
            "density": float(y),
            "part": _part(float(x), seen, result.test.alternative),
            # Both tails are one part of the legend but two areas.
            "side": "upper" if x > 0 else "lower",
        }
        for x, y in zip(found.grid, found.density, strict=True)
    ]
    if found.atoms:
        rows = [{**row, "says": chance_says(result, row["x"], row["density"], row["part"])} for row in rows]
    names = ["as seen or more extreme", "less extreme"]
    base = alt.Chart(data(rows), width=520, height=240)
    x = alt.X("x:Q", title=f"mean difference if {a} and {b} were equally good").scale(nice=False)
    y = alt.Y("density:Q", title=None, stack=None).axis(labels=False, ticks=False, grid=False)
    colour = alt.Color("part:N", title=None).scale(domain=names, range=[COLOURS["open"], COLOURS["line"]])
    if found.atoms:
        drawn = base.mark_bar(size=max(1.0, 400 / len(rows))).encode(x=x, y=y, color=colour, **told())
    else:
        middle = base.transform_filter(f"datum.part == '{names[1]}'").mark_area(aria=False)
        tails = base.transform_filter(f"datum.part == '{names[0]}'").mark_area(aria=False)
        tails = tails.encode(x=x, y=y, color=colour, detail="side:N")
        drawn = alt.layer(middle.encode(x=x, y=y, color=colour), tails)
    marks = [{"at": seen, "says": seen_says(result)}]
    if both:
        marks.append({"at": -seen, "says": seen_says(result, mirrored=True)})
    rules = alt.Chart(data(marks)).mark_rule(**{**look("zero"), "aria": True}).encode(x="at:Q", **told())
    return finish(
        alt.layer(drawn, rules),
        **pictures.heading(
            "null_distribution", made=distribution_line(found), rest=" and its mirror image" if both else ""
        ),
        description=pictures.spoken_null(seen),
    )


def _part(x: float, seen: float, alternative: str) -> str:
    extreme = {
        "two-sided": abs(x) >= abs(seen),
        "greater": x >= seen,
        "less": x <= seen,
    }[alternative]
    return "as seen or more extreme" if extreme else "less extreme"
