"""Scores that are fractions (thirds, sevenths, F1 of single items): sums that are equal must tie."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import nofluke as nf
from nofluke.align import find_grid, fractions_behind
from nofluke.types import Note


def counted_p(a: list[Fraction], b: list[Fraction]) -> float:
    """The two-sided sign-flip p-value in whole numbers, over all patterns."""
    d = [x - y for x, y in zip(a, b, strict=True)]
    common = math.lcm(*(x.denominator for x in d))
    whole = [int(x * common) for x in d]
    sums = np.zeros(1, dtype=object)
    for size in whole:
        sums = np.concatenate((sums + size, sums - size))
    return min(1.0, 2 * float(np.mean(sums >= abs(sum(whole)))))


def some(rng: np.random.Generator, kind: int, n: int) -> list[Fraction]:
    if kind:
        return [Fraction(int(k), kind) for k in rng.integers(0, kind + 1, n)]
    # F1 of single items: 2 tp / (2 tp + fp + fn), whose denominators have no small multiple in common.
    return [
        Fraction(2 * int(t), 2 * int(t) + int(e))
        for t, e in zip(rng.integers(1, 30, n), rng.integers(0, 30, n), strict=True)
    ]


@pytest.mark.parametrize("kind", [3, 6, 7, 12, 30, 0])
def test_p_values_of_fractions_are_those_of_counting(kind: int) -> None:
    rng = np.random.default_rng(kind)
    for _ in range(12):
        n = int(rng.integers(5, 13))
        a, b = some(rng, kind, n), some(rng, kind, n)
        floats = [float(x) for x in a], [float(x) for x in b]
        expected = counted_p(a, b)
        assert nf.test(*floats, "permutation").p_value == pytest.approx(expected, abs=1e-12)
        three = {"A": floats[0], "B": floats[1], "C": [x + 0.25 for x in floats[1]]}
        ranked = nf.rank(three, method="permutation", family="pairs", adjust="none")
        assert ranked.p_value("A", "B") == pytest.approx(expected, abs=1e-12)
        drawn = nf.test(*floats, "permutation", monte_carlo=4_999).p_value
        assert drawn == pytest.approx(expected, abs=5 * math.sqrt(expected / 4_999) + 1e-3)


def test_grids_of_fractions() -> None:
    assert find_grid(np.array([1 / 3, 2 / 3, 0.5])).divisor == 6
    assert find_grid(np.array([1 / 7, 0.0, 1.0])).exact
    means = np.array([np.mean([1, 0, 1]), np.mean([2, 0, 0]), np.mean([1, 1, 0])])
    assert find_grid(means).divisor == 3
    real = np.random.default_rng(0).random(50)
    assert not find_grid(real).exact


def test_printed_fractions_are_found_and_decimals_are_left_alone() -> None:
    assert fractions_behind(np.array([0.143, 0.286, 0.857, 1.0]), 3) == 7
    assert fractions_behind(np.array([0.125, 0.375, 0.5, 0.625]), 3) is None
    assert fractions_behind(np.round(np.random.default_rng(1).random(40), 4), 4) is None
    assert fractions_behind(np.array([0.333, 0.5, 1.0]), 3) is None  # one long score proves nothing


def test_rounded_fractions_bring_a_note_when_the_verdict_changes() -> None:
    a = [2 / 3, 1, 1, 1 / 3, 2 / 3, 2 / 3, 0, 1, 2 / 3, 1 / 3, 0]
    b = [1 / 6, 0, 1 / 3, 1 / 3, 1 / 3, 0.5, 1 / 3, 2 / 3, 0, 0, 1 / 3]
    assert nf.compare(a, b, method="permutation").test.p_value == pytest.approx(0.05078125)
    for digits in (3, 6):
        rounded = nf.compare([round(x, digits) for x in a], [round(x, digits) for x in b], method="permutation")
        assert rounded.test.p_value == pytest.approx(0.037109375)
        (decides,) = (one for one in rounded.notes if isinstance(one, Note) and one.code == "compare.rounding_decides")
        assert decides["denominator"] == 6
        assert (decides["p_value"], decides["instead_of"]) == pytest.approx((0.05078125, 0.037109375))
        assert "with scores read as fractions of 6 it changes, p = 0.051 instead of p = 0.037" in " ".join(
            str(rounded).split()
        )
