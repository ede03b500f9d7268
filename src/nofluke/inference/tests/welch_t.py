"""Welch's t-test of two independent groups."""

from __future__ import annotations

import math

from nofluke.errors import MethodError
from nofluke.inference.describe import Moments, mean_gap, of_system
from nofluke.inference.p_values import Alternative, ConfidenceLevel, Delta
from nofluke.inference.tests.t_result import pairing_note, t_result
from nofluke.registry import TESTS
from nofluke.types import Sample, TestResult


@TESTS.register(
    "welch_t",
    label="Welch's t-test, unpaired",
    needs="unpaired",
    null="the mean of {a} equals the mean of {b} plus delta",
    estimand="difference of the two means",
    about="mean",
    clusters=False,
    delta_instead="",
    cite="Welch 1947",
)
def welch_t(
    sample: Sample,
    *,
    alternative: Alternative = "two-sided",
    delta: Delta = 0.0,
    confidence_level: ConfidenceLevel = 0.95,
) -> TestResult:
    """Do two independent groups of scores have different means, whatever their spreads?

    Null: the means differ by delta. Estimand: mean of A - mean of B, positive = A better. Assumes independent scores
    and nearly normal means; the two variances and group sizes may differ. Satterthwaite's degrees of freedom make it
    an approximation even for normal scores, a close one from some five scores in each group.

    Not for two systems scored on the same items, also when the sequences are equally long: it ignores the pairing
    (use paired_t, or permutation).
    """
    a, b = of_system(sample, 0), of_system(sample, 1)
    for name, group in zip(sample.systems, (a, b), strict=False):
        if group.n < 2:
            raise MethodError(
                f"Welch's t-test needs at least 2 scores of each system, and {name} has 1: one score has no spread.",
                fix="score more items, or use method 'student_t', which takes the spreads as equal.",
            )
    standard_error = math.sqrt(a.variance / a.n + b.variance / b.n)
    return t_result(
        mean_gap(sample),
        standard_error,
        _degrees_of_freedom(a, b),
        n=a.n + b.n,
        alternative=alternative,
        delta=delta,
        confidence_level=confidence_level,
        validity="welch",
        details={"n_a": a.n, "n_b": b.n},
        notes=pairing_note(sample, "paired_t"),
        instead=("mann_whitney",),
    )


def _degrees_of_freedom(a: Moments, b: Moments) -> float:
    """Welch 1947, Satterthwaite 1946; from the shares of the variance, so that tiny scores do not underflow."""
    total = a.variance / a.n + b.variance / b.n
    if total == 0:
        return math.nan
    share = a.variance / a.n / total
    return 1 / (share**2 / (a.n - 1) + (1 - share) ** 2 / (b.n - 1))
