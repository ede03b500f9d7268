"""Pictures of results: one chart a file, each a function from a result to an Altair chart."""

from __future__ import annotations

from typing import Any

from nofluke.charts import (  # noqa: F401 (importing them registers them)
    agreement_matrix,
    audit,
    calibration_plot,
    critical_difference,
    differences,
    forest,
    gain_scatter,
    heat_map,
    histograms,
    interval,
    k_hat_histogram,
    null_distribution,
    p_value_by_size,
    partial_conjunction,
    posterior,
    power_curve,
    rank_ranges,
    similarity_curve,
    threshold_by_size,
    training_sizes,
)
from nofluke.charts.drawing import ONE_AT_A_TIME, Chart
from nofluke.charts.in_notebooks import shown
from nofluke.charts.picture_files import rendered, save
from nofluke.charts.refusing import refusal
from nofluke.charts.theme import theme
from nofluke.registry import CHARTS
from nofluke.types import Comparison, Study, Value

__all__ = ["chart_names", "draw", "rendered", "save", "theme"]

# The most telling charts of each kind of result, in this order; all others follow.
_FIRST = ("interval", "histograms", "differences", "heat_map", "rank_ranges", "groups", "partial_conjunction")


def chart_names(result: Value) -> tuple[str, ...]:
    """Name the charts that can be drawn of this result, the most telling first."""
    kind = type(result).__name__
    fitting = [method.name for method in CHARTS if kind in method.facts["takes"] and method.facts["applies"](result)]
    if isinstance(result, Study):
        # A study names its own charts, the most telling first.
        return tuple(name for name in result.charts if name in fitting)
    # Of several datasets each is worth more than the average once more.
    first = ("forest", *_FIRST) if isinstance(result, Comparison) else _FIRST
    return tuple(sorted(fitting, key=lambda name: (*first, name).index(name)))


def draw(result: Value, name: str = "", **options: Any) -> Chart:
    """What does this result look like?

    Gives an Altair chart to restyle or save. Without a name the most telling chart of this kind of result is drawn.
    """
    possible = chart_names(result)
    if not possible or (name and name not in possible):
        raise refusal(result, name, possible)
    method = CHARTS[name or possible[0]]
    with ONE_AT_A_TIME:
        return shown(method.function(result, **method.check_options(options)))
