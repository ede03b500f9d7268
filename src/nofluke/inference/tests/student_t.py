"""Student's t-test of two independent groups with equal variances."""

from __future__ import annotations

import math

from nofluke.errors import MethodError
from nofluke.inference.describe import mean_gap, of_system
from nofluke.inference.p_values import Alternative, ConfidenceLevel, Delta
from nofluke.inference.tests.t_result import pairing_note, t_result
from nofluke.registry import TESTS
from nofluke.types import Sample, TestResult, note


@TESTS.register(
    "student_t",
    label="Student's t-test, unpaired",
    needs="unpaired",
    null="the mean of {a} equals the mean of {b} plus delta, with equal variances",
    estimand="difference of the two means",
    about="mean",
    clusters=False,
    delta_instead="",
    cite="Student 1908; Fisher 1925",
)
def student_t(
    sample: Sample,
    *,
    alternative: Alternative = "two-sided",
    delta: Delta = 0.0,
    confidence_level: ConfidenceLevel = 0.95,
) -> TestResult:
    """Do two independent groups of scores have different means, if both spread equally?

    Null: the means differ by delta. Estimand: mean of A - mean of B, positive = A better. Assumes independent scores,
    normal with the same variance in both groups; n_A + n_B - 2 degrees of freedom. A group may hold a single score:
    the spread then comes from the other one.

    Not for two systems scored on the same items, also when the sequences are equally long: it ignores the pairing
    (use paired_t). With unequal variances and group sizes its size is wrong in either direction (use welch_t).
    """
    a, b = of_system(sample, 0), of_system(sample, 1)
    df = a.n + b.n - 2
    if df < 1:
        raise MethodError(
            "Student's t-test needs at least 3 scores in all, and there are 2: they show no spread.",
            fix="score more items; with one score for each system no test can speak.",
        )
    squares = sum((group.n - 1) * group.variance for group in (a, b) if group.n > 1)
    standard_error = math.sqrt(squares / df * (1 / a.n + 1 / b.n))
    notes = pairing_note(sample, "paired_t")
    if min(a.n, b.n) == 1:
        name, other = sample.systems[:2] if a.n == 1 else sample.systems[1::-1]
        notes += (note("test.single_score", system=name, other=other),)
    return t_result(
        mean_gap(sample),
        standard_error,
        df,
        n=a.n + b.n,
        alternative=alternative,
        delta=delta,
        confidence_level=confidence_level,
        validity="normal_equal_variances",
        details={"n_a": a.n, "n_b": b.n},
        notes=notes,
        instead=("mann_whitney",),
    )
