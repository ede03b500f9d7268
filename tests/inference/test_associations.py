"""One correlation: SciPy's figures, enumeration of all orders, symmetry, and what is refused."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.errors import InputError, MethodError
from nofluke.registry import ASSOCIATIONS

grid = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=4, max_size=30).filter(
    lambda rows: len({x for x, _ in rows}) > 1 and len({y for _, y in rows}) > 1
)


@settings(deadline=None, derandomize=True, max_examples=80)
@given(grid)
def test_values_are_scipys(rows: list[tuple[int, int]]) -> None:
    x, y = (list(column) for column in zip(*rows, strict=True))
    ours = [nf.correlation(x, y, method).estimate for method in ("pearson", "spearman", "kendall")]
    theirs = [f(x, y)[0] for f in (scipy.stats.pearsonr, scipy.stats.spearmanr, scipy.stats.kendalltau)]
    assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-14)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(grid, st.sampled_from(["pearson", "spearman", "kendall"]))
def test_a_mirrored_column_mirrors_the_result(rows: list[tuple[int, int]], method: str) -> None:
    x, y = (np.array(column) for column in zip(*rows, strict=True))
    greater = nf.correlation(x, y, method, alternative="greater")
    less = nf.correlation(-3 * x + 1, y, method, alternative="less")
    assert greater.estimate == pytest.approx(-less.estimate)
    assert greater.log_p_value == pytest.approx(less.log_p_value, abs=1e-9)
    assert 0 < nf.correlation(x, y, method).p_value <= 1
    swapped = nf.correlation(y, x, method, alternative="greater")
    assert swapped.p_value == pytest.approx(greater.p_value)


@pytest.mark.parametrize("seed", range(4))
def test_exact_spearman_counts_every_order_with_ties(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 4, (2, 7))
    ranks = [scipy.stats.rankdata(column) for column in (x, y)]
    sums = [float(ranks[0] @ ranks[1][list(order)]) for order in itertools.permutations(range(7))]
    wanted = np.mean(np.array(sums) >= ranks[0] @ ranks[1] - 1e-9)
    assert nf.correlation(x, y, "spearman", alternative="greater").p_value == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("n", [5, 20, 45])
def test_exact_kendall_is_scipys(n: int) -> None:
    rng = np.random.default_rng(n)
    x, y = rng.permutation(n), rng.permutation(n)
    for side in ("two-sided", "greater", "less"):
        theirs = scipy.stats.kendalltau(x, y, method="exact", alternative=side).pvalue
        assert nf.correlation(x, y, "kendall", alternative=side).p_value == pytest.approx(theirs, rel=1e-9)


def test_far_tails_keep_their_digits() -> None:
    x = np.arange(60)
    result = nf.correlation(x, x, "kendall", alternative="greater")
    assert result.log_p_value == pytest.approx(-math.lgamma(61), rel=1e-12)
    assert nf.correlation(x, x + 1e-6 * np.sin(x), "pearson").log_p_value < -800


def test_what_has_no_correlation_is_refused() -> None:
    with pytest.raises(MethodError, match="all y are equal"):
        nf.correlation([1, 2, 3], [4, 4, 4])
    with pytest.raises(InputError, match="2 items have no correlation"):
        nf.correlation([1, 2], [1, 2])
    with pytest.raises(InputError, match="scores are missing"):
        nf.correlation([1, 2, 3, None], [1, 2, 3, 4])
    assert nf.correlation([1, 2, 3, None], [1, 2, 3, 4], missing="drop").n == 3
    with pytest.raises(MethodError, match="with ties is not computed"):
        nf.correlation([1, 1, 2, 3], [1, 2, 3, 4], "kendall", mode="exact")
    with pytest.raises(MethodError, match="of 13 items is not computed"):
        nf.correlation(range(13), range(13), "spearman", mode="exact")
    assert set(ASSOCIATIONS.names()) == {"pearson", "spearman", "kendall"}
