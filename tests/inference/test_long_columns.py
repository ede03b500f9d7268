"""Long columns of few different scores are worked with value by value; the figures are those of all items."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import nofluke as nf
from nofluke.align import as_sample, differences
from nofluke.align.exact_sums import merged, tally
from nofluke.engine.saddlepoint import flip_tail_saddlepoint
from nofluke.inference.describe import Column, column_of, histogram, of_differences, of_integers, skewness
from nofluke.inference.effects.standardisers import spread_of
from nofluke.inference.intervals.flip_patterns import Groups
from nofluke.types import Grid

N = 30_001


@pytest.fixture(params=[0, 1, 2])
def whole(request: pytest.FixtureRequest) -> np.ndarray:
    rng = np.random.default_rng(request.param)
    if request.param == 2:
        return rng.integers(0, 2, N) * 3 - 1
    return np.rint(rng.gamma(2.0, 40.0, N) - 60 * request.param).astype(np.int64)


def test_a_tally_counts(whole: np.ndarray) -> None:
    for numbers in (whole, whole * 10**9, whole.astype(object) * 10**30):
        values, counts = tally(numbers)
        assert dict(zip(values.tolist(), counts.tolist(), strict=True)) == Counter(numbers.tolist())
        assert values.tolist() == sorted(values.tolist())
    assert merged(whole) is not None
    assert merged(whole[:100]) is None
    assert merged(whole * 10**9) is None


def test_moments_are_exact(whole: np.ndarray) -> None:
    found = of_integers(whole, 100)
    mean = Fraction(int(whole.sum()), N)
    variance = (Fraction(int((whole * whole).sum())) - N * mean * mean) / (N - 1)
    assert found.mean == float(mean / 100)
    assert found.variance == pytest.approx(float(variance / 10_000), rel=1e-15)


def test_figures_are_those_of_all_items(whole: np.ndarray) -> None:
    values = whole / 100
    column = column_of(values, whole, Grid(2, 1, exact=True))
    plain = Column(values)
    assert column.counts is not None
    assert column.n == N
    assert column.median == plain.median
    shares = np.linspace(0, 1, 101)
    assert np.array_equal(column.quantiles(shares, "inverted_cdf"), plain.quantiles(shares, "inverted_cdf"))
    assert column.quantiles(shares) == pytest.approx(plain.quantiles(shares), rel=1e-13)
    assert skewness(column) == pytest.approx(skewness(plain), rel=1e-12)
    assert histogram(column) == histogram(plain)


def test_saddlepoints_and_groups_take_counts(whole: np.ndarray) -> None:
    groups = Groups(whole, np.ones(N, np.int64))
    few = groups.merged()
    assert few.alike is not None
    assert (few.number, few.items) == (N, N)
    assert few.mean == pytest.approx(groups.mean, rel=1e-14)
    assert few.standard_error == pytest.approx(groups.standard_error, rel=1e-12)
    assert few.kinds() == groups.kinds()
    for null in (0.0, groups.mean - 2 * groups.standard_error, groups.mean):
        one, other = few.less(null), groups.less(null)
        assert few.median(np.abs(one)) == groups.median(np.abs(other))
        found = flip_tail_saddlepoint(one, few.sum(one), few.alike)
        assert found == pytest.approx(flip_tail_saddlepoint(other, groups.sum(other)), rel=1e-9, abs=1e-9)


def test_intervals_of_merged_items_hold_what_the_test_does_not_reject() -> None:
    rng = np.random.default_rng(5)
    a = rng.integers(0, 101, N) / 100
    b = np.clip(a + rng.integers(-30, 31, N) / 100, 0, 1).round(2)
    found = nf.test(a, b, "permutation").interval
    assert found is not None
    sample = as_sample(a, b)
    for limit, alternative in ((found.low, "greater"), (found.high, "less")):
        # A decimal next to the limit, so that the flip test can be asked about it.
        p = nf.test(sample, "permutation", delta=round(limit, 7), alternative=alternative).p_value
        assert p == pytest.approx(0.025, rel=1e-3)


@pytest.mark.parametrize("shrink", [1.0, 0.5])
def test_what_systems_do_not_share_is_the_same_from_variances(shrink: float) -> None:
    rng = np.random.default_rng(8)
    a = rng.integers(0, 1_001, N) / 1_000
    b = np.round(a * shrink + rng.integers(-40, 41, N) / 1_000, 3)
    sample = as_sample(a, b)
    found, r = spread_of(sample), float(np.corrcoef(a, b)[0, 1])
    assert found.unshared == pytest.approx(1 - r, rel=1e-9)
    assert found.gap == pytest.approx(a.std(ddof=1) - b.std(ddof=1), rel=1e-9)
    assert found.difference == pytest.approx(float(np.std(differences(sample).values, ddof=1)), rel=1e-12)
    assert nf.describe(a, b).correlation == pytest.approx(r, rel=1e-12)
    assert of_differences(sample).sd == found.difference
    assert math.isnan(nf.describe(np.zeros(N), b).correlation)
