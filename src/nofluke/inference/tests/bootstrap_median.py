"""The paired bootstrap test of the median difference."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Annotated, Literal

import numpy as np

from nofluke.align import differences, in_steps
from nofluke.engine.resample import resampled_medians
from nofluke.errors import InputError
from nofluke.inference.intervals.bootstrap import basic_limits, percentile_limits
from nofluke.inference.p_values import Alternative, ConfidenceLevel, Delta, Seed, tail_levels
from nofluke.inference.resampling.drawn_p_values import computed_by_draws
from nofluke.inference.resampling.resampled_mean import DEFAULT_DRAWS, units_of
from nofluke.registry import TESTS
from nofluke.types import Computed, IntArray, Interval, Note, Sample, TestResult, note

# Half of the differences at one value fix the median there, whatever the others do.
_HEAVY_TIES = 0.5
# Below these the test is known to reject a true null too often.
_FEW_ITEMS = {"percentile": 20, "shift": 1_000}


@TESTS.register(
    "bootstrap_median",
    label="paired bootstrap test of the median",
    needs="paired",
    null="the median difference of {a} and {b} is delta",
    estimand="median difference",
    about="median",
    clusters=False,
    delta_instead="",
    cite="Efron and Tibshirani 1993; Zhu et al. 2020",
)
def bootstrap_median(
    sample: Sample,
    *,
    alternative: Alternative = "two-sided",
    delta: Delta = 0.0,
    confidence_level: ConfidenceLevel = 0.95,
    form: Annotated[Literal["percentile", "shift"], "what is counted among the resampled medians"] = "percentile",
    monte_carlo: Annotated[int | None, "number of random draws; none means 9,999"] = None,
    seed: Seed = 0,
) -> TestResult:
    """If new test sets were drawn from these items, how often would the median fall on the other side of the null?

    Null: the median of the differences is delta. Estimand: that median, the difference on the middle item, which is
    neither the mean difference nor the difference of medians. With m* the median of items drawn with replacement and m
    the observed one, percentile counts m* <= delta, and its interval is the percentile one; shift counts
    m* - m >= m - delta, and its interval is the basic one. Always p = (1 + count) / (1 + draws).

    When not to use it: when half of the items tie, for then the median is 0 whatever the others say (use 'permutation'
    for the mean, 'sign' for the share of wins); with clusters. 'sign' tests a median of 0 exactly. Form shift
    reflects a distribution that is not symmetric: its two-sided size at a nominal .05 is .17 for 20 items, .13 for 50,
    .11 for 200, .07 for 500, where that of percentile is .05 to .06.
    """
    whole = units_of(sample).totals
    draws = DEFAULT_DRAWS if monte_carlo is None else monte_carlo
    if draws < 1 or seed < 0:
        raise InputError(
            f"monte_carlo = {draws} draws with seed = {seed} cannot be made.", fix="give, say, 9999 and a seed of 0."
        )
    null = in_steps(delta, sample.grid)
    observed = _doubled_median(whole)
    step = sample.grid.exact_step / 2
    low, high = tail_levels(alternative, confidence_level)
    if whole[0] == whole[-1]:
        p, computed, interval = (1.0 if observed == 2 * null else math.nan), Computed("exact"), None
    else:
        medians = _oriented_medians(whole, draws, seed)
        p, computed = _drawn(medians, whole, (observed, 2 * null), alternative, form, seed)
        interval = _interval(medians, observed, step, (low, high, confidence_level), form)
    return TestResult(
        statistic=float(observed * step),
        p_value=p,
        log_p_value=math.log(p),
        alternative=alternative,
        n=sample.n,
        computed=computed,
        validity="asymptotic",
        estimate=float(observed * step),
        delta=delta,
        interval=interval,
        details={"n_tied": int(np.sum(differences(sample).signs == 0))},
        notes=_notes(whole, p, observed == 2 * null, form),
    )


def _doubled_median(whole: IntArray) -> int:
    ordered = np.sort(whole)
    return int(ordered[(len(whole) - 1) // 2]) + int(ordered[len(whole) // 2])


def _oriented_medians(whole: IntArray, draws: int, seed: int) -> IntArray:
    """Give twice the resampled medians; units that run downwards are drawn as their mirror image."""
    if whole[0] <= whole[-1]:
        return resampled_medians(whole, draws, seed=seed)
    return -resampled_medians(-whole, draws, seed=seed)


def _drawn(
    medians: IntArray, whole: IntArray, doubled: tuple[int, Fraction], alternative: str, form: str, seed: int
) -> tuple[float, Computed]:
    """Count the doubled medians on either side of the bound; nan where none can get there."""
    draws, (observed, null) = len(medians), doubled
    bound = 2 * observed - null if form == "shift" else null
    above, below = ("greater", "less") if form == "shift" else ("less", "greater")
    hits = {
        above: int(np.count_nonzero(medians >= math.ceil(bound))),
        below: int(np.count_nonzero(medians <= math.floor(bound))),
    }
    reach = {above: 2 * int(whole.max()) >= bound, below: 2 * int(whole.min()) <= bound}
    factor, fewest = (2, min(hits.values())) if alternative == "two-sided" else (1, hits[alternative])
    if not reach.get(alternative, all(reach.values())):
        return math.nan, Computed("monte-carlo", error=math.nan, resamples=draws, seed=seed)
    # One division, not the exponential of a logarithm: 500 / 10,000 has to be the 0.05 that alpha is.
    p = min(1.0, factor * (1 + fewest) / (1 + draws))
    return p, computed_by_draws(fewest, draws, seed, sides=factor)


def _interval(
    medians: IntArray, observed: int, step: Fraction, levels: tuple[float, float, float], form: str
) -> Interval:
    below, above, level = levels
    if form == "shift":
        limits, name = basic_limits(medians, Fraction(2 * observed), below, above), "basic bootstrap"
    else:
        limits, name = percentile_limits(medians, below, above), "percentile bootstrap"
    return Interval(float(limits[0] * step), float(limits[1] * step), level, name)


def _notes(whole: IntArray, p: float, at_null: bool, form: str) -> tuple[Note, ...]:
    values, counts = np.unique(whole, return_counts=True)
    if len(values) == 1:
        if at_null:
            return (note("test.all_at_null", unit="item"),)
        return (note("test.resamples_alike", unit="item", instead=("permutation", "sign")),)
    notes = []
    if math.isnan(p):
        notes.append(note("test.out_of_reach", instead=("permutation", "sign")))
    if counts.max() >= _HEAVY_TIES * len(whole):
        most = counts.argmax()
        notes.append(note("test.median_fixed", count=counts[most], n=len(whole), tied=bool(values[most] == 0)))
    if len(whole) < _FEW_ITEMS[form]:
        notes.append(note("test.few_items_for_median", n=len(whole), form=form))
    return tuple(notes)
