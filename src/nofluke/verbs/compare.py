"""compare: is A better than B?"""

from __future__ import annotations

import math
from typing import Any

from nofluke.align import as_sample
from nofluke.inference.wording import (
    chance_sentence,
    figure,
    interval_in_figures,
    p_in_figures,
    verdict_of,
)
from nofluke.types import Comparison, Estimate, Profile, Sample, TestResult
from nofluke.verbs.describe import describe
from nofluke.verbs.recommend import recommend
from nofluke.verbs.test import check_level, test


def compare(
    a: Any,
    b: Any = None,
    *,
    method: str = "auto",
    alternative: str = "two-sided",
    alpha: float = 0.05,
    delta: float = 0.0,
    seed: int = 0,
    normality_alpha: float = 0.05,
    **options: Any,
) -> Comparison:
    """Is A better than B, or was it a fluke?

    Takes two sequences or one Sample. Looks at the data, takes the recommended test (or the one named), and gives
    the verdict in words with p-value, interval and what was run. alpha decides words and the interval's level only.

    >>> import nofluke as nf
    >>> nf.compare([1, 1, 1, 0, 1, 1, 1, 1, 1, 0], [0, 0, 1, 0, 0, 0, 1, 0, 0, 0]).verdict
    'better'
    """
    check_level(alpha, "alpha")
    sample = as_sample(a, b)
    profile = describe(sample, normality_alpha=normality_alpha)
    result = test(
        sample,
        method=method,
        alternative=alternative,
        delta=delta,
        confidence_level=1 - alpha,
        seed=seed,
        **options,
    )
    names = (sample.systems[0], sample.systems[1])
    verdict = verdict_of(result, alpha)
    effect = _mean_difference(profile, result)
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
        headline=_headline(sample, verdict, effect, result),
        sentences=_sentences(sample, profile, result),
        profile=profile,
        choices=recommend(sample),
        test=result,
        effects={effect.name: effect},
        tests_run=(result.method,),
        notes=_notes(profile, result, method),
        signature=result.signature,
    )


def _mean_difference(profile: Profile, result: TestResult) -> Estimate:
    standard_error = profile.difference.sd / math.sqrt(profile.n)
    interval = result.interval if result.estimand == "mean difference" else None
    return Estimate("mean_difference", profile.difference.mean, interval, standard_error)


def _headline(sample: Sample, verdict: str, effect: Estimate, result: TestResult) -> str:
    a, b = sample.systems
    claim = {
        "better": f"{a} is better than {b}",
        "worse": f"{b} is better than {a}",
        "not separated": f"{a} and {b} are not separated",
        "undefined": f"{a} and {b} cannot be judged by this test",
    }[verdict]
    if verdict == "not separated" and result.alternative == "greater":
        claim = f"{a} is not shown to be better than {b}"
    if verdict == "not separated" and result.alternative == "less":
        claim = f"{a} is not shown to be worse than {b}"
    scale = effect.standard_error
    scores = f"{figure(sample.score(0), scale)} against {figure(sample.score(1), scale)}"
    direction = "" if sample.higher_is_better else " (lower is better)"
    gain = f"difference {figure(effect.value, scale)}"
    if effect.interval is not None:
        gain += f", {interval_in_figures(effect.interval, scale)}"
    return f"{claim}: {scores}{direction}; {gain}."


def _sentences(sample: Sample, profile: Profile, result: TestResult) -> tuple[str, ...]:
    a, b = sample.systems
    units = "units" if sample.unit_size > 1 else "items"
    clusters = f" in {profile.clusters:,} clusters" if profile.clusters else ""
    return (
        chance_sentence(result, (a, b)),
        f"Test: {result.label}, {result.alternative}, n = {sample.n:,} {units}{clusters}: "
        f"{p_in_figures(result.p_value)} (computed: {result.computed}).",
        f"{a} is better on {profile.wins:,} {units}, worse on {profile.losses:,}, tied on {profile.ties:,}. "
        f"Differences are oriented so that positive means {a} is better.",
    )


def _notes(profile: Profile, result: TestResult, method: str) -> tuple[str, ...]:
    chosen = () if method == "auto" else (f"the test {result.method!r} was chosen by the user.",)
    return (*profile.notes, *result.notes, *chosen)
