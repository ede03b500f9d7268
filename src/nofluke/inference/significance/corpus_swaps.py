"""Swapping outputs of corpus metrics: ratios raw or studentised, and smooth functions of sums."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.engine.corrected.tails import corrected_swaps
from nofluke.engine.flips import EXACT_BOUND, FlipCounts
from nofluke.engine.ratio_swaps.draws import ratio_swap_draws, studentized_ratio
from nofluke.engine.ratio_swaps.tail import ratio_swap_tail
from nofluke.inference.corpus import Corpus, corpus_of
from nofluke.inference.corpus_draws import DECISION, STOP_AT, Stopped, drawn_or_stopped, p_of_draws, refuse_stop
from nofluke.inference.intervals.at_null import agree_at_null
from nofluke.inference.significance.sides import Progress, log_p_of, p_of, tail_levels
from nofluke.types import Computed, Interval, Sample, TestResult

DEFAULT_DRAWS = 29_999
# Draws of a score that is computed anew for each of them.
DEAR_DRAWS = 9_999
# Denominators this many times apart make the raw swap test something else than equal metrics.
_APART = 1.5
_TOO_ROUGH = 1e-3


@dataclass(frozen=True, slots=True)
class SwapSettings:
    """The options of one call."""

    alternative: str
    level: float
    form: str
    monte_carlo: int | None
    seed: int
    progress: Progress
    stop: str = "never"
    stop_alpha: float = 0.05


def corpus_swaps(sample: Sample, settings: SwapSettings) -> TestResult:
    """Test a corpus metric by swapping the outputs of items (or clusters) at random.

    Ratios are divided by their standard error unless form="raw": swapping outputs tests exchangeable outputs, and the
    studentised statistic makes that a test of equal metrics too. Other metrics use the exact tail of their tangent and
    draws for the disagreement; scores that only all items together have are drawn.
    """
    corpus = corpus_of(sample)
    difference = corpus.difference
    if settings.stop != "never":
        refuse_stop(settings.stop_alpha, drawn=_is_drawn(corpus, settings))
    if corpus.identical:
        log_p, computed, z = 0.0, Computed("exact"), 0.0
    elif corpus.aggregate.ratio is not None:
        log_p, computed, z = _ratio(corpus, settings)
    else:
        log_p, computed, z = _smooth(corpus, settings)
    interval, notes = _interval(corpus, difference, settings, log_p)
    raw = settings.form == "raw" and corpus.aggregate.ratio is not None
    return TestResult(
        statistic=corpus.observed if raw or corpus.aggregate.ratio is None else z,
        p_value=p_of_draws(log_p, computed),
        log_p_value=log_p,
        alternative=settings.alternative,
        n=sample.n,
        computed=computed,
        validity="exact under exchangeable outputs; asymptotic for equal metrics",
        estimate=corpus.observed,
        z_score=z,
        interval=interval,
        details=_details(corpus, computed, settings),
        notes=(*notes, *_warnings(corpus, raw), *stop_notes(computed, log_p, settings)),
    )


def _is_drawn(corpus: Corpus, settings: SwapSettings) -> bool:
    return corpus.is_whole or (settings.monte_carlo is not None and corpus.aggregate.ratio is None)


def _details(corpus: Corpus, computed: Computed, settings: SwapSettings) -> dict[str, float]:
    details: dict[str, float] = {"n_swapped": corpus.units}
    return details | ({"stop_alpha": settings.stop_alpha} if computed.how == DECISION else {})


def stop_notes(computed: Computed, log_p: float, settings: SwapSettings) -> tuple[str, ...]:
    """Say what draws that stopped early can be used for."""
    if settings.stop == "p_value" and computed.how == "monte-carlo":
        return (
            f"draws stop once {STOP_AT} are as extreme as the data (Besag and Clifford 1991): a valid p-value, which "
            "corrections may use.",
        )
    if computed.how != DECISION:
        return ()
    if math.isnan(log_p):
        return (f"{computed.resamples:,} draws do not settle whether p is below {settings.stop_alpha:g}; draw more.",)
    return (
        f"draws stopped once it was clear on which side of {settings.stop_alpha:g} the p-value is: this is a yes or "
        "no, no p-value, and may not be corrected or combined with others.",
    )


def _ratio(corpus: Corpus, settings: SwapSettings) -> tuple[float, Computed, float]:
    columns = corpus.columns()
    z = studentized_ratio(*columns).t
    shared = bool(np.array_equal(columns[2], columns[3]))
    exact = settings.monte_carlo is None and (settings.form == "raw" or shared)
    if exact:
        upper = settings.alternative == "greater" or (settings.alternative == "two-sided" and corpus.difference >= 0)
        num_a, num_b, den_a, den_b = columns
        tail = ratio_swap_tail(num_a, num_b, den_a, den_b) if upper else ratio_swap_tail(num_b, num_a, den_b, den_a)
        if tail.bound <= _TOO_ROUGH:
            log_p = log_p_of(tail.log_p, tail.log_p, settings.alternative)
            how = "exact" if tail.bound < EXACT_BOUND else "approximate"
            return log_p, Computed(how, error=tail.bound * p_of(log_p), detail=tail.path), z
    draws = settings.monte_carlo or DEFAULT_DRAWS
    counts = ratio_swap_draws(
        *columns,
        resamples=draws,
        seed=settings.seed,
        studentized=settings.form == "studentized" and not shared,
        progress=settings.progress,
    )
    return *_drawn(counts, settings), z


def _smooth(corpus: Corpus, settings: SwapSettings) -> tuple[float, Computed, float]:
    error = corpus.standard_error()
    z = corpus.difference / error if error else math.nan
    if _is_drawn(corpus, settings):
        most = settings.monte_carlo or (DEFAULT_DRAWS if corpus.corpora is None else DEAR_DRAWS)
        found = drawn_or_stopped(corpus, settings, most)
        if isinstance(found, Stopped):
            return found.log_p, found.computed, z
        return *_drawn(found, settings), z
    upper = settings.alternative == "greater" or (settings.alternative == "two-sided" and corpus.difference >= 0)
    statistics = corpus.statistics if upper else corpus.statistics[:, ::-1]
    tail = corrected_swaps(
        statistics, corpus.aggregate, resamples=DEFAULT_DRAWS, seed=settings.seed, progress=settings.progress
    )
    sides = 2 if settings.alternative == "two-sided" else 1
    log_p = log_p_of(tail.log_p, tail.log_p, settings.alternative)
    detail = f"linear part {tail.p_linear:.3g}, {tail.disagreements} disagreements in the draws"
    error_bound = sides * max(tail.upper_bound - tail.correction, 0.0)
    return log_p, Computed("linear+correction", error_bound, tail.resamples, settings.seed, detail), z


def _drawn(counts: FlipCounts, settings: SwapSettings) -> tuple[float, Computed]:
    """Give the log p-value, (1 + hits) / (1 + draws), and its error."""
    draws = counts.resamples
    greater, less = (1 + counts.at_least) / (1 + draws), (1 + counts.at_most) / (1 + draws)
    tail = {"greater": greater, "less": less}.get(settings.alternative, min(greater, less))
    sides = 2 if settings.alternative == "two-sided" else 1
    computed = Computed("monte-carlo", sides * math.sqrt(tail * (1 - tail) / draws), draws, settings.seed)
    return log_p_of(math.log(greater), math.log(less), settings.alternative), computed


def _interval(
    corpus: Corpus, difference: float, settings: SwapSettings, log_p: float
) -> tuple[Interval | None, tuple[str, ...]]:
    """The delta-method interval, made to say of 0 what the p-value says."""
    from scipy.special import ndtri

    error = corpus.standard_error()
    if not error or math.isnan(error):
        return None, ("no interval: the difference has no spread.",)
    below, above = tail_levels(settings.alternative, settings.level)
    low = difference + float(ndtri(below)) * error if below else -math.inf
    high = difference - float(ndtri(above)) * error if above else math.inf
    low, high = low + corpus.observed - difference, high + corpus.observed - difference
    how = "delta method" if corpus.corpora is None else "jackknife"
    if math.isnan(log_p):
        return Interval(low, high, settings.level, how), ()
    return agree_at_null(Interval(low, high, settings.level, how), 0.0, log_p)


def _warnings(corpus: Corpus, raw: bool) -> tuple[str, ...]:
    if not raw:
        return ()
    _, _, den_a, den_b = corpus.columns()
    small, large = sorted((int(den_a.sum()), int(den_b.sum())))
    if large <= _APART * small:
        return ()
    return (
        f"the denominators of the two systems differ by a factor of {large / max(small, 1):.1f}: the raw swap tests "
        "exchangeable outputs, not equal metrics; form 'studentized' tests the metric.",
    )
