"""The sign test."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from nofluke.align import differences, in_steps
from nofluke.errors import InputError
from nofluke.inference.intervals.proportions import clopper_pearson
from nofluke.inference.p_values import Alternative, ConfidenceLevel, Snap, log_p_of, p_of, tail_levels
from nofluke.laws.tails import log_binomial_tail
from nofluke.registry import TESTS
from nofluke.types import Computed, Sample, TestResult, note


@TESTS.register(
    "sign",
    label="sign test",
    needs="paired",
    null="on an item where they differ, {a} and {b} are equally likely to be the better one",
    estimand="share of untied items on which {a} is better",
    about="items",
    clusters=False,
    delta_instead="permutation",
    least_p_by_signs=True,
    hangs_on_ties=True,
    cite="Arbuthnot 1710; Dixon and Mood 1946",
)
def sign(
    sample: Sample,
    *,
    alternative: Alternative = "two-sided",
    confidence_level: ConfidenceLevel = 0.95,
    tie_width: Annotated[float, "differences up to this size, in score units, count as ties"] = 0.0,
    snap: Snap = True,
) -> TestResult:
    """On how many of the untied items is A the better one, and could a fair coin do that?

    Exact binomial test on the items where the scores differ; ties are set aside and counted. It ignores by how much
    systems differ, so it says nothing about the mean. Not for items that come in clusters.
    """
    if not tie_width >= 0 or math.isinf(tie_width):
        raise InputError(f"tie_width = {tie_width!r} is not a number of at least 0.", fix="give 0 or, say, 0.01.")
    wins, losses = _wins_and_losses(sample, tie_width, snap)
    untied = wins + losses
    log_p = log_p_of(log_binomial_tail(wins, untied), log_binomial_tail(losses, untied), alternative)
    below, above = tail_levels(alternative, confidence_level)
    notes = () if untied else (note("test.all_tied"),)
    return TestResult(
        statistic=float(wins),
        p_value=p_of(log_p),
        log_p_value=log_p,
        alternative=alternative,
        n=sample.n,
        computed=Computed("exact"),
        validity="exact",
        estimate=wins / untied if untied else math.nan,
        interval=clopper_pearson(wins, untied, below, above, confidence_level) if untied else None,
        details={"n_untied": untied, "n_tied": sample.n - untied},
        notes=notes,
    )


def _wins_and_losses(sample: Sample, tie_width: float, snap: bool) -> tuple[int, int]:
    d = differences(sample, snap=snap)
    if tie_width == 0:
        return int((d.signs > 0).sum()), int((d.signs < 0).sum())
    if d.integers is None:
        return int((d.values > tie_width).sum()), int((d.values < -tie_width).sum())
    # The width in whole steps: a difference of exactly 0.01 must not depend on how 0.01 rounds in binary.
    steps = math.floor(in_steps(tie_width, sample.grid))
    return int(np.sum(d.integers > steps)), int(np.sum(d.integers < -steps))
