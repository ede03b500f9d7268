"""The unpaired and corrected t-tests, limits of the noncentral t, and standardised and dominance effects."""

from __future__ import annotations

import itertools
import json
import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

import nofluke as nf
import nofluke.inference.effects.cohens_d
import nofluke.inference.effects.dominance
import nofluke.inference.effects.hedges_g
import nofluke.inference.effects.mean_difference
import nofluke.inference.tests.corrected_resampled_t
import nofluke.inference.tests.mann_whitney
import nofluke.inference.tests.student_t
import nofluke.inference.tests.welch_t
from nofluke.align import as_sample
from nofluke.errors import InputError, MethodError
from nofluke.inference.effects.cohens_d import noncentral_t_interval
from nofluke.inference.effects.dominance import dominance, dominance_limits, separated_limit
from nofluke.inference.effects.interpret import RULES, interpret
from nofluke.laws.noncentral_t import noncentral_t_cdf, noncentral_t_sf
from nofluke.registry import EFFECTS, TESTS
from support.notes import codes, facts
from support.quantities.standardised import LEFT_OUT, QUANTITIES

FOLDER = Path(__file__).parent.parent / "reference"
SAMPLES = json.loads((FOLDER / "samples.json").read_text(encoding="utf-8"))
FAMILIES = (
    *("paired_tests", "effect_sizes", "intervals", "bca", "mcnemar", "decimal_pitfall"),
    *("mann_whitney", "corrected_resampled_t", "mean_difference"),
)
SIDES = ("two-sided", "greater", "less")
FORMS = ("z", "av", "rm", "pooled")
fast = settings(deadline=None, derandomize=True, max_examples=60)
scores = st.integers(0, 8).map(lambda k: k / 10)
groups = st.tuples(*[st.lists(scores, min_size=2, max_size=8)] * 2)
pairs = st.lists(st.tuples(scores, scores), min_size=3, max_size=10).map(
    lambda rows: tuple(map(list, zip(*rows, strict=True)))
)


def inside_binomial_bounds(hits: int, reps: int, rate: float) -> bool:
    """Whether the exact 99.9% interval of the observed rate contains the nominal one."""
    low, high = stats.binomtest(hits, reps).proportion_ci(0.999)
    return bool(low <= rate <= high)


def close(found: float, expected: float, rel: float = 1e-9) -> bool:
    return found == expected or abs(found - expected) <= rel * abs(expected) + 1e-12


# Reference figures


def recorded() -> list[Any]:
    return [
        pytest.param(row, id=f"{family}-{number}-{row['case']}-{row['quantity']}")
        for family in FAMILIES
        for number, row in enumerate(json.loads((FOLDER / f"{family}.json").read_text(encoding="utf-8")))
        if row["quantity"] in QUANTITIES
    ]


def found_and_expected(row: dict[str, Any]) -> tuple[Any, Any]:
    sample = SAMPLES[row["inputs"]["sample"]] if "sample" in row["inputs"] else {"a": [], "b": []}
    found = QUANTITIES[row["quantity"]].compute(row["inputs"], sample["a"], sample["b"])
    return np.array(found, dtype=float), np.array(row["value"], dtype=float)


@pytest.mark.parametrize("row", recorded())
def test_reference_figure(row: dict[str, Any]) -> None:
    found, expected = found_and_expected(row)
    tolerance = row["tolerance"].get("abs", 0.0) + row["tolerance"].get("rel", 0.0) * np.abs(expected)
    if row["quantity"] == "cohen_d_z.noncentral_t_ci95" and row["inputs"].get("arithmetic") == "binary64 differences":
        # The source (effectsize) finds limits by optimisation, good to 1e-6 only, as the row itself notes.
        assert row["source"].startswith("effectsize")
        tolerance = 1e-6 * np.abs(expected)
    with np.errstate(invalid="ignore"):
        same = (found == expected) | (np.abs(found - expected) <= tolerance)
    assert same.all(), f"{found} is not {expected} ({row['source']})"


def test_nothing_of_this_topic_is_left_out_silently() -> None:
    ours = ("student_t", "welch_t", "cohen_d", "hedges_g", "cliffs_delta", "vargha", "cles")
    for family in FAMILIES:
        for row in json.loads((FOLDER / f"{family}.json").read_text(encoding="utf-8")):
            if row["quantity"].startswith(ours):
                assert row["quantity"] in {**QUANTITIES, **LEFT_OUT}


# Unpaired t-tests


@fast
@given(groups, st.sampled_from(["student_t", "welch_t"]), st.sampled_from(SIDES))
def test_t_is_scipys_for_groups_of_any_length(pair: tuple[list[float], list[float]], method: str, side: str) -> None:
    a, b = pair
    ours = nf.test(a, b, method, alternative=side)
    if len(set(a)) == len(set(b)) == 1:
        assert math.isnan(ours.p_value) or (a[0] == b[0] and ours.p_value == 1.0)
        return
    with warnings.catch_warnings():
        # SciPy warns of lost digits when one group is constant.
        warnings.simplefilter("ignore", RuntimeWarning)
        theirs = stats.ttest_ind(a, b, equal_var=method == "student_t", alternative=side)
    interval = theirs.confidence_interval(0.95)
    assert close(ours.statistic, theirs.statistic)
    assert close(ours.p_value, theirs.pvalue)
    assert close(ours.details["df"], theirs.df)
    assert ours.interval is not None
    assert close(ours.interval.low, interval.low)
    assert close(ours.interval.high, interval.high)
    assert ours.n == len(a) + len(b)


@fast
@given(groups, st.sampled_from(["student_t", "welch_t"]))
def test_t_invariants(pair: tuple[list[float], list[float]], method: str) -> None:
    a, b = pair
    if len(set(a)) == 1 or len(set(b)) == 1:
        return

    def p(first: list[float], second: list[float], side: str, delta: float = 0.0) -> float:
        return nf.test(first, second, method, alternative=side, delta=delta).p_value

    greater, less, both = (p(a, b, side) for side in ("greater", "less", "two-sided"))
    assert 0 < both <= 1
    assert greater + less == pytest.approx(1, abs=1e-12)
    assert p(b, a, "two-sided") == pytest.approx(both, rel=1e-12)
    assert p(b, a, "greater") == pytest.approx(less, rel=1e-12)
    assert p(sorted(a), sorted(b), "greater") == pytest.approx(greater, rel=1e-12)
    assert p([x + 0.25 for x in a], [y + 0.25 for y in b], "less") == pytest.approx(less, rel=1e-9)
    assert p([4 * x for x in a], [4 * y for y in b], "less") == pytest.approx(less, rel=1e-12)
    assert p([x + 0.5 for x in a], b, "greater", delta=0.5) == pytest.approx(greater, rel=1e-9)
    # The interval ends where the test begins to reject.
    for side, level in itertools.product(SIDES, (0.9, 0.99)):
        interval = nf.test(a, b, method, alternative=side, confidence_level=level).interval
        assert interval is not None
        for limit in (interval.low, interval.high):
            if math.isfinite(limit):
                assert p(a, b, side, limit) == pytest.approx(1 - level, rel=1e-8)


def test_scores_of_the_same_items_are_pointed_to_the_paired_test() -> None:
    alike = nf.test([1, 2, 4], [1, 3, 3], "welch_t")
    assert facts(alike, "test.pairing_unknown")["instead"] == "paired_t"
    assert not nf.test([1, 2, 4], [1, 3], "welch_t").notes
    paired = TESTS["student_t"].function(as_sample([1, 2, 4], [1, 3, 3]))
    assert "test.pairing_ignored" in codes(paired)
    assert paired.p_value == nf.test([1, 2, 4], [1, 3, 3], "student_t").p_value


def test_lower_is_better_turns_t_round() -> None:
    for method in ("student_t", "welch_t"):
        errors = as_sample([0.2, 0.4, 0.1], [0.3, 0.5, 0.9, 0.7], paired=False, higher_is_better=False)
        result = TESTS[method].function(errors, alternative="greater")
        mirrored = nf.test([0.3, 0.5, 0.9, 0.7], [0.2, 0.4, 0.1], method, alternative="greater")
        assert (result.statistic, result.p_value) == (mirrored.statistic, mirrored.p_value)
        assert result.estimate > 0


def test_small_and_constant_groups() -> None:
    with pytest.raises(MethodError, match="3 scores"):
        nf.test([1.0], [2.0], "student_t")
    with pytest.raises(MethodError, match="student_t"):
        nf.test([1.0], [2.0, 3.0], "welch_t")
    single = nf.test([5.0], [2.0, 3.0, 4.0], "student_t")
    assert single.statistic == pytest.approx(2 / math.sqrt(1 + 1 / 3))
    assert single.details["df"] == 2
    assert "test.single_score" in codes(single)
    for method in ("student_t", "welch_t"):
        assert nf.test([0.3] * 3, [0.1 + 0.2] * 4, method).p_value == 1.0
        assert nf.test([0.3] * 3, [0.1] * 4, method, delta=0.2).p_value == 1.0
        apart = nf.test([0.3] * 3, [0.1] * 4, method)
        assert math.isnan(apart.p_value)
        assert math.isnan(apart.log_p_value)
        assert apart.interval is None
        assert facts(apart, "test.no_spread")["instead"] == ("mann_whitney",)
    one_sided = nf.test([0.3] * 3, [0.1, 0.2, 0.4], "welch_t")
    assert one_sided.details["df"] == 2


def test_no_digit_is_lost_far_from_zero() -> None:
    # NIST NumAcc4: 10000000.2 then 500 pairs of (.1, .3); mean 10000000.2, sd exactly 0.1.
    a = [10000000.2, *[10000000.1, 10000000.3] * 500]
    b = [x - 10000000 for x in (10000000.2, *[10000000.1, 10000000.3] * 500)]
    result = nf.test(a, [round(x, 1) for x in b], "welch_t", delta=10000000)
    assert result.details["standard_error"] == pytest.approx(0.1 * math.sqrt(2 / 1001), rel=1e-14)
    assert result.estimate == 10000000.0
    assert result.p_value == 1.0


def test_tails_of_t_are_right_where_they_are_tiny() -> None:
    a, b = [x / 100 + 5 for x in range(50)], [x / 100 for x in range(40)]
    ours = nf.test(a, b, "student_t", alternative="greater")
    assert ours.p_value < 1e-60
    assert ours.log_p_value == pytest.approx(stats.t.logsf(ours.statistic, 88), rel=1e-9)


@pytest.mark.slow
def test_size_of_welch_and_student_at_unequal_variances() -> None:
    rng, reps = np.random.default_rng(11), 4_000
    rejected = {"welch_t": 0, "student_t": 0}
    for _ in range(reps):
        a, b = rng.normal(0, 3, 8).round(6), rng.normal(0, 1, 24).round(6)
        for method in rejected:
            rejected[method] += nf.test(a, b, method).p_value <= 0.05
    assert inside_binomial_bounds(rejected["welch_t"], reps, 0.05), rejected
    # The reason why Welch's is the one to take: the small group spreads more, and Student's rejects far too often.
    assert rejected["student_t"] / reps > 0.15


# Corrected resampled t


@fast
@given(pairs, st.sampled_from([0.05, 0.1, 0.5]))
def test_corrected_t_shrinks_the_paired_t_by_a_known_factor(pair: tuple[list[float], list[float]], rho: float) -> None:
    a, b = pair
    plain, corrected = nf.test(a, b, "paired_t"), nf.test(a, b, "corrected_resampled_t", rho=rho)
    none = nf.test(a, b, "corrected_resampled_t", rho=0.0)
    if math.isnan(plain.statistic):
        assert math.isnan(corrected.statistic)
        assert corrected.p_value == plain.p_value or math.isnan(plain.p_value)
        return
    assert close(none.p_value, plain.p_value)
    # Nadeau and Bengio 2003: t / t_corrected = sqrt(1 + n rho / (1 - rho)).
    assert close(corrected.statistic * math.sqrt(1 + len(a) * rho / (1 - rho)), plain.statistic)
    assert corrected.interval is not None
    assert close(nf.test(a, b, "corrected_resampled_t", rho=rho, delta=corrected.interval.low).p_value, 0.05, 1e-8)


def test_corrected_t_holds_its_level_where_splits_correlate_by_rho() -> None:
    rng, reps, n, rho = np.random.default_rng(3), 1_500, 10, 0.1
    rejected = {"paired_t": 0, "corrected_resampled_t": 0}
    for _ in range(reps):
        d = math.sqrt(1 - rho) * rng.normal(size=n) + math.sqrt(rho) * rng.normal()
        rejected["paired_t"] += nf.test(d.round(6), np.zeros(n), "paired_t").p_value <= 0.05
        rejected["corrected_resampled_t"] += (
            nf.test(d.round(6), np.zeros(n), "corrected_resampled_t", rho=rho).p_value <= 0.05
        )
    assert inside_binomial_bounds(rejected["corrected_resampled_t"], reps, 0.05), rejected
    assert rejected["paired_t"] / reps > 0.1


def test_corrected_t_does_not_guess_the_test_share() -> None:
    with pytest.raises(MethodError, match=r"0\.1 for 10-fold"):
        nf.test([1, 2, 3], [1, 1, 1], "corrected_resampled_t")
    for rho in (1.0, -0.1, math.nan):
        with pytest.raises(InputError, match="rho"):
            nf.test([1, 2, 3], [1, 1, 1], "corrected_resampled_t", rho=rho)
    with pytest.raises(MethodError, match="2 splits"):
        nf.test([1], [2], "corrected_resampled_t", rho=0.1)


# Limits of the noncentral t


@pytest.mark.parametrize(("t", "df"), [(0.0, 4), (2.3, 9), (-8.0, 30), (60.0, 499), (3.0, 1), (900.0, 1e5), (1e12, 9)])
def test_the_limits_put_the_observed_t_at_the_level(t: float, df: float) -> None:
    interval = noncentral_t_interval(t, df, 0.025, 0.025, 0.95)
    assert noncentral_t_sf(t, df, interval.low) == pytest.approx(0.025, rel=1e-8)
    assert noncentral_t_cdf(t, df, interval.high) == pytest.approx(0.025, rel=1e-8)
    mirrored = noncentral_t_interval(-t, df, 0.025, 0.025, 0.95)
    assert (-mirrored.high, -mirrored.low) == pytest.approx((interval.low, interval.high), rel=1e-8, abs=1e-8)
    assert noncentral_t_interval(t, df, 0.05, 0.0, 0.95).high == math.inf


# Mean and standardised differences


@fast
@given(pairs)
def test_mean_difference_is_the_paired_t_tests(pair: tuple[list[float], list[float]]) -> None:
    a, b = pair
    found, test = (
        nf.effect(a, b, "mean_difference", confidence_level=0.9),
        nf.test(a, b, "paired_t", confidence_level=0.9),
    )
    assert close(found.value, test.estimate)
    if test.interval is None:
        assert found.interval is None
        assert found.notes
    else:
        assert found.interval is not None
        assert close(found.interval.low, test.interval.low)
        assert close(found.interval.high, test.interval.high)
        assert close(found.standard_error, test.details["standard_error"])


@fast
@given(pairs, st.sampled_from(FORMS))
def test_d_changes_sign_when_systems_swap_and_ignores_the_unit(
    pair: tuple[list[float], list[float]], form: str
) -> None:
    a, b = pair
    d = nf.effect(a, b, "cohens_d", form=form)
    swapped = nf.effect(b, a, "cohens_d", form=form)
    scaled = nf.effect([4 * x for x in a], [4 * y for y in b], "cohens_d", form=form)
    if math.isnan(d.value):
        assert math.isnan(swapped.value)
        assert d.notes
        return
    assert swapped.value == -d.value
    assert scaled.value == pytest.approx(d.value, rel=1e-12)
    if d.interval is None:
        assert "effect.equal_differences" in codes(d)
        return
    assert swapped.interval is not None
    assert scaled.interval is not None
    assert (-swapped.interval.high, -swapped.interval.low) == pytest.approx(
        (d.interval.low, d.interval.high), rel=1e-7, abs=1e-9
    )
    assert scaled.interval.low == pytest.approx(d.interval.low, rel=1e-7, abs=1e-9)
    assert d.interval.low <= d.value <= d.interval.high


@fast
@given(pairs)
def test_d_z_and_its_interval_agree_with_the_t_test(pair: tuple[list[float], list[float]]) -> None:
    a, b = pair
    test, d = nf.test(a, b, "paired_t"), nf.effect(a, b, "cohens_d")
    if d.interval is None:
        return
    assert close(d.value * math.sqrt(len(a)), test.statistic)
    # ncp = 0 is Student's t: 0 lies outside exactly when the two-sided test rejects at 5%.
    if abs(test.p_value - 0.05) > 1e-9:
        assert (0 in d.interval) == (test.p_value > 0.05)


def test_lower_is_better_turns_effects_round() -> None:
    a, b = [0.2, 0.4, 0.1, 0.3], [0.3, 0.5, 0.9, 0.7]
    for name in ("mean_difference", "cohens_d", "hedges_g", "cliffs_delta", "a12"):
        method = EFFECTS[name]
        sample = as_sample(a, b, paired=method.facts["needs"] != "unpaired", higher_is_better=False)
        assert method.function(sample).value == nf.effect(b, a, name).value > method.facts["null"]


@pytest.mark.slow
@pytest.mark.parametrize(("form", "n", "true"), [("z", 10, 0.8), ("z", 25, 0.0)])
def test_coverage_of_the_noncentral_t_interval(form: str, n: int, true: float) -> None:
    rng, reps = np.random.default_rng(n), 400
    covered = 0
    for _ in range(reps):
        interval = nf.effect(rng.normal(true, 1, n).round(6), np.zeros(n), "cohens_d", form=form).interval
        assert interval is not None
        covered += true in interval
    assert inside_binomial_bounds(covered, reps, 0.95), covered / reps


@pytest.mark.slow
@pytest.mark.parametrize("form", ["av", "pooled", "rm"])
@pytest.mark.parametrize(("sd_b", "r"), [(1.0, 0.7), (2.0, 0.3)])
def test_coverage_of_the_delta_method_interval(form: str, sd_b: float, r: float) -> None:
    rng, reps, n, gap = np.random.default_rng(8), 1_500, 40, 0.6
    spread = {"av": (1 + sd_b) / 2, "pooled": math.sqrt((1 + sd_b**2) / 2)}
    spread["rm"] = math.sqrt((1 + sd_b**2 - 2 * r * sd_b) / (2 * (1 - r)))
    covered = 0
    for _ in range(reps):
        x, y = rng.normal(size=n), rng.normal(size=n)
        a, b = gap + x, sd_b * (r * x + math.sqrt(1 - r * r) * y)
        interval = nf.effect(a.round(6), b.round(6), "cohens_d", form=form).interval
        assert interval is not None
        covered += gap / spread[form] in interval
    # Approximate: Bonett 2008 finds .93 to .96 at this size.
    assert 0.93 <= covered / reps <= 0.965, covered / reps


@pytest.mark.slow
def test_standard_error_of_d_is_the_spread_of_d() -> None:
    rng, reps, n = np.random.default_rng(4), 500, 60
    found: dict[str, list[float]] = {form: [] for form in FORMS}
    stated: dict[str, list[float]] = {form: [] for form in FORMS}
    for _ in range(reps):
        x, y = rng.normal(size=n), rng.normal(size=n)
        for form in FORMS:
            estimate = nf.effect((0.8 + x).round(6), (0.6 * x + 0.9 * y).round(6), "cohens_d", form=form)
            found[form].append(estimate.value)
            stated[form].append(estimate.standard_error)
    for form in FORMS:
        # The standard deviation of 500 values is known to 3%, and the error is a large-sample one.
        assert np.std(found[form]) == pytest.approx(np.mean(stated[form]), rel=0.08), form


def test_degenerate_standardised_effects_are_nan_with_the_reason() -> None:
    same, shifted = SAMPLES["s09_n15_identical"], SAMPLES["s10_n10_constdiff"]
    assert nf.effect(same["a"], same["b"], "mean_difference").value == 0.0
    for form in FORMS:
        identical = nf.effect(same["a"], same["b"], "cohens_d", form=form)
        assert math.isnan(identical.value)
        assert codes(identical) == ("effect.identical_undefined",)
    for form, defined in (("z", False), ("rm", False), ("av", True), ("pooled", True)):
        constant = nf.effect(shifted["a"], shifted["b"], "cohens_d", form=form)
        assert math.isfinite(constant.value) == defined
        assert constant.interval is None
        assert constant.notes
    for form in ("exact", "approximate", "zhu2020"):
        constant = nf.effect(shifted["a"], shifted["b"], "hedges_g", form=form)
        assert math.isnan(constant.value)
        assert facts(constant, "effect.equal_differences_undefined")["symbol"] == "g"
    assert nf.effect(shifted["a"], shifted["b"], "mean_difference").value == 0.5
    assert math.isnan(nf.effect([1], [2], "cohens_d").value)
    single = nf.effect([1], [2], "mean_difference")
    assert (single.value, single.interval) == (-1.0, None)
    assert math.isnan(nf.effect([1, 1, 1], [0, 2, 1], "cohens_d", form="rm").value)
    assert nf.effect([1, 1, 1], [0, 2, 0], "cohens_d", form="av").value == pytest.approx((1 / 3) / math.sqrt(1 / 3))


def test_clusters_get_no_interval() -> None:
    a, b = [0.1, 0.4, 0.3, 0.9], [0.2, 0.3, 0.1, 0.4]
    clustered = as_sample(a, b, clusters=["x", "x", "y", "y"])
    for name in ("mean_difference", "cohens_d", "hedges_g", "cliffs_delta", "a12"):
        found = EFFECTS[name].function(clustered)
        assert found.value == pytest.approx(nf.effect(a, b, name).value)
        assert found.interval is None
        assert math.isnan(found.standard_error)
        assert "effect.clusters" in codes(found)


# Hedges' g


def test_the_exact_factor_lies_below_one_and_rises() -> None:
    previous = 0.0
    for n in (3, 4, 5, 10, 50, 100, 101, 102, 103, 104, 1000):
        values = np.arange(n) % 7 + np.arange(n) / n
        d, g = (nf.effect(values, np.zeros(n), name).value for name in ("cohens_d", "hedges_g"))
        factor = g / d
        exact = math.exp(math.lgamma((n - 1) / 2) - math.lgamma((n - 2) / 2)) / math.sqrt((n - 1) / 2)
        assert factor == pytest.approx(exact, rel=1e-11)
        assert previous < factor < 1
        previous = factor


def test_forms_of_g_say_what_they_are() -> None:
    a, b = [0.5, 0.9, 0.4], [0.2, 0.1, 0.3]
    printed = nf.effect(a, b, "hedges_g", form="zhu2020")
    assert printed.value == 0
    assert printed.interval is None
    assert "effect.zhu2020" in codes(printed)
    assert math.isnan(nf.effect(a[:2], b[:2], "hedges_g").value)
    two = nf.effect(a[:2], b[:2], "cohens_d").value
    assert nf.effect(a[:2], b[:2], "hedges_g", form="zhu2020").value == pytest.approx(4 * two)
    d, g = nf.effect(a, b, "cohens_d"), nf.effect(a, b, "hedges_g")
    assert d.interval is not None
    assert g.interval is not None
    assert g.interval.low / d.interval.low == pytest.approx(g.value / d.value)


def test_g_is_unbiased_where_d_is_not() -> None:
    rng, reps, n, true = np.random.default_rng(21), 3_000, 6, 1.0
    values = rng.normal(true, 1, (reps, n)).round(6)
    g = np.array([nf.effect(row, np.zeros(n), "hedges_g", form="exact").value for row in values[:400]])
    d = values.mean(axis=1) / values.std(axis=1, ddof=1)
    assert abs(g.mean() - true) < 3.3 * g.std() / math.sqrt(len(g))
    assert d.mean() - true > 3.3 * d.std() / math.sqrt(reps)


# Cliff's delta and A12


@fast
@given(groups)
def test_dominance_by_all_pairs(pair: tuple[list[float], list[float]]) -> None:
    a, b = pair
    matrix = np.sign(np.subtract.outer(np.rint(np.array(a) * 10), np.rint(np.array(b) * 10)))
    delta, n_a, n_b = matrix.mean(), len(a), len(b)
    found = dominance(as_sample(a, b, paired=False), snap=True)
    assert close(found.delta, delta)
    of_rows, of_columns = matrix.mean(axis=1).var(ddof=1), matrix.mean(axis=0).var(ddof=1)
    of_pairs = np.sum((matrix - delta) ** 2) / ((n_a - 1) * (n_b - 1))
    assert close(found.variance, ((n_b - 1) * of_rows + (n_a - 1) * of_columns + of_pairs) / (n_a * n_b))
    cliff, share = nf.effect(a, b, "cliffs_delta"), nf.effect(a, b, "a12")
    assert share.value == pytest.approx((1 + cliff.value) / 2)
    assert share.value == pytest.approx(nf.test(a, b, "mann_whitney").statistic / (n_a * n_b))
    assert nf.effect(b, a, "cliffs_delta").value == -cliff.value
    # Any rising map leaves it as it is.
    assert nf.effect([x**2 for x in a], [y**2 for y in b], "cliffs_delta").value == cliff.value
    if cliff.interval is not None:
        assert -1 <= cliff.interval.low <= cliff.value <= cliff.interval.high <= 1
        assert cliff.interval.low < cliff.interval.high
        assert share.interval is not None
        assert share.interval.low == pytest.approx((1 + cliff.interval.low) / 2)


def test_cliffs_limits_are_the_published_ones() -> None:
    # Hogarty and Kromrey 1999; effsize (use.unbiased=F, use.normal=T) prints -0.7125351 and 0.3639999.
    a, b = [10, 10, 20, 20, 20, 30, 30, 30, 40, 50], [10, 20, 30, 40, 40, 50]
    found = dominance(as_sample(a, b, paired=False), snap=True)
    assert found.delta == -0.25
    assert dominance_limits(found.delta, found.variance, float(special.ndtri(0.975))) == pytest.approx(
        (-0.7125351, 0.3639999), abs=5e-8
    )
    interval = nf.effect(a, b, "cliffs_delta").interval
    assert interval is not None
    assert interval.low < -0.7125351  # t, not normal


def test_complete_separation_still_has_a_bound() -> None:
    a, b = list(range(10, 18)), list(range(6))
    delta, share = nf.effect(a, b, "cliffs_delta"), nf.effect(a, b, "a12")
    assert delta.interval is not None
    assert share.interval is not None
    assert (delta.value, delta.interval.high, delta.interval.method) == (1.0, 1.0, "Newcombe")
    assert 0 < delta.interval.low < 1
    assert share.interval.low == pytest.approx((1 + delta.interval.low) / 2)
    theta, size, z = share.interval.low, 7, 1.959963984540054
    shape = 1 + (size - 1) * ((1 - theta) / (2 - theta) + theta / (1 + theta))
    assert z * math.sqrt(theta * (1 - theta) * shape / 48) == pytest.approx(1 - theta)
    mirrored = nf.effect(b, a, "cliffs_delta").interval
    assert mirrored is not None
    assert (mirrored.low, mirrored.high) == (-1.0, -delta.interval.low)
    assert separated_limit(50, 50, 0.025) > separated_limit(5, 5, 0.025)
    assert math.isnan(delta.standard_error)


def test_dominance_without_spread() -> None:
    assert nf.effect([1, 1], [1, 1, 1], "cliffs_delta").interval is None
    assert nf.effect([1, 1], [1, 1, 1], "a12").value == 0.5
    single = nf.effect([2], [1, 3], "cliffs_delta")
    assert (single.value, single.interval) == (0.0, None)
    assert nf.effect([0.1 + 0.2, 0.5], [0.3, 0.3], "cliffs_delta").value == 0.5
    assert nf.effect([0.1 + 0.2, 0.5], [0.3, 0.3], "cliffs_delta", snap=False).value == 1.0


@pytest.mark.parametrize("kind", ["normal", "ratings"])
def test_coverage_of_cliffs_interval(kind: str) -> None:
    rng, reps = np.random.default_rng(17), 1_200
    covered = 0
    if kind == "normal":
        true = 2 * float(special.ndtr(0.8 / math.sqrt(2))) - 1
    else:
        p, q = np.array([0.1, 0.2, 0.3, 0.2, 0.2]), np.array([0.2, 0.3, 0.2, 0.2, 0.1])
        true = float(p @ np.sign(np.subtract.outer(np.arange(5), np.arange(5))) @ q)
    for _ in range(reps):
        if kind == "normal":
            a, b = rng.normal(0.8, 1, 15).round(6), rng.normal(0, 1, 20).round(6)
        else:
            a, b = rng.choice(5, 15, p=p), rng.choice(5, 20, p=q)
        interval = nf.effect(a, b, "cliffs_delta").interval
        assert interval is not None
        covered += true in interval
    assert 0.935 <= covered / reps <= 0.975, covered / reps


# Words


def test_rules_are_sorted_cited_and_one_word_longer_than_their_thresholds() -> None:
    for rule in RULES.values():
        assert list(rule.thresholds) == sorted(rule.thresholds)
        assert len(rule.words) == len(rule.thresholds) + 1
        assert any(character.isdigit() for character in rule.cite)
    named = {(effect.name, rule) for effect in EFFECTS for rule in effect.facts["rules"]}
    assert {rule for _, rule in named} == set(RULES)
    assert all(RULES[rule].centre == EFFECTS[name].facts["null"] for name, rule in named)


@pytest.mark.parametrize(
    ("name", "value", "rules", "word"),
    [
        ("cohens_d", 0.19, "cohen1988", "below small"),
        ("cohens_d", -0.2, "cohen1988", "small"),
        ("cohens_d", 0.8, "cohen1988", "large"),
        ("hedges_g", 2.0, "sawilowsky2009", "huge"),
        ("hedges_g", 0.05, "sawilowsky2009", "very small"),
        ("cliffs_delta", 0.147, "romano2006", "small"),
        ("cliffs_delta", -0.474, "romano2006", "large"),
        ("a12", 0.71, "vargha2000", "large"),
        ("a12", 0.29, "vargha2000", "large"),
        ("a12", 0.36, "vargha2000", "medium"),
        ("a12", 0.5, "vargha2000", "below small"),
        ("a12", 0.5, "none", ""),
        ("cohens_d", math.nan, "cohen1988", ""),
    ],
)
def test_words_at_the_thresholds(name: str, value: float, rules: str, word: str) -> None:
    assert interpret(name, value, rules) == word


def test_words_only_by_a_rule_that_fits() -> None:
    with pytest.raises(MethodError, match="romano2006"):
        interpret("cliffs_delta", 0.3, "cohen1988")
    with pytest.raises(InputError, match="did you mean 'cohen1988'"):
        interpret("cohens_d", 0.3, "cohen1998")
    a, b = [0.1, 0.4, 0.3, 0.9], [0.2, 0.3, 0.1, 0.4]
    for name, rules in (
        ("cohens_d", "cohen1988"),
        ("hedges_g", "sawilowsky2009"),
        ("cliffs_delta", "romano2006"),
        ("a12", "vargha2000"),
    ):
        plain, worded = nf.effect(a, b, name), nf.effect(a, b, name, rules=rules)
        assert (plain.magnitude, plain.rule) == ("", "")
        assert worded.magnitude == interpret(name, worded.value, rules) != ""
        assert rules in worded.rule
        assert worded.value == plain.value
    assert "effect.rule_for_groups" in codes(nf.effect(a, b, "cohens_d", rules="cohen1988"))
