"""Coefficients of agreement: recorded figures, identities between them, and what relabelling may not change."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

import nofluke as nf
from nofluke.inference.agreement.interpret import word_for
from nofluke.inference.agreement.measured import HALVES
from nofluke.readers.ratings import as_ratings
from nofluke.registry import AGREEMENT
from nofluke.types import Coefficient
from support.quantities.agreement import tables

NAMES = AGREEMENT.names()
BEYOND_CHANCE = tuple(name for name in NAMES if AGREEMENT[name].facts["chance"] != "none")
SEVERAL = tuple(name for name in NAMES if AGREEMENT[name].facts["needs"] == "two or more")
VARIANTS: tuple[tuple[str, dict[str, str]], ...] = (
    *((name, {}) for name in NAMES),
    *(("cohen_kappa", {"weights": weights}) for weights in ("linear", "quadratic")),
    *(("gwet_ac2", {"weights": weights}) for weights in ("quadratic", "ordinal")),
    *(("krippendorff_alpha", {"level": level}) for level in ("ordinal", "interval", "ratio")),
)
CALM = settings(deadline=None, derandomize=True, max_examples=60)

two_raters = st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=2, max_size=12)
several_raters = st.lists(
    st.tuples(*[st.sampled_from([1, 2, 3, None])] * 3).filter(lambda row: sum(x is not None for x in row) > 1),
    min_size=2,
    max_size=10,
)


def compute(data: Any, name: str, **options: Any) -> Coefficient:
    found = AGREEMENT[name].function(as_ratings(data), **options)
    assert isinstance(found, Coefficient)
    return found


def same(a: float, b: float, tolerance: float = 1e-9) -> bool:
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)


@CALM
@given(two_raters)
def test_identities_of_two_raters(data: list[tuple[int, int]]) -> None:
    cohen, scott = compute(data, "cohen_kappa").value, compute(data, "scott_pi").value
    assert same(compute(data, "fleiss_kappa").value, scott)
    assert same(compute(data, "conger_kappa").value, cohen)
    assert same(compute(data, "light_kappa").value, cohen)
    n = len(data)
    alpha = compute(data, "krippendorff_alpha").value
    assert same(alpha, 1 - (1 - scott) * (2 * n - 1) / (2 * n))


@CALM
@given(two_raters)
def test_other_tools_agree_on_two_raters(data: list[tuple[int, int]]) -> None:
    first, second = zip(*data, strict=True)
    if len(set(first) | set(second)) < 2:
        return
    for weights in (None, "linear", "quadratic"):
        theirs = cohen_kappa_score(first, second, weights=weights)
        assert same(compute(data, "cohen_kappa", weights=weights or "none").value, float(theirs))
    counts, _ = inter_rater.aggregate_raters(np.array(data))
    assert same(compute(data, "fleiss_kappa").value, float(inter_rater.fleiss_kappa(counts)), 1e-8)


@CALM
@given(several_raters, st.permutations([1, 2, 3]))
def test_relabelling_categories_leaves_nominal_coefficients(data: list[Any], order: list[int]) -> None:
    renamed = [[None if x is None else f"label {order[x - 1]}" for x in row] for row in data]
    for name in SEVERAL:
        if name != "gwet_ac2":
            assert same(compute(data, name).value, compute(renamed, name).value), name


@CALM
@given(several_raters, st.permutations([0, 1, 2]), st.randoms(use_true_random=False))
def test_the_order_of_raters_and_items_does_not_matter(data: list[Any], order: list[int], shuffle: Any) -> None:
    moved = [[row[position] for position in order] for row in data]
    shuffle.shuffle(moved)
    for name, options in VARIANTS:
        if name in SEVERAL:
            one, other = compute(data, name, **options), compute(moved, name, **options)
            assert same(one.value, other.value), name
            assert same(one.standard_error, other.standard_error, 1e-7), name


@CALM
@given(several_raters)
def test_never_above_one_and_one_only_when_perfect(data: list[Any]) -> None:
    labels = {x for row in data for x in row if x is not None}
    perfect = all(len({x for x in row if x is not None}) == 1 for row in data)
    for name in SEVERAL:
        found = compute(data, name)
        if len(labels) == 1:
            assert math.isnan(found.value) == (name != "observed_agreement")
            continue
        if math.isnan(found.value):
            assert name == "light_kappa"  # every pair of annotators used one label only
            continue
        assert found.value <= 1 + 1e-12
        assert (found.value > 1 - 1e-12) == perfect, name
        if found.interval is not None:
            assert found.interval.low <= found.value + 1e-12
            assert found.value <= found.interval.high + 1e-12
            assert -1 <= found.interval.low <= found.interval.high <= 1


@CALM
@given(several_raters, st.floats(0.1, 100), st.floats(-50, 50))
def test_positive_affine_maps_leave_interval_alpha(data: list[Any], scale: float, shift: float) -> None:
    moved = [[None if x is None else scale * x + shift for x in row] for row in data]
    one, other = (compute(d, "krippendorff_alpha", level="interval") for d in (data, moved))
    assert same(one.value, other.value, 1e-8)
    assert same(one.standard_error, other.standard_error, 1e-6)


@CALM
@given(several_raters)
def test_rising_maps_leave_ordinal_alpha_and_scaling_leaves_ratio_alpha(data: list[Any]) -> None:
    steep = [[None if x is None else x**3 for x in row] for row in data]
    wide = [[None if x is None else 7 * x for x in row] for row in data]
    assert same(*(compute(d, "krippendorff_alpha", level="ordinal").value for d in (data, steep)))
    assert same(*(compute(d, "krippendorff_alpha", level="ratio").value for d in (data, wide)))


def brute_force_alpha(data: list[list[int | None]], level: str) -> float:
    """Alpha from all pairs, by the definition of each distance (Krippendorff 2011)."""
    units = [[x for x in row if x is not None] for row in data]
    units = [unit for unit in units if len(unit) > 1]
    pool = [x for unit in units for x in unit]

    def distance(a: int, b: int) -> float:
        if level == "nominal":
            return float(a != b)
        if level == "interval":
            return float((a - b) ** 2)
        if level == "ratio":
            return ((a - b) / (a + b)) ** 2
        low, high = sorted((a, b))
        between = sum(low <= x <= high for x in pool) - (pool.count(a) + pool.count(b)) / 2
        return between**2 if a != b else 0.0

    seen = sum(distance(a, b) / (len(u) - 1) for u in units for i, a in enumerate(u) for j, b in enumerate(u) if i != j)
    chance = sum(distance(a, b) for i, a in enumerate(pool) for j, b in enumerate(pool) if i != j)
    n = len(pool)
    return math.nan if chance == 0 else 1 - (seen / n) / (chance / (n * (n - 1)))


@CALM
@given(several_raters)
def test_alpha_by_its_definition(data: list[Any]) -> None:
    for level in ("nominal", "ordinal", "interval", "ratio"):
        assert same(compute(data, "krippendorff_alpha", level=level).value, brute_force_alpha(data, level)), level


CASES = ("a01_2raters_n40_k3", "a03_4raters_n25_k4", "a04_3raters_missing_k5", "a05_krippendorff2011")


@pytest.mark.parametrize(
    ("case", "name", "options"),
    [(c, n, o) for c in CASES for n, o in VARIANTS if n in SEVERAL or c.startswith("a01")],
    ids=str,
)
def test_what_each_item_adds_is_the_derivative(case: str, name: str, options: dict[str, str]) -> None:
    data = tables()[case]
    m = HALVES[name].measure(as_ratings(data), **options)
    table, n, step = m.statistics(), m.n, 1e-5
    assert m.solve(table.sum(axis=0)[None])[0] == pytest.approx(m.value, rel=1e-12)
    slopes = []
    for item in range(n):
        ends = []
        for move in (step, -step):
            weights = np.full(n, 1 - move)
            weights[item] += move * n
            ends.append(m.solve((weights @ table)[None])[0])
        slopes.append((ends[0] - ends[1]) / (2 * step))
    if name.startswith("gwet") and any(sum(x is not None for x in row) == 1 for row in data):
        # Gwet prints a variance that takes the number of items with two ratings as drawn too: larger, never smaller.
        assert np.sum(m.influence**2) > np.sum(np.square(slopes))
        return
    np.testing.assert_allclose(m.influence, slopes, atol=1e-6)


@pytest.mark.parametrize("name", ["fleiss_kappa", "conger_kappa", "krippendorff_alpha", "light_kappa"])
def test_standard_errors_are_those_of_the_jackknife(name: str) -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 200)[:, None]
    data = np.where(rng.random((200, 4)) < 0.6, truth, rng.integers(0, 3, (200, 4)))
    left_out = np.array([compute(np.delete(data, item, axis=0), name).value for item in range(200)])
    jackknife = math.sqrt(199 / 200 * np.sum((left_out - left_out.mean()) ** 2))
    assert compute(data, name).standard_error == pytest.approx(jackknife, rel=0.01)


WORDS = {
    "poor": (-1.0, -0.01),
    "slight": (0.0, 0.2),
    "fair": (0.2001, 0.4),
    "moderate": (0.41, 0.6),
    "substantial": (0.61, 1 - 0.2),
    "almost perfect": (0.81, 1.0),
    "": (math.nan,),
}


@pytest.mark.parametrize(("value", "word"), [(value, word) for word, values in WORDS.items() for value in values])
def test_landis_and_koch(value: float, word: str) -> None:
    assert word_for(value, "landis_koch") == word


def test_krippendorffs_own_words_include_their_threshold() -> None:
    assert word_for(0.667, "krippendorff") == "for tentative conclusions only"
    assert word_for(0.8, "krippendorff") == "reliable"
    with pytest.raises(nf.InputError, match="there is no rule 'fleiss'"):
        word_for(0.5, "fleiss")


@pytest.mark.parametrize("name", BEYOND_CHANCE)
def test_one_label_is_undefined_with_a_reason_and_two_perfect_labels_are_one(name: str) -> None:
    one = compute([[1, 1]] * 8, name)
    assert math.isnan(one.value)
    assert one.interval is None
    assert one.notes[0].code == "agree.one_label"
    two = compute([[1, 1], [2, 2]] * 8, name)
    assert two.value == 1
    assert math.isnan(two.standard_error)
    assert two.interval is not None
    # 16 of 16: the bound of Clopper and Pearson through (p - A_e) / (1 - A_e).
    bound = 1 - (1 - 0.025 ** (1 / 16)) / (1 - two.expected)
    assert two.interval.low == pytest.approx(bound, rel=1e-12)
    assert two.interval.high == 1


@pytest.mark.parametrize("name", NAMES)
def test_one_annotator_and_items_that_nobody_shares_are_refused(name: str) -> None:
    with pytest.raises(nf.InputError, match="there is one annotator"):
        compute([[1], [2]], name)
    with pytest.raises(nf.InputError, match="no item has two ratings"):
        compute([[1, None], [None, 2]], name)


@pytest.mark.parametrize("name", NAMES)
def test_a_single_item_has_no_spread(name: str) -> None:
    found = compute([[1, 2]], name)
    assert math.isnan(found.standard_error)
    assert "agree.single_item" in [one.code for one in found.notes]


def test_complete_disagreement_is_bounded_only_where_a_bound_is_known() -> None:
    assert compute([[1, 2], [2, 1]] * 10, "cohen_kappa").interval is None
    observed = compute([[1, 2], [2, 1]] * 10, "observed_agreement").interval
    assert observed is not None
    assert (observed.low, observed.high) == (0.0, pytest.approx(1 - 0.025 ** (1 / 20)))


def test_observed_agreement_of_two_annotators_has_wilsons_interval() -> None:
    from statsmodels.stats.proportion import proportion_confint

    found = compute([[1, 1]] * 30 + [[1, 2]] * 10, "observed_agreement").interval
    assert found is not None
    assert (found.low, found.high) == pytest.approx(proportion_confint(30, 40, method="wilson"), rel=1e-9)


def test_unused_labels_count_where_the_coefficient_counts_labels() -> None:
    data = [[1, 1], [1, 2], [4, 4], [2, 2], [1, 1], [4, 2]]
    three, four = (nf.agree(data, "brennan_prediger", categories=c) for c in ([1, 2, 4], [1, 2, 3, 4]))
    assert three.expected == pytest.approx(1 / 3)
    assert four.expected == pytest.approx(1 / 4)
    assert nf.agree(data).value == nf.agree(data, categories=[1, 2, 3, 4]).value
    linear = [nf.agree(data, "cohen_kappa", weights="linear", categories=c).value for c in ([1, 2, 4], [1, 2, 3, 4])]
    first, second = zip(*data, strict=True)
    assert linear[1] == pytest.approx(cohen_kappa_score(first, second, weights="linear", labels=[1, 2, 3, 4]))
    assert linear[0] != pytest.approx(linear[1])


def test_words_need_an_order_and_numbers_need_numbers() -> None:
    data = [["low", "high"], ["medium", "medium"], ["high", "high"]]
    with pytest.raises(nf.MethodError, match="needs labels in an order"):
        nf.agree(data, "cohen_kappa", weights="linear")
    with pytest.raises(nf.MethodError, match="needs labels in an order"):
        nf.agree(data, level="ordinal")
    with pytest.raises(nf.MethodError, match="needs numbers"):
        nf.agree(data, level="interval")
    order = ("low", "medium", "high")
    as_numbers = [[order.index(x) for x in row] for row in data]
    for options in ({"level": "ordinal"}, {}):
        assert nf.agree(data, categories=order, **options).value == nf.agree(as_numbers, **options).value
    with pytest.raises(nf.InputError, match="no negative numbers"):
        nf.agree([[-1, 1], [2, 2]], level="ratio")


def test_large_offsets_keep_their_digits() -> None:
    data = [[1, 2], [3, 3], [2, 4], [5, 5], [1, 1]]
    far = [[x + 10**9 for x in row] for row in data]
    near, distant = (compute(d, "krippendorff_alpha", level="interval").value for d in (data, far))
    assert distant == pytest.approx(near, rel=1e-12)
