"""Ties are decided on the decimals that were written, or on one grid."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nofluke.align import as_sample, differences, find_grid
from nofluke.types import Grid


def test_tenths_tie_although_binary_differences_do_not() -> None:
    assert 0.3 - 0.2 != 0.8 - 0.7
    d = differences(as_sample([0.3, 0.8, 0.5], [0.2, 0.7, 0.4]))
    assert d.integers is not None
    assert d.integers.tolist() == [1, 1, 1]
    assert differences(as_sample([0.3, 0.8], [0.2, 0.7]), snap=False).values[0] != 0.1


@settings(deadline=None, derandomize=True)
@given(
    st.lists(st.tuples(st.integers(-(10**7), 10**7), st.integers(-(10**7), 10**7)), min_size=1, max_size=30),
    st.integers(0, 8),
)
def test_differences_of_decimals_are_exact(pairs: list[tuple[int, int]], decimals: int) -> None:
    a = [float(Decimal(x).scaleb(-decimals)) for x, _ in pairs]
    b = [float(Decimal(y).scaleb(-decimals)) for _, y in pairs]
    sample = as_sample(a, b)
    assert sample.grid.exact
    d = differences(sample)
    assert d.integers is not None
    expected = [Decimal(x - y).scaleb(-decimals) for x, y in pairs]
    assert [Decimal(int(k)).scaleb(-sample.grid.decimals) for k in d.integers] == expected
    assert d.values.tolist() == [float(value) for value in expected]


def test_long_binary_fractions_get_one_grid() -> None:
    roots = np.array([math.sqrt(0.5), math.sqrt(0.3), 1.0])
    grid = find_grid(roots)
    assert grid == Grid(12, 1, exact=False)
    d = differences(as_sample(roots, roots + np.array([0, 1e-16, 0.1])))
    assert d.signs.tolist() == [0, 0, -1]


def test_the_grid_scales_with_the_scores() -> None:
    scores = np.array([1, 2, 3, 4]) / math.pi
    assert [find_grid(scores * scale).decimals for scale in (1e6, 1.0, 1e-6)] == [6, 12, 18]


def test_text_vouches_for_more_digits_than_floats() -> None:
    values = np.array([0.1234567890123, 0.5])
    assert not find_grid(values, 12).exact
    assert find_grid(values, 15) == Grid(13, 1, exact=True)


def test_large_round_numbers_are_short_decimals() -> None:
    assert find_grid(np.array([3e12, 5.0])).exact
    assert find_grid(np.array([123456789012345.0]), 12).exact is False


def test_float32_means_its_own_shortest_decimal() -> None:
    sample = as_sample(np.array([0.1, 0.7], np.float32), np.array([0.3, 0.9], np.float32))
    assert sample.grid == Grid(1, 1, exact=True)
    assert differences(sample).integers.tolist() == [-2, -2]  # type: ignore[union-attr]


def test_lower_is_better_turns_the_sign() -> None:
    sample = as_sample([1.0, 2.0], [3.0, 1.0], higher_is_better=False)
    assert differences(sample).signs.tolist() == [1, -1]


def test_short_binary_fractions_are_exact_as_they_are() -> None:
    # k/4096 has twelve decimals and up to twelve digits more; rounding such differences to a decimal grid broke
    # ties between sums of flipped differences (reference sample s06).
    values = np.array([2455, 3437, 2349, 3380]) / 4096
    assert find_grid(values, 10) == Grid(0, 2**40, exact=True)
    tiny = values * 2.0**-30
    assert find_grid(tiny).exact
    d = differences(as_sample(tiny, tiny[::-1].copy()))
    assert d.integers is not None
    assert (d.integers == -d.integers[::-1]).all()


def test_random_doubles_are_not_taken_for_binary_fractions() -> None:
    assert not find_grid(np.random.default_rng(1).random(50)).exact


@pytest.mark.parametrize(("decimals", "divisor"), [(0, 1), (3, 7), (-4, 1), (400, 3)])
def test_the_exact_step_is_not_rounded(decimals: int, divisor: int) -> None:
    grid = Grid(decimals, divisor, exact=True)
    assert grid.exact_step == Fraction(f"1e{-decimals}") / divisor
    assert grid.exact_step * grid.exact_per_unit == 1
