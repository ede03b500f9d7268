"""The paired bootstrap of corpus metrics: exact linear part and correction, or plain draws."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from nofluke.engine.black_box import resampled_wholes
from nofluke.engine.corrected.draws import resampled_scores
from nofluke.engine.corrected.tails import corrected_resampling
from nofluke.engine.flips import FlipCounts
from nofluke.engine.randomness import RESAMPLE
from nofluke.engine.tail import EXACT_BOUND
from nofluke.errors import MethodError
from nofluke.inference.p_values import log_p_of, p_of, tail_levels
from nofluke.inference.resampling.corpus import Corpus, corpus_of, long_tails_notes
from nofluke.inference.resampling.corpus_draws import p_of_draws
from nofluke.inference.resampling.drawn_p_values import computed_by_draws, corrected_by_draws, tails_of_counts
from nofluke.inference.resampling.pivots import Part, pivots_of
from nofluke.inference.resampling.within_datasets import pivots_within, scores_within
from nofluke.inference.tests.bootstrap_settings import FEW_ITEMS, OUT_OF_REACH, Settings
from nofluke.inference.tests.ratio_swaps import few_units_notes
from nofluke.types import Computed, FloatArray, Interval, Note, Sample, Strata, TestResult, note

_CORRECTED_DRAWS = 29_999
# A smaller share of resamples without a score is not worth a word.
_RARE = 1e-6


@dataclass(frozen=True, slots=True)
class _Tails:
    greater: float
    less: float
    computed: Computed


def corpus_bootstrap(sample: Sample, settings: Settings, monte_carlo: int | None) -> TestResult:
    """Resample items (or clusters) with their statistics, and compare the resampled differences of the scores."""
    corpus = corpus_of(sample).in_order()
    _refuse(settings, corpus)
    if settings.form == "studentized":
        return _studentized(sample, corpus, settings)
    difference, units = corpus.difference, corpus.units
    stars = _resampled(corpus, settings, sample.strata)
    if corpus.identical:
        tails = _Tails(0.0, 0.0, Computed("exact"))
    elif _has_tails(corpus, settings, monte_carlo):
        tails = _computed(corpus, difference, settings)
    else:
        tails = _counted(stars, difference, settings)
    defined = stars[~np.isnan(stars)]
    log_p = log_p_of(tails.greater, tails.less, settings.alternative)
    out_of_reach = log_p == -math.inf
    if out_of_reach:
        log_p = math.nan
    error = float(defined.std()) if len(defined) else 0.0
    return TestResult(
        statistic=corpus.observed,
        p_value=p_of_draws(log_p, tails.computed),
        log_p_value=log_p,
        alternative=settings.alternative,
        n=sample.n,
        computed=tails.computed,
        validity="asymptotic",
        estimate=corpus.observed,
        z_score=(difference - settings.delta) / error if error else math.nan,
        delta=settings.delta,
        interval=_interval(stars, difference, settings) if error else None,
        details={"standard_error": error, "n_units": units, "n_resampled": settings.size},
        notes=(
            *([OUT_OF_REACH] if out_of_reach else []),
            *_notes(corpus, sample, settings, _undefined_share(corpus, stars, tails, settings)),
        ),
    )


def _has_tails(corpus: Corpus, settings: Settings, monte_carlo: int | None) -> bool:
    """Whether p-values are computed with few draws; an average of datasets is drawn within each of them."""
    drawn = monte_carlo is not None or settings.form == "moses" or settings.size != corpus.units
    return not drawn and not corpus.is_whole and corpus.homes is None


def _resampled(corpus: Corpus, settings: Settings, strata: Strata | None) -> FloatArray:
    """Give the resampled differences; nan where a resample has no score (all its items alike)."""
    draws = settings.resamples
    if corpus.homes is not None and strata is not None:
        scores = scores_within(corpus, strata, draws, seed=settings.seed, progress=settings.progress)
        return np.asarray(scores[:, 0] - scores[:, 1])
    options: dict[str, Any] = {"seed": settings.seed, "size": settings.size, "progress": settings.progress}
    if corpus.corpora is not None:
        scores = resampled_wholes(corpus.corpora, draws, **options)
    else:
        scores = resampled_scores(corpus.statistics, corpus.aggregate, draws, **options)
    stars: FloatArray = scores[:, 0] - scores[:, 1]
    return stars


def _refuse(settings: Settings, corpus: Corpus) -> None:
    if settings.recentre != "observed" or settings.two_sided != "doubled":
        raise MethodError(
            "this form of the bootstrap is for means over items.",
            fix="leave recentre and two_sided out for a corpus metric.",
        )
    if settings.form == "studentized" and (corpus.is_whole or settings.size != corpus.units):
        why = "a score of all items together has no standard error in every resample"
        if not corpus.is_whole:
            why = "resample_size has no meaning in form 'studentized' of a corpus metric"
        raise MethodError(f"{why}.", fix="use form 'shift'.")


def _studentized(sample: Sample, corpus: Corpus, settings: Settings) -> TestResult:
    """Count resamples whose difference, in their own standard errors, moves as far as the data are from delta."""
    if corpus.homes is not None and sample.strata is not None:
        found = pivots_within(sample, sample.strata, settings.resamples, seed=settings.seed, progress=settings.progress)
        if found is None:
            raise TypeError("datasets that cannot be resampled were refused")
    else:
        part = Part(corpus, 1.0, RESAMPLE)
        found = pivots_of([part], settings.resamples, seed=settings.seed, progress=settings.progress)
    greater, less = found.counts(settings.delta)
    tails = _Tails(*tails_of_counts(FlipCounts(greater, less, settings.resamples), settings.alternative, settings.seed))
    if corpus.identical:
        tails = _Tails(0.0, 0.0, Computed("exact"))
    log_p = log_p_of(tails.greater, tails.less, settings.alternative)
    error = found.standard_error
    t = (corpus.difference - settings.delta) / error if error else math.nan
    limits = found.limits(*tail_levels(settings.alternative, settings.level)) if error else None
    return TestResult(
        statistic=t,
        p_value=p_of_draws(log_p, tails.computed),
        log_p_value=log_p,
        alternative=settings.alternative,
        n=sample.n,
        computed=tails.computed,
        validity="asymptotic",
        estimate=corpus.observed,
        z_score=t,
        delta=settings.delta,
        interval=None if limits is None else Interval(*limits, settings.level, "studentized bootstrap"),
        details={"standard_error": error, "n_units": corpus.units, "n_resampled": settings.size},
        notes=_notes(corpus, sample, settings, float(np.mean(~np.isfinite(found.pivots))) if error else 0.0),
    )


def _computed(corpus: Corpus, difference: float, settings: Settings) -> _Tails:
    """Both tails without plain draws; shared denominators exactly, anything else by its tangent and a correction."""
    level = settings.delta if settings.form == "percentile" else 2 * difference - settings.delta
    strict = settings.form == "berg_kirkpatrick"
    exact = _shared(corpus, settings)
    if exact is not None:
        return exact
    # Only the tail that decides is computed: the other one is at least 1/2 or not asked for.
    for_a = settings.alternative == "greater" or (settings.alternative == "two-sided" and difference >= settings.delta)
    found = corrected_resampling(
        corpus.statistics,
        corpus.aggregate,
        level,
        resamples=_CORRECTED_DRAWS,
        seed=settings.seed,
        # percentile: A is better when few resamples fall to delta or below; the other forms look beyond 2 d.
        upper=for_a != (settings.form == "percentile"),
        strict=strict,
        progress=settings.progress,
    )
    sides = 2 if settings.alternative == "two-sided" else 1
    computed = corrected_by_draws(found, min(1.0, sides * p_of(found.log_p)), settings.seed, sides=sides)
    return _Tails(found.log_p, math.nan, computed) if for_a else _Tails(math.nan, found.log_p, computed)


def _shared(corpus: Corpus, settings: Settings) -> _Tails | None:
    """Ratios with one denominator for both systems are linear after moving the threshold."""
    if corpus.aggregate.ratio is None or settings.delta:
        return None
    num_a, num_b, den_a, den_b = corpus.columns()
    strict = settings.form == "berg_kirkpatrick"
    # A resample without a score has 0 on both sides: it counts where equality does.
    if not np.array_equal(den_a, den_b) or (strict and not den_a.all()):
        return None
    gap = num_a - num_b
    level = Fraction(0) if settings.form == "percentile" else Fraction(2 * int(gap.sum()), int(den_a.sum()))
    from nofluke.engine.draws import ratio_draw_tail

    above = ratio_draw_tail(gap, den_a, level.numerator, level.denominator, strict=strict)
    below = ratio_draw_tail(-gap, den_a, -level.numerator, level.denominator, strict=strict)
    bound = max(above.bound, below.bound)
    if bound > 1e-3:
        return None
    computed = Computed("exact" if bound < EXACT_BOUND else "approximate", bound * p_of(min(above.log_p, below.log_p)))
    tails = (below, above) if settings.form == "percentile" else (above, below)
    return _Tails(tails[0].log_p, tails[1].log_p, computed)


def _counted(stars: FloatArray, difference: float, settings: Settings) -> _Tails:
    slack = 1e-12 * max(1.0, abs(difference))
    draws = len(stars)
    # A resample without a score speaks for neither side: it counts against both claims.
    undefined = int(np.isnan(stars).sum())
    if settings.form == "moses":
        # What Moses and sacrebleu count: the sign of the difference is lost before centring.
        sizes = np.abs(stars)
        hits = undefined + int(np.sum(sizes - np.nanmean(sizes) > abs(difference)))
        # Called two-sided by its authors: each side is half of it, so that doubling gives it back.
        half = math.log((1 + hits) / (1 + draws)) - math.log(2)
        return _Tails(half, half, computed_by_draws(hits, draws, settings.seed))
    if settings.form == "percentile":
        counts = (int(np.sum(stars <= settings.delta + slack)), int(np.sum(stars >= settings.delta - slack)))
    else:
        far = 2 * difference - settings.delta
        edge = slack if settings.form == "berg_kirkpatrick" else -slack
        counts = (int(np.sum(stars >= far + edge)), int(np.sum(stars <= far - edge)))
    found = FlipCounts(undefined + counts[0], undefined + counts[1], draws)
    return _Tails(*tails_of_counts(found, settings.alternative, settings.seed))


def _interval(stars: FloatArray, difference: float, settings: Settings) -> Interval | None:
    if settings.form == "moses":
        return None
    below, above = tail_levels(settings.alternative, settings.level)
    if settings.form == "percentile":
        low = _lower_point(stars, below) if below else -math.inf
        high = -_lower_point(-stars, above) if above else math.inf
        return Interval(low, high, settings.level, "percentile bootstrap")
    low = 2 * difference + _lower_point(-stars, below) if below else -math.inf
    high = 2 * difference - _lower_point(stars, above) if above else math.inf
    return Interval(low, high, settings.level, "basic bootstrap")


def _lower_point(stars: FloatArray, level: float) -> float:
    """Give a quantile of the resampled differences; those without a score may be anything, so they come first."""
    defined = stars[~np.isnan(stars)]
    undefined = len(stars) - len(defined)
    if undefined:
        place = level * (len(stars) - 1) - undefined
        level = place / (len(defined) - 1) if len(defined) > 1 else -1.0
    return float(np.quantile(defined, level)) if level >= 0 else -math.inf


def _undefined_share(corpus: Corpus, stars: FloatArray, tails: _Tails, settings: Settings) -> float:
    """Give the share of resamples without a score: computed where the p-value is, else that of the draws."""
    if corpus.aggregate.ratio is not None and tails.computed.how in ("exact", "approximate"):
        empty = int(np.sum(corpus.columns()[2] == 0))
        return float((empty / corpus.units) ** settings.size)
    return float(np.mean(np.isnan(stars)))


def _notes(corpus: Corpus, sample: Sample, settings: Settings, undefined: float) -> tuple[Note, ...]:
    notes = [*few_units_notes(corpus, sample, held=False), *long_tails_notes(sample)]
    if undefined >= _RARE:
        notes.append(note("test.resamples_undefined", share=undefined))
    if settings.form == "moses":
        notes.append(note("test.moses"))
    if corpus.units < FEW_ITEMS and settings.form != "studentized":
        notes.append(note("test.few_units_for_bootstrap", n=corpus.units, unit=sample.unit))
    return tuple(notes)
