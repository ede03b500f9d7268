"""Pearson's chi-square test of two independent proportions."""

from __future__ import annotations

import math
from typing import Annotated

from nofluke.align.counts import UnpairedCounts, unpaired_counts
from nofluke.inference.intervals.proportions import mee_interval
from nofluke.inference.p_values import Alternative, ConfidenceLevel, log_p_of, p_of, tail_levels
from nofluke.laws.tails import log_normal_tail
from nofluke.registry import TESTS
from nofluke.types import Computed, Note, Sample, TestResult, note

# Cochran's (1954) rule of thumb for the smallest expected count.
SMALLEST_EXPECTED = 5


@TESTS.register(
    "chi_square",
    label="Pearson's chi-square test",
    needs="unpaired",
    null="on items of their own, {a} and {b} have the same accuracy",
    estimand="difference in accuracy",
    about="mean",
    clusters=False,
    delta_instead="welch_t",
    cite="Pearson 1900; Yates 1934 (continuity = True); Mee 1984",
)
def chi_square(
    sample: Sample,
    *,
    alternative: Alternative = "two-sided",
    confidence_level: ConfidenceLevel = 0.95,
    continuity: Annotated[bool, "Yates's correction: half an item of each system towards no difference"] = False,
) -> TestResult:
    """Do two systems that were scored on different items differ in accuracy?

    For 0/1 scores of two independent sets of items. Null: the two accuracies are equal. The statistic is Pearson's
    chi-square of the table of right and wrong answers, 1 degree of freedom; its signed root gives the one-sided
    p-values. Asymptotic: it wants expected counts of 5 and more. The interval inverts the score test. Not for
    two systems on the same items, where it throws the pairing away (use mcnemar), nor for items in clusters.
    """
    counts = unpaired_counts(sample, "chi_square")
    expected, error = _under_the_null(counts)
    difference = counts.difference
    shift = (1 / counts.n_a + 1 / counts.n_b) / 2 if continuity else 0.0
    z, log_p = 0.0, 0.0
    if error:
        z = math.copysign(max(abs(difference) - shift, 0.0), difference) / error
        tails = log_normal_tail((difference - shift) / error), log_normal_tail((-difference - shift) / error)
        log_p = log_p_of(*tails, alternative)
    limits = tail_levels(alternative, confidence_level)
    return TestResult(
        statistic=z * z,
        p_value=p_of(log_p),
        log_p_value=log_p,
        alternative=alternative,
        n=counts.n_a + counts.n_b,
        computed=Computed("exact"),
        validity="asymptotic",
        estimate=difference,
        z_score=z,
        interval=mee_interval(*counts, *limits, confidence_level, continuity=continuity),
        details={"df": 1.0, "smallest_expected": expected} | {k: float(v) for k, v in counts._asdict().items()},
        notes=_notes(sample, expected, error),
    )


def _under_the_null(counts: UnpairedCounts) -> tuple[float, float]:
    """Give the smallest expected count and the standard error of the difference, both at equal accuracy."""
    items = counts.n_a + counts.n_b
    right = counts.right_a + counts.right_b
    smallest = min(counts.n_a, counts.n_b) * min(right, items - right) / items
    return smallest, math.sqrt(right / items * ((items - right) / items) * (1 / counts.n_a + 1 / counts.n_b))


def _notes(sample: Sample, expected: float, error: float) -> tuple[Note, ...]:
    notes = []
    if not error:
        notes.append(note("test.all_right_or_all_wrong"))
    elif expected < SMALLEST_EXPECTED:
        notes.append(note("test.few_expected", expected=expected, least=SMALLEST_EXPECTED))
    if sample.paired:
        notes.append(note("test.pairing_ignored", systems=sample.systems, instead="mcnemar"))
    return tuple(notes)
