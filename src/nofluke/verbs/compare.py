"""compare: is A better than B?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from nofluke.align import as_sample
from nofluke.errors import InputError
from nofluke.inference.detectable import detectable_difference
from nofluke.inference.margins import margin_method, margin_sentence, margin_verdict
from nofluke.inference.verdict import headline_of, sentences_of, verdict_of
from nofluke.types import Comparison, Estimate, Sample, TestResult
from nofluke.verbs.describe import describe
from nofluke.verbs.effect import effect
from nofluke.verbs.printed_ties import note_on_printed_ties
from nofluke.verbs.recommend import recommend
from nofluke.verbs.test import check_level, test


def compare(
    a: Any,
    b: Any = None,
    *,
    method: str = "auto",
    alternative: str = "two-sided",
    alpha: float = 0.05,
    margin: float | None = None,
    delta: float = 0.0,
    seed: int = 0,
    rules: str = "default",
    normality_alpha: float = 0.05,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Comparison:
    """Is A better than B, or was it a fluke?

    Takes two sequences or one Sample. Looks at the data, takes the recommended test (or the one named), and gives the
    verdict in words with p-value, interval, effect sizes, what the test set could have found, and what was run. With a
    `margin` it also says whether A is better, not worse, equivalent, or undecided. alpha decides words and interval
    levels only. Options of the test may be given by name.

    >>> import nofluke as nf
    >>> nf.compare([1, 1, 1, 0, 1, 1, 1, 1, 1, 0], [0, 0, 1, 0, 0, 0, 1, 0, 0, 0]).verdict
    'better'
    """
    check_level(alpha, "alpha")
    sample = as_sample(a, b)
    profile = describe(sample, normality_alpha=normality_alpha)
    choices = recommend(sample, rules=rules, normality_alpha=normality_alpha)
    chosen = choices.preferred if method == "auto" else method
    settings = {"alternative": alternative, "delta": delta, "confidence_level": 1 - alpha, "seed": seed, **options}
    result = test(sample, method=chosen, progress=progress, **settings)
    verdict = verdict_of(result, alpha)
    by_margin = _margin_test(sample, margin, alpha, seed) if margin is not None else None
    words = "" if margin is None else margin_verdict(_margin_interval(sample, alpha, seed), margin, verdict)
    detectable = detectable_difference(sample, alpha, alternative)
    effects = _effects(sample, profile.kind, result, 1 - alpha, detectable.standard_error)
    names = (sample.systems[0], sample.systems[1])
    sentences = sentences_of(sample, profile, result, detectable)
    if margin is not None:
        sentences += (margin_sentence(words, names, margin, 1 - alpha),)
    changed = note_on_printed_ties(sample, result, alpha, settings)
    return Comparison(
        systems=names,
        metric=sample.metric,
        dataset=sample.dataset,
        higher_is_better=sample.higher_is_better,
        scores=(sample.score(0), sample.score(1)),
        n=sample.n,
        unit_size=sample.unit_size,
        clusters=profile.clusters,
        alignment=str(sample.alignment),
        alpha=alpha,
        verdict=verdict,
        headline=headline_of(sample, verdict, effects["mean_difference"], result),
        sentences=sentences,
        profile=profile,
        choices=choices,
        test=result,
        effects=effects,
        detectable=detectable,
        margin=margin,
        margin_verdict=words,
        margin_test=by_margin,
        tests_run=tuple(dict.fromkeys([result.method, *([by_margin.method] if by_margin else ())])),
        notes=tuple(dict.fromkeys([*profile.notes, *choices.notes, *result.notes, *changed, *_chosen(method, result)])),
        signature=result.signature,
    )


def _margin_test(sample: Sample, margin: float, alpha: float, seed: int) -> TestResult:
    """Test "A is worse by the margin or more", one-sided at alpha."""
    if not isinstance(margin, int | float) or isinstance(margin, bool) or not 0 < margin < float("inf"):
        raise InputError(
            f"margin = {margin!r} is not a positive number.",
            fix="give the largest loss you would accept, in score units.",
        )
    level = 1 - alpha
    return test(
        sample, margin_method(sample), alternative="greater", delta=-float(margin), confidence_level=level, seed=seed
    )


def _margin_interval(sample: Sample, alpha: float, seed: int) -> Any:
    return test(sample, margin_method(sample), confidence_level=1 - alpha, seed=seed).interval


def _effects(sample: Sample, kind: str, result: TestResult, level: float, standard_error: float) -> dict[str, Estimate]:
    """The effect sizes that belong to the kind of scores and the test that was run."""
    names = []
    if sample.clusters is None:
        names += ["odds_ratio"] if kind == "binary" else ["cohens_d", "probability_of_superiority"]
        if result.method == "wilcoxon":
            names += ["hodges_lehmann", "rank_biserial"]
    found = {name: effect(sample, name, confidence_level=level) for name in names}
    mean = effect(sample, "mean_difference", confidence_level=level)
    # The interval beside the p-value is the one that inverts the same test.
    about_the_mean = result.estimand in ("mean difference", "difference of accuracies")
    interval = result.interval if about_the_mean else mean.interval
    return {"mean_difference": replace(mean, interval=interval, standard_error=standard_error, notes=())} | found


def _chosen(method: str, result: TestResult) -> tuple[str, ...]:
    return () if method == "auto" else (f"the test {result.method!r} was chosen by the user.",)
