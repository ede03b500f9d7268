"""Every registered method runs in its verb, on data that are clear and on data that are not, and its words render.

Driven by the registries: a new method is tested here as soon as it registers.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import MethodError
from nofluke.registry import (
    AGREEMENT,
    ASSOCIATIONS,
    COMBINATIONS,
    CORRECTIONS,
    CORRELATIONS,
    EFFECTS,
    METRICS,
    OMNIBUS,
    POSTERIORS,
    TESTS,
    Method,
    Registry,
)
from nofluke.reports import FORMATS
from nofluke.reports.plain import parsed
from nofluke.types import Interval, Value
from nofluke.verbs.correct import correct_named
from support.occasions import datasets_for, options_of, p_values, ratings_for, scores_for, systems_for, table_for
from support.quantities.metrics import scored, texts

ALPHA = 0.05
SIDES = ("two-sided", "greater", "less")
# A web page with its charts takes as long as a hundred texts, so it is written once for every method and verb.
PAGE = "html"
QUICK = [one.name for one in FORMATS if one.name != PAGE]
# Said by the method itself: its units cannot be drawn like items.
NO_CURVE = ("corrected_resampled_t",)


def every(registry: Registry) -> Any:
    """Every method but those that need runs: tests/inference/test_crossed_runs.py has them."""
    methods = [method for method in registry if not method.facts.get("runs")]
    return pytest.mark.parametrize("method", methods, ids=lambda method: method.name)


clear_or_not = pytest.mark.parametrize("clear", [True, False], ids=["clear", "unclear"])
each_side = pytest.mark.parametrize("side", SIDES)


def flaws(result: Value, page: bool = False) -> list[str]:
    """Formats without words, placeholders that were left open, and words that JSON does not give again."""
    texts = {name: nf.report(result, name) for name in [*QUICK, *([PAGE] if page else [])]}
    found = [name for name, text in texts.items() if len(text) <= 30 and name != "bibtex"]
    found += [hole for hole in ("{0}", "{1}", "{a}", "{b}") if hole in texts["text"]]
    again, _ = parsed(texts["json"], "result.json")
    return found + (["read again"] if nf.report(again, "text") != texts["text"] else [])


def holds(interval: Interval | None, value: float, clear: bool = True) -> bool:
    """Whether the interval has the estimate in it; where the data are not clear there may be none."""
    if interval is None or math.isnan(interval.low) or math.isnan(value):
        return not clear
    return interval.low <= value <= interval.high


def is_probability(p: float) -> bool:
    return 0 < p <= 1


@every(TESTS)
@clear_or_not
@each_side
def test_a_test(method: Method, clear: bool, side: str) -> None:
    a, b = scores_for(method, clear)
    result = nf.test(a, b, method.name, alternative=side, **options_of(method))
    assert is_probability(result.p_value)
    assert (result.p_value <= ALPHA) == (clear and side != "less")
    assert (result.method, result.about, result.alternative) == (method.name, method.facts["about"], side)
    assert holds(result.interval, result.estimate, clear)
    assert flaws(result, page=clear and side == "two-sided") == []


@pytest.mark.parametrize(
    "method",
    [method for method in TESTS if method.facts["needs"] != "unpaired" and not method.facts["runs"]],
    ids=lambda method: method.name,
)
@clear_or_not
@each_side
def test_a_comparison_by_a_test(method: Method, clear: bool, side: str) -> None:
    a, b = scores_for(method, clear)
    result = nf.compare(a, b, method=method.name, alternative=side, **options_of(method))
    assert result.verdict == ("better" if clear and side != "less" else "inconclusive")
    assert result.test.method == method.name
    assert holds(result.test.interval, result.test.estimate, clear)
    for estimate in result.effects.values():
        assert holds(estimate.interval, estimate.value, clear)
    assert str(result)
    assert flaws(result, page=clear and side == "two-sided") == []


@pytest.mark.parametrize(
    "method", [method for method in TESTS if method.facts["needs"] == "unpaired"], ids=lambda method: method.name
)
def test_a_comparison_by_an_unpaired_test_is_refused(method: Method) -> None:
    with pytest.raises(MethodError, match=method.name):
        nf.compare(*scores_for(method, True), method=method.name)


@every(TESTS)
@clear_or_not
def test_a_ranking_by_a_test(method: Method, clear: bool) -> None:
    result = nf.rank(systems_for(method, clear), method=method.name, **options_of(method))
    assert result.about == method.facts["about"]
    better, worse = (result.systems.index(name) for name in ("A", "B"))
    assert result.better[better, worse] == clear
    assert not result.better[worse, better]
    off_diagonal = ~np.eye(3, dtype=bool)
    assert ((result.p_values[off_diagonal] > 0) & (result.adjusted[off_diagonal] <= 1)).all()
    for score, interval in zip(result.scores, result.intervals, strict=True):
        assert holds(interval, score, clear)
    assert flaws(result, page=clear) == []


@every(TESTS)
@pytest.mark.parametrize("side", ["greater", "less"])
def test_a_one_sided_ranking_by_a_test(method: Method, side: str) -> None:
    result = nf.rank(
        systems_for(method, True), method=method.name, baseline="B", alternative=side, **options_of(method)
    )
    better, worse = (result.systems.index(name) for name in ("A", "B"))
    assert result.better[better, worse] == (side == "greater")
    assert flaws(result) == []


@every(TESTS)
@clear_or_not
def test_a_power_curve_of_a_test(method: Method, clear: bool) -> None:
    a, b = scores_for(method, clear)
    ask: dict[str, Any] = {"difference": 0.12 if clear else 0.01, "sizes": [20, 60], "iterations": 30}
    if method.name in NO_CURVE:
        with pytest.raises(MethodError, match="cannot be drawn like items"):
            nf.power_curve(a, b, method.name, **ask, **options_of(method))
        return
    curve = nf.power_curve(a, b, method.name, **ask, **options_of(method))
    assert ((curve.power >= 0) & (curve.power <= 1)).all()
    # Two standard errors of thirty test sets: more items never find less.
    assert curve.power[1] >= curve.power[0] - 2 * math.sqrt(0.5 / 30)
    assert flaws(curve, page=clear) == []


@every(EFFECTS)
@clear_or_not
def test_an_effect(method: Method, clear: bool) -> None:
    a, b = scores_for(method, clear)
    estimate = nf.effect(a, b, method.name, **options_of(method))
    low, high = method.facts["bounds"]
    assert low <= estimate.value <= high
    if clear:
        assert estimate.value > method.facts["null"]
    assert holds(estimate.interval, estimate.value, clear)
    assert flaws(estimate, page=clear) == []


def every_choice(registry: Registry) -> Any:
    """Each value of each option that has a list of them; the sides of a test are tried with each."""
    given = [
        pytest.param(method, {option.name: choice}, id=f"{method.name}-{option.name}-{choice}")
        for method in registry
        for option in method.options
        for choice in option.choices
        if option.name != "alternative"
    ]
    return pytest.mark.parametrize(("method", "choice"), given)


@every_choice(EFFECTS)
def test_an_effect_with_every_value_of_its_options(method: Method, choice: dict[str, Any]) -> None:
    estimate = nf.effect(*scores_for(method, True), method.name, **options_of(method) | choice)
    assert holds(
        estimate.interval, estimate.value, clear="zhu2020" not in choice.values()
    )  # the paper gives no interval
    assert flaws(estimate) == []


@every_choice(TESTS)
@each_side
def test_a_test_with_every_value_of_its_options(method: Method, choice: dict[str, Any], side: str) -> None:
    try:
        result = nf.test(*scores_for(method, True), method.name, alternative=side, **options_of(method) | choice)
    except MethodError as refused:
        assert refused.fix  # noqa: PT017 (some choices go with one side only)
        return
    assert is_probability(result.p_value)
    assert flaws(result) == []


@every(CORRECTIONS)
@clear_or_not
def test_a_correction(method: Method, clear: bool) -> None:
    given = p_values(clear)
    adjusted = nf.correct(given, method.name, **options_of(method))
    assert ((adjusted > 0) & (adjusted <= 1)).all()
    assert (np.argsort(adjusted, kind="stable") == np.argsort(given, kind="stable")).all() or not clear
    assert (adjusted <= ALPHA).any() == clear
    assert flaws(correct_named(given, method.name), page=clear) == []


@every(CORRECTIONS)
def test_a_ranking_under_a_correction(method: Method) -> None:
    systems = systems_for(TESTS["permutation"], True)
    try:
        result = nf.rank(systems, adjust=method.name)
    except MethodError as refused:
        assert str(method.facts["under"]) in str(refused)  # noqa: PT017 (not licensed for all pairs)
        return
    assert result.adjust == method.name
    assert flaws(result) == []


@every(COMBINATIONS)
@clear_or_not
def test_a_combination(method: Method, clear: bool) -> None:
    p = nf.combine(p_values(clear), method.name, **options_of(method))
    assert is_probability(p)
    assert (p <= ALPHA) == clear


@every(OMNIBUS)
@clear_or_not
def test_an_omnibus_test(method: Method, clear: bool) -> None:
    result = nf.omnibus(table_for(method, clear), method.name, **options_of(method))
    assert is_probability(result.p_value)
    assert (result.p_value <= ALPHA) == clear
    assert flaws(result, page=clear) == []


@every(AGREEMENT)
@clear_or_not
def test_a_coefficient_of_agreement(method: Method, clear: bool) -> None:
    result = nf.agree(ratings_for(method, clear), method.name, **options_of(method))
    low, high = method.facts["bounds"]
    assert low <= result.value <= high
    assert (result.value > 0.75) == clear
    assert holds(result.interval, result.value, clear)
    assert flaws(result, page=clear) == []


@every(POSTERIORS)
@clear_or_not
def test_a_posterior(method: Method, clear: bool) -> None:
    a, b = datasets_for(method, clear)
    result = nf.bayes(a, b, method.name, **options_of(method))
    if method.name != "bayes_factor":  # one number without an interval
        assert holds(result.interval, result.estimate, clear)
        assert (result.p_better > 0.95) == clear
        assert result.p_better + result.p_worse == pytest.approx(1)
    assert flaws(result, page=clear) == []


@pytest.mark.parametrize("method", [method for method in POSTERIORS if "rope" in method.option_names()])
def test_a_posterior_with_a_region_of_equivalence(method: Method) -> None:
    a, b = datasets_for(method, True)
    result = nf.bayes(a, b, method.name, rope=0.05, **options_of(method))
    assert result.p_better + result.p_equal + result.p_worse == pytest.approx(1)
    assert flaws(result) == []


@every(CORRELATIONS)
@clear_or_not
@each_side
def test_a_comparison_of_correlations(method: Method, clear: bool, side: str) -> None:
    r_a = 0.6 if clear else 0.42
    result = nf.correlation_test(r_a, 0.4, 0.7, 200, method.name, alternative=side)
    assert is_probability(result.p_value)
    assert (result.p_value <= ALPHA) == (clear and side != "less")
    assert holds(result.interval, result.estimate, clear)
    assert flaws(result, page=clear and side == "two-sided") == []


@every(ASSOCIATIONS)
@clear_or_not
@each_side
def test_a_correlation(method: Method, clear: bool, side: str) -> None:
    x, y = scores_for(TESTS["permutation"], False)
    y = np.roll(y, 0 if clear else 7)
    result = nf.correlation(x, y, method.name, alternative=side)
    assert is_probability(result.p_value)
    assert (result.p_value <= ALPHA) == (clear and side != "less")
    assert holds(result.interval, result.estimate, clear)
    assert flaws(result, page=clear and side == "two-sided") == []


@every(METRICS)
def test_a_metric(method: Method) -> None:
    """The stronger outputs win, whichever side is better, and a comparison and a ranking can be made of them."""
    assert method.facts["task"] in texts(), "add outputs and gold of the task to tests/reference/texts.json"
    scores = scored(method.name, str(method.facts["task"]))
    result = nf.compare(scores.pair("strong", "weak"), seed=1)
    assert result.effects["mean_difference"].value > 0
    assert is_probability(result.test.p_value)
    assert holds(result.test.interval, result.test.estimate)
    assert flaws(result) == []
    ranking = nf.rank(scores)
    assert ranking.systems[0] == "strong"
    assert flaws(ranking) == []
