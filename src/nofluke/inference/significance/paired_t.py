"""The paired t-test."""

from __future__ import annotations

import math

from nofluke.align import differences
from nofluke.errors import MethodError
from nofluke.inference.distributions import log_t_tail, t_quantile
from nofluke.inference.significance.sides import Alternative, ConfidenceLevel, Delta, log_p_of, p_of, tail_levels
from nofluke.registry import TESTS
from nofluke.types import Computed, Interval, Sample, TestResult


@TESTS.register(
    "paired_t",
    label="paired t-test",
    needs="paired",
    null="the mean difference of A and B is delta",
    estimand="mean difference",
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
    d = differences(sample)
    n = len(d.values)
    if n < 2:
        raise MethodError(
            "a t-test needs at least 2 items, and there is 1: one difference has no spread.",
            fix="score more items, or use method 'sign' (whose p-value is 1 for a single item).",
        )
    mean = float(d.values.mean())
    centred = d.values - mean
    constant = d.distinct == 1
    standard_error = 0.0 if constant else math.sqrt(float(centred @ centred) / (n - 1) / n)
    computed, validity = Computed("exact"), "exact under normal differences, asymptotic otherwise"
    if constant:
        return _constant(mean, n, alternative, delta, computed, validity)
    t = (mean - delta) / standard_error
    log_p = log_p_of(log_t_tail(t, n - 1), log_t_tail(-t, n - 1), alternative)
    below, above = tail_levels(alternative, confidence_level)
    low = mean + t_quantile(below, n - 1) * standard_error if below else -math.inf
    high = mean - t_quantile(above, n - 1) * standard_error if above else math.inf
    return TestResult(
        statistic=t,
        p_value=p_of(log_p),
        log_p_value=log_p,
        alternative=alternative,
        n=n,
        computed=computed,
        validity=validity,
        estimate=mean,
        delta=delta,
        interval=Interval(low, high, confidence_level, "t"),
        details={"df": n - 1, "standard_error": standard_error},
    )


def _constant(mean: float, n: int, alternative: str, delta: float, computed: Computed, validity: str) -> TestResult:
    """Identical systems give p = 1; any other constant difference leaves t undefined."""
    identical = mean == delta
    note = (
        "all differences are equal, so the t statistic is undefined"
        + ("; the systems do not differ from the null at all, hence p = 1." if identical else ".")
        + ("" if identical else " Use method 'permutation' or 'sign', which are valid here.")
    )
    return TestResult(
        statistic=math.nan,
        p_value=1.0 if identical else math.nan,
        log_p_value=0.0 if identical else math.nan,
        alternative=alternative,
        n=n,
        computed=computed,
        validity=validity,
        estimate=mean,
        delta=delta,
        details={"df": n - 1, "standard_error": 0.0},
        notes=(note,),
    )
