"""Pictures of results: one chart a file, each a function from a result to an Altair chart."""

from __future__ import annotations

from nofluke.charts import (
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
from nofluke.charts.choosing import chart_names, draw
from nofluke.charts.drawing import rendered, save
from nofluke.charts.theme import theme

__all__ = [
    "agreement_matrix",
    "audit",
    "calibration_plot",
    "chart_names",
    "critical_difference",
    "differences",
    "draw",
    "forest",
    "gain_scatter",
    "heat_map",
    "histograms",
    "interval",
    "k_hat_histogram",
    "null_distribution",
    "p_value_by_size",
    "partial_conjunction",
    "posterior",
    "power_curve",
    "rank_ranges",
    "rendered",
    "save",
    "similarity_curve",
    "theme",
    "threshold_by_size",
    "training_sizes",
]
