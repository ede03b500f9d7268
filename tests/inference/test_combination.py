"""Combinations of p-values: far tails, monotony, and against SciPy where SciPy is right."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import nofluke as nf
from nofluke.errors import InputError, MethodError
from nofluke.inference.multiplicity.combinations import vovk_wang_factor
from nofluke.registry import COMBINATIONS

STEADY = settings(deadline=None, derandomize=True, max_examples=150)
P = st.sampled_from([5e-324, 1e-200, 1e-17, 1e-5, 0.003, 0.02, 0.2, 0.5, 0.7, 0.999])
FAMILY = st.lists(P, min_size=1, max_size=7)


@pytest.mark.parametrize("method", COMBINATIONS.names())
@STEADY
@given(p=FAMILY, place=st.integers(0, 6), seed=st.integers(0, 9))
def test_a_p_value_monotone_in_each_and_blind_to_order(method: str, p: list[float], place: int, seed: int) -> None:
    found = nf.combine(p, method)
    assert 0 < found <= 1
    shuffled = [p[i] for i in np.random.default_rng(seed).permutation(len(p))]
    assert nf.combine(shuffled, method) == pytest.approx(found, rel=1e-9)
    raised = list(p)
    raised[place % len(p)] = 0.9995
    assert nf.combine(raised, method) >= found * (1 - 1e-9)


@pytest.mark.parametrize("method", sorted(set(COMBINATIONS.names()) - {"mudholkar_george"}))
def test_one_p_value_is_its_own_combination(method: str) -> None:
    for p in (5e-324, 1e-300, 1e-17, 0.03, 0.5, 0.97):
        assert nf.combine([p], method) == pytest.approx(p, rel=1e-9)


@pytest.mark.parametrize("method", ["fisher", "pearson", "tippett", "stouffer", "mudholkar_george"])
def test_as_scipy(method: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        p = rng.uniform(1e-6, 1, size=int(rng.integers(2, 12)))
        assert nf.combine(p, method) == pytest.approx(stats.combine_pvalues(p, method).pvalue, rel=1e-9)


def test_stouffer_with_weights_as_scipy() -> None:
    p, weights = [0.01, 0.2, 0.6], [3.0, 1.0, 0.5]
    expected = stats.combine_pvalues(p, "stouffer", weights=weights).pvalue
    assert nf.combine(p, "stouffer", weights=weights) == pytest.approx(expected, rel=1e-12)
    assert nf.combine([0.01, 0.2, 1.0], "stouffer", weights=[1, 1, 0]) == nf.combine([0.01, 0.2], "stouffer")
    with pytest.raises(MethodError, match="takes no weights"):
        nf.combine(p, "fisher", weights=weights)
    for bad in ([1, 2], [0, 0, 0], [1, -1, 1], [1, math.nan, 1]):
        with pytest.raises(InputError, match="weights"):
            nf.combine(p, "stouffer", weights=bad)


def test_cauchy_is_right_where_the_tangent_is_not() -> None:
    # For tiny p the statistic is the mean of 1 / (pi p), so p = N / sum(1 / p): the harmonic mean.
    for p in ([1e-17, 1e-18, 0.4], [1e-300, 1e-310, 1e-305], [5e-324, 0.2], [1e-40, 1e-41]):
        harmonic = nf.combine(p, "harmonic_mean")
        assert nf.combine(p, "cauchy") == pytest.approx(harmonic, rel=1e-6)
    assert nf.combine([5e-324, 5e-324], "cauchy") == 5e-324
    # Written out once, where no rounding hurts: cot(pi / 4) = 1 and cot(pi / 2) = 0, so p = atan(2) / pi.
    assert nf.combine([0.25, 0.5], "cauchy") == pytest.approx(math.atan(2.0) / math.pi, rel=1e-14)
    assert nf.combine([0.25, 0.75], "cauchy") == pytest.approx(0.5, rel=1e-14)
    assert nf.combine([0.3, 1 - 1e-12], "cauchy") == pytest.approx(1.0, abs=1e-10)
    with pytest.raises(MethodError, match="p-value is 1"):
        nf.combine([0.01, 1.0], "cauchy")


@pytest.mark.parametrize("method", ["stouffer", "pearson", "mudholkar_george"])
def test_a_p_value_of_1_weighs_all_evidence_down(method: str) -> None:
    assert nf.combine([0.001, 1.0], method) == 1.0
    assert nf.combine([0.0, 1.0], method) == 1.0


def test_a_0_is_taken_as_the_smallest_number() -> None:
    for method in COMBINATIONS.names():
        assert nf.combine([0.0, 0.3], method) == nf.combine([5e-324, 0.3], method) > 0


def test_the_calibrated_harmonic_mean_is_valid_under_the_worst_dependence() -> None:
    assert nf.combine([0.01, 0.02, 0.5], "harmonic_mean", calibration="vovk_wang") > nf.combine(
        [0.01, 0.02, 0.5], "harmonic_mean"
    )
    # Vovk and Wang (2020): above log N, below e log N, and asymptotically log N.
    for size in (3, 10, 100, 10_000):
        assert math.log(size) < vovk_wang_factor(size) < math.e * math.log(size)
    rng = np.random.default_rng(5)
    z = rng.standard_normal((20_000, 10)) * 0.3 + rng.standard_normal((20_000, 1)) * math.sqrt(1 - 0.09)
    p = stats.norm.sf(z)
    rejected = sum(nf.combine(row, "harmonic_mean", calibration="vovk_wang") <= 0.05 for row in p[:4_000])
    assert rejected / 4_000 < 0.05
