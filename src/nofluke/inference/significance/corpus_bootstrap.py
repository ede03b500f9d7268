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
from nofluke.engine.draws import ratio_draw_tail
from nofluke.engine.flips import EXACT_BOUND
from nofluke.errors import MethodError
from nofluke.inference.corpus import Corpus, corpus_of
from nofluke.inference.corpus_draws import p_of_draws
from nofluke.inference.significance.bootstrap_settings import Settings
from nofluke.inference.significance.sides import log_p_of, p_of, tail_levels
from nofluke.types import Computed, FloatArray, Interval, Sample, TestResult

_CORRECTED_DRAWS = 29_999


@dataclass(frozen=True, slots=True)
class _Tails:
    greater: float
    less: float
    computed: Computed


def corpus_bootstrap(sample: Sample, settings: Settings, monte_carlo: int | None) -> TestResult:
    """Resample items (or clusters) with their statistics, and compare the resampled differences of the scores."""
    corpus = corpus_of(sample)
    _refuse(settings)
    difference, units = corpus.difference, corpus.units
    stars = _resampled(corpus, settings)
    if corpus.identical:
        tails = _Tails(0.0, 0.0, Computed("exact"))
    elif monte_carlo is None and settings.form != "moses" and settings.size == units and not corpus.is_whole:
        tails = _computed(corpus, difference, settings)
    else:
        tails = _counted(stars, difference, settings)
    undefined = int(np.isnan(stars).sum())
    stars = stars[~np.isnan(stars)]
    log_p = log_p_of(tails.greater, tails.less, settings.alternative)
    error = float(stars.std()) if len(stars) else 0.0
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
        interval=_interval(stars, difference, settings) if len(stars) else None,
        details={"standard_error": error, "n_units": units, "n_resampled": settings.size},
        notes=_notes(settings, units, undefined),
    )


def _resampled(corpus: Corpus, settings: Settings) -> FloatArray:
    """Give the resampled differences; nan where a resample has no score (all its items alike)."""
    draws = settings.resamples
    options: dict[str, Any] = {"seed": settings.seed, "size": settings.size, "progress": settings.progress}
    if corpus.corpora is not None:
        scores = resampled_wholes(corpus.corpora, draws, **options)
    else:
        scores = resampled_scores(corpus.statistics, corpus.aggregate, draws, **options)
    stars: FloatArray = scores[:, 0] - scores[:, 1]
    return stars


def _refuse(settings: Settings) -> None:
    if settings.form == "studentized" or settings.recentre != "observed" or settings.two_sided != "doubled":
        raise MethodError(
            "this form of the bootstrap is for means over items.",
            fix="use form 'shift', 'percentile', 'berg_kirkpatrick' or 'moses' for a corpus metric.",
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
    detail = f"linear part {found.p_linear:.3g}, {found.disagreements} disagreements in the draws"
    factor = 2 if settings.alternative == "two-sided" else 1
    error = factor * max(found.upper_bound - found.correction, 0.0)
    computed = Computed("linear+correction", error, found.resamples, settings.seed, detail)
    return _Tails(found.log_p, math.nan, computed) if for_a else _Tails(math.nan, found.log_p, computed)


def _shared(corpus: Corpus, settings: Settings) -> _Tails | None:
    """Ratios with one denominator for both systems are linear after moving the threshold."""
    if corpus.aggregate.ratio is None or settings.delta:
        return None
    num_a, num_b, den_a, den_b = corpus.columns()
    if not np.array_equal(den_a, den_b):
        return None
    gap = num_a - num_b
    level = Fraction(0) if settings.form == "percentile" else Fraction(2 * int(gap.sum()), int(den_a.sum()))
    strict = settings.form == "berg_kirkpatrick"
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
        p = math.log((1 + hits) / (1 + draws))
        tail = (1 + hits) / (1 + draws)
        # Called two-sided by its authors: each side is half of it, so that doubling gives it back.
        half = p - math.log(2)
        return _Tails(half, half, Computed("monte-carlo", math.sqrt(tail * (1 - tail) / draws), draws, settings.seed))
    if settings.form == "percentile":
        counts = (int(np.sum(stars <= settings.delta + slack)), int(np.sum(stars >= settings.delta - slack)))
    else:
        far = 2 * difference - settings.delta
        edge = slack if settings.form == "berg_kirkpatrick" else -slack
        counts = (int(np.sum(stars >= far + edge)), int(np.sum(stars <= far - edge)))
    tails = [(1 + undefined + count) / (1 + draws) for count in counts]
    wanted = {"greater": tails[0], "less": tails[1]}.get(settings.alternative, min(tails))
    factor = 2 if settings.alternative == "two-sided" else 1
    computed = Computed("monte-carlo", factor * math.sqrt(wanted * (1 - wanted) / draws), draws, settings.seed)
    return _Tails(math.log(tails[0]), math.log(tails[1]), computed)


def _interval(stars: FloatArray, difference: float, settings: Settings) -> Interval | None:
    if settings.form == "moses" or not stars.std():
        return None
    below, above = tail_levels(settings.alternative, settings.level)
    if settings.form == "percentile":
        low = float(np.quantile(stars, below)) if below else -math.inf
        high = float(np.quantile(stars, 1 - above)) if above else math.inf
        return Interval(low, high, settings.level, "percentile bootstrap")
    low = 2 * difference - float(np.quantile(stars, 1 - below)) if below else -math.inf
    high = 2 * difference - float(np.quantile(stars, above)) if above else math.inf
    return Interval(low, high, settings.level, "basic bootstrap")


def _notes(settings: Settings, units: int, undefined: int) -> tuple[str, ...]:
    notes = []
    if undefined:
        notes.append(f"{undefined:,} resamples have no score, and count against both claims.")
    if settings.form == "moses":
        notes.append("form 'moses' is what Moses and sacrebleu print; it rejects a true null about twice too often.")
    if units < 50:
        notes.append(f"with {units} resampled units the bootstrap finds differences that are not there too often.")
    return tuple(notes)
