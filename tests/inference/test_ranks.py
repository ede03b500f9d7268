"""Wilcoxon's test and what goes with it: references, properties, exactness by enumeration, calibration."""

from __future__ import annotations

import itertools
import math
import tracemalloc
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
import nofluke.inference.effects.hodges_lehmann
import nofluke.inference.effects.signed_ranks
import nofluke.inference.tests.wilcoxon
from nofluke.align import as_sample, differences
from nofluke.engine.flips import flip_tail
from nofluke.errors import MethodError
from nofluke.inference.intervals.hodges_lehmann import walsh_averages
from nofluke.laws.signed_rank import (
    counted_tail,
    normal_quantile,
    shifted,
    signed_ranks,
)
from nofluke.words import test_report
from support.figures import rows, samples
from support.notes import codes, facts
from support.quantities.ranks import LEFT_OUT, QUANTITIES
from support.thinned import thinned

SIDES = ("two-sided", "greater", "less")
ZEROS = ("drop", "pratt", "zsplit")
checks = settings(deadline=None, derandomize=True, max_examples=60)
# Small whole numbers force ties and zeros.
tied = st.lists(st.integers(-4, 4), min_size=1, max_size=10)
untied = st.lists(st.integers(1, 60), min_size=1, max_size=12, unique=True).flatmap(
    lambda sizes: st.tuples(*(st.sampled_from((-size, size)) for size in sizes)).map(list)
)


def wilcoxon(d: Any, **options: Any) -> nf.TestResult:
    d = np.asarray(d, dtype=float)
    return nf.test(d, np.zeros(len(d)), "wilcoxon", **options)


def effect(d: Any, name: str, **options: Any) -> nf.Estimate:
    d = np.asarray(d, dtype=float)
    return nf.effect(d, np.zeros(len(d)), name, **options)


# Figures of other tools.

FAMILIES = ("paired_tests", "effect_sizes", "intervals", "decimal_pitfall")
FIGURES = [
    pytest.param(row, id=f"{family}-{number}-{row['case']}-{row['quantity']}")
    for family in FAMILIES
    for number, row in enumerate(rows(family))
    if row["quantity"] in QUANTITIES
]


@pytest.mark.parametrize("row", FIGURES)
def test_reference_figure(row: dict[str, Any]) -> None:
    sample = samples()[row["inputs"]["sample"]]
    found = np.array(QUANTITIES[row["quantity"]].compute(row["inputs"], sample["a"], sample["b"]), dtype=float)
    expected, tolerance = np.array(row["value"], dtype=float), row["tolerance"]
    # An absolute tolerance on figures of the size of 1e-14 would let anything through.
    absolute = tolerance.get("abs", 0.0) if not np.any(np.abs(expected) < 1e-9) or not expected.any() else 0.0
    allowed = absolute + tolerance.get("rel", 0.0) * np.abs(expected)
    assert (np.abs(found - expected) <= allowed).all(), f"{found} is not {expected} ({row['source']})"


def test_every_quantity_of_the_topic_is_a_target_or_left_out_for_a_reason() -> None:
    words = ("wilcoxon_signed_rank", "hodges_lehmann", "wilcoxon_r.", "rank_biserial")
    recorded = {row["quantity"] for family in FAMILIES for row in rows(family)}
    topic = {name for name in recorded if name.startswith(words)}
    assert topic == (set(QUANTITIES) | set(LEFT_OUT)) & recorded
    assert len(FIGURES) > 450


# Exactness.


def enumerated(d: list[int], zeros: str, alternative: str) -> Fraction:
    """The p-value by listing every sign pattern, with mid-ranks by their definition."""
    kept = [x for x in d if x or zeros != "drop"]
    rank = {
        s: Fraction(sum(abs(x) < s for x in kept) * 2 + sum(abs(x) == s for x in kept) + 1, 2) for s in map(abs, kept)
    }
    ranks = [rank[abs(x)] for x in kept if x]
    observed = sum((rank[x] for x in kept if x > 0), Fraction(0))
    sums = [
        sum((r for r, up in zip(ranks, signs, strict=True) if up), Fraction(0))
        for signs in itertools.product((0, 1), repeat=len(ranks))
    ]
    greater = Fraction(sum(s >= observed for s in sums), len(sums))
    less = Fraction(sum(s <= observed for s in sums), len(sums))
    return {"greater": greater, "less": less, "two-sided": min(Fraction(1), 2 * min(greater, less))}[alternative]


@given(d=tied, zeros=st.sampled_from(ZEROS), alternative=st.sampled_from(SIDES))
@checks
def test_exact_is_the_share_of_all_sign_patterns(d: list[int], zeros: str, alternative: str) -> None:
    result = wilcoxon(d, zeros=zeros, alternative=alternative)
    assert result.p_value == pytest.approx(float(enumerated(d, zeros, alternative)), rel=1e-13)
    assert result.computed.how == "exact"
    assert result.p_value * 2 ** result.details["n_nonzero"] == pytest.approx(
        round(result.p_value * 2 ** result.details["n_nonzero"]), abs=1e-9
    )


def test_a_small_lead_is_doubled_on_its_own_side() -> None:
    # W+ = 6 of 10: 7 of the 16 patterns reach it.
    assert wilcoxon([2, 4, -1, -3]).p_value == 14 / 16
    assert wilcoxon([-2, -4, 1, 3]).p_value == 14 / 16


def test_exact_at_n_12_with_ties_and_zeros() -> None:
    d = [5, 5, -3, 2, 0, 7, -1, 1, 4, 0, 3, -2]
    for zeros in ZEROS:
        assert wilcoxon(d, zeros=zeros).p_value == pytest.approx(float(enumerated(d, zeros, "two-sided")), rel=1e-13)


def by_whole_numbers(ranks: list[int], threshold: int) -> float:
    """log P by counting in Python's unbounded integers."""
    total = sum(ranks)
    counts = np.zeros(total + 1, dtype=object)
    counts[0] = 1
    for rank in ranks:
        counts[rank:] = counts[rank:] + counts[:-rank]
    ways = int(counts[: max(0, (total - threshold) // 2 + 1)].sum())
    # Fractions of huge integers go through their bit lengths.
    return math.log(ways) - len(ranks) * math.log(2)


@pytest.mark.parametrize("n", [30, 80, 150])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.99])
def test_deep_tails_are_right(n: int, share: float) -> None:
    d = np.random.default_rng(n).integers(1, n // 2, n)
    ranks = signed_ranks(d).ranks
    threshold = int(share * ranks.sum())
    expected = by_whole_numbers(ranks.tolist(), threshold)
    assert counted_tail(ranks, threshold).log_p == pytest.approx(expected, rel=1e-12)
    assert flip_tail(ranks, threshold).log_p == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("n", [220, 520, 1000])
def test_counting_and_inversion_agree_where_they_meet(n: int) -> None:
    d = np.round(np.random.default_rng(n).normal(0.2, 1, n), 2)
    result = wilcoxon(d)
    ranks = signed_ranks(differences(as_sample(d, np.zeros(n))).integers)  # type: ignore[arg-type]
    counted = counted_tail(ranks.ranks, abs(ranks.difference))
    assert result.computed.detail["path"] != "counting"
    assert result.log_p_value == pytest.approx(math.log(2) + counted.log_p, rel=1e-9)


@pytest.mark.parametrize("n", [10, 400, 1000, 3000])
def test_all_in_one_direction_has_the_smallest_p(n: int) -> None:
    result = wilcoxon(np.arange(1, n + 1), alternative="greater")
    assert result.log_p_value == pytest.approx(-n * math.log(2), rel=1e-12)
    assert result.p_value > 0
    assert wilcoxon(np.arange(1, n + 1), alternative="less").p_value == 1


def test_normal_tails_are_logs() -> None:
    result = wilcoxon(np.arange(1, 20_001), mode="normal")
    n = 20_000
    z = (n * (n + 1) / 4) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    # Mills' ratio to third order is right to 1e-11 this far out.
    expected = math.log(2) - z * z / 2 - math.log(z * math.sqrt(2 * math.pi)) + math.log1p(-1 / z**2 + 3 / z**4)
    assert result.log_p_value == pytest.approx(expected, rel=1e-11)
    assert result.validity == "asymptotic"
    assert result.computed.how == "exact"
    assert result.validity == "asymptotic"


# Another tool on the same data.


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("correction", [False, True])
@pytest.mark.parametrize("zeros", ZEROS)
def test_normal_form_is_scipys(zeros: str, correction: bool, alternative: str) -> None:
    from scipy.stats import wilcoxon as other

    rng = np.random.default_rng(5)
    for _ in range(10):
        d = rng.integers(-4, 6, 25).astype(float)
        theirs = other(
            d,
            zero_method={"drop": "wilcox"}.get(zeros, zeros),
            correction=correction,
            alternative=alternative,
            method="asymptotic",
        )
        ours = wilcoxon(d, zeros=zeros, continuity=correction, alternative=alternative, mode="normal")
        assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-12)
        # SciPy gives -|z| for the two-sided test; our sign says which system is better.
        theirs_z = -abs(ours.z_score) if alternative == "two-sided" else ours.z_score
        assert theirs_z == pytest.approx(theirs.zstatistic, rel=1e-12)
        w = min(ours.statistic, ours.details["W_minus"]) if alternative == "two-sided" else ours.statistic
        assert w == theirs.statistic


def test_exact_zsplit_is_scipys_permutation() -> None:
    from scipy.stats import PermutationMethod
    from scipy.stats import wilcoxon as other

    d = np.array([3, -1, 0, 2, 2, 0, -2, 5, 4.0])
    theirs = other(d, zero_method="zsplit", method=PermutationMethod(n_resamples=np.inf), alternative="greater")
    assert wilcoxon(d, zeros="zsplit", alternative="greater").p_value == pytest.approx(theirs.pvalue, rel=1e-12)
    assert wilcoxon(d, zeros="pratt", alternative="greater").p_value == pytest.approx(theirs.pvalue, rel=1e-12)


# Properties.


@given(d=tied, zeros=st.sampled_from(ZEROS), mode=st.sampled_from(("auto", "normal")))
@checks
def test_swapping_mirrors_everything(d: list[int], zeros: str, mode: str) -> None:
    ab, ba = wilcoxon(d, zeros=zeros, mode=mode), wilcoxon([-x for x in d], zeros=zeros, mode=mode)
    assert ab.log_p_value == pytest.approx(ba.log_p_value, abs=1e-12)
    assert (ab.statistic, ab.details["W_minus"]) == (ba.details["W_minus"], ba.statistic)
    assert (ab.estimate, ab.z_score) == (-ba.estimate, -ba.z_score)
    assert ab.interval is not None
    assert ba.interval is not None
    assert (ab.interval.low, ab.interval.high) == (-ba.interval.high, -ba.interval.low)
    greater = wilcoxon(d, zeros=zeros, mode=mode, alternative="greater")
    less = wilcoxon([-x for x in d], zeros=zeros, mode=mode, alternative="less")
    assert greater.p_value == pytest.approx(less.p_value, rel=1e-12)
    for name in ("wilcoxon_r", "rank_biserial", "hodges_lehmann"):
        one, other = effect(d, name).value, effect([-x for x in d], name).value
        assert one == -other or (math.isnan(one) and math.isnan(other))


@given(d=tied, seed=st.integers(0, 9), zeros=st.sampled_from(ZEROS))
@checks
def test_order_shift_and_scale_change_nothing(d: list[int], seed: int, zeros: str) -> None:
    plain = wilcoxon(d, zeros=zeros)
    shuffled = wilcoxon(np.random.default_rng(seed).permutation(d), zeros=zeros)
    assert shuffled == plain
    b = np.arange(len(d)) % 3
    moved = nf.test(np.array(d) * 0.25 + b + 8, b + 8.0, "wilcoxon", zeros=zeros)
    assert moved.p_value == plain.p_value
    assert moved.estimate == plain.estimate * 0.25
    assert moved.interval is not None
    assert plain.interval is not None
    assert (moved.interval.low, moved.interval.high) == (plain.interval.low / 4, plain.interval.high / 4)
    for name in ("wilcoxon_r", "rank_biserial"):
        assert np.array_equal(effect(np.array(d) * 8, name).value, effect(d, name).value, equal_nan=True)


@given(d=tied, zeros=st.sampled_from(ZEROS))
@checks
def test_the_two_tails_overlap_in_the_observed_point(d: list[int], zeros: str) -> None:
    one, other, both = (wilcoxon(d, zeros=zeros, alternative=side).p_value for side in ("greater", "less", "two-sided"))
    assert min(one, other) > 0
    assert max(one, other, both) <= 1
    assert one + other >= 1
    assert both == pytest.approx(min(1, 2 * min(one, other)), rel=1e-12)


@given(d=untied, data=st.data())
@checks
def test_raising_one_score_never_raises_p_greater_without_ties(d: list[int], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(d) - 1))
    higher = d[place] + data.draw(st.integers(1, 40)) + 0.5
    raised = [*d[:place], higher, *d[place + 1 :]]
    before, after = wilcoxon(d, alternative="greater"), wilcoxon(raised, alternative="greater")
    assert after.log_p_value <= before.log_p_value + 1e-12


@given(d=tied)
@checks
def test_an_appended_zero_matters_to_pratt_only(d: list[int]) -> None:
    longer = [*d, 0]
    assert wilcoxon(longer).p_value == wilcoxon(d).p_value
    assert wilcoxon(longer).z_score == wilcoxon(d).z_score
    assert effect(longer, "rank_biserial").value == pytest.approx(effect(d, "rank_biserial").value, nan_ok=True)
    if any(d):
        before, after = effect(d, "wilcoxon_r", n="all").value, effect(longer, "wilcoxon_r", n="all").value
        assert abs(after) < abs(before) or before == 0


def test_pratt_differs_from_drop_when_there_are_zeros() -> None:
    assert wilcoxon([6, -1, -2, 3, 0, 0, 0], zeros="pratt").p_value != wilcoxon([6, -1, -2, 3, 0, 0, 0]).p_value


@given(d=st.lists(st.sampled_from((-1, 0, 1)), min_size=1, max_size=40), alternative=st.sampled_from(SIDES))
@checks
def test_equal_sizes_make_it_the_sign_test(d: list[int], alternative: str) -> None:
    scores = np.array(d) * 0.3
    sign = nf.test(scores, np.zeros(len(d)), "sign", alternative=alternative)
    for zeros in ZEROS:
        assert wilcoxon(scores, zeros=zeros, alternative=alternative).log_p_value == pytest.approx(
            sign.log_p_value, rel=1e-12, abs=1e-12
        )


def test_binary_scores_at_size_are_the_sign_test() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.random(3_000) < 0.7, rng.random(3_000) < 0.66
    sign = nf.test(a, b, "sign")
    assert nf.test(a, b, "wilcoxon").log_p_value == pytest.approx(sign.log_p_value, rel=1e-10)


@given(d=untied, level=st.sampled_from((0.5, 0.75, 0.9, 0.9375, 0.95, 0.99)), alternative=st.sampled_from(SIDES))
@checks
def test_interval_and_p_agree_without_ties(d: list[int], level: float, alternative: str) -> None:
    result = wilcoxon(d, confidence_level=level, alternative=alternative)
    interval = result.interval
    assert interval is not None
    if interval.achieved < level - 1e-12:
        assert result.p_value > 1 - level
        assert "interval.too_few" in codes(result)
        return
    # No average of two items is 0: sizes are distinct, so 0 is never a limit.
    assert (0 in interval) == (result.log_p_value > math.log(1 - level) + 1e-12)
    assert interval.low <= result.estimate <= interval.high


@given(d=untied, continuity=st.booleans(), alternative=st.sampled_from(SIDES))
@checks
def test_interval_and_normal_p_agree_without_ties(d: list[int], continuity: bool, alternative: str) -> None:
    result = wilcoxon(d, mode="normal", continuity=continuity, alternative=alternative, confidence_level=0.7)
    interval = result.interval
    assert interval is not None
    if normal_quantile(len(d), 0.15 if alternative == "two-sided" else 0.3, continuity=continuity)[0] < 0:
        return  # the whole range stands in for an interval that does not exist
    assert (0 in interval) == (result.log_p_value > math.log(0.3) + 1e-9)


# Size and coverage by enumeration.


@pytest.mark.parametrize("zeros", ZEROS)
@pytest.mark.parametrize("sizes", [[1, 1, 2, 3, 3, 3], [1, 2, 3, 4, 5, 6, 7], [0, 0, 1, 1, 2, 5], [0, 2, 2, 2, 2]])
def test_size_never_exceeds_alpha(sizes: list[int], zeros: str) -> None:
    """Given the sizes of the differences, every sign pattern is equally likely under the null."""
    patterns = [np.array(sizes) * signs for signs in itertools.product((-1, 1), repeat=len(sizes))]
    for alternative in SIDES:
        p = np.array([wilcoxon(d, zeros=zeros, alternative=alternative).p_value for d in patterns])
        for alpha in np.unique(p):
            assert np.mean(p <= alpha * (1 + 1e-12)) <= alpha * (1 + 1e-9)


@pytest.mark.parametrize("sizes", [[1, 1, 2, 3, 3, 3, 4], [1, 2, 3, 4, 5, 6, 7], [0, 0, 1, 1, 2, 5, 6, 6]])
@pytest.mark.parametrize("level", [0.8, 0.9])
def test_interval_covers_at_least_what_it_says_with_ties_too(sizes: list[int], level: float) -> None:
    patterns = [np.array(sizes) * signs for signs in itertools.product((-1, 1), repeat=len(sizes))]
    intervals = [effect(d, "hodges_lehmann", confidence_level=level).interval for d in patterns]
    covered = np.mean([0 in interval for interval in intervals if interval])
    achieved = intervals[0].achieved if intervals[0] else math.nan
    assert covered >= achieved - 1e-12
    assert achieved >= level
    if len(set(sizes)) == len(sizes):
        assert covered == pytest.approx(achieved, abs=1e-12)


def binomial_bounds(n: int, p: float) -> tuple[float, float]:
    from scipy.stats import binom

    return float(binom.ppf(0.0005, n, p)) / n, float(binom.ppf(0.9995, n, p)) / n


def test_skewed_differences_with_mean_zero_are_rejected_as_the_docs_say() -> None:
    rng = np.random.default_rng(8)
    rejected = np.mean([wilcoxon(rng.exponential(size=20) - 1).p_value <= 0.05 for _ in range(1_500)])
    low, high = binomial_bounds(1_500, 0.127)
    assert low <= rejected <= high


def test_normal_form_keeps_its_size_by_its_exact_distribution() -> None:
    for n, least, most in ((20, 0.045, 0.055), (200, 0.049, 0.051)):
        k, error = normal_quantile(n, 0.025, continuity=False)
        assert least <= 2 * error <= most, k


@pytest.mark.slow
@pytest.mark.parametrize(("n", "shift"), [(30, 0.0), (30, 0.5), (100, 0.8)])
def test_rank_biserial_interval_covers(n: int, shift: float) -> None:
    from scipy.special import ndtr

    rng = np.random.default_rng(n)
    truth, runs = 2 * float(ndtr(shift * math.sqrt(2))) - 1, 1_500
    found = [effect(rng.normal(shift, 1, n), "rank_biserial").interval for _ in range(runs)]
    covered = np.mean([truth in interval for interval in found if interval])
    assert binomial_bounds(runs, 0.94)[0] <= covered <= binomial_bounds(runs, 0.965)[1]


@pytest.mark.parametrize("zeros", ["drop", "pratt", "pratt_total"])
def test_rank_biserial_standard_error_is_the_jackknifes(zeros: str) -> None:
    rng = np.random.default_rng(6)
    d = rng.integers(-2, 7, 300) * (rng.random(300) < 0.3)
    used = d[d != 0] if zeros == "drop" else d
    left_out = [effect(np.delete(used, i), "rank_biserial", zeros=zeros).value for i in range(len(used))]
    jackknife = math.sqrt(float(np.var(left_out)) * (len(used) - 1))
    assert effect(d, "rank_biserial", zeros=zeros).standard_error == pytest.approx(jackknife, rel=0.02)


def test_rank_biserial_pratt_interval_covers_with_zeros() -> None:
    rng, runs, n = np.random.default_rng(4), 1_000, 80
    values, shares = np.array([-2, -1, 0, 1, 2]), np.array([0.1, 0.15, 0.3, 0.25, 0.2])
    pairs = np.outer(shares, shares)
    signs = np.sign(values[:, None] + values[None, :])
    both_zero = pairs[2, 2]
    for zeros, truth in (
        ("pratt_total", (pairs * signs).sum()),
        ("pratt", (pairs * signs).sum() / (1 - both_zero)),
        ("drop", (pairs * signs)[np.ix_([0, 1, 3, 4], [0, 1, 3, 4])].sum() / 0.49),
    ):
        draws = (rng.choice(values, n, p=shares) for _ in range(runs))
        found = [effect(d, "rank_biserial", zeros=zeros).interval for d in draws]
        covered = np.mean([truth in interval for interval in found if interval])
        assert binomial_bounds(runs, 0.94)[0] <= covered <= binomial_bounds(runs, 0.965)[1], zeros


@pytest.mark.slow
@pytest.mark.parametrize("n", [20, 60])
def test_size_and_coverage_on_normal_differences(n: int) -> None:
    rng, runs = np.random.default_rng(n), 5_000
    results = [wilcoxon(rng.normal(size=n)) for _ in range(runs)]
    attainable = 1 - results[0].interval.achieved if results[0].interval else math.nan
    low, high = binomial_bounds(runs, attainable)
    assert low <= np.mean([result.p_value <= 0.05 for result in results]) <= high
    assert low <= np.mean([0 not in result.interval for result in results if result.interval]) <= high


# Walsh averages.


def walsh(d: list[int], pairs: str) -> list[Fraction]:
    indices = itertools.combinations_with_replacement(d, 2) if pairs == "walsh" else itertools.combinations(d, 2)
    return sorted(Fraction(x + y, 2) for x, y in indices)


def median(values: list[Fraction]) -> Fraction:
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2


@given(d=st.lists(st.integers(-30, 30), min_size=2, max_size=25), pairs=st.sampled_from(("walsh", "distinct")))
@checks
def test_pseudo_median_is_exact_to_the_last_bit(d: list[int], pairs: str) -> None:
    scores = np.array(d) / 10
    found = effect(scores, "hodges_lehmann", pairs=pairs).value
    assert found == float(median(walsh(d, pairs)) / 10)
    assert scores.min() <= found <= scores.max()


@pytest.mark.parametrize("kind", ["real", "two decimals", "heavy tails", "few values"])
@pytest.mark.parametrize("distinct", [False, True])
def test_order_statistics_are_those_of_the_full_list(kind: str, distinct: bool) -> None:
    rng, n = np.random.default_rng(11), 700
    d = {
        "real": rng.normal(size=n),
        "two decimals": np.round(rng.normal(size=n), 2),
        "heavy tails": rng.standard_cauchy(n),
        "few values": rng.integers(-1, 2, n).astype(float),
    }[kind]
    sample = as_sample(d, np.zeros(n))
    averages = walsh_averages(differences(sample), sample, distinct=distinct)
    first, second = np.triu_indices(n, 1 if distinct else 0)
    full = np.sort((d[first] + d[second]) / 2)
    assert averages.total == len(full)
    for rank in (1, 2, 1000, len(full) // 3, len(full) // 2, len(full) - 1, len(full)):
        assert averages.ranked(rank) == pytest.approx(full[rank - 1], rel=1e-13, abs=1e-15)


@pytest.mark.parametrize("kind", thinned(["heavy tails", "real", "clumps", "two decimals"], always=2))
def test_large_samples_are_selected_exactly_in_little_memory(kind: str) -> None:
    """A sum is the one of rank k when at most k - 1 are below it and at least k are not above."""
    rng, n = np.random.default_rng(12), 70_000
    d = {
        "real": rng.normal(size=n),
        "heavy tails": np.exp(20 * rng.normal(size=n)),
        "two decimals": np.round(rng.normal(size=n), 2),
        "clumps": rng.integers(0, 3, n) * 1000 + rng.normal(size=n),
    }[kind]
    sample = as_sample(d, np.zeros(n))
    tracemalloc.start()
    averages = walsh_averages(differences(sample), sample)
    for rank in (1, averages.total // 40, averages.total // 2, averages.total - 1):
        found = averages.select(rank)
        assert averages.count(found - 1) < rank <= averages.count(found)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60_000_000  # all pairs would take 20 GB


def test_counting_pairs_is_right() -> None:
    d = np.array([3, -1, -1, 2, 0, 0, 5])
    sample = as_sample(d, np.zeros(7))
    for distinct in (False, True):
        averages = walsh_averages(differences(sample), sample, distinct=distinct)
        full = walsh(d.tolist(), "distinct" if distinct else "walsh")
        for limit in range(-3, 12):
            assert averages.count(limit) == sum(2 * value <= limit for value in full)


def test_opposite_real_differences_average_to_zero() -> None:
    a, b = [0.1 + 0.2, 0.0], [0.0, 0.3]
    assert a[0] - b[1] != 0  # binary noise, which the sample's grid does not see
    result = nf.test(a, b, "wilcoxon")
    assert result.estimate == 0
    assert (result.statistic, result.details["W_minus"]) == (1.5, 1.5)


def test_real_differences_keep_the_digits_below_the_grid() -> None:
    rng = np.random.default_rng(2)
    a = rng.normal(size=9)
    b = a - 1e-7 * rng.normal(size=9)
    first, second = np.triu_indices(9)
    d = a - b
    assert nf.effect(a, b, "hodges_lehmann").value == pytest.approx(np.median((d[first] + d[second]) / 2), rel=1e-12)


# delta, decimals, special cases.


def test_ties_are_those_of_the_decimals_written() -> None:
    a, b = [0.3, 0.8, 0.6, 0.5], [0.2, 0.7, 0.5, 0.9]
    result = nf.test(a, b, "wilcoxon")
    assert (result.statistic, result.details["W_minus"]) == (6.0, 4.0)
    assert nf.test(a, b, "wilcoxon", alternative="greater").p_value == 0.5
    raw = signed_ranks(np.array(a) - np.array(b))
    assert len(raw.tie_sizes) > 2


def test_delta_is_taken_on_the_same_decimals() -> None:
    a, b = [0.3, 0.8, 0.6, 0.9], [0.2, 0.7, 0.5, 0.5]
    result = nf.test(a, b, "wilcoxon", delta=0.1)
    assert result.details["n_zero"] == 3
    assert result.p_value == 1
    assert "test.margin_of_pseudo_median" in codes(result)
    finer = nf.test(a, b, "wilcoxon", delta=0.05)
    assert finer.details["n_zero"] == 0
    assert finer.p_value == nf.test(np.array([1, 1, 1, 7]), np.zeros(4), "wilcoxon").p_value
    assert finer.interval == nf.test(a, b, "wilcoxon").interval
    assert "symmetric about 0.05." in str(finer)


@given(d=tied, delta=st.sampled_from((-0.75, 0.25, 1.0, 1.5)))
@checks
def test_delta_shifts_the_differences(d: list[int], delta: float) -> None:
    assert wilcoxon(d, delta=delta).log_p_value == wilcoxon(np.array(d) - delta).log_p_value


@pytest.mark.parametrize("delta", [1e-9, 1e-9 / 3])
def test_delta_finer_than_int64_holds_is_still_exact(delta: float) -> None:
    d = np.array([123456789012.0, -123456789012.0, 5.0, 7.0])
    sample = as_sample(d, np.zeros(4))
    moved = shifted(differences(sample), sample, delta)
    assert moved.dtype == object
    assert moved[1] < -moved[0] < 0
    assert wilcoxon(d, delta=delta).statistic == 1 + 2 + 3


def test_real_scores_tie_with_a_delta_on_their_grid() -> None:
    a = np.array([1 / 3, 2 / 3, 1.0, 0.1])
    result = nf.test(a + 1 / 3, a, "wilcoxon", delta=1 / 3)
    assert result.details["n_zero"] == 4
    raw = nf.test(a + 1 / 3, a, "wilcoxon", delta=1 / 3, snap=False)
    assert raw.details["n_zero"] < 4


@pytest.mark.parametrize("mode", ["auto", "exact", "normal", "slides"])
@pytest.mark.parametrize("alternative", SIDES)
def test_identical_systems(mode: str, alternative: str) -> None:
    result = wilcoxon(np.zeros(15), mode=mode, alternative=alternative)
    assert (result.p_value, result.log_p_value, result.z_score, result.statistic) == (1, 0, 0, 0)
    assert result.estimate == 0
    assert "test.all_at_null" in codes(result)
    assert effect(np.zeros(5), "hodges_lehmann").value == 0
    for name in ("wilcoxon_r", "rank_biserial"):
        undefined = effect(np.zeros(5), name)
        assert math.isnan(undefined.value)
        assert undefined.interval is None
        assert codes(undefined) == ("effect.nothing_to_rank",)


def test_one_item() -> None:
    result = wilcoxon([0.5])
    assert (result.p_value, result.estimate) == (1, 0.5)
    assert result.interval is not None
    assert (result.interval.low, result.interval.high, result.interval.achieved) == (0.5, 0.5, 0)
    alone = effect([0.5], "hodges_lehmann", pairs="distinct")
    assert math.isnan(alone.value)
    assert "effect.no_other_item" in codes(alone)


def test_constant_difference_is_valid_here() -> None:
    assert wilcoxon(np.full(10, 0.5)).p_value == 2 / 2**10
    assert effect(np.full(10, 0.5), "rank_biserial").value == 1
    assert effect(np.full(10, 0.5), "rank_biserial").interval is None


def test_lower_is_better_turns_the_tail() -> None:
    from dataclasses import replace

    sample = as_sample([1.0, 2, 4, 3], [0.0, 0, 0, 1])
    turned = replace(sample, higher_is_better=False)
    assert nf.test(turned, method="wilcoxon", alternative="less").p_value == 1 / 16
    assert nf.effect(turned, None, "rank_biserial").value == -1


def test_the_slides_by_name() -> None:
    d = [3, -1, 2, 2, 5, 0]
    result = wilcoxon(d, mode="slides", alternative="greater")
    # Ranks 4, 1, 2.5, 2.5, 5 of the five untied items: W = 13.
    z = (13 - 0.5) / math.sqrt(5 * 6 * 11 / 6)
    assert result.z_score == pytest.approx(z, rel=1e-14)
    assert result.p_value == pytest.approx(math.erfc(z / math.sqrt(2)) / 2, rel=1e-12)
    assert codes(result)[0] == "test.slides"
    mirrored = wilcoxon([-x for x in d], mode="slides", alternative="less")
    assert mirrored.p_value == pytest.approx(result.p_value, rel=1e-12)
    for options in ({"zeros": "pratt"}, {"continuity": True}):
        with pytest.raises(MethodError, match="one fixed formula"):
            wilcoxon(d, mode="slides", **options)


def test_continuity_without_the_normal_form_is_refused() -> None:
    with pytest.raises(MethodError, match="no continuity to correct for"):
        wilcoxon([1, 2, 3], continuity=True)


def test_a_disagreement_of_p_and_interval_under_ties_is_noted() -> None:
    d = [1] * 11 + [-1] * 2 + [0] * 37
    result = wilcoxon(d)
    assert result.p_value < 0.05
    assert result.interval is not None
    assert 0 in result.interval
    assert facts(result, "test.ties_in_walsh_interval") == {"n": 37}
    assert facts(wilcoxon(d, zeros="pratt"), "test.ties_apart") == {"exact": True}
    assert not wilcoxon(np.arange(1, 30)).notes


@pytest.mark.parametrize(
    ("d", "apart"), [([6, 7, 8, 9, 10, 11], 994), ([6, 7, 8], 997), ([-6, -7, -8, -9, -10, -11], 994)]
)
def test_an_interval_that_counts_ties_does_not_stand_beside_a_p_value_that_drops_them(d: list[int], apart: int) -> None:
    result = wilcoxon(d + [0] * apart)
    assert result.interval is not None
    assert (result.interval.low, result.interval.high) == (0, 0)
    assert result.p_value == pytest.approx(2.0 ** (1 - len(d)), rel=1e-12)
    assert "CI" not in str(result).split("\n\n")[0]
    assert "CI" not in test_report.long(result, (), "")
    assert "CI" in dict(test_report.figures(result))["interval"]
    assert facts(result, "test.ties_in_walsh_interval") == {"n": apart}


@pytest.mark.parametrize("alternative", SIDES)
def test_an_interval_of_two_items_is_not_told_beside_the_p_value(alternative: str) -> None:
    result = wilcoxon([0.1, 0.2], alternative=alternative)
    assert "95% CI" not in str(result).split("\n\n")[0]
    assert "too few items (2) for an interval of 95%" in " ".join(str(result).split())
    assert "interval.too_few" in codes(effect([0.1, 0.2], "hodges_lehmann"))


def test_r_is_signed_and_stays_below_one() -> None:
    assert effect([1, 2, 3], "wilcoxon_r").value == pytest.approx(0.9258200997725515, rel=1e-12)
    assert effect([-1, -2, -3], "wilcoxon_r").value < 0
    assert effect(np.arange(1, 5_000), "wilcoxon_r").value == pytest.approx(math.sqrt(3) / 2, rel=1e-3)
    assert codes(effect([1, 2, 3], "wilcoxon_r")) == ("effect.one_way",)


@given(d=tied)
@checks
def test_rank_biserial_is_the_mean_sign_of_all_pairs(d: list[int]) -> None:
    kept = [x for x in d if x]
    value = effect(d, "rank_biserial").value
    if not kept:
        assert math.isnan(value)
        return
    signs = [np.sign(x + y) for x, y in itertools.combinations_with_replacement(kept, 2)]
    assert value == pytest.approx(np.mean(signs), abs=1e-12)
    assert abs(value) <= 1
    assert (value == 1) == all(x > 0 for x in kept)
    every = [np.sign(x + y) for x, y in itertools.combinations_with_replacement(d, 2)]
    assert effect(d, "rank_biserial", zeros="pratt_total").value == pytest.approx(np.mean(every), abs=1e-12)
    interval = effect(d, "rank_biserial").interval
    if interval is not None:
        assert -1 < interval.low <= value <= interval.high < 1


def test_a_million_items() -> None:
    rng = np.random.default_rng(1)
    d = np.round(rng.normal(0.002, 1, 1_000_000), 3)
    result = wilcoxon(d, mode="normal")
    assert result.interval is not None
    assert result.interval.low < result.estimate < result.interval.high
    # The width of the interval for normal differences is 2 * 1.96 * sqrt(pi / 3 / n).
    assert result.interval.high - result.interval.low == pytest.approx(3.92 * math.sqrt(math.pi / 3e6), rel=0.02)
