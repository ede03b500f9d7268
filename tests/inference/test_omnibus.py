"""Tests of all systems at once: figures of R, SciPy, coin and others, degenerate tables, and what must hold for any."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import nofluke as nf
from nofluke.errors import InputError, MethodError
from nofluke.inference.omnibus.ranked import log_range_tail, ranked
from nofluke.registry import OMNIBUS
from support.notes import codes

STABLE = settings(deadline=None, derandomize=True, max_examples=80)
RANKED = ("friedman", "iman_davenport", "kendall_w", "quade")
TABLES = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 4), min_size=k, max_size=k), min_size=2, max_size=8)
)


@STABLE
@given(TABLES)
def test_p_is_a_probability_and_never_0(table: list[list[int]]) -> None:
    for name in RANKED:
        result = nf.omnibus(table, name)
        assert 0 < result.p_value <= 1
        assert result.p_value == pytest.approx(math.exp(result.log_p_value), rel=1e-12)


@STABLE
@given(TABLES, st.randoms(use_true_random=False))
def test_order_of_datasets_and_systems_does_not_matter(table: list[list[int]], random: Any) -> None:
    shuffled = [list(row) for row in table]
    random.shuffle(shuffled)
    columns = list(range(len(table[0])))
    random.shuffle(columns)
    turned = [[row[c] for c in columns] for row in shuffled]
    for name in RANKED:
        assert nf.omnibus(turned, name).p_value == pytest.approx(nf.omnibus(table, name).p_value, rel=1e-9)


@STABLE
@given(TABLES)
def test_rising_maps_of_a_dataset_change_no_rank_test(table: list[list[int]]) -> None:
    mapped = [[(i + 1) * value**3 + i for value in row] for i, row in enumerate(table)]
    for name in ("friedman", "iman_davenport", "kendall_w"):
        assert nf.omnibus(mapped, name).p_value == pytest.approx(nf.omnibus(table, name).p_value, rel=1e-9)


@STABLE
@given(TABLES)
def test_kendall_w_is_a_share_and_friedman_in_another_unit(table: list[list[int]]) -> None:
    w, friedman = nf.omnibus(table, "kendall_w"), nf.omnibus(table, "friedman")
    if math.isnan(w.statistic):
        assert len(set(map(tuple, table))) >= 1
        assert friedman.p_value == 1
        return
    assert -1e-12 <= w.statistic <= 1 + 1e-12
    assert friedman.statistic == pytest.approx(w.statistic * len(table) * (len(table[0]) - 1), rel=1e-9, abs=1e-12)


@STABLE
@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=4, max_size=12))
def test_friedman_is_scipys(table: list[list[int]]) -> None:
    columns = np.array(table).T
    if all(len(set(row)) == 1 for row in table):
        assert nf.omnibus(table).p_value == 1
        return
    expected = stats.friedmanchisquare(*columns)
    found = nf.omnibus(table)
    assert [found.statistic, found.p_value] == pytest.approx([expected.statistic, expected.pvalue], rel=1e-9, abs=1e-12)


def test_two_systems_without_ties_are_the_sign_test() -> None:
    table = [[2, 1]] * 11 + [[1, 2]] * 4
    z = (11 - 4) / math.sqrt(15)
    assert nf.omnibus(table).statistic == pytest.approx(z * z, rel=1e-12)


def test_cochran_with_two_systems_is_mcnemar_uncorrected() -> None:
    table = np.array([[1, 0]] * 9 + [[0, 1]] * 3 + [[1, 1]] * 20 + [[0, 0]] * 8)
    mcnemar = nf.test(table[:, 0], table[:, 1], "mcnemar", mode="chi2")
    found = nf.omnibus(table, "cochran_q")
    assert found.statistic == pytest.approx(mcnemar.statistic, rel=1e-12)
    assert found.p_value == pytest.approx(mcnemar.p_value, rel=1e-12)


def test_cochran_under_all_orders_of_every_row_has_the_right_mean() -> None:
    # Under random shares of each item's right answers Q has mean k - 1 exactly (Cochran 1950).
    table = [[1, 0, 0], [1, 1, 0], [0, 1, 0]]
    orders = [list(itertools.permutations(row)) for row in table]
    values = [nf.omnibus(list(choice), "cochran_q").statistic for choice in itertools.product(*orders)]
    assert np.mean(values) == pytest.approx(2.0, rel=1e-12)


@pytest.mark.parametrize("name", RANKED)
def test_identical_systems_give_p_1_and_say_why(name: str) -> None:
    result = nf.omnibus(np.full((5, 3), 0.7), name)
    assert result.p_value == 1
    assert {"omnibus.nothing_differs", "omnibus.right_on_same_items"} & set(codes(result))


def test_perfect_agreement_is_as_unlikely_as_it_is() -> None:
    result = nf.omnibus([[3, 2, 1]] * 6, "iman_davenport")
    assert result.statistic == math.inf
    assert result.p_value == pytest.approx((1 / 6) ** 5, rel=1e-12)
    # With two equal scores in every row there are only three orders.
    tied = nf.omnibus([[3, 2, 2]] * 6, "iman_davenport")
    assert tied.p_value == pytest.approx((1 / 3) ** 5, rel=1e-12)


def test_decimals_are_ties_where_people_see_ties() -> None:
    # 0.1 + 0.2 is not 0.3 in binary; the tables are read as decimals.
    assert ranked([[0.1 + 0.2, 0.3, 0.5]]).mean_ranks.tolist() == [2.5, 2.5, 1.0]


def test_the_studentised_range_is_scipys_where_scipy_is_right() -> None:
    for k in (2, 3, 10, 33):
        q = np.array([0.3, 1.0, 3.5, 6.0])
        expected = stats.studentized_range.sf(q, k, np.inf)
        assert np.exp(log_range_tail(q, k)) == pytest.approx(expected, rel=1e-6)
    # Two normal variables: 2 P(Z >= q / sqrt 2), also far out.
    q = np.array([0.01, 5.0, 30.0])
    expected = math.log(2) + stats.norm.logsf(q / math.sqrt(2))
    assert log_range_tail(q, 2) == pytest.approx(expected, rel=1e-11)


def test_critical_difference_is_where_nemenyi_rejects() -> None:
    gap = nf.critical_difference(3, 8)
    table = [[3, 2, 1]] * 8
    p = nf.nemenyi(table)
    assert (p[0, 2] <= 0.05) == (gap <= 2.0)
    assert (p[0, 1] <= 0.05) == (gap <= 1.0)
    assert np.array_equal(p, p.T)
    assert p.diagonal().tolist() == [1, 1, 1]
    assert nf.critical_difference(3, 8, 0.01) > gap > nf.critical_difference(3, 32) > 0


def test_scores_are_turned_so_that_lower_can_be_better() -> None:
    text = "dataset,x,y\n" + "".join(f"d{i},{0.1 * i + 0.2},{0.1 * i}\n" for i in range(6))
    import io

    scores = nf.read(io.StringIO(text), higher_is_better=False)
    ranking = nf.rank(scores)
    assert ranking.systems == ("y", "x")
    assert ranking.mean_ranks == (1.0, 2.0)


@pytest.mark.parametrize("table", [[[1]], [1, 2, 3], [], [[1, 2], [3]], [["a", "b"]]])
def test_what_is_no_table_is_refused(table: Any) -> None:
    with pytest.raises(InputError):
        nf.omnibus(table)


def test_missing_scores_and_other_values_are_refused() -> None:
    with pytest.raises(InputError, match="not a finite number"):
        nf.omnibus([[1, float("nan")], [1, 2]])
    with pytest.raises(MethodError, match="0 and 1"):
        nf.omnibus([[1, 2], [0, 1]], "cochran_q")
    with pytest.raises(MethodError, match="there is no omnibus"):
        nf.omnibus([[1, 2], [0, 1]], "freidman")
    with pytest.raises(MethodError, match="no option"):
        nf.omnibus([[1, 2], [0, 1]], "quade", ties="none")
    with pytest.raises(InputError):
        nf.critical_difference(1, 10)
    with pytest.raises(InputError):
        nf.critical_difference(4, 10, alpha=0)


def test_every_registered_method_is_tried_here() -> None:
    assert set(OMNIBUS.names()) == {*RANKED, "cochran_q"}
