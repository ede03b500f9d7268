"""What describe says of the data."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.errors import InputError
from nofluke.inference.describe import Column, histogram, kind_of, skewness


@settings(deadline=None, derandomize=True)
@given(st.lists(st.integers(-20, 20), min_size=3, max_size=40))
def test_skewness_is_scipys(values: list[int]) -> None:
    array = np.array(values, dtype=float)
    g1, adjusted, b1 = skewness(Column(array))
    if len(set(values)) == 1:
        assert math.isnan(g1)
        return
    assert g1 == pytest.approx(scipy.stats.skew(array), abs=1e-12)
    assert adjusted == pytest.approx(scipy.stats.skew(array, bias=False), abs=1e-12)
    assert b1 == pytest.approx(np.mean((array - array.mean()) ** 3) / array.std(ddof=1) ** 3, abs=1e-12)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([0, 1, 1, 0], "binary"),
        ([1, 1], "binary"),
        ([1, 2, 5, 3], "ratings"),
        ([0, 17, 250, 3], "counts"),
        ([-40, 3, 250], "whole numbers"),
        ([0.5, 1], "continuous"),
    ],
)
def test_kinds(values: list[float], kind: str) -> None:
    assert kind_of(np.array(values, dtype=float)) == kind


@settings(deadline=None, derandomize=True)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=200))
def test_a_histogram_counts_everything_once(values: list[float]) -> None:
    result = histogram(Column(np.array(values)))
    assert sum(result.counts) == len(values)
    assert len(result.edges) == len(result.counts) + 1
    assert len(result.counts) <= 40
    assert list(result.edges) == sorted(result.edges)


def test_summaries_and_ties() -> None:
    profile = nf.describe([0.3, 0.8, 0.5, 0.9], [0.2, 0.7, 0.6, 0.9])
    assert (profile.wins, profile.losses, profile.ties) == (2, 1, 1)
    assert profile.difference.mean == pytest.approx(0.025)
    assert profile.difference.sd == pytest.approx(np.std([0.1, 0.1, -0.1, 0], ddof=1))
    assert profile.distinct_differences == 3
    assert profile.difference.name == "A - B"


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        ([1, 2], [0, 1], "few"),
        ([1, 2, 3], [0, 1, 2], "constant"),
        (list(range(5001)), [0] * 5001, "many"),
    ],
)
def test_normality_that_cannot_be_tested_says_why(a: list[int], b: list[int], reason: str) -> None:
    normality = nf.describe(a, b).normality
    assert math.isnan(normality.p_value)
    assert normality.conclusion == reason


def test_the_paper_rule_at_its_thresholds() -> None:
    from nofluke.verbs.describe import _statistic_by_skewness

    assert [_statistic_by_skewness(g) for g in (0.0, -0.49, 0.5, -0.5, 1.0, math.nan)] == [
        "mean",
        "mean",
        "median",
        "median",
        "median",
        "mean",
    ]


def test_levels_are_checked() -> None:
    with pytest.raises(InputError, match="normality_alpha = 2"):
        nf.describe([1, 2, 3], [1, 2, 2], normality_alpha=2)


def test_one_item_has_no_spread() -> None:
    profile = nf.describe([1], [0])
    assert math.isnan(profile.difference.sd)
    assert math.isnan(profile.skewness)
