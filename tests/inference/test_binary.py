"""0/1 scores: counts, McNemar, chi-square, odds ratios, probability of superiority."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import nofluke as nf
import nofluke.inference.effects.odds_ratio
import nofluke.inference.effects.probability_of_superiority
import nofluke.inference.tests.chi_square
import nofluke.inference.tests.mcnemar
import nofluke.inference.tests.tango
from nofluke.align import as_sample
from nofluke.align.counts import paired_counts, sample_from_counts, unpaired_counts
from nofluke.errors import InputError, MethodError
from nofluke.inference.intervals.paired_proportions import tango_interval
from nofluke.inference.intervals.proportions import clopper_pearson, mee_interval, most_likely, wilson
from nofluke.types import Aggregate, Sample
from support.figures import rows, samples
from support.notes import codes, facts
from support.quantities.binary import QUANTITIES, paired, unpaired
from support.thinned import in_turn

ALTERNATIVES = ("two-sided", "greater", "less")
MODES = ({"mode": "exact"}, {"mode": "midp"}, {"mode": "chi2"}, {"mode": "chi2", "continuity": True})
steady = settings(deadline=None, derandomize=True, max_examples=60)
small = st.integers(0, 12)
pairs = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=40)


def mcnemar(sample: Sample, **options: Any) -> nf.TestResult:
    return nf.test(sample, method="mcnemar", **options)


# ---------------------------------------------------------------- figures of others


def recorded() -> list[Any]:
    families = ("mcnemar", "binary", "paired_tests", "effect_sizes", "intervals", "bca", "decimal_pitfall")
    return [
        pytest.param(row, id=f"{family}-{number}-{row['case']}-{row['quantity']}")
        for family in families
        for number, row in enumerate(rows(family))
        if row["quantity"] in QUANTITIES and row["inputs"].get("arithmetic", "exact decimals") == "exact decimals"
    ]


@pytest.mark.parametrize("row", recorded())
def test_reference_figure(row: dict[str, Any]) -> None:
    sample = samples()[row["inputs"]["sample"]] if "sample" in row["inputs"] else {"a": [], "b": []}
    found = np.array(QUANTITIES[row["quantity"]].compute(row["inputs"], sample["a"], sample["b"]), dtype=float)
    expected = np.array(row["value"], dtype=float)
    allowed = row["tolerance"].get("abs", 0.0) + row["tolerance"].get("rel", 0.0) * np.abs(expected)
    assert np.all(np.abs(found - expected) <= allowed), f"{found} is not {expected} ({row['source']})"


def test_every_recorded_quantity_of_the_topic_is_checked() -> None:
    seen = {param.values[0]["quantity"] for param in recorded()}
    assert seen == set(QUANTITIES)
    assert {row["quantity"] for row in rows("mcnemar")} <= seen


@pytest.mark.parametrize(
    ("b", "c", "options", "p"),
    [
        (101, 59, {}, 0.0011229051962340462),  # SST-2: CNN against LSTM, 1,821 sentences
        (101, 59, {"mode": "chi2"}, 0.000898912788114091),
        (101, 59, {"mode": "chi2", "continuity": True}, 0.0011897145041076245),
        (134, 215, {}, 1.7050858047306348e-05),  # CoNLL-2003 tokens
        (436, 296, {}, 2.568477235326305e-07),  # CoNLL-2018 English PUD, LATTICE against HIT-SCIR
        (543, 473, {}, 0.03035875494876315),  # ICS-PAS against TurkuNLP
    ],
)
def test_real_data(b: int, c: int, options: dict[str, Any], p: float) -> None:
    assert mcnemar(sample_from_counts(1000, b, c, 500), **options).p_value == pytest.approx(p, rel=1e-9)


# ---------------------------------------------------------------- counts


@given(small, small, small, small)
@steady
def test_counts_come_back(both: int, only_a: int, only_b: int, neither: int) -> None:
    given_counts = (both, only_a, only_b, neither)
    if not sum(given_counts):
        return
    sample = sample_from_counts(*given_counts, names=("new", "old"))
    assert paired_counts(sample, "mcnemar") == given_counts
    assert sample.systems == ("new", "old")
    assert paired_counts(sample, "mcnemar").difference == (only_a - only_b) / sum(given_counts)
    assert unpaired_counts(sample, "chi_square") == (both + only_a, sample.n, both + only_b, sample.n)
    # Where lower is better, right is 0: both and neither change places, and so do only A and only B.
    lower = replace(sample, higher_is_better=False)
    assert paired_counts(lower, "mcnemar") == (neither, only_b, only_a, both)
    if only_a + only_b:
        assert mcnemar(lower, alternative="greater").p_value == mcnemar(sample, alternative="less").p_value


@pytest.mark.parametrize("value", [-1, 1.0, True, "3", None])
def test_a_count_is_a_whole_number(value: Any) -> None:
    with pytest.raises(InputError, match="only_b"):
        sample_from_counts(3, 2, value, 1)


def test_counts_of_nothing_or_too_much_are_refused() -> None:
    with pytest.raises(InputError, match="0 items"):
        sample_from_counts(0, 0, 0, 0)
    with pytest.raises(InputError, match="items in all"):
        sample_from_counts(10**9, 1, 0, 0)


def test_numpy_counts_and_large_counts() -> None:
    sample = sample_from_counts(np.int64(900_000), 60_000, 40_000, np.int64(0))
    assert mcnemar(sample, mode="chi2").statistic == pytest.approx(20_000**2 / 100_000, rel=1e-12)


@pytest.mark.parametrize("method", ["mcnemar", "tango", "chi_square"])
def test_other_scores_are_refused_with_the_place_and_the_alternative(method: str) -> None:
    with pytest.raises(MethodError) as error:
        nf.test([1, 0, 0.5, 1], [0, 0, 1, 1], method)
    assert error.value.where == "A[2]"
    assert "0.5 is neither" in error.value.message
    assert ("welch_t" if method == "chi_square" else "permutation") in error.value.advice()


def test_unpaired_scores_and_corpus_metrics_are_refused() -> None:
    with pytest.raises(MethodError) as error:
        mcnemar(as_sample([1, 0, 1], [0, 1], paired=False))
    assert "chi_square" in error.value.advice()
    sums = Aggregate("f1", lambda sums, n: sums[..., 0] / n, linear=False)
    with pytest.raises(MethodError, match="sums over all items"):
        mcnemar(replace(sample_from_counts(3, 2, 1, 4), aggregate=sums))


# ---------------------------------------------------------------- McNemar


def brute_force(b: int, c: int, mode: str) -> Fraction:
    n = b + c
    ways = [math.comb(n, k) for k in range(b, n + 1)]
    return Fraction(2 * sum(ways) - (ways[0] if mode == "midp" else 0), 2 ** (n + 1))


@pytest.mark.parametrize("mode", ["exact", "midp"])
def test_exact_and_midp_equal_enumeration(mode: str) -> None:
    for b, c in product(range(13), repeat=2):
        if b + c:
            sample = sample_from_counts(1, b, c, 2)
            greater, less = brute_force(b, c, mode), brute_force(c, b, mode)
            for alternative, p in (("greater", greater), ("less", less), ("two-sided", min(1, 2 * min(greater, less)))):
                found = mcnemar(sample, mode=mode, alternative=alternative)
                assert found.p_value == pytest.approx(float(p), rel=1e-12)
                assert found.statistic == b


@pytest.mark.parametrize("mode", ["exact", "midp"])
@pytest.mark.parametrize(("b", "c"), [(900, 10), (10, 900), (2000, 60), (1200, 0), (700, 640)])
def test_far_tails_in_logarithms(b: int, c: int, mode: str) -> None:
    exact = min(brute_force(b, c, mode), brute_force(c, b, mode)) * 2
    log_p = math.log(exact.numerator) - math.log(exact.denominator)
    found = mcnemar(sample_from_counts(5, b, c, 5), mode=mode)
    assert found.log_p_value == pytest.approx(min(0.0, log_p), rel=1e-12)
    assert found.p_value > 0


@given(pairs)
@steady
def test_exact_mcnemar_is_the_sign_test(scores: list[tuple[int, int]]) -> None:
    a, b = zip(*scores, strict=True)
    for alternative in ALTERNATIVES:
        ours, sign = (nf.test(a, b, method, alternative=alternative) for method in ("mcnemar", "sign"))
        assert (ours.p_value, ours.log_p_value, ours.statistic) == (sign.p_value, sign.log_p_value, sign.statistic)


@pytest.mark.parametrize("options", MODES, ids=str)
@given(pairs, st.randoms(use_true_random=False))
@steady
def test_swap_order_and_agreeing_items(options: dict[str, Any], scores: list[tuple[int, int]], random: Any) -> None:
    def run(items: list[tuple[int, int]], alternative: str) -> nf.TestResult:
        a, b = zip(*items, strict=True)
        return nf.test(a, b, "mcnemar", alternative=alternative, **options)

    swapped = [(b, a) for a, b in scores]
    shuffled = random.sample(scores, len(scores))
    results = {alternative: run(scores, alternative) for alternative in ALTERNATIVES}
    for alternative, mirrored in zip(ALTERNATIVES, ("two-sided", "less", "greater"), strict=True):
        result, mirror = results[alternative], run(swapped, mirrored)
        assert 0 < result.p_value <= 1
        assert result.p_value == mirror.p_value
        assert result.estimate == -mirror.estimate
        assert result.interval is not None
        assert mirror.interval is not None
        assert (result.interval.low, result.interval.high) == (-mirror.interval.high, -mirror.interval.low)
        assert run(shuffled, alternative) == result
        # Items on which both are right or both wrong change the interval, never the p-value.
        assert run([*scores, (0, 0), (1, 1)], alternative).p_value == result.p_value
    assert results["greater"].p_value + results["less"].p_value >= 1 - 1e-12
    both = min(1.0, 2 * min(results["greater"].p_value, results["less"].p_value))
    assert results["two-sided"].p_value == pytest.approx(both, rel=1e-12)


def test_continuity_is_clipped_and_belongs_to_chi2() -> None:
    even = mcnemar(sample_from_counts(4, 6, 6, 1), mode="chi2", continuity=True)
    assert (even.statistic, even.p_value) == (0.0, 1.0)
    one_sided = mcnemar(sample_from_counts(4, 9, 2, 1), mode="chi2", continuity=True, alternative="greater")
    assert one_sided.p_value == pytest.approx(stats.norm.sf(6 / math.sqrt(11)), rel=1e-12)
    with pytest.raises(MethodError, match="continuity"):
        mcnemar(sample_from_counts(4, 9, 2, 1), continuity=True)


@pytest.mark.parametrize("options", MODES, ids=str)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_identical_outputs_give_one(options: dict[str, Any], alternative: str) -> None:
    result = mcnemar(sample_from_counts(25, 0, 0, 5), alternative=alternative, **options)
    assert (result.p_value, result.log_p_value, result.estimate) == (1.0, 0.0, 0.0)
    assert codes(result)[-1] == "test.right_on_same_items"
    assert result.interval is not None
    assert 0 in result.interval


def test_a_margin_points_to_tango() -> None:
    with pytest.raises(MethodError) as error:
        nf.test([1, 0, 1], [0, 0, 1], "mcnemar", delta=0.1)
    assert "tango" in error.value.advice()


@pytest.mark.parametrize(("options", "level"), in_turn([*MODES], [0.8, 0.95, 0.99]), ids=str)
def test_interval_and_p_value_agree(options: dict[str, Any], level: float) -> None:
    drawn_out = 0
    for b, c, rest in product(range(0, 30, 2), range(0, 30, 3), (0, 7, 60)):
        if b + c + rest:
            for alternative in ALTERNATIVES:
                sample = sample_from_counts(rest, b, c, 0)
                result = mcnemar(sample, confidence_level=level, alternative=alternative, **options)
                assert result.interval is not None
                assert (0 not in result.interval) == (result.p_value <= 1 - level), (b, c, rest, alternative)
                assert -1 <= result.interval.low <= result.interval.high <= 1
                drawn_out += "interval.extended" in codes(result)
    assert bool(drawn_out) == (options["mode"] != "chi2")


def test_a_disagreement_that_cannot_be_drawn_out_is_noted() -> None:
    # Beyond p of about 5e-4 the binomial tail is the smaller one; only extreme levels get there.
    result = mcnemar(sample_from_counts(50, 12, 0, 0), confidence_level=1 - 5e-4)
    assert result.p_value < 5e-4
    assert result.interval is not None
    assert 0 in result.interval
    assert codes(result)[0] == "interval.contains_rejected"


def largest_size(n: int, options: dict[str, Any], alternative: str, alpha: float) -> float:
    """Largest rejection rate of equal accuracies over the rate of disagreement, all tables enumerated."""
    rejects = np.zeros(n + 1)
    for m in range(n + 1):
        for b in range(m + 1):
            if mcnemar(sample_from_counts(1, b, m - b, 0), alternative=alternative, **options).p_value <= alpha:
                rejects[m] += stats.binom.pmf(b, m, 0.5)
    rates = np.linspace(0, 1, 201)[:, None]
    return float((stats.binom.pmf(np.arange(n + 1), n, rates) @ rejects).max())


@pytest.mark.parametrize(("alternative", "alpha"), [("two-sided", 0.05), ("greater", 0.05), ("greater", 0.01)])
def test_size_by_enumeration(alternative: str, alpha: float) -> None:
    sizes = [largest_size(30, options, alternative, alpha) for options in MODES]
    exact, midp, chi2, corrected = sizes
    assert exact <= alpha
    assert corrected <= alpha * 1.05
    # Fagerland, Lydersen and Laake 2013: mid-p seldom and hardly above the level, chi-square a little above.
    assert alpha * 0.8 < midp < alpha * 1.15
    assert alpha * 0.95 < chi2 < alpha * 1.25


# ---------------------------------------------------------------- chi-square


tables = st.tuples(st.integers(1, 30), st.integers(1, 30), st.floats(0, 1), st.floats(0, 1)).map(
    lambda t: {"n_a": t[0], "n_b": t[1], "right_a": round(t[0] * t[2]), "right_b": round(t[1] * t[3])}
)


@given(tables, st.booleans())
@steady
def test_chi_square_is_pearsons(table: dict[str, int], continuity: bool) -> None:
    sample = unpaired(table)
    both = {x: nf.test(sample, method="chi_square", alternative=x, continuity=continuity) for x in ALTERNATIVES}
    result = both["two-sided"]
    wrong_a, wrong_b = table["n_a"] - table["right_a"], table["n_b"] - table["right_b"]
    if not (table["right_a"] + table["right_b"] and wrong_a + wrong_b):
        assert (result.statistic, result.p_value) == (0.0, 1.0)
        assert codes(result)[0] == "test.all_right_or_all_wrong"
        return
    cells = [[table["right_a"], wrong_a], [table["right_b"], wrong_b]]
    expected = stats.chi2_contingency(cells, correction=continuity)
    assert result.statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
    assert result.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert result.details["smallest_expected"] == pytest.approx(expected.expected_freq.min())
    assert ("test.few_expected" in codes(result)) == bool(expected.expected_freq.min() < 5)
    assert both["greater"].p_value + both["less"].p_value >= 1 - 1e-12
    assert result.p_value == pytest.approx(min(1, 2 * min(both["greater"].p_value, both["less"].p_value)), rel=1e-9)
    for level in (0.8, 0.95):
        for x in ALTERNATIVES:
            run = nf.test(sample, method="chi_square", alternative=x, continuity=continuity, confidence_level=level)
            assert run.interval is not None
            if abs(run.p_value - (1 - level)) > 1e-9:
                assert (0 not in run.interval) == (run.p_value <= 1 - level)


def test_mee_limits_solve_the_score_equation() -> None:
    from scipy.optimize import minimize_scalar

    for x1, n1, x2, n2 in [
        (5, 56, 0, 29),
        (0, 10, 0, 20),
        (9, 10, 3, 10),
        (56, 70, 48, 80),
        (30, 30, 1, 40),
        (7, 7, 5, 5),
    ]:
        interval = mee_interval(x1, n1, x2, n2, 0.025, 0.025, 0.95)
        for delta, z in ((interval.low, 1.959963984540054), (interval.high, -1.959963984540054)):
            if abs(delta) == 1:
                continue

            def unlikely(p2: float, delta: float = delta, x: tuple[int, ...] = (x1, n1, x2, n2)) -> float:
                p1, (x1, n1, x2, n2) = p2 + delta, x
                with np.errstate(divide="ignore", invalid="ignore"):
                    return -float(stats.binom.logpmf(x1, n1, p1) + stats.binom.logpmf(x2, n2, p2))

            low, high = max(0.0, -delta), min(1.0, 1.0 - delta)
            best = minimize_scalar(unlikely, bounds=(low, high), method="bounded", options={"xatol": 1e-12}).x
            ends = [low, high, best]
            p2 = min(ends, key=unlikely)
            assert most_likely(x1, n1, x2, n2, delta) == pytest.approx(p2, abs=1e-6)
            p1 = p2 + delta
            error = math.sqrt(p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2)
            assert (x1 / n1 - x2 / n2 - delta) / error == pytest.approx(z, abs=1e-5)


def test_chi_square_size_by_enumeration_and_paired_input() -> None:
    n, accuracies = 30, np.linspace(0.05, 0.95, 37)
    x = np.arange(n + 1)
    z = np.array(
        [
            [
                nf.test(unpaired({"n_a": n, "n_b": n, "right_a": a, "right_b": b}), method="chi_square").p_value
                for a in x
            ]
            for b in x[::1]
        ]
    )
    pmf = stats.binom.pmf(x, n, accuracies[:, None])
    sizes = np.einsum("ka,ba,kb->k", pmf, z <= 0.05, pmf)
    assert sizes.min() > 0.02
    assert sizes.max() < 0.062
    # What the note on small counts promises of mann_whitney.
    fisher = nf.test([1, 1, 1, 1, 0], [0, 0, 1, 0], "mann_whitney", mode="exact", alternative="greater")
    assert fisher.p_value == pytest.approx(
        stats.fisher_exact([[4, 1], [1, 3]], alternative="greater").pvalue, rel=1e-12
    )
    same = nf.test(sample_from_counts(30, 10, 5, 20), method="chi_square")
    assert facts(same, "test.pairing_ignored")["instead"] == "mcnemar"
    assert same.p_value == pytest.approx(stats.chi2_contingency([[40, 25], [35, 30]], correction=False).pvalue)


# ---------------------------------------------------------------- single proportions


@given(st.integers(1, 60), st.floats(0, 1), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
@steady
def test_single_proportions(n: int, share: float, level: float) -> None:
    k, error = round(n * share), (1 - level) / 2
    for construct, method in ((clopper_pearson, "exact"), (wilson, "wilson")):
        found = construct(k, n, error, error, level)
        theirs = stats.binomtest(k, n).proportion_ci(level, method=method)
        assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), rel=1e-9, abs=1e-12)
        one_sided = construct(k, n, error, 0.0, level)
        assert (one_sided.low, one_sided.high) == (found.low, 1.0)


# ---------------------------------------------------------------- effects


def test_odds_ratio_of_pairs() -> None:
    estimate = nf.effect(sample_from_counts(30, 9, 2, 9), name="odds_ratio")
    assert estimate.value == 4.5
    share = stats.binomtest(9, 11).proportion_ci(0.95)
    assert estimate.interval is not None
    assert estimate.interval.low == pytest.approx(share.low / (1 - share.low), rel=1e-12)
    assert estimate.interval.high == pytest.approx(share.high / (1 - share.high), rel=1e-12)
    for b, c in product(range(12), repeat=2):
        if b + c:
            sample = sample_from_counts(2, b, c, 3)
            found, swapped = (nf.effect(x, name="odds_ratio") for x in (sample, sample_from_counts(2, c, b, 3)))
            assert found.interval is not None
            assert swapped.interval is not None
            assert (1 not in found.interval) == (mcnemar(sample).p_value <= 0.05)
            assert found.value == (b / c if c else math.inf)
            assert bool(found.notes) == (b == 0 or c == 0)
            if b and c:
                assert found.interval.low == pytest.approx(1 / swapped.interval.high, rel=1e-12)


def test_odds_ratio_without_disagreement_or_spread() -> None:
    same = nf.effect(sample_from_counts(5, 0, 0, 5), name="odds_ratio")
    assert math.isnan(same.value)
    assert same.interval is None
    assert codes(same) == ("effect.odds_same_items",)
    marginal = nf.effect(sample_from_counts(5, 0, 0, 5), name="odds_ratio", form="unpaired")
    assert (marginal.value, marginal.interval) == (1.0, None)
    for counts, value in (((6, 4, 0, 0), math.inf), ((0, 0, 4, 6), 0.0), ((6, 0, 0, 0), math.nan)):
        found = nf.effect(sample_from_counts(*counts), name="odds_ratio", form="unpaired")
        assert found.value == pytest.approx(value, nan_ok=True)
        assert found.interval is None
        assert found.notes


def test_marginal_odds_ratio_of_pairs_allows_for_the_pairing() -> None:
    # Independent answers: the paired interval is the one of two samples; answers in step make it narrower.
    independent = nf.effect(sample_from_counts(24, 16, 36, 24), name="odds_ratio", form="unpaired")
    apart = nf.effect(
        unpaired({"n_a": 100, "right_a": 40, "n_b": 100, "right_b": 60}), name="odds_ratio", form="unpaired"
    )
    in_step = nf.effect(sample_from_counts(38, 2, 22, 38), name="odds_ratio", form="unpaired")
    assert independent.interval is not None
    assert apart.interval is not None
    assert in_step.interval is not None
    assert (independent.interval.low, independent.interval.high) == pytest.approx(
        (apart.interval.low, apart.interval.high)
    )
    assert in_step.value == pytest.approx(apart.value)
    assert in_step.interval.high / in_step.interval.low < apart.interval.high / apart.interval.low / 1.4
    # The bootstrap of the log odds ratio has the same spread.
    rng = np.random.default_rng(7)
    draws = rng.multinomial(1000, [0.38, 0.02, 0.22, 0.38], size=4000) / 1000
    a, b = draws[:, 0] + draws[:, 1], draws[:, 0] + draws[:, 2]
    spread = float(np.std(np.log(a / (1 - a)) - np.log(b / (1 - b)))) * math.sqrt(10)
    width = math.log(in_step.interval.high / in_step.interval.low) / 2 / 1.959963984540054
    assert width == pytest.approx(spread, rel=0.05)


@pytest.mark.parametrize("counts", [(38, 2, 22, 38), (24, 16, 36, 24), (5, 40, 45, 10), (300, 20, 31, 149)])
def test_marginal_odds_ratio_of_two_sequences_allows_for_the_pairing_too(counts: tuple[int, int, int, int]) -> None:
    sample = sample_from_counts(*counts)
    a, b = sample.scores(0), sample.scores(1)
    found = nf.effect(a, b, "odds_ratio", form="unpaired")
    assert found.interval is not None
    assert found.interval == nf.effect(sample, name="odds_ratio", form="unpaired").interval
    # The jackknife knows no formula: leave out every item once.
    n, log_odds = len(a), lambda right, total: np.log(right / (total - right))
    left_out = log_odds(a.sum() - a, n - 1) - log_odds(b.sum() - b, n - 1)
    error = math.sqrt((n - 1) / n * float(np.sum((left_out - left_out.mean()) ** 2)))
    width = math.log(found.interval.high / found.interval.low) / 2 / 1.959963984540054
    assert width == pytest.approx(error, rel=1.5 / n)
    # Groups of other sizes have nothing in common: Woolf's interval.
    groups = nf.effect(a[1:], b, "odds_ratio", form="unpaired")
    assert groups.interval is not None
    cells = (a[1:].sum(), n - 1 - a[1:].sum(), b.sum(), n - b.sum())
    woolf = math.sqrt(sum(1 / float(cell) for cell in cells))
    assert math.log(groups.interval.high / groups.interval.low) / 2 / 1.959963984540054 == pytest.approx(woolf)


grid_scores = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=25)


@given(grid_scores)
@steady
def test_probability_of_superiority(scores: list[tuple[int, int]]) -> None:
    a, b = (np.array(column) / 10 for column in zip(*scores, strict=True))
    found, swapped = nf.effect(a, b, "probability_of_superiority"), nf.effect(b, a, "probability_of_superiority")
    by_hand = np.mean([0.5 if x == y else float(x > y) for x, y in scores])
    assert found.value == pytest.approx(by_hand, rel=1e-12)
    assert found.value + swapped.value == pytest.approx(1)
    assert found.interval is not None
    assert swapped.interval is not None
    assert found.interval.low == pytest.approx(1 - swapped.interval.high)
    assert 0 <= found.interval.low <= found.value <= found.interval.high <= 1
    assert nf.effect(np.exp(a), np.exp(b), "probability_of_superiority").value == pytest.approx(found.value)
    wins, losses = sum(x > y for x, y in scores), sum(x < y for x, y in scores)
    limits = tango_interval(wins, losses, len(scores), 0.025, 0.025, 0.95)
    assert found.interval.high == pytest.approx((1 + limits.high) / 2)


def test_superiority_decides_ties_on_decimals_and_has_no_interval_with_clusters() -> None:
    # 0.3 - 0.1 and 0.2 are the same number to a reader, not to binary64.
    a, b = [0.3 - 0.1, 0.5], [0.2, 0.4]
    assert nf.effect(a, b, "probability_of_superiority").value == 0.75
    assert nf.effect(a, b, "probability_of_superiority", snap=False).value == 0.5
    for name in ("probability_of_superiority", "odds_ratio"):
        clustered = nf.effect(as_sample([1, 1, 0, 1], [0, 1, 1, 0], clusters=["x", "x", "y", "y"]), name=name)
        assert clustered.interval is None
        assert codes(clustered)[-1] == "effect.clusters"


def test_paired_helper_reads_the_reference_layout() -> None:
    assert paired_counts(paired({"n11": 1, "n10": 2, "n01": 3, "n00": 4}), "mcnemar") == (1, 2, 3, 4)
