"""The frozen values that flow through nofluke; no reading or writing of files, no mathematics."""

from nofluke.types.agreement import Agreement, DisputedItem
from nofluke.types.base import SCHEMA_VERSION, FloatArray, IntArray, Value, frozen
from nofluke.types.data import MEAN, Aggregate, Alignment, Axis, Grid, Ratio, Sample, Scores, Source
from nofluke.types.families import MetricsReplication, Ranking, Replication
from nofluke.types.planning import PowerCurve, SampleSize
from nofluke.types.posterior import Posterior
from nofluke.types.profile import Choice, Choices, Histogram, Normality, Profile, Summary
from nofluke.types.report import Report, Section, Table
from nofluke.types.results import Comparison, Computed, Detectable, Estimate, Interval, TestResult
from nofluke.types.study import Series, Study

__all__ = [
    "MEAN",
    "SCHEMA_VERSION",
    "Aggregate",
    "Agreement",
    "Alignment",
    "Axis",
    "Choice",
    "Choices",
    "Comparison",
    "Computed",
    "Detectable",
    "DisputedItem",
    "Estimate",
    "FloatArray",
    "Grid",
    "Histogram",
    "IntArray",
    "Interval",
    "MetricsReplication",
    "Normality",
    "Posterior",
    "PowerCurve",
    "Profile",
    "Ranking",
    "Ratio",
    "Replication",
    "Report",
    "Sample",
    "SampleSize",
    "Scores",
    "Section",
    "Series",
    "Source",
    "Study",
    "Summary",
    "Table",
    "TestResult",
    "Value",
    "frozen",
]
