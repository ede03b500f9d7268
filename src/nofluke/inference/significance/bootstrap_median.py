"""The paired bootstrap test of the median difference."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Annotated

import numpy as np

from nofluke.align import differences
from nofluke.engine.resample import resampled_medians
from nofluke.errors import InputError
from nofluke.inference.intervals.basic import basic_limits
from nofluke.inference.resampled_mean import DEFAULT_DRAWS, in_steps, step_of, units_of
from nofluke.inference.significance.sides import (
    Alternative,
    ConfidenceLevel,
    Delta,
    Seed,
    log_p_of,
    p_of,
    tail_levels,
)
from nofluke.registry import TESTS
from nofluke.types import Computed, IntArray, Interval, Sample, TestResult

# Half of the differences at one value fix the median there, whatever the others do.
_HEAVY_TIES = 0.5
_FEW_ITEMS = 50


@TESTS.register(
    "bootstrap_median",
    label="paired bootstrap test of the median",
    needs="paired",
    null="the median difference of A and B is delta",
    estimand="median difference",
    clusters=False,
    delta_instead="permutation",
    cite="Efron and Tibshirani 1993; Zhu et al. 2020",
)
def bootstrap_median(
    sample: Sample,
    *,
    alternative: Alternative = "two-sided",
    delta: Delta = 0.0,
    confidence_level: ConfidenceLevel = 0.95,
    monte_carlo: Annotated[int | None, "number of random draws; none means 9,999"] = None,
    seed: Seed = 0,
) -> TestResult:
    """If new test sets were drawn from these items, how often would the median shift this much by luck alone?

    Null: the median of the differences is delta. Estimand: that median, the difference on the middle item, which is
    neither the mean difference nor the difference of medians. Counts median* - median >= median - delta among medians
    of items drawn with replacement; p = (1 + count) / (1 + draws). Asymptotic; the resampled median takes few values,
    so the p-value is coarse. The interval is the basic one, which inverts this test.

    When not to use it: when half of the items tie, for then the median is 0 whatever the others say (use 'permutation'
    for the mean, 'sign' for the share of wins); with fewer than about 50 items; with clusters. 'sign' tests a median of
    0 exactly.
    """
    whole = units_of(sample).totals
    draws = DEFAULT_DRAWS if monte_carlo is None else monte_carlo
    if draws < 1 or seed < 0:
        raise InputError(
            f"monte_carlo = {draws} draws with seed = {seed} cannot be made.", fix="give, say, 9999 and a seed of 0."
        )
    null = in_steps(delta, sample.grid)
    observed = _doubled_median(whole)
    step = step_of(sample.grid) / 2
    low, high = tail_levels(alternative, confidence_level)
    if whole[0] == whole[-1]:
        log_p, computed, interval = (0.0 if observed == 2 * null else math.nan), Computed("exact"), None
    else:
        medians = _oriented_medians(whole, draws, seed)
        log_p, computed = _drawn(medians, whole, 2 * observed - 2 * null, alternative, seed)
        bottom, top = (float(limit * step) for limit in basic_limits(medians, Fraction(2 * observed), low, high))
        interval = Interval(bottom, top, confidence_level, "basic bootstrap")
    return TestResult(
        statistic=float(observed * step),
        p_value=p_of(log_p),
        log_p_value=log_p,
        alternative=alternative,
        n=sample.n,
        computed=computed,
        validity="asymptotic",
        estimate=float(observed * step),
        delta=delta,
        interval=interval,
        details={"n_tied": int(np.sum(differences(sample).signs == 0))},
        notes=_notes(whole, log_p, observed == 2 * null),
    )


def _doubled_median(whole: IntArray) -> int:
    ordered = np.sort(whole)
    return int(ordered[(len(whole) - 1) // 2]) + int(ordered[len(whole) // 2])


def _oriented_medians(whole: IntArray, draws: int, seed: int) -> IntArray:
    """Give twice the resampled medians; units that run downwards are drawn as their mirror image."""
    if whole[0] <= whole[-1]:
        return resampled_medians(whole, draws, seed=seed)
    return -resampled_medians(-whole, draws, seed=seed)


def _drawn(medians: IntArray, whole: IntArray, bound: Fraction, alternative: str, seed: int) -> tuple[float, Computed]:
    """Count the doubled medians on either side of the bound; nan where none can get there."""
    draws = len(medians)
    greater = (1 + int(np.count_nonzero(medians >= math.ceil(bound)))) / (1 + draws)
    less = (1 + int(np.count_nonzero(medians <= math.floor(bound)))) / (1 + draws)
    reach = {"greater": 2 * int(whole.max()) >= bound, "less": 2 * int(whole.min()) <= bound}
    log_p = log_p_of(math.log(greater), math.log(less), alternative)
    if not reach.get(alternative, all(reach.values())):
        log_p = math.nan
    factor = 2.0 if alternative == "two-sided" else 1.0
    tail = min(p_of(log_p) / factor, 1.0)
    error = factor * math.sqrt(tail * (1 - tail) / draws)
    return log_p, Computed("monte-carlo", error=error, resamples=draws, seed=seed)


def _notes(whole: IntArray, log_p: float, at_null: bool) -> tuple[str, ...]:
    notes = []
    values, counts = np.unique(whole, return_counts=True)
    if len(values) == 1:
        notes.append(
            "all differences are equal, and exactly at the null: nothing speaks for either system, p = 1."
            if at_null
            else "all differences are equal, so every resample is the same and the bootstrap cannot give a p-value; "
            "use method 'permutation' or 'sign'."
        )
        return tuple(notes)
    if math.isnan(log_p):
        notes.append(
            "no resample of these items can reach the difference in question, so the bootstrap's p-value would be 0, "
            "which no finite sample supports; use method 'permutation' or 'sign'."
        )
    if counts.max() >= _HEAVY_TIES * len(whole):
        where = "0 (ties)" if values[counts.argmax()] == 0 else "the same"
        notes.append(
            f"{counts.max():,} of {len(whole):,} differences are {where}, which fixes the median whatever the other "
            "items say; use method 'permutation' for the mean or 'sign' for the share of wins."
        )
    if len(whole) < _FEW_ITEMS:
        notes.append(f"{len(whole)} items are few for the bootstrap of a median; 'sign' tests a median of 0 exactly.")
    return tuple(notes)
