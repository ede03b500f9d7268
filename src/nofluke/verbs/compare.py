"""compare: is A better than B?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from nofluke.align import as_sample
from nofluke.errors import By, Fix, MethodError
from nofluke.inference.corpus_defined import refuse_undefined
from nofluke.inference.detectable import detectable_difference
from nofluke.inference.null_distribution import null_distribution
from nofluke.inference.verdict import verdict_of
from nofluke.registry import TESTS
from nofluke.types import Comparison
from nofluke.verbs.comparing.effects import effects_of
from nofluke.verbs.comparing.margin import judge_margin, range_options
from nofluke.verbs.comparing.missing import note_on_missing_items
from nofluke.verbs.comparing.posterior import posterior_of
from nofluke.verbs.comparing.printed_ties import rerun_with_wider_ties
from nofluke.verbs.describe import describe
from nofluke.verbs.recommend import recommend
from nofluke.verbs.test import check_level, test

# Tests whose p-value is a tail of the mean difference under random swaps; McNemar's is, on 0/1 scores.
SWAPPED = ("permutation", "mcnemar")


def compare(
    a: Any,
    b: Any = None,
    *,
    method: str = "auto",
    alternative: str = "two-sided",
    alpha: float = 0.05,
    margin: float | None = None,
    low: float | None = None,
    high: float | None = None,
    delta: float = 0.0,
    seed: int = 0,
    rules: str = "default",
    normality_alpha: float = 0.05,
    bayes: bool = False,
    rope: Any = None,
    missing: Literal["refuse", "drop"] = "refuse",
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Comparison:
    """Is A better than B, or was it a fluke?

    Takes two sequences or one Sample. Looks at the data, takes the recommended test (or the one named), and gives the
    verdict with p-value, interval, effect sizes, what the test set could have found, and what was run; str() of it is
    the answer in words. With a `margin` it also says whether A is better, not worse, equivalent, or undecided. alpha
    decides words and interval levels only. `low` and `high` are the smallest and largest possible score. bayes=True
    adds the Bayesian answer as `posterior`, with `rope` as its region of practical equivalence. Options of the test go
    by name.

    >>> import nofluke as nf
    >>> nf.compare([1, 1, 1, 0, 1, 1, 1, 1, 1, 0], [0, 0, 1, 0, 0, 0, 1, 0, 0, 0]).verdict
    'better'
    """
    check_level(alpha, "alpha")
    _refuse_unpaired(method)
    sample = as_sample(a, b, missing=missing)
    refuse_undefined(sample)
    profile = describe(sample, normality_alpha=normality_alpha)
    choices = recommend(sample, rules=rules, normality_alpha=normality_alpha)
    chosen = choices.preferred if method == "auto" else TESTS[method].name
    settings = {"alternative": alternative, "delta": delta, "confidence_level": 1 - alpha, "seed": seed, **options}
    settings |= range_options(chosen, (low, high))
    result = test(sample, chosen, progress=progress, **settings)
    verdict = verdict_of(result, alpha)
    by_margin = judge_margin(sample, margin, verdict, alpha=alpha, seed=seed, score_range=(low, high))
    detectable = detectable_difference(sample, alpha, alternative, score_range=(low, high))
    effects = effects_of(sample, profile.kind, result, 1 - alpha, detectable.standard_error)
    repeated, rounding = rerun_with_wider_ties(sample, result, alpha, settings)
    left_out = note_on_missing_items(sample, result, alpha, settings, (low, high))
    tested = [*result.notes, *by_margin.notes]
    # Items without both scores are told of by what they may do to the verdict.
    tested = [one for one in tested if one.code != "align.left_out"]
    notes = (*profile.notes, *choices.notes, *rounding, *left_out, *tested)
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
        distribution=null_distribution(sample) if result.method in SWAPPED else None,
        posterior=posterior_of(sample, bayes, rope, level=1 - alpha, seed=seed),
    )


def _refuse_unpaired(method: str) -> None:
    if method != "auto" and TESTS[method].facts["needs"] == "unpaired":
        raise MethodError(
            f"compare looks at both systems item by item, and {method} does not.",
            fix=Fix(
                "use ",
                By(f"nf.test(..., method={method!r})", f"nofluke test FILE --method {method}", "another test"),
                ", or leave the method to compare.",
            ),
        )
