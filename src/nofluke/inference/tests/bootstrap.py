"""The paired bootstrap test of the mean, in the forms in which it is printed and programmed."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Annotated, Literal, cast

import numpy as np

from nofluke.align import differences, in_steps, mean_of
from nofluke.engine.tail import EXACT_BOUND
from nofluke.inference.p_values import Alternative, ConfidenceLevel, Delta, Progress, Seed, p_of, tail_levels
from nofluke.inference.resampling.drawn_p_values import computed_by_draws
from nofluke.inference.resampling.exact_bootstrap import (
    LINEAR_FORMS,
    Drawn,
    Form,
    deciding_tails,
    exact_limits,
    is_cheap,
)
from nofluke.inference.resampling.resampled_mean import DEFAULT_DRAWS, Units, averaged_units, draw, units_of
from nofluke.inference.resampling.within_datasets import refuse_within, with_cluster_sizes
from nofluke.inference.tests import bootstrap_forms as forms
from nofluke.inference.tests.bootstrap_settings import Settings, notes_on, refuse, refuse_numbers
from nofluke.inference.tests.corpus_bootstrap import corpus_bootstrap
from nofluke.registry import TESTS
from nofluke.types import Computed, Interval, Sample, TestResult, note


@TESTS.register(
    "bootstrap",
    label="paired bootstrap test of the mean",
    needs="paired",
    null="the mean difference of {a} and {b} is delta",
    estimand="mean difference",
    about="mean",
    clusters=True,
    strata=True,
    where_silent="permutation",
    delta_instead="",
    cite="Efron and Tibshirani 1993; Berg-Kirkpatrick et al. 2012 (form = berg_kirkpatrick)",
)
def bootstrap(
    sample: Sample,
    *,
    alternative: Alternative = "two-sided",
    delta: Delta = 0.0,
    confidence_level: ConfidenceLevel = 0.95,
    form: Annotated[
        Literal["shift", "berg_kirkpatrick", "percentile", "studentized", "moses"],
        "what is counted among the resampled differences",
    ] = "shift",
    recentre: Annotated[
        Literal["observed", "bootstrap_mean"], "what the resampled differences are centred on (shift, berg_kirkpatrick)"
    ] = "observed",
    two_sided: Annotated[
        Literal["doubled", "absolute"], "two-sided p: twice the smaller tail, or the share of |d* - d| >= |d| (shift)"
    ] = "doubled",
    resample_size: Annotated[
        int | None, "items (or clusters) in each resample; none means as many as there are"
    ] = None,
    monte_carlo: Annotated[
        int | None, "number of random draws; none computes the p-value without draws where that is possible, else 9,999"
    ] = None,
    seed: Seed = 0,
    progress: Progress = None,
) -> TestResult:
    """If new test sets were drawn from these items, how often would A gain this much by luck alone?

    Null: the mean difference is delta. Estimand: the mean difference of items like these. With d* the mean of items
    drawn with replacement, d the observed mean: shift counts d* - d >= d - delta; berg_kirkpatrick the same with >
    (Figure 1 of the paper is alternative="greater"); percentile d* <= delta; studentized (d* - d) / se* >= (d - delta)
    / se, the best for skewed differences; moses |d*| - mean |d*| > |d|, as Moses and sacrebleu do. The first three are
    computed without draws; drawn p-values are (1 + count) / (1 + draws). With clusters, whole clusters are drawn.
    Corpus metrics resample items with their statistics. An average of datasets draws within each, as many as it has.

    When not to use it: below about 50 items all forms but the studentized reject too often (one-sided, at a nominal
    .05: .077 at n = 10, .062 at 20, .054 at 50), and far tails are too small; the preferred test of a mean is
    'permutation'. Form moses has a size of .11 at .05 and is here to reproduce published figures only.
    """
    number = sample.n if sample.clusters is None else len(np.unique(sample.clusters))
    size = number if resample_size is None else resample_size
    draws = DEFAULT_DRAWS if monte_carlo is None else monte_carlo
    settings = Settings(
        alternative,
        delta,
        form,
        recentre,
        two_sided,
        size,
        draws,
        seed,
        confidence_level,
        progress,
        # What Moses and sacrebleu print is defined by draws only.
        on_request=monte_carlo is not None or form == "moses",
    )
    refuse_numbers(settings)
    strata = None if sample.strata is None or sample.strata.pooled else sample.strata
    if strata is not None:
        refuse_within(sample, strata, form, resample_size)
        if sample.aggregate.linear and sample.clusters is not None:
            sample = with_cluster_sizes(sample, strata)
    if not sample.aggregate.linear:
        return corpus_bootstrap(sample, settings, monte_carlo)
    units = units_of(sample) if strata is None else averaged_units(sample, strata)
    refuse(settings, units)
    lowest, highest = units.support
    if lowest == highest:
        return _constant(sample, units, settings)
    exact = without_resamples(sample, units, settings) if monte_carlo is None and strata is None else None
    if exact is not None:
        return exact
    return _with_draws(sample, units, settings)


def _with_draws(sample: Sample, units: Units, settings: Settings) -> TestResult:
    outcome, spread, flat = _outcome(sample, units, settings)
    p, computed, out_of_reach = _p_value(outcome, settings)
    mean = mean_of(sample, differences(sample).values)
    step = sample.grid.exact_step
    standard_error = spread * float(step)
    t = (mean - settings.delta) / standard_error if standard_error else math.nan
    return TestResult(
        statistic=t if settings.form == "studentized" else mean,
        p_value=p,
        log_p_value=math.log(p),
        alternative=settings.alternative,
        n=sample.n,
        computed=computed,
        validity="asymptotic",
        estimate=mean,
        z_score=t,
        delta=settings.delta,
        interval=_interval(outcome, settings.level, step),
        details={"standard_error": standard_error, "n_units": len(units), "n_resampled": settings.size},
        notes=notes_on(units, settings, out_of_reach, flat),
    )


def _outcome(sample: Sample, units: Units, settings: Settings) -> tuple[forms.Outcome, float, float]:
    """Draw and count; also give the standard error in grid steps and the share of draws without spread."""
    null = in_steps(settings.delta, sample.grid)
    below, above = tail_levels(settings.alternative, settings.level)
    if settings.form == "studentized":
        pivot = forms.draw_pivots(units, settings.resamples, seed=settings.seed, size=settings.size)
        evidence = forms.Evidence(units, pivot.draws, null, below, above)
        flat = float(np.mean(pivot.spreads == 0))
        return forms.studentized(evidence, pivot), pivot.standard_error, flat
    draws = draw(units, settings.resamples, seed=settings.seed, size=settings.size, progress=settings.progress)
    evidence = forms.Evidence(units, draws, null, below, above)
    spread = float(draws.means.std())
    centre = units.mean if settings.recentre == "observed" else draws.mean
    if settings.form == "percentile":
        return forms.percentile(evidence), spread, 0.0
    if settings.form == "moses":
        return forms.moses(evidence), spread, 0.0
    if settings.two_sided == "absolute":
        return forms.absolute(evidence, centre, 1 - settings.level), spread, 0.0
    return forms.shift(evidence, centre, strict=settings.form == "berg_kirkpatrick"), spread, 0.0


def _p_value(outcome: forms.Outcome, settings: Settings) -> tuple[float, Computed, bool]:
    """Give p = (1 + hits) / (1 + draws), how sure it is, and whether no draw can be a hit.

    Then the draws that were asked for still give 1 / (1 + draws); where nobody asked, their number would decide alone,
    and p is undefined.
    """
    factor, hits = 1, outcome.either
    if outcome.doubled:
        factor = 2 if settings.alternative == "two-sided" else 1
        tails = {"greater": (outcome.greater,), "less": (outcome.less,)}
        wanted = tails.get(settings.alternative, (outcome.greater, outcome.less))
        # Where one tail is out of reach, so is twice the smaller one.
        hits = None if None in wanted else min(tail for tail in wanted if tail is not None)
    out_of_reach = hits is None
    if out_of_reach and not settings.on_request:
        return math.nan, Computed("monte-carlo", math.nan, settings.resamples, settings.seed), True
    hits = hits or 0
    # One division, not the exponential of a logarithm: 500 / 10,000 has to be the 0.05 that alpha is.
    p = min(1.0, factor * (1 + hits) / (1 + settings.resamples))
    return p, computed_by_draws(hits, settings.resamples, settings.seed, sides=factor), out_of_reach


def _interval(outcome: forms.Outcome, level: float, step: Fraction) -> Interval | None:
    if outcome.limits is None:
        return None
    low, high = (float(limit * step) for limit in outcome.limits)
    return Interval(low, high, level, outcome.interval)


def _constant(sample: Sample, units: Units, settings: Settings) -> TestResult:
    """Equal differences: p = 1 at the null; anywhere else resampling has nothing to vary, however many draws are made.

    Counting them would make one item significant by itself.
    """
    at_null = units.mean == in_steps(settings.delta, sample.grid)
    why = (
        note("test.all_at_null", unit=sample.unit)
        if at_null
        else note("test.resamples_alike", unit=sample.unit, instead=("permutation",))
    )
    return TestResult(
        statistic=math.nan if settings.form == "studentized" else mean_of(sample, differences(sample).values),
        p_value=1.0 if at_null else math.nan,
        log_p_value=0.0 if at_null else math.nan,
        alternative=settings.alternative,
        n=sample.n,
        computed=Computed("exact"),
        validity="asymptotic",
        estimate=mean_of(sample, differences(sample).values),
        delta=settings.delta,
        details={"standard_error": 0.0, "n_units": len(units), "n_resampled": settings.size},
        notes=(why,),
    )


def without_resamples(sample: Sample, units: Units, settings: Settings) -> TestResult | None:
    """Give the result to which ever more resamples would lead, or None where it cannot be had cheaply and exactly."""
    if not _has_exact_form(units, settings):
        return None
    drawn = Drawn(units.totals, units.sizes, settings.size)
    null = in_steps(settings.delta, sample.grid)
    wanted = deciding_tails(cast(Form, settings.form), drawn, null, settings.alternative)
    bound = max(tail.bound for tail in wanted)
    if bound > EXACT_BOUND:
        return None
    # A threshold beyond what resampling can reach would be p = 0: undefined, with a note.
    out = any(tail.log_p == -math.inf for tail in wanted)
    sides = 2 if settings.alternative == "two-sided" else 1
    log_p = math.nan if out else min(0.0, math.log(sides) + min(tail.log_p for tail in wanted))
    step = float(sample.grid.exact_step)
    standard_error = _exact_standard_error(units, settings.size) * step
    mean = float(differences(sample).values.mean())
    return TestResult(
        statistic=mean,
        p_value=p_of(log_p),
        log_p_value=log_p,
        alternative=settings.alternative,
        n=sample.n,
        computed=Computed("exact", error=0.0 if out else bound * p_of(log_p)),
        validity="asymptotic",
        estimate=mean,
        z_score=(mean - settings.delta) / standard_error,
        delta=settings.delta,
        interval=_exact_interval(drawn, settings, step),
        details={"standard_error": standard_error, "n_units": len(units), "n_resampled": settings.size},
        notes=notes_on(units, settings, out, 0.0),
    )


def _exact_standard_error(units: Units, size: int) -> float:
    """The spread of the mean over resamples; over clusters, of the ratio linearised at the observed mean."""
    if units.sizes is None:
        return float(units.totals.std()) / math.sqrt(size)
    residuals = units.totals - float(units.mean) * units.sizes
    return float(residuals.std()) / float(units.sizes.mean()) / math.sqrt(size)


def _has_exact_form(units: Units, settings: Settings) -> bool:
    if settings.form not in LINEAR_FORMS or settings.recentre != "observed" or settings.two_sided != "doubled":
        return False
    return is_cheap(units)


def _exact_interval(drawn: Drawn, settings: Settings, step: float) -> Interval:
    below, above = tail_levels(settings.alternative, settings.level)
    kind: Literal["percentile", "basic"] = "percentile" if settings.form == "percentile" else "basic"
    low, high = exact_limits(kind, drawn, below, above)
    return Interval(float(low) * step, float(high) * step, settings.level, f"{kind} bootstrap")
