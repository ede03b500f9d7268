"""The frozen values that flow through nofluke; no reading or writing of files, no mathematics."""

from nofluke.types.agreement import Agreement, Coefficient, DisputedItem, Ratings
from nofluke.types.base import SCHEMA_VERSION, FloatArray, IntArray, Value, frozen, sealed
from nofluke.types.call import Call, Origin
from nofluke.types.data import MEAN, Aggregate, Alignment, Axis, Grid, Ratio, Sample, Scores, Source, Strata, Whole
from nofluke.types.families import Corrected, MetricsReplication, PValues, Ranking, Replication
from nofluke.types.labels import Labels
from nofluke.types.notes import Note, note
from nofluke.types.planning import DetectableEffect, PlannedPower, PowerCurve, SampleSize, Scenario
from nofluke.types.posterior import DatasetEffect, Posterior
from nofluke.types.profile import Choice, Choices, Histogram, Normality, Profile, Scored, Summary
from nofluke.types.report import Answer, Bar, Report, Section, Table
from nofluke.types.results import (
    VALIDITIES,
    Average,
    Comparison,
    Computed,
    Detectable,
    Distribution,
    Estimate,
    Interval,
    MetricsComparison,
    Task,
    TestResult,
)
from nofluke.types.study import Series, Study

__all__ = [
    "MEAN",
    "SCHEMA_VERSION",
    "VALIDITIES",
    "Aggregate",
    "Agreement",
    "Alignment",
    "Answer",
    "Average",
    "Axis",
    "Bar",
    "Call",
    "Choice",
    "Choices",
    "Coefficient",
    "Comparison",
    "Computed",
    "Corrected",
    "DatasetEffect",
    "Detectable",
    "DetectableEffect",
    "DisputedItem",
    "Distribution",
    "Estimate",
    "FloatArray",
    "Grid",
    "Histogram",
    "IntArray",
    "Interval",
    "Labels",
    "MetricsComparison",
    "MetricsReplication",
    "Normality",
    "Note",
    "Origin",
    "PValues",
    "PlannedPower",
    "Posterior",
    "PowerCurve",
    "Profile",
    "Ranking",
    "Ratings",
    "Ratio",
    "Replication",
    "Report",
    "Sample",
    "SampleSize",
    "Scenario",
    "Scored",
    "Scores",
    "Section",
    "Series",
    "Source",
    "Strata",
    "Study",
    "Summary",
    "Table",
    "Task",
    "TestResult",
    "Value",
    "Whole",
    "frozen",
    "note",
    "sealed",
]
