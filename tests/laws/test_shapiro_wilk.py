"""The test of normality, against SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from nofluke.laws.shapiro_wilk import shapiro_wilk


@settings(deadline=None, derandomize=True, max_examples=80)
@given(st.integers(3, 300), st.integers(0, 10**6), st.sampled_from(["normal", "exponential", "uniform", "grid"]))
def test_shapiro_wilk_is_scipys(n: int, seed: int, shape: str) -> None:
    rng = np.random.default_rng(seed)
    values = {
        "normal": lambda: rng.normal(5, 2, n),
        "exponential": lambda: rng.exponential(1, n),
        "uniform": lambda: rng.random(n) * 1e6,
        "grid": lambda: rng.integers(0, 4, n).astype(float),
    }[shape]()
    if np.ptp(values) == 0:
        return
    statistic, p_value = shapiro_wilk(values)
    expected = scipy.stats.shapiro(values)
    # SciPy keeps the algorithm's own normal quantile, which has nine digits; ours has all of them.
    assert statistic == pytest.approx(expected.statistic, rel=1e-8)
    assert p_value == pytest.approx(expected.pvalue, rel=1e-5, abs=1e-15)


def test_shapiro_wilk_at_its_largest_size() -> None:
    values = np.random.default_rng(3).normal(size=5000)
    assert shapiro_wilk(values) == pytest.approx(tuple(scipy.stats.shapiro(values)), rel=1e-6)
