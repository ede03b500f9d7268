"""McNemar's test."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from nofluke.align.counts import PairedCounts, paired_counts
from nofluke.errors import Fix, MethodError, Option
from nofluke.inference.intervals.inversion import agree_at_null
from nofluke.inference.intervals.paired_proportions import tango_interval
from nofluke.inference.p_values import Alternative, ConfidenceLevel, log_p_of, p_of, tail_levels
from nofluke.laws.tails import log_binomial_tail, log_normal_tail
from nofluke.registry import TESTS
from nofluke.types import Computed, Note, Sample, TestResult, note

_FEW_FOR_CHI2 = 25
_VALIDITY = {
    "exact": "exact",
    "midp": "mid_p",
    "chi2": "asymptotic",
}


@TESTS.register(
    "mcnemar",
    label="McNemar's test",
    needs="binary",
    null="on an item that only one of {a} and {b} gets right, it is as often {a} as {b}, so their accuracies are equal",
    estimand="difference in accuracy",
    about="mean",
    clusters=False,
    delta_instead="tango",
    swaps=True,
    least_p_by_signs=True,
    cite="McNemar 1947; Edwards 1948 (continuity = True); Fagerland, Lydersen and Laake 2013 (mode = midp)",
)
def mcnemar(
    sample: Sample,
    *,
    alternative: Alternative = "two-sided",
    confidence_level: ConfidenceLevel = 0.95,
    mode: Annotated[
        Literal["exact", "midp", "chi2"], "exact binomial, the less cautious mid-p, or the chi-square approximation"
    ] = "exact",
    continuity: Annotated[bool, "move |b - c| by 1 towards 0 (mode chi2 only)"] = False,
) -> TestResult:
    """Of the items that only one system gets right, does A get more than a fair coin would give it?

    For 0/1 scores of the same items. Null: an item that only one system gets right is as likely A's (b of them) as
    B's (c), which is the same as equal accuracy; items that both or neither get right say nothing about it. exact is
    P(Bin(b + c, 1/2) >= b) and equals the sign test; midp counts half of the observed table; chi2 is
    (b - c)^2 / (b + c) with 1 degree of freedom and needs some 25 disagreements. The interval of the difference in
    accuracy is Tango's; where exact or midp do not reject 0 it is drawn out to 0. Not for items in clusters (use
    permutation), nor with a margin (use tango).
    """
    if continuity and mode != "chi2":
        raise MethodError(
            f"mode {mode!r} of mcnemar is not an approximation, so there is no continuity to correct for.",
            fix=Fix("leave ", Option("continuity"), " out, or give ", Option("mode", "chi2"), "."),
        )
    counts = paired_counts(sample, "mcnemar")
    b, c = counts.only_a, counts.only_b
    log_p = log_p_of(*_log_tails(b, c, mode, continuity), alternative)
    limits = tail_levels(alternative, confidence_level)
    interval = tango_interval(b, c, counts.n, *limits, confidence_level, continuity=continuity)
    notes: tuple[Note, ...] = ()
    if mode != "chi2":
        interval, notes = agree_at_null(interval, 0.0, log_p)
    z = math.copysign(max(abs(b - c) - continuity, 0), b - c) / math.sqrt(b + c) if b + c else 0.0
    return TestResult(
        statistic=z * z if mode == "chi2" else float(b),
        p_value=p_of(log_p),
        log_p_value=log_p,
        alternative=alternative,
        n=counts.n,
        computed=Computed("exact"),
        validity=_VALIDITY[mode],
        estimate=counts.difference,
        z_score=z if mode == "chi2" else math.nan,
        interval=interval,
        details=_details(counts, mode),
        notes=notes + _notes(sample, b + c, mode),
    )


def _log_tails(b: int, c: int, mode: str, continuity: bool) -> tuple[float, float]:
    """Give the log p-values of "greater" and "less"."""
    n = b + c
    if not n:
        return 0.0, 0.0
    if mode == "chi2":
        # With the correction each side moves by 1 against its own claim, so the two add up to more than 1.
        shift, root = (1 if continuity else 0), math.sqrt(n)
        return log_normal_tail((b - c - shift) / root), log_normal_tail((c - b - shift) / root)
    tails = log_binomial_tail(b, n), log_binomial_tail(c, n)
    if mode == "exact":
        return tails
    # P(X >= b) - P(X = b) / 2, in logarithms.
    point = math.lgamma(n + 1) - (math.lgamma(b + 1) + math.lgamma(c + 1)) - n * math.log(2)
    greater, less = (tail + math.log1p(-0.5 * math.exp(min(0.0, point - tail))) for tail in tails)
    return greater, less


def _details(counts: PairedCounts, mode: str) -> dict[str, float]:
    details = {name: float(count) for name, count in counts._asdict().items()}
    return details | {"df": 1.0} if mode == "chi2" else details


def _notes(sample: Sample, disagreements: int, mode: str) -> tuple[Note, ...]:
    if not disagreements:
        return (note("test.right_on_same_items", systems=sample.systems),)
    if mode == "chi2" and disagreements < _FEW_FOR_CHI2:
        return (note("test.few_disagreements", n=disagreements, least=_FEW_FOR_CHI2),)
    return ()
