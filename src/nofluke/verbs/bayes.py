"""bayes: how probable is it that A is better?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any

from nofluke.align import as_sample
from nofluke.check import check_level
from nofluke.errors import By, Fix, InputError, MethodError, Option
from nofluke.inference.bayes.datasets import Datasets, datasets_from, datasets_of
from nofluke.inference.bayes.region import as_region
from nofluke.inference.recommend.rules import facts_of
from nofluke.inference.tests.run import takes_no_runs
from nofluke.noting import called, sample_facts, signature
from nofluke.options import Missing, Opt, Rope, Seed
from nofluke.registry import POSTERIORS, Method
from nofluke.types import Estimate, Note, Posterior, Sample, Scores, note


def _model(result: Posterior | Estimate) -> dict[str, str]:
    """The model that was taken; one that was taken because another does not fit is not named: a note says why."""
    if isinstance(result, Estimate):
        return {"method": result.name}
    changed = any(one.code == "bayes.single_items" for one in result.notes)
    return {} if changed else {"method": result.method}


@called("bayes", "pair", "a", "b", methods=POSTERIORS, tables=True, settled=_model)
def bayes(
    a: Any,
    b: Any = None,
    method: Annotated[str, Opt("The model; auto takes the one for such scores.")] = "auto",
    *,
    rope: Rope = None,
    seed: Seed = 0,
    systems: tuple[str, str] | None = None,
    metric: str | None = None,
    missing: Missing = "refuse",
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Posterior | Estimate:
    """Given a stated prior, how probable is it that A is better than B?

    Takes two sequences or one Sample; for several datasets {name: (scores of A, scores of B)} or Scores (`systems`
    and `metric` choose from them). `rope` is the region of practical equivalence in score units: one number for both
    sides, or two limits; none by default. method="auto": dirichlet for 0/1 pairs, correlated_t for other items,
    hierarchical for several datasets with items, signed_rank for datasets with one score each. Positive is A's side.
    "bayes_factor" gives an Estimate, every other method a Posterior.

    >>> import nofluke as nf
    >>> answer = nf.bayes([1, 1, 1, 0, 1, 1, 1, 1], [0, 0, 1, 0, 0, 0, 1, 1], rope=0.05)
    >>> answer.method, round(answer.p_better, 3), round(answer.p_equal, 3)
    ('dirichlet', 0.974, 0.017)
    """
    if isinstance(b, str):
        b, method = None, b
    given = _given(a, b, systems, metric, missing, unpaired=str(options.get("form")) == "unpaired")
    _refuse_average(given)
    chosen = POSTERIORS[_automatic(given) if method == "auto" else method]
    sample = _sample_for(chosen, given)
    settings = _settings(chosen, rope, seed, options)
    watching = {"progress": progress} if chosen.reports_progress else {}
    result: Posterior | Estimate = chosen.function(sample, **settings, **watching)
    signed = _signed(chosen, sample, settings)
    if isinstance(result, Estimate):
        return replace(result, name=chosen.name, signature=signed, n=sample.n)
    return replace(
        result,
        method=chosen.name,
        label=chosen.label,
        systems=(sample.systems[0], sample.systems[1]),
        metric=sample.metric,
        notes=(*_changed_model(given, method, chosen), *result.notes),
        signature=signed,
    )


def _changed_model(given: Sample | Datasets, asked: str, chosen: Method) -> tuple[Note, ...]:
    """Note which dataset kept the model of items from being used."""
    if asked != "auto" or chosen.name != "signed_rank" or not isinstance(given, Datasets) or not given.single:
        return ()
    return (note("bayes.single_items", datasets=given.single),)


def _given(
    a: Any,
    b: Any,
    systems: tuple[str, str] | None,
    metric: str | None,
    missing: Missing,
    *,
    unpaired: bool,
) -> Sample | Datasets:
    several: Datasets | None = None
    if isinstance(a, Scores) and b is None:
        several = datasets_of(a, systems, metric, missing)
    elif isinstance(a, Mapping) and b is None:
        several = datasets_from(a, missing)
    if several is not None:
        return next(iter(several.samples.values())) if len(several.samples) == 1 else several
    if systems is not None or metric is not None:
        raise InputError("systems and metric choose from a table of scores.", fix="leave them out.")
    sample = as_sample(a, b, paired=not unpaired, missing=missing)
    if sample.runs is not None:
        raise takes_no_runs("the Bayesian answer")
    return sample


def _refuse_average(given: Sample | Datasets) -> None:
    strata = given.strata if isinstance(given, Sample) else None
    if strata is None or strata.pooled:
        return
    raise MethodError(
        f"there is no Bayesian model here of the weighted average of {len(strata.names)} datasets.",
        fix=Fix(
            "choose one dataset: ",
            Option("dataset", strata.names[0]),
            By("; or ask about datasets like these: nf.bayes(scores)", "", ""),
            ".",
        ),
    )


def _automatic(given: Sample | Datasets) -> str:
    """The model that fits the kind of data; never one chosen by what it would answer."""
    if isinstance(given, Datasets):
        return "hierarchical" if given.has_items else "signed_rank"
    if not given.aggregate.linear:
        raise MethodError(
            f"{given.metric} is not a mean over items, and there is no Bayesian model of it here.",
            fix="give several datasets (then one score for each is enough), or use nf.test with 'bootstrap'.",
        )
    if not given.paired:
        return "beta_binomial"
    return "dirichlet" if given.clusters is None and facts_of(given).binary else "correlated_t"


def _sample_for(method: Method, given: Sample | Datasets) -> Sample:
    if isinstance(given, Sample):
        return given
    if method.name == "hierarchical":
        return given.pooled()
    if method.facts["needs"] == "datasets":
        return given.scores()
    raise MethodError(
        f"{method.name} is for one dataset, and there are {len(given.samples)}.",
        fix="use 'hierarchical', 'signed_rank' or 'sign'; or give one dataset.",
    )


def _settings(method: Method, rope: Any, seed: int, options: Mapping[str, Any]) -> dict[str, Any]:
    names = method.option_names()
    given = dict(options) | ({"seed": seed} if "seed" in names else {})
    settings = method.check_options(given)
    if "confidence_level" in settings:
        check_level(settings["confidence_level"], "confidence_level")
    if "rope" in names:
        about_half = method.name == "beta_binomial" and settings.get("form", "decided") == "decided"
        settings["rope"] = as_region(rope, 0.5 if about_half else 0.0)
    elif rope is not None:
        raise MethodError(
            f"{method.name} has no region of practical equivalence: it tests exact equality.",
            fix="leave rope out, or use method 'correlated_t'.",
        )
    return settings


def _signed(method: Method, sample: Sample, settings: Mapping[str, Any]) -> str:
    usual = {option.name: option.default for option in method.options}
    told = {name: value for name, value in settings.items() if name != "seed" and value != usual[name]}
    facts = sample_facts(sample)
    if method.name == "hierarchical":
        facts = {"datasets" if name == "clusters" else name: value for name, value in facts.items()}
    return signature("bayes", method.name, told, facts, {"n": sample.n, "seed": settings.get("seed")})
