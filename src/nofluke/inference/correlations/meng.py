"""Meng, Rosenthal and Rubin's test of two dependent correlations."""

from __future__ import annotations

import math

from nofluke.inference.correlations.dependent import Correlations, correlation_result
from nofluke.inference.significance.sides import Alternative, ConfidenceLevel
from nofluke.registry import CORRELATIONS
from nofluke.types import TestResult


@CORRELATIONS.register("meng", label="Meng, Rosenthal and Rubin's z", cite="Meng, Rosenthal and Rubin 1992")
def meng(
    r: Correlations, *, alternative: Alternative = "two-sided", confidence_level: ConfidenceLevel = 0.95
) -> TestResult:
    """Do A and B correlate differently with the gold standard, by Meng's variance?

    Null: both correlations are equal.
    """
    squares = (r.a**2 + r.b**2) / 2
    f = min(1.0, (1 - r.ab) / (2 * (1 - squares)))
    h = (1 - f * squares) / (1 - squares)
    z = r.gap * math.sqrt((r.n - 3) / (2 * (1 - r.ab) * h))
    return correlation_result(r, z, alternative, confidence_level)
