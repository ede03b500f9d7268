"""Properties of the paired t, sign and permutation tests, and what they do with degenerate data."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.errors import MethodError
from support.notes import facts

METHODS = ("paired_t", "sign", "permutation")
grids = st.lists(
    st.tuples(st.integers(0, 6).map(lambda k: k / 10), st.integers(0, 6).map(lambda k: k / 10)), min_size=2, max_size=14
)
quick = settings(deadline=None, derandomize=True, max_examples=60)


def columns(pairs: list[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [a for a, _ in pairs], [b for _, b in pairs]


def p(pairs: list[tuple[float, float]], method: str, alternative: str = "two-sided") -> float:
    return nf.test(*columns(pairs), method, alternative=alternative).p_value


def same(x: float, y: float) -> bool:
    return (math.isnan(x) and math.isnan(y)) or x == pytest.approx(y, rel=1e-9)


@quick
@given(grids, st.sampled_from(METHODS))
def test_swapping_the_systems_mirrors_everything(pairs: list[tuple[float, float]], method: str) -> None:
    swapped = [(b, a) for a, b in pairs]
    assert same(p(pairs, method), p(swapped, method))
    assert same(p(pairs, method, "greater"), p(swapped, method, "less"))


@quick
@given(grids, st.sampled_from(METHODS), st.randoms(use_true_random=False))
def test_the_order_of_items_does_not_matter(pairs: list[tuple[float, float]], method: str, random: object) -> None:
    shuffled = list(pairs)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert same(p(pairs, method), p(shuffled, method))


@quick
@given(grids, st.sampled_from(METHODS), st.sampled_from([0.25, 2.0, 8.0]), st.sampled_from([0.0, 1.0, -3.0]))
def test_scale_and_shift_change_no_p_value(
    pairs: list[tuple[float, float]], method: str, scale: float, shift: float
) -> None:
    moved = [(a * scale + shift, b * scale + shift) for a, b in pairs]
    assert same(p(pairs, method), p(moved, method))


@quick
@given(grids, st.sampled_from(METHODS))
def test_tails_cover_each_other(pairs: list[tuple[float, float]], method: str) -> None:
    greater, less, both = (p(pairs, method, side) for side in ("greater", "less", "two-sided"))
    if math.isnan(both):
        return
    assert 0 < min(greater, less) <= 1
    assert greater + less >= 1 - 1e-9
    assert same(both, min(1.0, 2 * min(greater, less)))


@quick
@given(grids)
def test_permutation_is_full_enumeration(pairs: list[tuple[float, float]]) -> None:
    pairs = pairs[:10]
    d = [round(10 * (a - b)) for a, b in pairs]
    sums = [sum(s * x for s, x in zip(signs, d, strict=True)) for signs in itertools.product((1, -1), repeat=len(d))]
    expected = sum(total >= sum(d) for total in sums) / len(sums)
    assert p(pairs, "permutation", "greater") == pytest.approx(expected, rel=1e-12)


@quick
@given(grids)
def test_appending_a_tie_changes_nothing_for_sign_and_permutation(pairs: list[tuple[float, float]]) -> None:
    for method in ("sign", "permutation"):
        assert same(p(pairs, method), p([*pairs, (0.4, 0.4)], method))


@quick
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_on_zero_one_scores_sign_is_permutation(pairs: list[tuple[bool, bool]]) -> None:
    for side in ("two-sided", "greater", "less"):
        assert p(pairs, "sign", side) == pytest.approx(p(pairs, "permutation", side), rel=1e-9)


@quick
@given(grids, st.integers(0, 13))
def test_a_better_score_never_speaks_against_a(pairs: list[tuple[float, float]], index: int) -> None:
    index %= len(pairs)
    raised = [(a + 0.1, b) if i == index else (a, b) for i, (a, b) in enumerate(pairs)]
    for method in ("sign", "permutation"):
        assert p(raised, method, "greater") <= p(pairs, method, "greater") + 1e-12


@quick
@given(grids, st.sampled_from([0.01, 0.05, 0.1, 0.3]), st.sampled_from(["paired_t", "permutation"]))
def test_interval_and_p_agree(pairs: list[tuple[float, float]], alpha: float, method: str) -> None:
    result = nf.test(*columns(pairs), method, confidence_level=1 - alpha)
    if result.interval is None or abs(result.p_value - alpha) < 1e-6 or math.isnan(result.p_value):
        return
    assert (0 in result.interval) == (result.p_value > alpha)


def test_the_permutation_interval_is_made_of_nulls_that_are_not_rejected() -> None:
    rng = np.random.default_rng(4)
    for n in (6, 12, 30, 45):
        a, b = np.round(rng.normal(0.1, 1, n), 3), np.round(rng.normal(0, 1, n), 3)
        interval = nf.test(a, b, "permutation").interval
        assert interval is not None
        width = interval.high - interval.low
        for edge, inside in ((interval.low, 1), (interval.high, -1)):
            within = nf.test(a, b, "permutation", delta=round(edge + inside * width * 2e-3, 4)).p_value
            outside = nf.test(a, b, "permutation", delta=round(edge - inside * width * 2e-3, 4)).p_value
            assert within > 0.05 - 1e-3
            assert outside <= 0.05 + 1e-3


def test_monte_carlo_stands_within_its_error() -> None:
    rng = np.random.default_rng(8)
    a, b = rng.normal(0.15, 1, 60), rng.normal(0, 1, 60)
    exact = nf.test(a, b, "permutation")
    drawn = nf.test(a, b, "permutation", monte_carlo=20_000, seed=1)
    assert drawn.computed.how == "monte-carlo"
    assert drawn.p_value == pytest.approx(exact.p_value, abs=4 * drawn.computed.error + 2 / 20_000)
    assert nf.test(a, b, "approximate_randomization", monte_carlo=20_000, seed=1).p_value == drawn.p_value


def test_clusters_are_swapped_whole() -> None:
    sample = nf.Sample
    from nofluke.align import as_sample

    a, b = [1, 1, 1, 0, 1, 1, 0, 1], [0, 0, 0, 0, 0, 0, 1, 0]
    sample = as_sample(a, b, clusters=["x", "x", "x", "y", "y", "y", "z", "z"])
    totals = [3, 2, 0]
    sums = [s * 3 + t * 2 for s in (1, -1) for t in (1, -1)]
    expected = sum(total >= sum(totals) for total in sums) / 4
    result = nf.test(sample, method="permutation", alternative="greater")
    assert result.p_value == pytest.approx(expected)
    assert facts(result, "test.smallest_p")["p"] == 0.25
    for method in ("paired_t", "sign"):
        with pytest.raises(MethodError, match="takes items as independent"):
            nf.test(sample, method=method)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_identical_systems_give_one(method: str, alternative: str) -> None:
    result = nf.test([0.1, 0.7, 0.3], [0.1, 0.7, 0.3], method, alternative=alternative)
    assert result.p_value == 1
    assert result.log_p_value == 0
    assert result.notes


def test_constant_differences() -> None:
    a, b = [0.3, 0.8, 0.5, 0.9, 0.2], [0.2, 0.7, 0.4, 0.8, 0.1]
    t = nf.test(a, b, "paired_t")
    assert math.isnan(t.p_value)
    assert facts(t, "test.no_spread")["instead"] == ("permutation", "sign")
    assert nf.test(a, b, "sign").p_value == pytest.approx(2 / 32)
    assert nf.test(a, b, "permutation").p_value == pytest.approx(2 / 32)
    assert nf.compare(a, b, method="paired_t").verdict == "undefined"


def test_a_single_item() -> None:
    assert nf.test([1], [0], "sign").p_value == 1
    assert nf.test([1], [0], "permutation").p_value == 1
    with pytest.raises(MethodError, match="at least 2 items"):
        nf.test([1], [0], "paired_t")


def test_deep_tails_have_digits_and_p_is_never_zero() -> None:
    ones, zeros = [1] * 2000, [0] * 2000
    for method in ("sign", "permutation"):
        result = nf.test(ones, zeros, method, alternative="greater")
        assert result.log_p_value == pytest.approx(-2000 * math.log(2), rel=1e-12)
        assert result.p_value > 0


def test_tie_width_is_decided_on_decimals() -> None:
    a, b = [0.51, 0.52, 0.9, 0.1], [0.50, 0.50, 0.5, 0.5]
    assert nf.test(a, b, "sign", tie_width=0.01).details["n_tied"] == 1
    assert nf.test(a, b, "sign", tie_width=0.02).details["n_tied"] == 2
    assert nf.test(a, b, "sign", tie_width=0.0).details["n_tied"] == 0


def test_delta_is_read_as_the_decimal_it_prints_as() -> None:
    a, b = [0.3, 0.8, 0.5, 0.9, 0.25], [0.2, 0.7, 0.4, 0.8, 0.1]
    result = nf.test(a, b, "permutation", delta=0.1, alternative="greater")
    # Four of five shifted differences are exactly zero, the fifth is positive.
    assert result.p_value == 0.5


def test_the_signature_says_how_to_get_it_again() -> None:
    result = nf.test([1, 2, 3, 5], [1, 1, 1, 1], "permutation", monte_carlo=99, seed=4, alternative="greater")
    assert result.signature == (
        f"nofluke:{nf.__version__}|test:permutation|alternative:greater|monte_carlo:99|n:4|seed:4"
    )


def test_a_drawn_p_value_is_a_multiple_of_one_over_the_draws() -> None:
    rng = np.random.default_rng(5)
    for seed in range(5):
        a, b = rng.random(12), rng.random(12)
        p = nf.test(a, b, "permutation", monte_carlo=999, seed=seed).p_value
        assert p in {k / 1000 for k in range(1, 1001)}


@pytest.mark.parametrize("method", ["sign", "permutation", "wilcoxon", "mcnemar"])
@pytest.mark.parametrize("sizes", [(1, 1, 1, 1, 1, 1), (1, 2, 3, 4, 5, 6), (1, 1, 2, 5, 5, 0)])
def test_size_by_full_enumeration_is_at_most_alpha(method: str, sizes: tuple[int, ...]) -> None:
    """Under the null every pattern of signs of the differences is equally likely."""
    if method == "mcnemar" and max(sizes) > 1:
        return
    p_values = {"two-sided": [], "greater": []}  # type: dict[str, list[float]]
    for signs in itertools.product((1, -1), repeat=len(sizes)):
        a = [max(s * d, 0) for s, d in zip(signs, sizes, strict=True)]
        b = [max(-s * d, 0) for s, d in zip(signs, sizes, strict=True)]
        for side, found in p_values.items():
            found.append(nf.test(a, b, method, alternative=side).p_value)
    for found in p_values.values():
        for alpha in {round(p, 12) for p in found}:
            assert np.mean(np.array(found) <= alpha + 1e-12) <= alpha + 1e-9
