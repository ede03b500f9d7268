"""Swapping outputs of corpus metrics: ratios raw or studentised, and smooth functions of sums."""

from __future__ import annotations

import math

import numpy as np

from nofluke.engine.corrected.tails import corrected_swaps
from nofluke.errors import Fix, Option
from nofluke.inference.intervals.inversion import agree_at_null
from nofluke.inference.p_values import log_p_of, p_of, tail_levels
from nofluke.inference.resampling.corpus import Corpus, corpus_of, long_tails_notes
from nofluke.inference.resampling.corpus_draws import (
    DECISION,
    DEFAULT_DRAWS,
    STOP_AT,
    Stopped,
    SwapSettings,
    all_swaps,
    drawn_or_stopped,
    p_of_draws,
    refuse_stop,
)
from nofluke.inference.resampling.drawn_p_values import corrected_by_draws, log_p_of_draws, log_p_of_patterns
from nofluke.inference.resampling.within_datasets import pivots_within
from nofluke.inference.tests.ratio_swaps import (
    denominator_notes,
    few_units_notes,
    held_by_support,
    ratio_swaps,
    units_of_ratio,
)
from nofluke.types import Computed, Interval, Note, Sample, TestResult, note

# Draws of a score that is computed anew for each of them.
DEAR_DRAWS = 9_999
# Resamples behind the limits of an average, of which most must have a score and a spread.
_LIMIT_DRAWS, _DEFINED = 1_999, 0.95


def corpus_swaps(sample: Sample, settings: SwapSettings) -> TestResult:
    """Test a corpus metric by swapping the outputs of items (or clusters) at random.

    Ratios are divided by their standard error unless form="raw": swapping outputs tests exchangeable outputs, and the
    studentised statistic makes that a test of equal metrics too. All patterns of swaps are counted where they are few.
    Otherwise other metrics use the exact tail of their tangent and draws for the disagreement; scores that only all
    items together have are drawn.
    """
    corpus = corpus_of(sample)
    if settings.monte_carlo is not None:
        # What is computed keeps the order of the data, which a ranking of many systems shares.
        corpus = corpus.in_order()
    difference = corpus.difference
    if settings.stop != "never":
        refuse_stop(settings.stop_alpha, instead=_instead_of_stop(corpus, settings))
    behind = units_of_ratio(corpus)
    if corpus.identical:
        log_p, computed, z = 0.0, Computed("exact"), 0.0
    elif corpus.aggregate.ratio is not None:
        log_p, computed, z = ratio_swaps(corpus, settings)
        log_p, computed = held_by_support(log_p, computed, behind, settings)
    else:
        log_p, computed, z = _smooth(corpus, settings)
    interval, notes = _interval(corpus, difference, settings, log_p, sample)
    if interval is not None and behind and min(behind) < 2:
        interval, notes = None, (note("test.one_unit_no_interval", unit=sample.unit),)
    raw = settings.form == "raw" and corpus.aggregate.ratio is not None
    return TestResult(
        statistic=corpus.observed if raw or corpus.aggregate.ratio is None else z,
        p_value=p_of_draws(log_p, computed),
        log_p_value=log_p,
        alternative=settings.alternative,
        n=sample.n,
        computed=computed,
        validity=_validity(corpus),
        estimate=corpus.observed,
        z_score=z,
        interval=interval,
        details=_details(corpus, computed, settings),
        notes=(
            *notes,
            *(denominator_notes(corpus) if raw else ()),
            *few_units_notes(corpus, sample, held=not raw),
            *long_tails_notes(sample),
            *stop_notes(computed, log_p, settings),
        ),
    )


def _validity(corpus: Corpus) -> str:
    whole = corpus.aggregate.whole
    if whole is not None and whole.kind == "correlation":
        # The common scale of the scores (ranks, standard scores) is taken from them, so that swaps are not quite fair.
        return "swappable_on_one_scale"
    return "exact_if_swappable_metric"


def _drawn_limits(sample: Sample, settings: SwapSettings) -> tuple[float, float] | None:
    """The limits of the studentised bootstrap within datasets; None where it cannot be drawn."""
    if sample.strata is None or sample.strata.pooled or sample.aggregate.whole is not None:
        return None
    found = pivots_within(sample, sample.strata, _LIMIT_DRAWS, seed=settings.seed, progress=settings.progress)
    below, above = tail_levels(settings.alternative, settings.level)
    if found is None or not np.isfinite(found.pivots).mean() > _DEFINED:
        return None
    low, high = found.limits(below, above)
    # So strict a level leaves no resample outside.
    reached = (not below or math.isfinite(low)) and (not above or math.isfinite(high))
    return (low, high) if reached else None


def _is_drawn(corpus: Corpus, settings: SwapSettings) -> bool:
    return corpus.is_whole or (settings.monte_carlo is not None and corpus.aggregate.ratio is None)


def _instead_of_stop(corpus: Corpus, settings: SwapSettings) -> str | Fix:
    """What to do where draws cannot stop early; nothing where they can."""
    if _is_drawn(corpus, settings):
        return ""
    if corpus.aggregate.ratio is not None:
        return Fix("leave ", Option("stop"), " out: draws of a ratio of sums are cheap, and are always all made.")
    few = " as well: without it this metric is computed with few draws."
    return Fix("leave ", Option("stop"), " out, or give ", Option("monte_carlo", "N"), few)


def _details(corpus: Corpus, computed: Computed, settings: SwapSettings) -> dict[str, float]:
    details: dict[str, float] = {"n_swapped": corpus.units}
    return details | ({"stop_alpha": settings.stop_alpha} if computed.how == DECISION else {})


def stop_notes(computed: Computed, log_p: float, settings: SwapSettings) -> tuple[Note, ...]:
    """Say what draws that stopped early can be used for."""
    if settings.stop == "p_value" and computed.how == "monte-carlo":
        return (note("test.stopped_p_value", hits=STOP_AT),)
    if computed.how != DECISION:
        return ()
    if math.isnan(log_p):
        return (note("test.draws_undecided", draws=computed.resamples, alpha=settings.stop_alpha),)
    return (note("test.decision_only", alpha=settings.stop_alpha),)


def _smooth(corpus: Corpus, settings: SwapSettings) -> tuple[float, Computed, float]:
    error = corpus.standard_error()
    z = corpus.difference / error if error else math.nan
    every = all_swaps(corpus, settings.progress) if settings.monte_carlo is None and settings.stop == "never" else None
    if every is not None:
        return *log_p_of_patterns(every, settings.alternative), z
    if _is_drawn(corpus, settings):
        most = settings.monte_carlo or (DEFAULT_DRAWS if corpus.corpora is None else DEAR_DRAWS)
        found = drawn_or_stopped(corpus, settings, most)
        if isinstance(found, Stopped):
            return found.log_p, found.computed, z
        return *log_p_of_draws(found, settings.alternative, settings.seed), z
    upper = settings.alternative == "greater" or (settings.alternative == "two-sided" and corpus.difference >= 0)
    statistics = corpus.statistics if upper else corpus.statistics[:, ::-1]
    tail = corrected_swaps(
        statistics, corpus.aggregate, resamples=DEFAULT_DRAWS, seed=settings.seed, progress=settings.progress
    )
    log_p = log_p_of(tail.log_p, tail.log_p, settings.alternative)
    return log_p, corrected_by_draws(tail, p_of(log_p), settings.seed, sides=settings.sides), z


def _interval(
    corpus: Corpus, difference: float, settings: SwapSettings, log_p: float, sample: Sample
) -> tuple[Interval | None, tuple[Note, ...]]:
    """The delta-method interval, of an average the studentised bootstrap's, made to say of 0 what the p-value says."""
    from scipy.special import ndtri

    error = corpus.standard_error()
    if not error or math.isnan(error):
        return None, (note("test.no_spread_no_interval"),)
    below, above = tail_levels(settings.alternative, settings.level)
    low = difference + float(ndtri(below)) * error if below else -math.inf
    high = difference - float(ndtri(above)) * error if above else math.inf
    low, high = low + corpus.observed - difference, high + corpus.observed - difference
    how = "delta method" if corpus.corpora is None else "jackknife"
    drawn = _drawn_limits(sample, settings) if settings.limits == "studentized" else None
    if drawn is not None:
        (low, high), how = drawn, "studentized bootstrap"
    if math.isnan(log_p):
        return Interval(low, high, settings.level, how), ()
    return agree_at_null(Interval(low, high, settings.level, how), 0.0, log_p)
