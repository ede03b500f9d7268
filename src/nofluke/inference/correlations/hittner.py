"""Hittner's variant of Steiger's test."""

from __future__ import annotations

import math

from nofluke.inference.correlations.dependent import Correlations, correlation_result, covariance
from nofluke.inference.significance.sides import Alternative, ConfidenceLevel
from nofluke.registry import CORRELATIONS
from nofluke.types import TestResult


@CORRELATIONS.register("hittner", label="Hittner, May and Silver's z", cite="Hittner, May and Silver 2003")
def hittner(
    r: Correlations, *, alternative: Alternative = "two-sided", confidence_level: ConfidenceLevel = 0.95
) -> TestResult:
    """Do A and B correlate differently with the gold standard, pooling on Fisher's scale?

    As steiger, with the mean correlation taken on the z scale and transformed back.
    """
    mean = math.tanh((math.atanh(r.a) + math.atanh(r.b)) / 2)
    z = r.gap * math.sqrt((r.n - 3) / (2 - 2 * covariance(mean, mean, r.ab)))
    return correlation_result(r, z, alternative, confidence_level)
