"""The quick bootstrap of all pairs: against full enumeration, against the engine of single tails, and by symmetry."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke.engine.pairs.quick_bootstrap as engine
from nofluke.engine.draws import draw_tail
from nofluke.engine.pairs.quick_bootstrap import QuickTails, quick_bootstrap


def p_of(tails: QuickTails, i: int, j: int) -> float:
    place = np.flatnonzero(
        (np.minimum(tails.ahead, tails.behind) == min(i, j)) & (np.maximum(tails.ahead, tails.behind) == max(i, j))
    )
    return float(tails.p[place[0]])


def enumerated(differences: list[int]) -> float:
    twice = 2 * sum(differences)
    draws = list(product(differences, repeat=len(differences)))
    return sum(sum(draw) > twice for draw in draws) / len(draws)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=5))
def test_equals_enumeration(rows: list[tuple[int, int, int]]) -> None:
    scores = np.array(rows, dtype=np.int64)
    tails = quick_bootstrap(scores)
    for i, j, p, same in zip(tails.ahead, tails.behind, tails.p, tails.same, strict=True):
        differences = (scores[:, i] - scores[:, j]).tolist()
        assert sum(differences) >= 0
        if same:
            assert not any(differences)
            assert p == 1
            continue
        expected = enumerated(differences)
        if expected == 0:
            assert math.isnan(p)
        else:
            assert p == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("n", "systems", "decimals"), [(12, 6, 4), (50, 8, 1), (50, 8, 4), (400, 6, 3)])
def test_equals_the_tails_of_single_pairs(n: int, systems: int, decimals: int) -> None:
    rng = np.random.default_rng(n + decimals)
    scores = rng.normal(size=(n, 1)) + rng.normal(size=(n, systems)) + rng.normal(size=systems) * 2 / math.sqrt(n)
    whole = np.rint(scores * 10**decimals).astype(np.int64)
    tails = quick_bootstrap(whole)
    for row in range(len(tails.p)):
        differences = whole[:, tails.ahead[row]] - whole[:, tails.behind[row]]
        expected = math.exp(draw_tail(differences, 2 * int(differences.sum()), strict=True).log_p)
        if tails.computed[row] == "bound":
            assert expected <= tails.p[row] * (1 + 1e-9)
            assert tails.p[row] < 1e-6
        else:
            # A dozen items have so few sums that their steps are cut off: 1e-4 is promised.
            assert tails.p[row] == pytest.approx(expected, abs=1e-4 if n == 12 else 1e-9)


def test_reciprocal_ranks_which_nearly_lie_on_a_grid() -> None:
    rng = np.random.default_rng(4)
    whole = np.rint(1e4 / rng.integers(1, 12, size=(50, 6))).astype(np.int64)
    tails = quick_bootstrap(whole)
    for row in range(len(tails.p)):
        differences = whole[:, tails.ahead[row]] - whole[:, tails.behind[row]]
        expected = math.exp(draw_tail(differences, 2 * int(differences.sum()), strict=True).log_p)
        assert tails.p[row] == pytest.approx(expected, abs=1e-4)


def test_skewed_differences_far_ahead_are_not_bounded_by_1() -> None:
    """A lead of many deviations whose differences have a long tail: what a normal law would bound says nothing."""
    tail = np.rint(1e4 * -np.log1p(-(np.arange(60) + 0.5) / 60)).astype(np.int64) + 900
    tails = quick_bootstrap(np.stack((tail, np.zeros(60, np.int64), tail // 2), axis=1))
    for row in range(len(tails.p)):
        differences = (tail, np.zeros(60, np.int64), tail // 2)[int(tails.ahead[row])] - (
            tail,
            np.zeros(60, np.int64),
            tail // 2,
        )[int(tails.behind[row])]
        expected = math.exp(draw_tail(differences, 2 * int(differences.sum()), strict=True).log_p)
        assert tails.p[row] == pytest.approx(expected, abs=1e-8)


def test_two_values_scale_and_order() -> None:
    rng = np.random.default_rng(7)
    binary = (rng.random((60, 5)) < np.linspace(0.3, 0.8, 5)).astype(np.int64)
    tails = quick_bootstrap(binary)
    # The general path, taken by adding an item on which all agree at a third value, is the same law with one more zero.
    general = quick_bootstrap(np.vstack((binary, np.full((1, 5), 7))))
    alike = quick_bootstrap(np.vstack((binary, np.zeros((1, 5), np.int64))))
    for i in range(5):
        for j in range(i):
            assert p_of(general, i, j) == pytest.approx(p_of(alike, i, j), abs=1e-9)
    shuffled = quick_bootstrap(binary[rng.permutation(60)])
    assert shuffled.p == pytest.approx(tails.p, abs=1e-12)
    real = rng.integers(0, 1000, size=(60, 4))
    assert quick_bootstrap(real * 3 + 5).p == pytest.approx(quick_bootstrap(real).p, abs=1e-9)


def test_what_no_resample_can_exceed_has_no_p_value() -> None:
    tails = quick_bootstrap(np.array([[3, 0, 1], [3, 0, -1], [3, 0, 1]]))
    assert math.isnan(p_of(tails, 0, 1))
    assert not math.isnan(p_of(tails, 1, 2))


def test_progress_reaches_the_end() -> None:
    calls: list[tuple[int, int]] = []
    rng = np.random.default_rng(0)
    quick_bootstrap(rng.integers(0, 100, size=(40, 5)), progress=lambda done, total: calls.append((done, total)))
    assert calls[-1][0] == calls[-1][1]


@pytest.mark.parametrize("n", [2, 5, 8, pytest.param(11, marks=pytest.mark.slow)])
def test_few_items_are_counted(n: int) -> None:
    """All resamples of few items, in whole numbers: against a convolution of exact fractions."""
    rng = np.random.default_rng(n)
    whole = np.rint(1e3 * (rng.normal(size=(n, 1)) + rng.normal(size=(n, 5)))).astype(np.int64)
    tails = quick_bootstrap(whole)
    assert set(tails.computed) == {"exact"}
    for ahead, behind, p in zip(tails.ahead, tails.behind, tails.p, strict=True):
        differences = (whole[:, ahead] - whole[:, behind]).tolist()
        law = {0: Fraction(1)}
        for _ in range(n):
            longer: dict[int, Fraction] = {}
            for total, chance in law.items():
                for difference in differences:
                    longer[total + difference] = longer.get(total + difference, Fraction(0)) + chance / n
            law = longer
        expected = sum(chance for total, chance in law.items() if total > 2 * sum(differences))
        if expected:
            assert p == float(expected)
        else:
            assert math.isnan(p)


@pytest.mark.parametrize("n", [12, 13])
def test_few_pairs_that_the_first_try_leaves_are_exact(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second try takes thousands of nodes however few pairs are left; one by one they are quicker, and exact."""
    rng = np.random.default_rng(4)
    whole = np.rint(1e3 * (rng.normal(size=(n, 1)) + rng.normal(size=(n, 24)))).astype(np.int64)
    tries: list[int] = []
    inverted = engine._inverted

    def watched(*given: Any) -> Any:
        tries.append(given[4])
        found, finished = inverted(*given)
        # Of some pairs that it could finish, the first try says that it could not.
        return found, finished & (given[2] % 40 != 7)

    monkeypatch.setattr(engine, "_inverted", watched)
    tails = quick_bootstrap(whole)
    assert tries == [2048]
    exact = np.flatnonzero((tails.computed == "exact") & np.isfinite(tails.p))
    assert exact.size >= 5
    for row in exact.tolist():
        differences = whole[:, tails.ahead[row]] - whole[:, tails.behind[row]]
        counted = draw_tail(differences, 2 * int(differences.sum()), strict=True)
        assert counted.path == "enumeration"
        assert tails.p[row] == pytest.approx(math.exp(counted.log_p), rel=1e-11)
