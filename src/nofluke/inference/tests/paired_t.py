"""The paired t-test."""

from __future__ import annotations

import math

from nofluke.errors import MethodError
from nofluke.inference.describe import of_differences
from nofluke.inference.p_values import Alternative, ConfidenceLevel, Delta
from nofluke.inference.tests.t_result import t_result
from nofluke.registry import TESTS
from nofluke.types import Sample, TestResult


@TESTS.register(
    "paired_t",
    label="paired t-test",
    needs="paired",
    null="the mean difference of {a} and {b} is delta",
    estimand="mean difference",
    about="mean",
    clusters=False,
    delta_instead="",
    cite="Student 1908",
)
def paired_t(
    sample: Sample,
    *,
    alternative: Alternative = "two-sided",
    delta: Delta = 0.0,
    confidence_level: ConfidenceLevel = 0.95,
) -> TestResult:
    """Is the mean difference larger than its standard error explains, if differences are normal?

    Exact for normal differences; for others it leans on the central limit theorem, which one-sided tests of skewed
    differences need several hundred items for. Not for items that come in clusters.
    """
    d = of_differences(sample)
    if d.n < 2:
        raise MethodError(
            "a t-test needs at least 2 items, and there is 1: one difference has no spread.",
            fix="score more items, or use method 'sign' (whose p-value is 1 for a single item).",
        )
    return t_result(
        d.mean,
        math.sqrt(d.variance / d.n),
        d.n - 1,
        n=d.n,
        alternative=alternative,
        delta=delta,
        confidence_level=confidence_level,
        validity="normal_differences",
        details={},
        instead=("permutation", "sign"),
    )
