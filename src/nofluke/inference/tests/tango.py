"""Tango's test of the difference of two paired proportions against a margin."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Annotated, Literal

from nofluke.align.counts import PairedCounts, TwoScores, paired_counts, two_scores
from nofluke.errors import Fix, InputError, MethodError, Option
from nofluke.forms import ITEMS_TO_PASS
from nofluke.inference.intervals.inversion import agree_at_null
from nofluke.inference.intervals.paired_proportions import paired_exact_interval, score_z, tango_interval
from nofluke.inference.p_values import Alternative, ConfidenceLevel, Delta, log_p_of, p_of, tail_levels
from nofluke.laws.tails import log_normal_tail
from nofluke.laws.trinomial import MOST_ITEMS, exact_tail
from nofluke.registry import TESTS
from nofluke.types import Computed, Interval, Note, Sample, Strata, TestResult, note

# The two scores that items can have.
Low = Annotated[float | None, "the lower of two possible scores; 0 if all are 0 and 1, or 0 and 100"]
High = Annotated[float | None, "the higher of two possible scores; 1 or 100 if all are 0 and 1, or 0 and 100"]
# Up to here the exact form with its interval takes one or two tenths of a second.
EXACT_UP_TO = 50


@TESTS.register(
    "tango",
    label="Tango's score test of paired accuracies",
    needs="binary",
    null="the accuracy of {a} minus that of {b} is delta",
    estimand="difference in accuracy",
    about="mean",
    clusters=False,
    delta_instead="",
    cite="Tango 1998; Hsueh, Liu and Chen 2001; Suissa and Shuster 1991",
)
def tango(
    sample: Sample,
    *,
    alternative: Alternative = "two-sided",
    delta: Delta = 0.0,
    confidence_level: ConfidenceLevel = 0.95,
    mode: Annotated[
        Literal["auto", "score", "exact"], "the score test, its exact unconditional form, or exact up to 50 items"
    ] = "auto",
    low: Low = None,
    high: High = None,
) -> TestResult:
    """Is the accuracy of A above (below, different from) that of B by more than delta?

    For 0/1 scores of the same items, and the test for a margin: "not worse by 0.02" is delta=-0.02 with alternative
    "greater". The score statistic divides b - c - n delta by its standard deviation at the most likely probabilities
    with that difference; at delta = 0 it is McNemar's chi-square without correction. exact orders all tables by that
    statistic and takes the largest probability over the unknown rate of disagreement, so its error never exceeds the
    level; score is asymptotic (largest one-sided size at .05, 20 to 100 items: .06 at delta = 0, .07 for "not worse
    by", .09 for "better by"). Where A and B agree on every item the p-value is never below (1 - margin)^n, in either
    form. Not for items in clusters. Scores of 0 and 100, or of the two that `low` and `high` state, are taken in steps
    of a right answer.
    """
    two = two_scores(sample, low, high) or TwoScores()
    given, delta = delta, share_of(delta, two, "two accuracies")
    counts = paired_counts(sample, "tango", scores=two)
    b, c, n = counts.only_a, counts.only_b, counts.n
    exact = mode == "exact" or (mode == "auto" and n <= EXACT_UP_TO)
    if exact and n > MOST_ITEMS:
        raise MethodError(
            f"mode 'exact' of tango enumerates all tables, and {n:,} items have too many.",
            fix=Fix("use ", Option("mode", "score"), f" above {MOST_ITEMS} items."),
        )
    log_p, computed = _exact(b, c, n, delta, alternative) if exact else _score(b, c, n, delta, alternative)
    construct = paired_exact_interval if exact else tango_interval
    interval = construct(b, c, n, *tail_levels(alternative, confidence_level), confidence_level)
    notes: tuple[Note, ...] = ()
    if exact:
        interval, notes = agree_at_null(interval, delta, log_p)
    z = score_z(b, c, n, delta)
    return TestResult(
        statistic=z,
        p_value=p_of(log_p),
        log_p_value=log_p,
        alternative=alternative,
        n=n,
        computed=computed,
        validity="exact" if exact else "asymptotic",
        estimate=counts.difference * two.span,
        z_score=z,
        delta=given,
        interval=in_scores(interval, two),
        details={name: float(count) for name, count in counts._asdict().items()} | worth(two),
        notes=notes + _notes(sample, counts, delta, two),
    )


def share_of(delta: float, two: TwoScores, what: str) -> float:
    """Give a difference of mean scores as one of accuracies."""
    if not -two.span < delta < two.span:
        raise InputError(
            f"delta = {delta:g} is not a difference of {what}.",
            fix=f"give a number between {-two.span:g} and {two.span:g}, as in {0.02 * two.span:g}.",
        )
    return delta / two.span


def in_scores(interval: Interval, two: TwoScores) -> Interval:
    """Give an interval of accuracies in the scores they were counted from."""
    return replace(interval, low=interval.low * two.span, high=interval.high * two.span)


def worth(two: TwoScores) -> dict[str, float]:
    """Say what a right answer is worth where that is not 1."""
    return {} if two.span == 1 else {"worth": two.span}


def _score(b: int, c: int, n: int, delta: float, alternative: str) -> tuple[float, Computed]:
    log_p = log_p_of(score_log_tail(b, c, n, delta), score_log_tail(c, b, n, -delta), alternative)
    return log_p, Computed("exact", detail=note("computed.score"))


def score_log_tail(b: int, c: int, n: int, delta: float) -> float:
    """Give the log p-value of the score test for "the difference is above delta"."""
    greater = log_normal_tail(score_z(b, c, n, delta))
    if b or c:
        return greater
    # Under p01 = margin, p10 = 0 all items agree with probability (1 - margin)^n, which the normal tail undercuts
    # for p above .03. The larger of the two keeps the level and the order: one item more for A never raises p.
    return max(greater, n * math.log1p(min(delta, 0.0)))


def _exact(b: int, c: int, n: int, delta: float, alternative: str) -> tuple[float, Computed]:
    greater, less = exact_tail(b, c, n, delta), exact_tail(c, b, n, -delta)
    log_p = log_p_of(greater.log_value, less.log_value, alternative)
    error = max(greater.error, less.error)
    # DESIGN section 7: "exact" is said only when the computed bound is below 1e-9; the bound is reported either way.
    how = "exact" if error < 1e-9 else "approximate"
    return log_p, Computed(how, error=error * p_of(log_p), detail=note("computed.unconditional"))


def _notes(sample: Sample, counts: PairedCounts, delta: float, two: TwoScores) -> tuple[Note, ...]:
    if counts.only_a or counts.only_b:
        return ()
    if delta == 0:
        return (note("test.right_on_same_items", systems=sample.systems),)
    chance = (1 - abs(delta)) ** counts.n
    margin = abs(delta) * two.span
    return (note("test.right_on_same_items_margin", systems=sample.systems, n=counts.n, margin=margin, chance=chance),)


@ITEMS_TO_PASS.register("tango")
def items_to_pass(tested: TestResult, margin: float, alpha: float, strata: Strata | None) -> int:  # noqa: ARG001 (called as all are)
    """All n items agree with probability (1 - margin)^n although A is worse by the margin."""
    return math.ceil(math.log(alpha) / math.log1p(-margin) * (1 - 1e-12)) if margin < 1 else 1
