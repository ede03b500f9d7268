"""One law a test, whoever supplies it: one sample, all pairs of a ranking, counts of a power curve, pairs of a study.

Each form is held to the single test within what it states, over generated data that break shortcuts: ties, two values,
lattices, raw doubles, one huge score, and near-constant scores far from 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.align import as_sample
from nofluke.engine.pairs.quick_bootstrap import quick_bootstrap
from nofluke.errors import NoflukeError
from nofluke.forms import OF_COUNTS
from nofluke.inference.power.curves.choose import form_of_counts, rule_of
from nofluke.inference.power.curves.pilot import pilot_of
from nofluke.inference.power.curves.rule import SADDLEPOINT, Setting
from nofluke.registry import TESTS, Method
from support import oracle
from support.extremes import FAMILIES, Case, each_family, effort, for_all
from support.occasions import COUNTS, options_of, systems_for
from support.thinned import in_turn

Panel = dict[str, np.ndarray]

# Draws of its own for every pair: another stream, another p-value.
_DRAWN = ("bootstrap_median",)
# Levels at which a power curve is read.
_LEVELS = 1e-4, 0.4
# What a saddlepoint of a power curve may be off by at its level, by the number of items; its notes say "about".
_SADDLEPOINT = {40: 0.05, 150: 0.01}


def _few_differ(rng: np.random.Generator, n: int) -> np.ndarray:
    base = np.round(rng.random((n, 1)), 2)
    return base + np.where(rng.random((n, 4)) < 0.3, np.round(rng.normal(0.05, 0.2, (n, 4)), 2), 0.0)


def _one_huge(rng: np.random.Generator, n: int) -> np.ndarray:
    scores = np.round(rng.normal([0, 0.1, 0.3, 0.4], 1.0, (n, 4)), 3)
    scores[n // 2] += [0.0, 700.0, 100.0, 1500.0]
    return scores


def _some_large(rng: np.random.Generator, n: int) -> np.ndarray:
    """Scores of all magnitudes, on a grid of halves but for the largest."""
    scores = np.round(2 * rng.normal([0, 0.1, 0.3, 0.4], 1.0, (n, 4))) / 2
    scores[: n // 8] += np.round(rng.normal(0, 8, (n // 8, 4)), 2)
    scores[0] += [0.0, 1e6, -1e5, 2e6]
    return scores


PANELS: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "raw": lambda rng, n: rng.normal([0, 0.1, 0.2, 0.4], 1.0, (n, 4)),
    "few differ": _few_differ,
    "0/1": lambda rng, n: (rng.random((n, 4)) < [0.4, 0.45, 0.6, 0.7]).astype(float),
    "five grades": lambda rng, n: rng.integers(1, 6, (n, 4)) + (rng.random((n, 4)) < [0, 0.1, 0.2, 0.4]).astype(float),
    "k/7": lambda rng, n: (rng.integers(0, 8, (n, 4)) + (rng.random((n, 4)) < [0, 0.3, 0.6, 0.9])) / 7,
    "one huge score": _one_huge,
    "some large scores": _some_large,
    "odd gaps": lambda rng, n: np.column_stack([np.zeros(n), *(2 * rng.integers(-2, 3, (3, n)) + 1)]),
    "near a constant": lambda rng, n: 1e6 + np.round(rng.normal([0, 0.0002, 0.0004, 0.001], 0.002, (n, 4)), 4),
}
each_panel = pytest.mark.parametrize(("kind", "n"), in_turn([*PANELS], [*_SADDLEPOINT]))


def panel_for(method: Method, kind: str, n: int) -> Panel | None:
    """Give four systems, or None where the test is not for such scores."""
    two_valued = method.facts["needs"] == "binary" or method.name in COUNTS
    if two_valued and kind != "0/1":
        return None
    scores = PANELS[kind](np.random.default_rng((n, list(PANELS).index(kind))), n)
    return {f"s{i}": column for i, column in enumerate(scores.T)}


def options_for(method: Method, panel: Panel) -> dict[str, Any]:
    if method.name == "bounded_mean":
        return {"low": min(map(np.min, panel.values())), "high": max(map(np.max, panel.values()))}
    return options_of(method)


def close(found: float, expected: float, error: float) -> bool:
    if math.isnan(expected):
        return math.isnan(found)
    return abs(found - expected) <= max(error, 1e-9) * expected + 1e-300


@each_panel
@pytest.mark.parametrize(
    "method",
    [method for method in TESTS if method.name not in _DRAWN and not method.facts["runs"]],
    ids=lambda m: m.name,
)
def test_all_pairs_are_single_tests_within_what_they_state(method: Method, kind: str, n: int) -> None:
    panel = panel_for(method, kind, n)
    if panel is None:
        return
    options = options_for(method, panel)
    # With the same scores on other items there are more pairs than those that are always computed one by one.
    panel |= {f"r{name}": np.roll(scores, 7) for name, scores in panel.items()}
    try:
        ranking = nf.rank(panel, method=method.name, **options)
    except NoflukeError as refused:
        with pytest.raises(type(refused)):
            nf.test(panel["s0"], panel["s1"], method.name, **options)
        return
    for i, one in enumerate(ranking.systems):
        for j, other in enumerate(ranking.systems):
            if i != j and "s1" in (one, other):
                alone = nf.test(panel[one], panel[other], method.name, alternative="greater", **options)
                found = float(ranking.p_values[i, j])
                stated = 0.0 if ranking.errors is None else float(np.nan_to_num(ranking.errors[i, j]))
                # Each bound holds about its own number; that of draws is a standard error.
                single = (alone.computed.error or 0.0) * (4 if alone.computed.how == "monte-carlo" else 1)
                off = (stated * found + single) / alone.p_value if alone.p_value else 0.0
                assert close(found, alone.p_value, off), (one, other, alone.p_value)


@pytest.mark.parametrize("clear", [True, False], ids=["clear", "unclear"])
@pytest.mark.parametrize(
    "method",
    [method for method in TESTS if method.name not in _DRAWN and not method.facts["runs"]],
    ids=lambda m: m.name,
)
def test_a_pair_of_a_ranking_is_the_test_of_the_pair(method: Method, clear: bool) -> None:
    systems = systems_for(method, clear)
    exact = {"exact": "all"} if method.name in ("permutation", "bootstrap", "wilcoxon") else {}
    ranking = nf.rank(systems, method=method.name, **exact, **options_of(method))
    for i, one in enumerate(ranking.systems):
        for j, other in enumerate(ranking.systems):
            if i == j:
                continue
            alone = nf.test(systems[one], systems[other], method.name, alternative="greater", **options_of(method))
            assert ranking.p_values[i, j] == pytest.approx(alone.p_value, rel=1e-6), (one, other)


@effort
@each_family
def test_flips_of_all_pairs_are_what_counting_gives(family: str, examples: int) -> None:
    def holds(case: Case) -> bool:
        if len(case.d) > 12:
            return False
        try:
            ranking = nf.rank(case.scores(), method="permutation", exact="all")
        except NoflukeError:
            return False
        truth = oracle.permutation(case.d)
        i, j = (ranking.systems.index(name) for name in ("A", "B"))
        for found, side in ((ranking.p_values[i, j], "greater"), (ranking.p_values[j, i], "less")):
            assert math.isclose(found, float(truth[side]), rel_tol=1e-6), f"{side}: {found}, counted {truth[side]}"
        return True

    assert for_all(FAMILIES[family](), holds, examples)


@each_panel
@pytest.mark.parametrize("method", [TESTS[name] for name in OF_COUNTS.names()], ids=lambda m: m.name)
def test_counts_of_a_power_curve_give_the_single_test(method: Method, kind: str, n: int) -> None:
    panel = panel_for(method, kind, n)
    if panel is None:
        return
    for better, worse in (("s1", "s0"), ("s2", "s0"), ("s3", "s1")):
        sample = as_sample(panel[better], panel[worse])
        alone = nf.test(sample, method=method.name, alternative="two-sided", **options_of(method))
        if math.isnan(alone.p_value) or not _LEVELS[0] <= alone.p_value <= _LEVELS[1]:
            continue
        # At its level a rule is as good as it can be.
        setting = Setting("two-sided", alone.p_value, 0.0, options_of(method))
        assert form_of_counts(sample, method, setting) is not None
        pilot = pilot_of(sample, grouped=True)
        rule = rule_of(pilot, method, setting, seed=1)
        found = math.exp(float(rule.block(pilot.multiplicity[None, :])[0]))
        if rule.how != SADDLEPOINT:
            assert close(found, alone.p_value, 1e-9), (better, worse, found, alone.p_value)
        else:
            assert close(found, alone.p_value, _SADDLEPOINT[n]), (better, worse, found, alone.p_value)
        if rule.exact is not None:
            assert close(math.exp(rule.exact(pilot.multiplicity)), alone.p_value, 1e-6), (better, worse)


@each_panel
def test_pairs_of_a_study_are_single_bootstraps(kind: str, n: int) -> None:
    scores = PANELS[kind](np.random.default_rng(n), n)
    whole = np.rint((scores - scores.min()) * (420 if kind == "k/7" else 1e4)).astype(np.int64)
    tails = quick_bootstrap(whole)
    for ahead, behind, p in zip(tails.ahead.tolist(), tails.behind.tolist(), tails.p.tolist(), strict=True):
        pair = whole[:, ahead].astype(float), whole[:, behind].astype(float)
        alone = nf.test(*pair, "bootstrap", form="berg_kirkpatrick", alternative="greater")
        if math.isnan(p):
            assert math.isnan(alone.p_value) or alone.p_value < 1e-9
        else:
            # Scores near a coarse grid may be off by 1e-4 in absolute terms, all others by far less.
            assert abs(p - alone.p_value) <= 1e-4, (ahead, behind, p, alone.p_value)
