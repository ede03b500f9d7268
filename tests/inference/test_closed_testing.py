"""Closed testing and partial conjunction: shortcuts against going through all subsets."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.inference.multiplicity.closed_testing import closed_adjusted, fisher_closure, hommel_h, true_among
from nofluke.inference.multiplicity.partial_conjunction import (
    METHODS,
    at_most,
    count_effects,
    partial_conjunction,
    running_maximum,
)

STEADY = settings(deadline=None, derandomize=True, max_examples=60)
P = st.sampled_from([1e-12, 0.001, 0.004, 0.01, 0.0125, 0.02, 0.025, 0.05, 0.06, 0.2, 0.4, 0.8, 1.0])
LEVELS = (0.01, 0.05, 0.3)


def bonferroni(p: list[float]) -> float:
    return min(1.0, min(p) * len(p))


def simes(p: list[float]) -> float:
    return min(1.0, min(len(p) * value / rank for rank, value in enumerate(sorted(p), 1)))


def fisher(p: list[float]) -> float:
    """The tail of a sum of exponential variables, term by term."""
    total = -math.fsum(math.log(value) for value in p)
    return math.exp(-total) * math.fsum(total**k / math.factorial(k) for k in range(len(p)))


LOCAL: dict[str, Callable[[list[float]], float]] = {"bonferroni": bonferroni, "simes": simes, "fisher": fisher}


def every_set(p: list[float], test: str) -> dict[frozenset[int], float]:
    places = range(len(p))
    sets = (frozenset(one) for size in range(1, len(p) + 1) for one in itertools.combinations(places, size))
    return {one: LOCAL[test]([p[i] for i in one]) for one in sets}


@pytest.mark.parametrize("test", LOCAL)
@STEADY
@given(p=st.lists(P, min_size=1, max_size=8))
def test_the_list_is_that_of_all_subsets(test: str, p: list[float]) -> None:
    local = every_set(p, test)
    expected = [max(value for one, value in local.items() if place in one) for place in range(len(p))]
    assert closed_adjusted(np.array(p), test) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("test", LOCAL)
@STEADY
@given(p=st.lists(P, min_size=1, max_size=6))
def test_count_and_bounds_are_those_of_all_subsets(test: str, p: list[float]) -> None:
    local, values = every_set(p, test), np.array(p)
    for level in LEVELS:
        limit = level * (1 + 1e-12)
        rejected = {one: all(value <= limit for other, value in local.items() if one <= other) for one in local}
        for one in local:
            kept = max((len(part) for part in local if part <= one and not rejected[part]), default=0)
            found = true_among(values, np.array(sorted(one)), level, test)
            assert found == len(one) - kept, (one, level)
        everything = np.arange(len(p))
        assert count_effects(partial_conjunction(values, test), level) == true_among(values, everything, level, test)


@STEADY
@given(p=st.lists(P, min_size=1, max_size=30))
def test_identities_of_counts(p: list[float]) -> None:
    values = np.array(p)
    by_bonferroni, by_simes, by_fisher = (
        partial_conjunction(values, name) for name in ("bonferroni", "simes", "fisher")
    )
    assert running_maximum(by_bonferroni).tolist() == np.sort(nf.correct(p, "holm")).tolist()
    assert (by_simes <= by_bonferroni * (1 + 1e-12)).all()
    for raw in (by_bonferroni, by_simes, by_fisher):
        assert raw[-1] == pytest.approx(max(p), rel=1e-12)
        assert raw[0] == pytest.approx(LOCAL_GLOBAL[id_of(raw, by_bonferroni, by_simes)](p), rel=1e-9)
    for level in LEVELS:
        result = nf.replicate(p, alpha=level)
        assert result.counts["bonferroni"] == len(result.identified_by["holm"]) == result.count
        assert result.counts["simes"] == len(p) - hommel_h(values, level)
        assert len(result.identified_by["hommel"]) <= result.counts["simes"]
        assert len(result.identified_by["fisher"]) <= result.counts["fisher"]
        assert set(result.identified_by["holm"]) <= set(result.identified_by["hommel"])


LOCAL_GLOBAL = {0: bonferroni, 1: simes, 2: fisher}


def id_of(raw: np.ndarray, *others: np.ndarray) -> int:
    return next((number for number, other in enumerate(others) if raw is other), 2)


@STEADY
@given(p=st.lists(P, min_size=1, max_size=12), place=st.integers(0, 11))
def test_counts_fall_when_a_p_value_rises_and_grow_with_alpha(p: list[float], place: int) -> None:
    raised = list(p)
    raised[place % len(p)] = 1.0
    for name in METHODS:
        before, after = partial_conjunction(np.array(p), name), partial_conjunction(np.array(raised), name)
        counts = [int(count_effects(before, level)) for level in LEVELS]
        assert counts == sorted(counts)
        assert all(0 <= count <= len(p) for count in counts)
        assert all(int(count_effects(after, level)) <= count for level, count in zip(LEVELS, counts, strict=True))


def test_the_table_of_many_families_is_that_of_each() -> None:
    p = np.random.default_rng(2).uniform(size=(30, 9)) ** 3
    for name in METHODS:
        together = partial_conjunction(p, name)
        assert (together == [partial_conjunction(row, name) for row in p]).all()


def test_decimals_on_the_border_count_as_the_decimals_they_are() -> None:
    # 3 * 0.1 / 6 and 0.05 differ in the last bit.
    assert at_most(np.array([3 * 0.1 / 6]), 0.05).all()
    assert nf.replicate([0.05 / 3, 0.025, 0.05]).count == 3
    assert nf.replicate([0.05 / 3 + 1e-9, 0.025, 0.05]).count == 0


def test_p_values_below_the_smallest_float() -> None:
    logs = np.array([-5_000.0, -900.0, -800.0, math.log(0.01), math.log(0.9)])
    adjusted = fisher_closure(logs)
    assert adjusted[:3].max() < 1e-300
    assert adjusted[3] == pytest.approx(fisher([0.01, 0.9]), rel=1e-9)
    result = nf.replicate(logs, logs=True, dependence="independent")
    assert result.counts == {"count": 4, "bonferroni": 4, "fisher": 3, "simes": 4}
    assert (result.p_values > 0).all()
    assert result.log_p_values.tolist() == logs.tolist()
    smallest = nf.replicate([5e-324] * 4)
    assert smallest.count == 4
    assert all((values > 0).all() for values in smallest.adjusted.values())


def test_a_thousand_datasets_take_no_time() -> None:
    p = np.random.default_rng(4).uniform(size=1_000) ** 4
    start = time.process_time()
    result = nf.replicate(p, dependence="independent")
    assert time.process_time() - start < 3
    assert result.counts["bonferroni"] < result.counts["fisher"]
    assert len(result.identified) <= result.count


def test_bounds_for_picked_datasets_through_the_public_names() -> None:
    p = {"de": 0.0004, "fr": 0.026, "it": 0.03, "pl": 0.6}
    assert nf.true_discoveries(p) == 4 - hommel_h(np.array(list(p.values())), 0.05)
    # Neither French nor Italian can be named, but one of them must be true (Hommel's h is 2).
    assert nf.true_discoveries(p, ["fr", "it"]) == 1
    assert nf.true_discoveries(list(p.values()), [1, 2]) == 1
    assert nf.true_discoveries(p, ["fr", "it"], dependence="unknown") == 0
    result = nf.replicate(p, dependence="positive", subset=["fr", "it"])
    assert result.subset_count == nf.true_discoveries(result, ["fr", "it"]) == 1
    assert "A is better on at least 1 of these 2" in " ".join(str(result).split())
    with pytest.raises(ValueError, match="there is no dataset 'es'"):
        nf.true_discoveries(p, ["es"])
    with pytest.raises(ValueError, match="position 4"):
        nf.true_discoveries(p, [4])
    with pytest.raises(ValueError, match="twice"):
        nf.true_discoveries(p, ["fr", "fr"])
