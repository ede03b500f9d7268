"""Which charts a result has, and drawing one of them by name."""

from __future__ import annotations

from typing import Any

from nofluke.charts.drawing import Chart
from nofluke.errors import MethodError, unknown
from nofluke.registry import CHARTS
from nofluke.types import Value

# The most telling charts of each kind of result, in this order; all others follow.
_FIRST = ("interval", "histograms", "differences", "heat_map", "rank_ranges", "groups", "partial_conjunction")


def chart_names(result: Value) -> tuple[str, ...]:
    """Name the charts that can be drawn of this result, the most telling first."""
    kind = type(result).__name__
    fitting = [method.name for method in CHARTS if kind in method.facts["takes"] and method.facts["applies"](result)]
    return tuple(sorted(fitting, key=lambda name: (*_FIRST, name).index(name)))


def draw(result: Value, name: str = "", **options: Any) -> Chart:
    """What does this result look like?

    Gives an Altair chart to restyle or save. Without a name the most telling chart of this kind of result is drawn.
    """
    possible = chart_names(result)
    if not possible:
        raise _no_chart(result)
    if name and name not in possible:
        raise unknown(f"chart of a {type(result).__name__}", name, possible)
    method = CHARTS[name or possible[0]]
    return method.function(result, **method.check_options(options))


def _no_chart(result: Value) -> MethodError:
    kind = type(result).__name__
    kinds = sorted({taken for method in CHARTS for taken in method.facts["takes"]})
    if kind in kinds:
        said = getattr(result, "headline", "")
        empty = kind == "PowerCurve" and not len(getattr(result, "sizes", ()))
        why = "it has no points" if empty else "it has too little to show"
        return MethodError(
            f"there is nothing to draw of this {kind}: {why}.",
            fix=f"read what it says: {said}" if said else "print it: its words and tables say what was found.",
        )
    return MethodError(
        f"there is no chart of a {kind}.",
        fix=f"print it; charts are drawn of these results: {', '.join(kinds)}.",
    )
