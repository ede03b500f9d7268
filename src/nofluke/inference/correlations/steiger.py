"""Steiger's test of two dependent correlations."""

from __future__ import annotations

import math

from nofluke.inference.correlations.dependent import Correlations, correlation_result, covariance
from nofluke.inference.significance.sides import Alternative, ConfidenceLevel
from nofluke.registry import CORRELATIONS
from nofluke.types import TestResult


@CORRELATIONS.register("steiger", label="Steiger's z", cite="Dunn and Clark 1969; Steiger 1980")
def steiger(
    r: Correlations, *, alternative: Alternative = "two-sided", confidence_level: ConfidenceLevel = 0.95
) -> TestResult:
    """Do A and B correlate differently with the gold standard, by Fisher's z with a pooled correlation?

    Null: both correlations are equal. The covariance of the two z values is computed at their mean correlation.
    """
    mean = (r.a + r.b) / 2
    z = r.gap * math.sqrt((r.n - 3) / (2 - 2 * covariance(mean, mean, r.ab)))
    return correlation_result(r, z, alternative, confidence_level)
