"""Arrays of whole numbers whose sums are exact, whatever the size of the numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from nofluke.align import cluster_totals, differences, find_grid
from nofluke.align.exact_sums import coarse, fitting, rounded, shifted_by, summable
from nofluke.align.sequences import as_sample
from nofluke.types import Grid


@pytest.mark.parametrize("bits", [10, 40, 55, 60, 62, 70, 200])
def test_sums_of_summable_numbers_are_those_of_python(bits: int) -> None:
    rng = np.random.default_rng(bits)
    numbers = [int(rng.integers(-(2**30), 2**30)) << max(0, bits - 30) for _ in range(1000)]
    array = summable(np.array(numbers, dtype=np.int64 if bits < 63 else object))
    assert int(array.sum()) == sum(numbers)
    assert int(np.abs(array).sum()) == sum(map(abs, numbers))
    assert int(array.cumsum()[-1]) == sum(numbers)
    assert array.dtype == (np.int64 if sum(map(abs, numbers)) < 2**60 else object)
    codes = np.arange(1000) % 7
    assert cluster_totals(array, codes)[0].tolist() == [sum(numbers[c::7]) for c in range(7)]


def test_numbers_that_fit_one_by_one_come_back_as_64_bits() -> None:
    wide = np.array([2**60] * 9, dtype=object)
    assert fitting(wide).dtype == np.int64
    assert fitting(np.array([2**61], dtype=object)).dtype == object


@pytest.mark.parametrize("shift", [Fraction(0), Fraction(1, 3), Fraction(-123456789012345, 10**17)])
def test_shifting_is_exact(shift: Fraction) -> None:
    totals, sizes = [3, -(10**15), 7 * 10**14], [1, 4, 9]
    found = shifted_by(np.array(totals), np.array(sizes), shift)
    assert [Fraction(v, shift.denominator) for v in found.tolist()] == [
        t - s * shift for t, s in zip(totals, sizes, strict=True)
    ]


@pytest.mark.parametrize("shift", [Fraction(1, 10**90), Fraction(-(10**90)), Fraction(10**40 + 1, 10**80)])
@pytest.mark.parametrize("totals", [[0, 0], [0, 5], []])
@pytest.mark.parametrize("sizes", [1, 0, [0, 3]])
def test_zeros_are_shifted_by_numbers_that_no_64_bits_hold(
    totals: list[int], sizes: int | list[int], shift: Fraction
) -> None:
    often = [sizes] * len(totals) if isinstance(sizes, int) else sizes[: len(totals)]
    given = sizes if isinstance(sizes, int) else np.array(often, dtype=np.int64)
    found = shifted_by(np.array(totals, dtype=np.int64), given, shift)
    assert found.tolist() == [t * shift.denominator - s * shift.numerator for t, s in zip(totals, often, strict=True)]


def test_rounding_is_that_of_the_printed_decimal_at_any_size() -> None:
    values = np.array([0.3, 1e9 + 0.3, -1e30, 2.5e-13])
    found = rounded(values, Fraction(10**12))
    assert found.tolist() == [round(Fraction(repr(v)) * 10**12) for v in values.tolist()]


def test_what_is_cut_off_is_told() -> None:
    numbers = [2**90 + 5, -(2**80) - 1, 12345]
    cut, shift, lost = coarse(np.array(numbers, dtype=object), 52)
    assert cut.dtype == np.int64
    assert int(np.abs(cut).max()).bit_length() <= 53
    assert lost == sum(abs(v - (c << shift)) for v, c in zip(numbers, cut.tolist(), strict=True))


def test_one_huge_score_does_not_swallow_the_others() -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=100)
    alone = find_grid(scores)
    assert find_grid(np.concatenate((scores, [1e15, 1e90]))) == alone
    assert find_grid(np.concatenate((scores, np.full(60, 1e15)))).decimals >= alone.decimals - 1


def test_the_grid_of_an_offset_is_that_of_what_lies_on_it_or_of_its_noise() -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=100)
    assert find_grid(scores + 800).decimals >= find_grid(scores * 800).decimals + 1
    # Doubles near 1e8 are 1.5e-8 apart: the grid is somewhat wider than that, not 1e-12 of the score.
    assert 6 <= find_grid(scores + 1e8).decimals <= 7


@pytest.mark.parametrize("beside", [[], [1e15], [1e15, -1e60], [1e8] * 3])
def test_noise_in_the_last_bits_ties_beside_any_score(beside: list[float]) -> None:
    a, b = [0.1 + 0.2, 0.8 - 0.7, 1 / 3, 0.123456789012345], [0.3, 0.3 - 0.2, 1 - 2 / 3, 0.7]
    sample = as_sample([*a, *beside], [*b, *beside])
    assert not sample.grid.exact
    assert differences(sample).signs.tolist() == [0, 0, 0, -1] + [0] * len(beside)


def test_short_decimals_stay_exact_beside_a_few_huge_scores() -> None:
    grid = find_grid(np.array([0.9, 0.1, 0.25, 1e15, 1e23, 123456789.5, 0.3]))
    assert grid == Grid(2, 1, exact=True)
    sample = as_sample([0.3, 0.8, 1e23], [0.2, 0.7, 0.0])
    assert differences(sample).integers.tolist() == [1, 1, 10**24]  # type: ignore[union-attr]
    assert not find_grid(np.array([0.9, 0.1, 0.30000000000000004, 1e15])).exact


def test_a_large_score_does_not_make_fractions_of_the_others() -> None:
    # 0.12345678... is within the last bits of 1e8 of 10/81, and no fraction.
    scores = np.array([0.123456789012345678, 1 / 3, 0.5, 1e8])
    assert not find_grid(scores).exact
    assert find_grid(np.array([1 / 7, 1 / 3, 0.5, 1e8])) == Grid(0, 42, exact=True)


def test_noise_of_large_scores_ties_beside_small_ones() -> None:
    small = np.random.default_rng(1).normal(size=20)
    a, b = np.concatenate((small, [1e9 * (0.1 + 0.2)])), np.concatenate((small[::-1], [1e9 * 0.3]))
    assert a[-1] != b[-1]
    assert differences(as_sample(a, b)).signs[-1] == 0
