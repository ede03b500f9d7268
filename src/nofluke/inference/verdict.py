"""The verdict of a test, as seen from A."""

from __future__ import annotations

import math

from nofluke.inference.significance.sides import significant
from nofluke.types import TestResult


def verdict_of(result: TestResult, alpha: float) -> str:
    """Give better, worse, inconclusive or undefined, as seen from A; alpha decides the word, never the p-value."""
    if math.isnan(result.p_value):
        return "undefined"
    if not significant(result.p_value, alpha):
        return "inconclusive"
    if result.alternative != "two-sided":
        return "better" if result.alternative == "greater" else "worse"
    return "better" if result.direction > 0 else "worse"
