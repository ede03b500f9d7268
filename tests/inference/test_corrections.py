"""Corrections: order, monotony, equivariance, and what may not happen to very small p-values."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.errors import InputError, MethodError
from nofluke.registry import CORRECTIONS

STEADY = settings(deadline=None, derandomize=True, max_examples=150)
GRID = st.sampled_from([0.0, 5e-324, 1e-300, 1e-9, 0.001, 0.004, 0.01, 0.0125, 0.02, 0.05, 0.3, 0.5, 0.9, 1.0])
FAMILY = st.lists(GRID, min_size=1, max_size=9)
ADAPTIVE = {"bky", "storey"}
PLAIN = sorted(set(CORRECTIONS.names()) - ADAPTIVE)


def adjusted(p: list[float], method: str) -> np.ndarray:
    options = {"finite_sample": True} if method == "storey" else {}
    return nf.correct(p, method, **options)


@pytest.mark.parametrize("method", CORRECTIONS.names())
@STEADY
@given(p=FAMILY, seed=st.integers(0, 99))
def test_in_the_callers_order_between_0_and_1_and_monotone(method: str, p: list[float], seed: int) -> None:
    found = adjusted(p, method)
    assert ((found >= 0) & (found <= 1)).all()
    shuffle = np.random.default_rng(seed).permutation(len(p))
    assert (adjusted([p[i] for i in shuffle], method) == found[shuffle]).all()
    order = np.argsort(p, kind="stable")
    assert (np.diff(found[order]) >= 0).all()
    for i, j in pairwise(order):
        assert found[i] == found[j] or p[i] != p[j]


@pytest.mark.parametrize("method", PLAIN)
@STEADY
@given(p=FAMILY)
def test_never_below_the_p_value(method: str, p: list[float]) -> None:
    assert (adjusted(p, method) >= np.array(p) * (1 - 1e-12)).all()


@STEADY
@given(p=FAMILY)
def test_order_of_the_methods(p: list[float]) -> None:
    by_name = {name: adjusted(p, name) for name in PLAIN}
    chains = (
        ("bh", "hommel", "hochberg", "holm", "bonferroni"),
        ("bh", "by"),
        ("holm_sidak", "holm"),
        ("sidak", "bonferroni"),
        ("holm_sidak", "sidak"),
    )
    for chain in chains:
        for smaller, larger in pairwise(chain):
            # Denormal numbers round coarsely: 3 * 5e-324 / 2 is not 7.5e-324.
            assert (by_name[smaller] <= by_name[larger] * (1 + 1e-12) + 1e-320).all(), (smaller, larger)


@pytest.mark.parametrize("method", ["holm", "bonferroni"])
@STEADY
@given(p=FAMILY)
def test_one_more_hopeless_claim_never_helps(method: str, p: list[float]) -> None:
    assert (adjusted([*p, 1.0], method)[:-1] >= adjusted(p, method)).all()


@pytest.mark.parametrize("method", PLAIN)
@STEADY
@given(p=FAMILY, place=st.integers(0, 8))
def test_raising_a_p_value_never_lowers_an_adjusted_one(method: str, p: list[float], place: int) -> None:
    raised = list(p)
    raised[place % len(p)] = 1.0
    assert (adjusted(raised, method) >= adjusted(p, method) * (1 - 1e-12)).all()


def test_many_families_at_once_give_the_same_as_one_by_one() -> None:
    p = np.random.default_rng(0).uniform(size=(40, 11)) ** 2
    for method in CORRECTIONS:
        options = {"finite_sample": True} if method.name == "storey" else {}
        together = method.function(p, **options)
        assert (together == [method.function(row, **options) for row in p]).all(), method.name


def test_bky_belongs_to_its_alpha_and_rejects_what_the_two_stages_reject() -> None:
    rng = np.random.default_rng(3)
    for alpha in (0.01, 0.05, 0.2):
        for _ in range(200):
            p = np.round(rng.uniform(size=12) ** rng.integers(1, 6), 4)
            found = nf.correct(p, "bky", alpha=alpha) <= alpha * (1 + 1e-12)
            assert (found == two_stages(p, alpha)).all()


def two_stages(p: np.ndarray, alpha: float) -> np.ndarray:
    level, size = alpha / (1 + alpha), len(p)
    first = linear_step_up(p, level)
    if first.sum() in (0, size):
        return first
    return linear_step_up(p, level * size / (size - first.sum()))


def linear_step_up(p: np.ndarray, level: float) -> np.ndarray:
    order = np.argsort(p)
    below = np.flatnonzero(p[order] <= level * np.arange(1, len(p) + 1) / len(p))
    kept = np.zeros(len(p), dtype=bool)
    kept[order[: below[-1] + 1 if below.size else 0]] = True
    return kept


def test_storey_refuses_what_cannot_be_estimated() -> None:
    with pytest.raises(MethodError, match="share of true nulls would be estimated as 0"):
        nf.correct([0.01, 0.2], "storey")
    assert nf.correct([0.01, 0.2], "storey", finite_sample=True).tolist() == [0.02, 0.2]
    for bad in ({"cutoff": 1.0}, {"null_share": 0.0}):
        with pytest.raises(MethodError):
            nf.correct([0.01, 0.9], "storey", **bad)


def test_shapes_a_user_may_give() -> None:
    expected = nf.correct([0.01, 0.04, 0.03]).tolist()
    assert nf.correct(np.array([0.01, 0.04, 0.03])).tolist() == expected
    assert nf.correct({"a": 0.01, "b": 0.04, "c": 0.03}).tolist() == expected
    assert nf.correct((".01", "0.04", "0.03")).tolist() == expected
    assert expected == pytest.approx([0.03, 0.06, 0.06], rel=1e-12)
    given_array = np.array([0.5, 0.01])
    nf.correct(given_array)
    assert given_array.tolist() == [0.5, 0.01]


@pytest.mark.parametrize("bad", [[], [0.1, float("nan")], [1.2], [-0.1], [[0.1, 0.2]], ["x"], 0.3])
def test_what_is_no_list_of_p_values_is_refused(bad: object) -> None:
    with pytest.raises((InputError, MethodError)):
        nf.correct(bad)


def test_names_that_are_no_correction() -> None:
    with pytest.raises(MethodError, match="did you mean 'holm'"):
        nf.correct([0.1], "hol")
    with pytest.raises(MethodError, match="max_t needs the scores"):
        nf.correct([0.1], "max_t")
    with pytest.raises(InputError, match="alpha"):
        nf.correct([0.1], alpha=0)
