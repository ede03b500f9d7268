"""Every registered method in its verb, on the same small data as the tests of the verbs."""

from __future__ import annotations

from functools import partial
from typing import Any

import nofluke as nf
from freeze.cases import Cases
from nofluke import registry
from nofluke.errors import MethodError
from nofluke.registry import TESTS, Method
from nofluke.verbs.correct import correct_named
from nofluke.verbs.score import scored
from support.occasions import datasets_for, options_of, p_values, ratings_for, scores_for, systems_for, table_for
from support.quantities.metrics import scored as scored_texts

SIDES = ("two-sided", "greater", "less")
DATA = {"clear": True, "unclear": False}


def cases() -> Cases:
    found: Cases = {}
    for make in (_tests, _effects, _families, _others, _metrics):
        found |= make()
    return found


def _tests() -> Cases:
    found: Cases = {}
    for method in (one for one in TESTS if not one.facts["runs"]):
        for data, clear in DATA.items():
            for side in SIDES:
                found[f"test {method.name}, {side}, {data}"] = partial(_test, method, clear, alternative=side)
            if method.facts["needs"] != "unpaired":
                found[f"compare by {method.name}, {data}"] = partial(_compare, method, clear)
            found[f"rank by {method.name}, {data}"] = partial(_rank, method, clear)
        found[f"rank by {method.name}, baseline"] = partial(_rank, method, True, baseline="B", alternative="greater")
        for option in method.options:
            for choice in () if option.name == "alternative" else option.choices:
                for side in ("two-sided", "greater"):
                    name = f"test {method.name}, {option.name} {choice}, {side}"
                    found[name] = partial(_test, method, True, alternative=side, **{option.name: choice})
    return found


def _test(method: Method, clear: bool, **options: Any) -> Any:
    try:
        return nf.test(*scores_for(method, clear), method.name, **options_of(method) | options)
    except MethodError:  # some choices go with one side only
        return {"refused": True}


def _compare(method: Method, clear: bool) -> Any:
    return nf.compare(*scores_for(method, clear), method=method.name, **options_of(method))


def _rank(method: Method, clear: bool, **options: Any) -> Any:
    return nf.rank(systems_for(method, clear), method=method.name, **options_of(method), **options)


def _effects() -> Cases:
    found: Cases = {}
    for method in registry.EFFECTS:
        for data, clear in DATA.items():
            found[f"effect {method.name}, {data}"] = partial(_effect, method, clear)
        for option in method.options:
            for choice in option.choices:
                found[f"effect {method.name}, {option.name} {choice}"] = partial(
                    _effect, method, True, **{option.name: choice}
                )
    return found


def _effect(method: Method, clear: bool, **options: Any) -> Any:
    return nf.effect(*scores_for(method, clear), method.name, **options_of(method) | options)


def _families() -> Cases:
    found: Cases = {}
    for data, clear in DATA.items():
        for method in registry.CORRECTIONS:
            found[f"correct {method.name}, {data}"] = partial(_correct, method, clear)
        for method in registry.COMBINATIONS:
            found[f"combine {method.name}, {data}"] = partial(nf.combine, p_values(clear), method.name)
        for method in registry.OMNIBUS:
            found[f"omnibus {method.name}, {data}"] = partial(nf.omnibus, table_for(method, clear), method.name)
    for method in registry.CORRECTIONS:
        found[f"rank under {method.name}"] = partial(_rank_under, method.name)
    found["rank under none"] = partial(_rank_under, "none")
    found["rank under max_t"] = partial(_rank_under, "max_t")
    found["nemenyi"] = lambda: nf.nemenyi(table_for(registry.OMNIBUS["friedman"], True))
    found["critical difference"] = lambda: nf.critical_difference(5, 20)
    return found


def _correct(method: Method, clear: bool) -> Any:
    options = options_of(method)
    return {
        "adjusted": nf.correct(p_values(clear), method.name, **options),
        "named": correct_named(p_values(clear), method.name),
    }


def _rank_under(adjust: str) -> Any:
    try:
        return nf.rank(systems_for(TESTS["permutation"], True), adjust=adjust)
    except MethodError:  # not licensed for all pairs
        return {"refused": True}


def _others() -> Cases:
    found: Cases = {}
    for data, clear in DATA.items():
        for method in registry.AGREEMENT:
            found[f"agree {method.name}, {data}"] = partial(_agree, method, clear)
        for method in registry.POSTERIORS:
            found[f"bayes {method.name}, {data}"] = partial(_bayes, method, clear)
            if "rope" in method.option_names():
                found[f"bayes {method.name}, rope, {data}"] = partial(_bayes, method, clear, rope=0.05)
        for method in registry.CORRELATIONS:
            for side in SIDES:
                found[f"correlation_test {method.name}, {side}, {data}"] = partial(
                    nf.correlation_test, 0.6 if clear else 0.42, 0.4, 0.7, 200, method.name, alternative=side
                )
        for method in registry.ASSOCIATIONS:
            for side in SIDES:
                found[f"correlation {method.name}, {side}, {data}"] = partial(_correlation, method, clear, side)
    return found


def _agree(method: Method, clear: bool) -> Any:
    return nf.agree(ratings_for(method, clear), method.name, **options_of(method))


def _bayes(method: Method, clear: bool, **options: Any) -> Any:
    return nf.bayes(*datasets_for(method, clear), method.name, **options_of(method) | options)


def _correlation(method: Method, clear: bool, side: str) -> Any:
    x, y = scores_for(TESTS["permutation"], False)
    return nf.correlation(x, [*y[-7:], *y[:-7]] if not clear else y, method.name, alternative=side)


def _metrics() -> Cases:
    return {f"score {method.name}": partial(_metric, method) for method in registry.METRICS}


def _metric(method: Method) -> Any:
    scores = scored_texts(method.name, str(method.facts["task"]))
    return {
        "scores": scored(scores),
        "items": scores.statistics,
        "compared": nf.compare(scores.pair("strong", "weak"), seed=1),
        "ranked": nf.rank(scores),
    }
