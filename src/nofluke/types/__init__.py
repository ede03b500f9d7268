"""The frozen values that flow through nofluke; no reading or writing of files, no mathematics."""

from nofluke.types.base import SCHEMA_VERSION, FloatArray, IntArray, Value, frozen
from nofluke.types.data import MEAN, Aggregate, Alignment, Axis, Grid, Ratio, Sample, Scores, Source
from nofluke.types.profile import Choice, Choices, Histogram, Normality, Profile, Summary
from nofluke.types.results import Comparison, Computed, Detectable, Estimate, Interval, TestResult

__all__ = [
    "MEAN",
    "SCHEMA_VERSION",
    "Aggregate",
    "Alignment",
    "Axis",
    "Choice",
    "Choices",
    "Comparison",
    "Computed",
    "Detectable",
    "Estimate",
    "FloatArray",
    "Grid",
    "Histogram",
    "IntArray",
    "Interval",
    "Normality",
    "Profile",
    "Ratio",
    "Sample",
    "Scores",
    "Source",
    "Summary",
    "TestResult",
    "Value",
    "frozen",
]
