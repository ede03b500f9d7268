"""Pictures of results: one chart a file, each a function from a result to an Altair chart."""

from __future__ import annotations

from nofluke.charts import (
    agreement_matrix,
    critical_difference,
    differences,
    forest,
    heat_map,
    histograms,
    interval,
    null_distribution,
    partial_conjunction,
    posterior,
    power_curve,
    rank_ranges,
)
from nofluke.charts.choosing import chart_names, draw
from nofluke.charts.drawing import rendered, save
from nofluke.charts.theme import theme

__all__ = [
    "agreement_matrix",
    "chart_names",
    "critical_difference",
    "differences",
    "draw",
    "forest",
    "heat_map",
    "histograms",
    "interval",
    "null_distribution",
    "partial_conjunction",
    "posterior",
    "power_curve",
    "rank_ranges",
    "rendered",
    "save",
    "theme",
]
