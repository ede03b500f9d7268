"""What the t-tests share: from an estimate, its standard error and degrees of freedom to a TestResult."""

from __future__ import annotations

import math
from collections.abc import Mapping

from nofluke.inference.p_values import log_p_of, p_of, tail_levels
from nofluke.laws.tails import log_t_tail, t_quantile
from nofluke.types import Computed, Interval, Note, Sample, TestResult, note


def t_result(
    estimate: float,
    standard_error: float,
    df: float,
    *,
    n: int,
    alternative: str,
    delta: float,
    confidence_level: float,
    validity: str,
    details: Mapping[str, float],
    notes: tuple[Note, ...] = (),
    instead: tuple[str, ...] = (),
    unit: str = "item",
) -> TestResult:
    """Give t = (estimate - delta) / standard_error its p-value and interval; without spread t is undefined."""
    t, log_p, interval = math.nan, math.nan, None
    if standard_error > 0:
        t = (estimate - delta) / standard_error
        log_p = log_p_of(log_t_tail(t, df), log_t_tail(-t, df), alternative)
        below, above = tail_levels(alternative, confidence_level)
        low = estimate + t_quantile(below, df) * standard_error if below else -math.inf
        high = estimate - t_quantile(above, df) * standard_error if above else math.inf
        interval = Interval(low, high, confidence_level, "t")
    elif estimate == delta:
        log_p = 0.0
        notes += (note("test.no_spread_at_null"),)
    else:
        notes += (note("test.no_spread", instead=instead),)
    return TestResult(
        statistic=t,
        p_value=p_of(log_p),
        log_p_value=log_p,
        alternative=alternative,
        n=n,
        computed=Computed("exact"),
        validity=validity,
        estimate=estimate,
        delta=delta,
        interval=interval,
        details={"df": df, "standard_error": standard_error, **details},
        notes=notes,
        unit=unit,
    )


def pairing_note(sample: Sample, paired_method: str) -> tuple[Note, ...]:
    """Warn where scores that may belong to the same items are treated as two independent groups."""
    if sample.lengths[0] != sample.lengths[1]:
        return ()
    if sample.paired:
        return (note("test.pairing_ignored", systems=sample.systems, instead=paired_method),)
    return (note("test.pairing_unknown", systems=sample.systems, instead=paired_method),)
