"""Williams' t-test of two dependent correlations."""

from __future__ import annotations

import math

from nofluke.inference.correlations.dependent import Correlations, correlation_result
from nofluke.inference.significance.sides import Alternative, ConfidenceLevel
from nofluke.registry import CORRELATIONS
from nofluke.types import TestResult


@CORRELATIONS.register("williams", label="Williams' t", cite="Williams 1959")
def williams(
    r: Correlations, *, alternative: Alternative = "two-sided", confidence_level: ConfidenceLevel = 0.95
) -> TestResult:
    """Do A and B correlate differently with the gold standard, by a t statistic with n - 3 degrees of freedom?

    Null: both correlations are equal; the usual test in metric evaluation. Better than z for few items.
    """
    n, mean = r.n, (r.a + r.b) / 2
    spread = 2 * (n - 1) / (n - 3) * r.determinant + mean**2 * (1 - r.ab) ** 3
    t = (r.a - r.b) * math.sqrt((n - 1) * (1 + r.ab) / spread)
    return correlation_result(r, t, alternative, confidence_level, df=n - 3)
