"""bayes: how probable is it that A is better?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any

from nofluke import __version__
from nofluke.align import as_sample
from nofluke.check import check_level
from nofluke.errors import InputError, MethodError
from nofluke.inference.bayes.datasets import Datasets, datasets_from, datasets_of
from nofluke.inference.bayes.region import as_region
from nofluke.inference.recommend.rules import facts_of
from nofluke.options import Missing, Opt, Rope, Seed
from nofluke.registry import POSTERIORS, Method
from nofluke.types import Estimate, Note, Posterior, Sample, Scores, note


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
    chosen = POSTERIORS[_automatic(given) if method == "auto" else method]
    sample = _sample_for(chosen, given)
    settings = _settings(chosen, rope, seed, options)
    watching = {"progress": progress} if chosen.reports_progress else {}
    result: Posterior | Estimate = chosen.function(sample, **settings, **watching)
    signature = _signature(chosen, sample, settings)
    if isinstance(result, Estimate):
        return replace(result, name=chosen.name, signature=signature)
    return replace(
        result,
        method=chosen.name,
        label=chosen.label,
        systems=(sample.systems[0], sample.systems[1]),
        metric=sample.metric,
        notes=(*_changed_model(given, method, chosen), *result.notes),
        signature=signature,
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
    return as_sample(a, b, paired=not unpaired, missing=missing)


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


def _signature(method: Method, sample: Sample, settings: Mapping[str, Any]) -> str:
    parts = [f"nofluke:{__version__}", f"bayes:{method.name}"]
    defaults = {option.name: option.default for option in method.options}
    for name, value in settings.items():
        if name == "rope" and value is not None:
            parts.append(f"rope:{value[0]!r},{value[1]!r}")
        elif name != "seed" and value != defaults[name]:
            parts.append(f"{name}:{value}")
    if sample.unit_size > 1:
        parts.append(f"unit:{sample.unit_size}:{sample.unit_statistic}")
    if sample.shuffle_seed is not None:
        parts.append(f"shuffle_seed:{sample.shuffle_seed}")
    if sample.alignment.dropped:
        parts.append("missing:drop")
    if sample.clusters is not None:
        parts.append(f"{'datasets' if method.name == 'hierarchical' else 'clusters'}:yes")
    parts += [*sample.scored_by, f"n:{sample.n}"]
    if "seed" in settings:
        parts.append(f"seed:{settings['seed']}")
    return "|".join(parts)
