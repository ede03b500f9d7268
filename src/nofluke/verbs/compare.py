"""compare: is A better than B?"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, TypeVar

from nofluke.align import as_sample
from nofluke.check import check_level, check_range
from nofluke.errors import By, Fix, InputError, MethodError, Option, listing, without_effect
from nofluke.inference.comparison.margin import judge_margin, range_options
from nofluke.inference.comparison.metrics import as_family
from nofluke.inference.p_values import verdict_of
from nofluke.inference.resampling.corpus import refuse_undefined
from nofluke.inference.resampling.null_distribution import null_distribution
from nofluke.inference.tests.corrected_resampled_t import unless_corrected
from nofluke.inference.tests.crossed_runs import noise_of
from nofluke.inference.tests.run import run_test
from nofluke.noting import called
from nofluke.option_groups import SELECTING
from nofluke.options import (
    ADVANCED,
    LEVEL,
    Alternative,
    Delta,
    HighestScore,
    LowestScore,
    Missing,
    NormalityAlpha,
    Opt,
    Rules,
    Seed,
    listed,
)
from nofluke.registry import TESTS
from nofluke.types import Average, Call, Comparison, Estimate, Posterior, Sample, Scores, TestResult, note

Verb = TypeVar("Verb", bound=Callable[..., Any])


def _by_metric(function: Verb) -> Verb:
    """Let several metrics be compared: those named of a table (metric="bleu,chrf"), or {metric: Sample}."""

    @functools.wraps(function)
    def compared(*given: Any, **options: Any) -> Any:
        samples = _samples(given[0], options) if given else {}
        if not samples:
            return function(*given, **options)
        _check_family(samples, given, options)
        rest = {name: value for name, value in options.items() if name not in SELECTING}
        found = {name: function(sample, **rest) for name, sample in samples.items()}
        return as_family(found, options.get("alpha", 0.05))

    return compared  # type: ignore[return-value]


def _check_family(samples: Mapping[str, Sample], given: tuple[Any, ...], options: Mapping[str, Any]) -> None:
    """Refuse what several metrics cannot be told, or would not heed."""
    if len(given) > 1:
        raise InputError("the systems of a table are named.", fix="give a='...' and b='...'.")
    if options.get("margin") is not None:
        raise InputError(
            "a margin is a loss in the units of one metric, and there are several.",
            fix=Fix("leave ", Option("margin"), " out, or name one metric."),
        )
    asked = [name for name in options if name in SELECTING]
    if isinstance(given[0], Mapping) and asked:
        raise without_effect(asked, "the samples are chosen already", Fix("leave it out."))
    systems = {sample.systems for sample in samples.values()}
    if len(systems) > 1:
        raise InputError(
            f"the metrics compare different systems: {listing(sorted(map(' and '.join, systems)))}.",
            fix="give the same two systems, in the same order, by every metric.",
        )


def _samples(data: Any, options: Mapping[str, Any]) -> Mapping[str, Sample]:
    """The two systems by each metric; nothing where one metric is compared."""
    if isinstance(data, Mapping) and data and all(isinstance(one, Sample) for one in data.values()):
        return data
    metric = options.get("metric")
    if not isinstance(data, Scores) or metric is None:
        return {}
    names = listed(metric, data.metrics)
    if len(names) < 2:
        return {}
    selecting = {name: value for name, value in options.items() if name in SELECTING and name != "metric"}
    return {name: data.pair(metric=name, **selecting) for name in names}


@_by_metric
@called("compare", "pair", "a", "b", methods=TESTS, settled=lambda result: {"method": result.test.method})
def compare(
    a: Any,
    b: Any = None,
    *,
    method: Annotated[
        str, Opt("The test; auto takes the recommended one. See nofluke methods.", label="test")
    ] = "auto",
    alternative: Alternative = "two-sided",
    alpha: Annotated[float, Opt("Significance level; the interval has the level 1 - alpha.", bounds=LEVEL)] = 0.05,
    margin: Annotated[
        float | None, Opt("Largest loss you would accept, in score units: adds a verdict by margin.")
    ] = None,
    low: LowestScore = None,
    high: HighestScore = None,
    rules: Rules = "default",
    delta: Delta = 0.0,
    seed: Seed = 0,
    normality_alpha: NormalityAlpha = 0.05,
    bayes: Annotated[bool, Opt("Add the Bayesian answer: how probable is it that A is better?", ADVANCED)] = False,
    joint: Annotated[
        bool,
        Opt("With several datasets: judge each of them only if the average is decided, both at alpha.", ADVANCED),
    ] = False,
    rope: Annotated[
        float | Sequence[float] | None,
        Opt("With `bayes`: differences too small to matter, one number (both sides) or LOW,HIGH.", ADVANCED, most=2),
    ] = None,
    missing: Missing = "refuse",
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Comparison:
    """Is A better than B, or was it a fluke?

    Takes two sequences, one Sample, or Scores with the names of two systems as `a` and `b` (and what else chooses a
    sample, see `scores.pair`). Of several datasets the weighted average is compared, and each of them beside it
    (`tasks`). Several metrics (metric="bleu,chrf", or {metric: Sample}) are one family and give a MetricsComparison.
    Looks at the data, takes the recommended test (or the one named), and gives the
    verdict with p-value, interval, effect sizes, what the test set could have found, and what was run; str() of it is
    the answer in words. With a `margin` it also says whether A is better, not worse, equivalent, or undecided. alpha
    decides words and interval levels only. `low` and `high` are the smallest and largest possible score. bayes=True
    adds the Bayesian answer as `posterior`, with `rope` as its region of practical equivalence. Options of the test go
    by name.

    >>> import nofluke as nf
    >>> nf.compare([1, 1, 1, 0, 1, 1, 1, 1, 1, 0], [0, 0, 1, 0, 0, 0, 1, 0, 0, 0]).verdict
    'better'
    """
    # What computes is loaded here: help needs the signature alone.
    from nofluke.inference.comparison.robustness import note_on_missing_items, rerun_with_wider_ties
    from nofluke.inference.comparison.tasks import judge_tasks
    from nofluke.inference.power.detectable import detectable_difference
    from nofluke.verbs.describe import describe
    from nofluke.verbs.recommend import recommend

    sample = _checked(a, b, method, alpha, missing)
    profile = describe(sample, normality_alpha=normality_alpha)
    choices = recommend(sample, rules=rules, normality_alpha=normality_alpha)
    chosen = choices.preferred if method == "auto" else TESTS[method].name
    settings = {"alternative": alternative, "delta": delta, "confidence_level": 1 - alpha, "seed": seed, **options}
    settings |= range_options(chosen, (low, high))
    if margin is None and not range_options(chosen, (low, high)):
        _refuse_half_a_range(low, high)
        if low is not None and sample.aggregate.linear:
            check_range(sample.statistics[..., 0], low, high)
    result = run_test(sample, chosen, progress=progress, **settings)
    verdict = verdict_of(result, alpha)
    by_margin = judge_margin(sample, margin, verdict, alpha=alpha, seed=seed, score_range=(low, high))
    detectable = detectable_difference(sample, alpha, alternative, score_range=(low, high))
    effects = _effects(sample, profile.kind, result, 1 - alpha, detectable.standard_error)
    tasks, average = judge_tasks(sample, result, alpha=alpha, joint=joint, settings=settings)
    _refuse_joint(joint, average)
    repeated, rounding = rerun_with_wider_ties(sample, result, alpha, settings)
    left_out = note_on_missing_items(sample, result, alpha, settings, (low, high))
    tested = [*result.notes, *by_margin.notes]
    # Items without both scores are told of by what they may do to the verdict.
    tested = [one for one in tested if one.code != "align.left_out" or not left_out]
    of_data = unless_corrected(profile.notes, chosen)
    # What a rule does to the error rate concerns only a test that it chose.
    chose = choices.notes if method == "auto" else ()
    notes = (*of_data, *chose, *rounding, *left_out, *tested)
    return Comparison(
        systems=(sample.systems[0], sample.systems[1]),
        metric=sample.metric,
        dataset=sample.dataset,
        higher_is_better=sample.higher_is_better,
        scores=(sample.score(0), sample.score(1)),
        n=sample.n,
        unit_size=sample.unit_size,
        clusters=profile.clusters,
        alignment=sample.alignment,
        alpha=alpha,
        verdict=verdict,
        profile=profile,
        choices=choices,
        test=result,
        effects=effects,
        detectable=detectable,
        margin=by_margin.margin,
        margin_verdict=by_margin.verdict,
        margin_test=by_margin.test,
        tests_run=tuple(dict.fromkeys([result.method, *by_margin.tests_run])),
        notes=tuple(dict.fromkeys(notes)),
        signature=result.signature,
        unit_statistic=sample.unit_statistic,
        margin_interval=by_margin.interval,
        repeated=repeated,
        distribution=null_distribution(sample) if TESTS[result.method].facts["swaps"] else None,
        posterior=_posterior(sample, bayes, rope, level=1 - alpha, seed=seed),
        scored_by=sample.scored_by,
        tasks=tasks,
        average=average,
        noise=noise_of(sample),
    )


def _refuse_joint(joint: bool, average: Average | None) -> None:
    if joint and average is None:
        raise without_effect(["joint"], "there is one dataset", Fix("leave it out."))


def _checked(a: Any, b: Any, method: str, alpha: float, missing: Missing) -> Sample:
    """Give the sample that is compared, or refuse what cannot be."""
    check_level(alpha, "alpha")
    if method != "auto" and TESTS[method].facts["needs"] == "unpaired":
        raise MethodError(
            f"compare looks at both systems item by item, and {method} does not.",
            fix=Fix(
                "use ",
                By(f"nf.test(..., method={method!r})", f"nofluke test FILE --method {method}", "another test"),
                ", or leave the method to compare.",
            ),
        )
    sample = as_sample(a, b, missing=missing)
    refuse_undefined(sample)
    return sample


def _effects(sample: Sample, kind: str, result: TestResult, level: float, standard_error: float) -> dict[str, Estimate]:
    """Give the mean difference, with the interval that inverts the test when the test is about the mean, and others."""
    from nofluke.verbs.effect import effect

    if not sample.aggregate.linear:
        return {"mean_difference": Estimate("mean_difference", result.estimate, result.interval, standard_error)}
    names = []
    alone = sample.strata is None or sample.strata.pooled
    if sample.clusters is None and alone and sample.runs is None:
        names += ["odds_ratio"] if kind == "binary" else ["cohens_d", "probability_of_superiority"]
        if result.method == "wilcoxon":
            names += ["hodges_lehmann", "rank_biserial"]
    mean = effect(sample, "mean_difference", confidence_level=level)
    if result.about == "mean":
        mean = replace(mean, interval=result.interval, notes=() if result.interval is not None else mean.notes)
    found = {"mean_difference": replace(mean, standard_error=standard_error)}
    return found | {name: effect(sample, name, confidence_level=level) for name in names}


def _refuse_half_a_range(low: float | None, high: float | None) -> None:
    """Both ends bound what can be found and what items without a score can do; one alone bounds nothing."""
    if (low is None) != (high is None):
        given, other = ("low", "high") if high is None else ("high", "low")
        fix = Fix("give ", Option(other), " as well, or leave it out.")
        raise without_effect([given], "the range of possible scores has two ends", fix)


def _posterior(sample: Sample, wanted: bool, rope: Any, *, level: float, seed: int) -> Posterior | None:
    """Give the posterior that fits the data, or nothing when it was not asked for."""
    if not wanted:
        if rope is not None:
            raise InputError(
                "a region of practical equivalence was stated, and only the Bayesian answer uses it.",
                fix=Fix("ask for it: ", Option("bayes", "True"), "; or test with a margin: ", Option("margin"), "."),
            )
        return None
    from nofluke.verbs.bayes import bayes as posterior

    result = posterior(sample, rope=rope, seed=seed, confidence_level=level)
    return result if isinstance(result, Posterior) else None


def with_other_tests(comparison: Comparison, others: Iterable[TestResult]) -> Comparison:
    """Give the comparison with the other tests of the same data, in the order given, each of them once.

    A test that was only asked for again, or at another confidence level, is no other test.
    """
    known = [_identity(own) for own in (comparison.test, comparison.margin_test) if own is not None]
    found: list[TestResult] = []
    for other in others:
        if _identity(other) not in known:
            known.append(_identity(other))
            found.append(other)
    if not found:
        return comparison
    told = note("compare.other_tests", n=len(found))
    return replace(comparison, also_run=tuple(found), notes=(*comparison.notes, told))


def _identity(result: TestResult) -> tuple[Any, ...]:
    """What makes a p-value this one: how it was called but for the level of its interval and a seed without draws."""
    call = result.call or Call("test", {"method": result.method})
    asked = {name: value for name, value in call.options.items() if name not in ("confidence_level", "seed")}
    of_items = {name: call.selection.get(name) for name in ("unit", "unit_statistic", "shuffle_seed")}
    return asked, of_items, result.n, result.clusters, result.computed.seed
