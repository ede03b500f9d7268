"""The paired permutation test of the mean, by sign flips."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Annotated, Literal

import numpy as np

from nofluke.align import Differences, cluster_totals, differences, in_steps, mean_of, weighed_totals
from nofluke.align.exact_sums import largest, shifted_by, summable
from nofluke.engine.flips import FlipCounts, flip_draws
from nofluke.engine.tail import EXACT_BOUND
from nofluke.errors import Fix, InputError, MethodError, Option
from nofluke.inference.describe import Column, column_of, skewness
from nofluke.inference.intervals.flip_inversion import Anchor, flip_interval
from nofluke.inference.p_values import (
    Alternative,
    ConfidenceLevel,
    Delta,
    MonteCarlo,
    Progress,
    Seed,
    log_p_of,
    p_of,
    tail_levels,
)
from nofluke.inference.resampling.corpus_draws import SwapSettings, refuse_stop
from nofluke.inference.resampling.drawn_p_values import by_path, tails_of_counts
from nofluke.inference.resampling.rounded_flips import Flipped
from nofluke.inference.tests.claims import margin_method
from nofluke.inference.tests.corpus_swaps import corpus_swaps
from nofluke.registry import TESTS
from nofluke.types import Computed, FloatArray, Grid, IntArray, Note, Sample, TestResult, note

# Flipping signs of shifted differences is only trusted when few items tie.
MOST_TIED = 0.2
# From so many differing items on, intervals cover about as often as they say, however many others tie.
ENOUGH_DIFFERENT = 40
# |skewness| / sqrt(n) from which sizes leave their level: exponential differences have .28 at n = 50.
SKEWED_ONE_SIDED, SKEWED = 0.1, 0.25
# A dataset with more than this share of sum w^2 / n counts, and from so many items that differ its spread is known.
HEAVY, FEWEST_IN_A_DATASET = 0.05, 10
# A few normal differences look skewed by chance, though rarely as much as this.
CLEARLY_SKEWED = 1.0
# Rarely (thousands of thirds printed with twelve digits) the inversion cannot vouch for its result to this relative
# error; then draws are made, whose error is known.
_TOO_ROUGH = 1e-3
_DRAWS_INSTEAD = 99_999
_NO_STOP = Fix("leave ", Option("stop"), " out: a mean needs no draws, and those asked for are all made.")


@TESTS.register(
    "permutation",
    label="paired permutation test of the mean",
    needs="paired",
    null="swapping {a} and {b} item by item changes nothing: differences are symmetric about delta",
    estimand="mean difference",
    about="mean",
    clusters=True,
    strata=True,
    within_datasets=True,
    delta_instead="",
    swaps=True,
    least_p_by_signs=True,
    hangs_on_ties=True,
    cite="Fisher 1935; Yeh 2000",
    aliases=("approximate_randomization",),
)
def permutation(
    sample: Sample,
    *,
    alternative: Alternative = "two-sided",
    delta: Delta = 0.0,
    confidence_level: ConfidenceLevel = 0.95,
    form: Annotated[
        Literal["studentized", "raw"],
        "for ratios with own denominators (F1, precision, AER): divided by the standard error, or as they are",
    ] = "studentized",
    monte_carlo: MonteCarlo = None,
    stop: Annotated[
        Literal["never", "p_value", "decision"],
        "draws of a corpus metric end early: at 20 as extreme as the data, or once p is clearly above or below "
        "`stop_alpha` (a yes or no, no p-value)",
    ] = "never",
    stop_alpha: Annotated[float, "the level at which `stop` decision decides"] = 0.05,
    limits: Annotated[
        Literal["studentized", "delta"],
        "interval of an average of corpus metrics: the studentized bootstrap within datasets, or the delta method",
    ] = "studentized",
    seed: Seed = 0,
    progress: Progress = None,
) -> TestResult:
    """If the two outputs of each item were swapped at random, how often would the mean differ this much?

    Exact under the null that A and B are exchangeable on every item; for "equal means" it is asymptotic, so one-sided
    use with skewed differences and few items needs care. With clusters, whole clusters are swapped. monte_carlo=N is
    approximate randomization: (1 + hits) / (1 + N), two-sided twice that of the smaller tail, where Yeh counts
    |d*| >= |d|, which has the same expectation. Corpus metrics are tested by swapping the outputs of items (their
    statistics), never by averages of item scores. Where every draw is dear, stop="p_value" ends them early with a valid
    p-value; stop="decision" only says whether p is below stop_alpha, and may not be corrected for others.
    """
    if not sample.aggregate.linear:
        _refuse_corpus_delta(delta, sample)
        settings = SwapSettings(
            alternative, confidence_level, form, monte_carlo, seed, progress, stop, stop_alpha, limits
        )
        return corpus_swaps(sample, settings)
    if stop != "never":
        refuse_stop(stop_alpha, instead=_NO_STOP)
    if limits != "studentized":
        raise MethodError("limits is for averages of corpus metrics; a mean has its own.", fix="leave limits out.")
    if form != "studentized":
        raise MethodError(
            f"form = {form!r} is for ratios with own denominators such as F1; a mean has one form.",
            fix="leave form out.",
        )
    d = differences(sample)
    totals, sizes = weighed_totals(sample, d.snapped)
    _refuse_shifting_ties(totals, delta, sample)
    steps = in_steps(delta, sample.grid)
    shifted = shifted_by(totals, sizes, steps)
    flipped = Flipped(shifted, _rounding(d, sample, steps), _rounding_of_weights(d, sample, steps))
    greater, less, computed = _tails(flipped, alternative, Draws(monte_carlo, seed, progress))
    log_p = log_p_of(greater, less, alternative)
    levels = tail_levels(alternative, confidence_level)
    interval = flip_interval(
        totals, sizes, sample.grid.exact_step, *levels, confidence_level, Anchor(delta, greater, less)
    )
    return TestResult(
        statistic=mean_of(sample, d.values),
        p_value=_p_value(log_p, computed.resamples),
        log_p_value=log_p,
        alternative=alternative,
        n=sample.n,
        computed=computed,
        validity="exact_if_swappable",
        estimate=mean_of(sample, d.values),
        z_score=_z_score(shifted),
        delta=delta,
        interval=interval,
        details={"n_swapped": len(totals), "n_tied": int(np.sum(totals == 0))},
        notes=_notes(sample, d.values, totals, shifted, alternative),
    )


def _z_score(shifted: IntArray) -> float:
    unit = float(largest(shifted))
    return float(int(shifted.sum()) / unit / np.linalg.norm(shifted.astype(np.float64) / unit)) if unit else 0.0


def _refuse_corpus_delta(delta: float, sample: Sample) -> None:
    if delta:
        raise MethodError(
            f"swapping outputs cannot test a difference of {delta:g} in {sample.metric}, only one of 0.",
            fix="use method 'bootstrap', which takes a delta for corpus metrics.",
        )


def _refuse_shifting_ties(totals: IntArray, delta: float, sample: Sample) -> None:
    """A tie becomes a difference of -delta: with many ties the margin itself would be taken for evidence."""
    tied = float(np.mean(totals == 0))
    if delta and tied > MOST_TIED:
        raise MethodError(
            f"flipping signs about delta = {delta:g} is not valid here: {tied:.0%} of the {sample.unit}s are tied.",
            fix=f"use method {margin_method(sample)!r}, which is meant for ties.",
        )


def _rounding(d: Differences, sample: Sample, steps: Fraction) -> IntArray | None:
    """What the totals may be off by, in the steps of shifted differences."""
    if d.rounding is None:
        return None
    totals = weighed_totals(sample, d.rounding)[0]
    return totals if steps.denominator == 1 else summable(totals.astype(object) * steps.denominator)


def _rounding_of_weights(d: Differences, sample: Sample, steps: Fraction) -> int:
    """How far any sum of differences may be off because the weights of datasets were rounded: half a step for each."""
    if sample.strata is None or sample.strata.exact or sample.strata.pooled:
        return 0
    most: Fraction = sum(abs(one) for one in d.snapped.tolist()) + sample.n * abs(steps)
    return math.ceil(most * steps.denominator)


@dataclass(frozen=True, slots=True)
class Draws:
    """How random draws are made, if they are."""

    wanted: int | None
    seed: int
    progress: Progress


def _tails(flipped: Flipped, alternative: str, draws: Draws) -> tuple[float, float, Computed]:
    """Give the logs of both one-sided p-values; the one that does not decide may be nan."""
    if draws.wanted is not None:
        return _drawn(flipped, alternative, draws.wanted, draws)
    upper = alternative == "greater" or (alternative == "two-sided" and int(flipped.exact.sum()) >= 0)
    side = flipped if upper else flipped.mirrored
    tail = side.counted_tail()
    if tail.bound > _TOO_ROUGH:
        return _drawn(flipped, alternative, _DRAWS_INSTEAD, draws)
    tail = side.with_doubt(tail)
    # "exact" is said only when the computed bound is below 1e-9; otherwise the bound itself is reported.
    how = "exact" if tail.bound < EXACT_BOUND else "approximate"
    sides = 2 if alternative == "two-sided" else 1
    computed = Computed(how, error=tail.bound * sides * p_of(tail.log_p), detail=by_path(tail.path))
    return (tail.log_p, math.nan, computed) if upper else (math.nan, tail.log_p, computed)


def _drawn(flipped: Flipped, alternative: str, resamples: int, draws: Draws) -> tuple[float, float, Computed]:
    if resamples < 1:
        raise InputError(f"monte_carlo = {resamples} draws cannot be made.", fix="give a number such as 9999.")
    low, high = flipped.low, flipped.high
    reached, undercut = int(low.sum()), int(high.sum())
    draw = partial(flip_draws, resamples=resamples, seed=draws.seed, progress=draws.progress)
    if flipped.rounding is None:
        return tails_of_counts(draw(low, undercut, reached), alternative, draws.seed)
    counts = FlipCounts(draw(low, None, reached).at_least, draw(high, undercut, None).at_most, resamples)
    return tails_of_counts(counts, alternative, draws.seed)


def _p_value(log_p: float, resamples: int) -> float:
    """Of N draws p is a multiple of 1 / (1 + N): the way through the logarithm must not make 0.05 a hair larger."""
    p = p_of(log_p)
    return round(p * (1 + resamples)) / (1 + resamples) if resamples else p


def _notes(
    sample: Sample, values: FloatArray, totals: IntArray, shifted: IntArray, alternative: str
) -> tuple[Note, ...]:
    notes = []
    groups, unit = len(shifted), sample.unit
    if not shifted.any():
        notes.append(note("test.all_at_null", unit=unit))
    elif float(np.ptp(values)) == 0 and sample.clusters is None:
        notes.append(note("test.equal_differences_no_interval"))
    elif few := _few_differ_in(sample, values):
        notes.append(few)
    elif np.mean(totals == 0) > MOST_TIED:
        notes.append(_note_on_ties(totals, unit))
    if sample.clusters is not None:
        notes.append(note("test.clusters_swapped", clusters=groups))
    if groups <= 5:
        notes.append(note("test.smallest_p", n=groups, unit=unit, p=min(1.0, 2.0 ** (1 - groups))))
    notes += _note_on_skewness(_skewness(sample, values, shifted), groups, alternative, unit)
    return tuple(notes)


def _few_differ_in(sample: Sample, values: FloatArray) -> Note | None:
    """Away from 0 an interval fails where few items differ in a dataset that weighs much."""
    strata = sample.strata
    if strata is None or strata.pooled:
        return None
    differing = np.bincount(strata.codes, weights=values != 0).astype(int)
    burden = np.array(strata.weights) ** 2 / np.array(strata.sizes)
    few = np.flatnonzero((differing < FEWEST_IN_A_DATASET) & (burden > HEAVY * burden.sum())).tolist()
    names = tuple(strata.names[place] for place in few)
    counts = tuple(int(differing[place]) for place in few)
    return note("test.few_differ_in_datasets", datasets=names, differing=counts) if few else None


def _note_on_ties(totals: IntArray, unit: str) -> Note:
    """What an interval promises hangs on how many differ, not on the share of ties."""
    different, share = int(np.count_nonzero(totals)), float(np.mean(totals == 0))
    if different >= ENOUGH_DIFFERENT:
        return note("test.many_ties", share=share, different=different, unit=unit)
    return note("test.few_differ", share=share, different=different, unit=unit, enough=ENOUGH_DIFFERENT)


def _column(shifted: IntArray) -> Column:
    return column_of(shifted.astype(np.float64), shifted, Grid(0, 1, exact=True))


def _skewness(sample: Sample, values: FloatArray, shifted: IntArray) -> float:
    """The skewness of what is flipped; over the root of the number of units it is that of the average.

    Of several datasets that is |sum c^3 m3| / (sum c^2 m2)^1.5, each about its own mean.
    """
    strata = sample.strata
    if strata is None or strata.pooled:
        return skewness(_column(shifted))[0]
    means = np.bincount(strata.codes, weights=values) / np.array(strata.sizes)
    parts, _ = cluster_totals(strata.shares * (values - means[strata.codes]), sample.clusters)
    square = float(parts @ parts)
    return float(np.sum(parts**3)) / square**1.5 * math.sqrt(len(parts)) if square else 0.0


def _note_on_skewness(skew: float, groups: int, alternative: str, unit: str) -> list[Note]:
    """The same when A and B are swapped as a whole: only the size of the skewness counts."""
    strength = abs(skew) / math.sqrt(groups)
    if alternative != "two-sided" and strength > SKEWED_ONE_SIDED:
        return [note("test.skewed_one_sided", skewness=skew, n=groups, unit=unit)]
    if alternative == "two-sided" and strength > SKEWED and abs(skew) > CLEARLY_SKEWED:
        return [note("test.skewed", skewness=skew, n=groups, unit=unit)]
    return []
