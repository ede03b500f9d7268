"""The Mann-Whitney test: exact with ties, normal as in SciPy, its interval, its size."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import nofluke as nf
import nofluke.inference.tests.mann_whitney
from nofluke.align import as_sample
from nofluke.errors import MethodError
from nofluke.inference.intervals.hodges_lehmann import kth_difference, median_difference
from nofluke.registry import TESTS
from support.notes import codes

SIDES = ("two-sided", "greater", "less")
fast = settings(deadline=None, derandomize=True, max_examples=60)
# One decimal place, few values: ties within and between the groups in nearly every example.
groups = st.tuples(*[st.lists(st.integers(0, 6).map(lambda k: k / 10), min_size=1, max_size=6)] * 2)


def wins(a: list[float], b: list[float]) -> Fraction:
    return sum((Fraction((x > y) - (x < y) + 1, 2) for x in a for y in b), Fraction(0))


def by_brute_force(a: list[float], b: list[float]) -> tuple[Fraction, Fraction]:
    """P(U >= u) and P(U <= u) over every way to deal the scores."""
    pooled, observed = [*a, *b], wins(a, b)
    dealt = []
    for chosen in itertools.combinations(range(len(pooled)), len(a)):
        first = [pooled[i] for i in chosen]
        second = [pooled[i] for i in range(len(pooled)) if i not in chosen]
        dealt.append(wins(first, second))
    return (
        Fraction(sum(u >= observed for u in dealt), len(dealt)),
        Fraction(sum(u <= observed for u in dealt), len(dealt)),
    )


@fast
@given(groups)
def test_exact_counts_every_deal_also_with_ties(pair: tuple[list[float], list[float]]) -> None:
    a, b = pair
    greater, less = by_brute_force(a, b)
    expected = {"greater": greater, "less": less, "two-sided": min(Fraction(1), 2 * min(greater, less))}
    for side in SIDES:
        result = nf.test(a, b, "mann_whitney", alternative=side, mode="exact")
        assert result.p_value == pytest.approx(float(expected[side]), rel=1e-13)
        assert result.statistic == float(wins(a, b))
        assert result.computed.how == "exact"
        assert result.validity == "exact"


def test_it_agrees_with_scipy_exact_without_ties_in_the_tails() -> None:
    a, b = np.arange(30) + 40.5, np.arange(25) * 1.7
    for side in SIDES:
        theirs = stats.mannwhitneyu(a, b, alternative=side, method="exact").pvalue
        assert nf.test(a, b, "mann_whitney", alternative=side).p_value == pytest.approx(theirs, rel=1e-9)


def test_it_agrees_with_scipys_random_permutations_with_ties() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 5, 18), rng.integers(1, 6, 14)
    resamples = 20_000
    drawn = stats.mannwhitneyu(
        a, b, alternative="less", method=stats.PermutationMethod(n_resamples=resamples, rng=np.random.default_rng(6))
    ).pvalue
    exact = nf.test(a, b, "mann_whitney", alternative="less").p_value
    assert abs(drawn - exact) < 4 * math.sqrt(exact * (1 - exact) / resamples) + 1 / resamples


@fast
@given(groups, st.booleans(), st.sampled_from(SIDES))
def test_normal_is_scipys(pair: tuple[list[float], list[float]], continuity: bool, side: str) -> None:
    a, b = pair
    ours = nf.test(a, b, "mann_whitney", mode="normal", continuity=continuity, alternative=side)
    if len({*a, *b}) == 1:
        assert ours.p_value == 1.0
        return
    theirs = stats.mannwhitneyu(
        a, b, use_continuity=continuity, alternative=side, method="asymptotic", nan_policy="propagate"
    )
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    assert ours.statistic == theirs.statistic
    assert ours.validity == "asymptotic"


@fast
@given(groups, st.sampled_from([("exact", False), ("normal", False), ("normal", True)]))
def test_invariants(pair: tuple[list[float], list[float]], how: tuple[str, bool]) -> None:
    (a, b), (mode, continuity) = pair, how

    def p(first: list[float], second: list[float], side: str) -> float:
        return nf.test(first, second, "mann_whitney", alternative=side, mode=mode, continuity=continuity).p_value

    greater, less, both = (p(a, b, side) for side in ("greater", "less", "two-sided"))
    assert 0 < both <= 1
    assert both == pytest.approx(min(1.0, 2 * min(greater, less)), rel=1e-12)
    assert greater + less >= 1 - 1e-12
    assert p(b, a, "two-sided") == pytest.approx(both, rel=1e-12)
    assert p(b, a, "greater") == pytest.approx(less, rel=1e-12)
    assert p(sorted(a), sorted(b, reverse=True), "greater") == pytest.approx(greater, rel=1e-12)
    # Ranks see nothing of a rising map; 0.1 + 0.2 and 0.3 stay one value.
    assert p([2 * x + 0.3 for x in a], [2 * y + 0.3 for y in b], "less") == pytest.approx(less, rel=1e-12)


def test_lower_is_better_turns_the_sides_round() -> None:
    a, b = [0.2, 0.4, 0.1], [0.3, 0.5, 0.9, 0.7]
    method = TESTS["mann_whitney"].function
    errors = as_sample(a, b, paired=False, higher_is_better=False)
    result = method(errors, alternative="greater")
    assert result.p_value == nf.test(b, a, "mann_whitney", alternative="greater").p_value
    assert result.statistic == 11
    assert result.estimate > 0


def test_noise_in_the_last_bit_does_not_break_ties() -> None:
    a, b = [0.1 + 0.2, 0.5, 0.7], [0.3, 0.3, 0.6]
    assert nf.test(a, b, "mann_whitney").statistic == 2 * 0.5 + 2 + 3
    assert nf.test(a, b, "mann_whitney", snap=False).statistic == 2 + 2 + 3


@fast
@given(groups)
def test_order_statistics_of_the_pairs(pair: tuple[list[float], list[float]]) -> None:
    a, b = (np.rint(np.array(group) * 10).astype(np.int64) for group in pair)
    listed = sorted(int(x - y) for x in a for y in b)
    assert [kth_difference(a, b, k + 1) for k in range(len(listed))] == listed
    assert median_difference(a, b) == np.median(listed)


@settings(deadline=None, derandomize=True, max_examples=40)
@given(
    st.lists(st.integers(0, 400), min_size=6, max_size=16, unique=True),
    st.integers(2, 4),
    st.sampled_from([("exact", False), ("normal", False), ("normal", True)]),
    st.sampled_from([0.8, 0.95]),
)
def test_without_ties_the_interval_excludes_what_the_test_rejects(
    pool: list[int], cut: int, how: tuple[str, bool], level: float
) -> None:
    # Multiples of 4 against odd shifts: no shift below makes two scores equal.
    a, b = [4 * x for x in pool[:cut]], [4 * x + 2 for x in pool[cut:]]
    options = {"mode": how[0], "continuity": how[1]}
    for side in SIDES:
        interval = nf.test(a, b, "mann_whitney", alternative=side, confidence_level=level, **options).interval
        assert interval is not None
        if how[0] == "exact":
            assert interval.achieved >= level - 1e-12
        # Besides fixed shifts, those just inside and outside the limits (which are differences of two scores).
        ends = [limit + step for limit in (interval.low, interval.high) for step in (-1, 1) if math.isfinite(limit)]
        for shift in (-801, -77, -1, 0, 1, 77, 801, *ends):
            moved = [x - shift for x in a]
            kept = nf.test(moved, b, "mann_whitney", alternative=side, **options).p_value > 1 - level + 1e-12
            assert kept == (shift in interval), (side, shift, interval)


def test_the_interval_takes_the_order_statistics_by_hand() -> None:
    # Hollander and Wolfe's permeability data: of the 3,003 deals, P(U < 9) = .0200 and P(U < 10) = .0276 without ties,
    # so the limits are the 9th smallest and 9th largest of the 50 differences.
    x = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
    y = [1.15, 0.88, 0.90, 0.74, 1.21]
    result = nf.test(x, y, "mann_whitney")
    assert result.interval is not None
    assert (result.interval.low, result.interval.high) == (-0.15, 0.76)
    assert result.estimate == 0.305


@pytest.mark.parametrize(
    "pooled", [[0, 0, 0, 1, 1, 2, 3, 3, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9], [0, 0, 0, 0, 0, 0, 1, 1, 1]]
)
def test_size_never_exceeds_alpha_over_all_deals(pooled: list[int]) -> None:
    for side in SIDES:
        values = []
        for chosen in itertools.combinations(range(9), 4):
            a = [pooled[i] for i in chosen]
            b = [pooled[i] for i in range(9) if i not in chosen]
            values.append(nf.test(a, b, "mann_whitney", alternative=side).p_value)
        p = np.array(values)
        for alpha in np.unique(p):
            assert np.mean(p <= alpha + 1e-12) <= alpha + 1e-12


def test_large_groups_take_the_normal_approximation_and_say_so() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=3_000), rng.normal(0.02, size=2_500)
    result = nf.test(a, b, "mann_whitney")
    assert (result.computed.how, result.validity) == ("exact", "asymptotic")
    assert result.p_value == pytest.approx(stats.mannwhitneyu(a, b, use_continuity=False).pvalue, rel=1e-9)
    assert result.interval is not None
    assert (0 in result.interval) == (result.p_value > 0.05)
    listed = np.sort(np.subtract.outer(a, b).ravel())
    assert result.estimate == pytest.approx(np.median(listed), abs=1e-10)
    # The limit by definition: shifted by it, the z score of the test is the normal quantile.
    for limit, z in ((result.interval.low, 1.96), (result.interval.high, -1.96)):
        assert nf.test(a - limit, b, "mann_whitney").z_score == pytest.approx(z, abs=0.001)
    with pytest.raises(MethodError, match="mode='normal'"):
        nf.test(a, b, "mann_whitney", mode="exact")


def test_far_tails_stay_right() -> None:
    result = nf.test(np.arange(100) + 1000, np.arange(100), "mann_whitney", alternative="greater")
    # 1 deal of C(200, 100).
    assert result.log_p_value == pytest.approx(-math.log(math.comb(200, 100)), rel=1e-12)
    far = nf.test(np.arange(20_000) + 1e6, np.arange(20_000), "mann_whitney", alternative="greater")
    assert 0 < far.p_value < 1e-300
    assert math.isfinite(far.log_p_value)


def test_degenerate_input() -> None:
    same = nf.test([0.5] * 4, [0.5] * 3, "mann_whitney")
    assert (same.p_value, same.interval, same.estimate, same.z_score) == (1.0, None, 0.0, 0.0)
    assert "test.one_score_only" in codes(same)
    single = nf.test([1.0], [0.0], "mann_whitney")
    assert single.p_value == 1.0
    assert single.interval is not None
    assert (single.interval.low, single.interval.high) == (-math.inf, math.inf)
    with pytest.raises(MethodError, match="welch_t"):
        nf.test([1, 2], [0, 1], "mann_whitney", delta=0.5)
    assert "test.pairing_unknown" in codes(nf.test([1, 2], [0, 3], "mann_whitney"))
    assert "test.pairing_unknown" not in codes(nf.test([1, 2], [0, 3, 4], "mann_whitney"))


def test_exact_tails_have_no_continuity_to_correct() -> None:
    a, b = [1.0, 2.0, 3.0], [2.0, 4.0, 5.0, 6.0]
    for ask in (nf.test, lambda a, b, *method, **how: nf.rank({"A": a, "B": b}, method=method[0], **how)):
        with pytest.raises(MethodError, match="no continuity to correct for"):
            ask(a, b, "mann_whitney", mode="exact", continuity=True)


def test_a_ranking_refuses_what_the_signed_rank_test_refuses() -> None:
    with pytest.raises(MethodError, match="no continuity to correct for"):
        nf.rank({"A": [1.0, 2.0, 3.5], "B": [2.0, 4.0, 5.0]}, method="wilcoxon", continuity=True)
