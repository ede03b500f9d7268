"""Power curves from a pilot: draws, reweighting, inner p-values against the tests themselves, words, time."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import nofluke as nf
from nofluke.align import as_sample
from nofluke.errors import InputError, MethodError
from nofluke.inference.power.curves.choose import direct_rule, drawn_sample, rule_of
from nofluke.inference.power.curves.draws import Alias, drawn_counts, drawn_normals
from nofluke.inference.power.curves.normal_rules import normal_rule
from nofluke.inference.power.curves.pilot import pilot_of
from nofluke.inference.power.curves.rule import Setting
from nofluke.inference.power.curves.simulate import crossing
from nofluke.inference.power.curves.tilting import effective_number, tilted
from nofluke.registry import TESTS
from nofluke.types import Aggregate, Sample, note
from support.thinned import in_turn, thinned

FEW = settings(deadline=None, derandomize=True, max_examples=30)


def scores(kind: str, n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng([seed, n])
    if kind == "binary":
        return rng.integers(0, 2, n), (rng.random(n) < 0.4).astype(int)
    if kind == "ratings":
        return rng.integers(1, 6, n), rng.integers(1, 6, n)
    skewed = rng.exponential(1.0, n) if kind == "skewed" else rng.normal(0.1, 1.0, n)
    return np.round(skewed, 4), np.zeros(n)


def clustered(n: int = 120, size: int = 4) -> Sample:
    a, b = scores("ratings", n)
    return as_sample(a, b, clusters=[str(item // size) for item in range(n)])


def f1_sample(n: int = 150) -> Sample:
    rng = np.random.default_rng(3)
    statistics = np.stack([rng.integers(0, 3, (n, 2)), rng.integers(1, 5, (n, 2)), rng.integers(1, 5, (n, 2))], axis=2)
    statistics = np.maximum(statistics, statistics[:, :, :1] * np.array([1, 1, 1])).astype(float)
    base = as_sample(np.zeros(n), np.ones(n))
    f1 = Aggregate("f1", lambda sums, _: 2 * sums[..., 0] / (sums[..., 1] + sums[..., 2]), linear=False)
    return replace(base, statistics=statistics, aggregate=f1, metric="f1")


# Draws and weights


def test_alias_draws_have_the_weights() -> None:
    weights = np.array([0.5, 0.0, 0.2, 0.29, 0.01])
    counts = sum(block.sum(axis=0) for block in drawn_counts(Alias(weights), 200, 500, seed=4))
    assert counts[1] == 0
    expected = weights[weights > 0] * counts.sum()
    assert stats.chisquare(counts[weights > 0], expected).pvalue > 0.001
    even = sum(block.sum(axis=0) for block in drawn_counts(Alias(np.ones(7)), 100, 700, seed=4))
    assert stats.chisquare(even).pvalue > 0.001


def test_normal_draws_are_normal() -> None:
    values = np.concatenate([block.ravel() for block in drawn_normals(0.3, 2.0, 100, 200, seed=1)])
    assert stats.kstest((values - 0.3) / 2, "norm").pvalue > 0.001


def test_a_point_of_the_curve_does_not_depend_on_the_others() -> None:
    a, b = scores("normal", 80)
    asked: dict[str, Any] = {"difference": 0.3, "iterations": 300, "seed": 5}
    whole = nf.power_curve(a, b, sizes=[20, 60, 90], **asked)
    alone = nf.power_curve(a, b, sizes=[60], **asked)
    assert whole.power[1] == alone.power[0]
    assert np.array_equal(nf.power_curve(a, b, sizes=[20, 60, 90], **asked).power, whole.power)
    assert not np.array_equal(nf.power_curve(a, b, sizes=[20, 60, 90], **(asked | {"seed": 6})).power, whole.power)


def test_draws_do_not_depend_on_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Alias(np.arange(1.0, 30.0))
    before = np.concatenate(list(drawn_counts(table, 40, 300, seed=2)))
    monkeypatch.setattr("nofluke.inference.power.curves.draws._BLOCK", 500)
    assert np.array_equal(before, np.concatenate(list(drawn_counts(table, 40, 300, seed=2))))


@FEW
@given(st.lists(st.integers(-5, 5), min_size=3, max_size=30), st.floats(0.05, 0.95))
def test_tilting_shows_the_wanted_mean(values: list[int], part: float) -> None:
    d = np.array(values, dtype=float)
    if d.min() == d.max():
        return
    target = float(d.min() + part * (d.max() - d.min()))
    weights = tilted(d, np.ones_like(d), lambda w: float(w @ d), target)
    assert weights.sum() == pytest.approx(1)
    assert weights @ d == pytest.approx(target, abs=1e-8)
    logs = np.log(np.maximum(weights, 1e-300))
    assert np.all(np.diff(logs[np.argsort(d, kind="stable")]) * np.sign(target - d.mean()) >= -1e-6)
    assert 0 < effective_number(weights, np.ones_like(d)) <= len(d) + 1e-9


def test_tilting_by_every_kind_of_pilot() -> None:
    for sample in (as_sample(*scores("binary", 90)), clustered(), f1_sample()):
        for grouped in (True, False):
            pilot = pilot_of(sample, grouped=grouped)
            weights = pilot.weights_for(0.12)
            assert pilot.shown(weights) == pytest.approx(0.12, abs=1e-8)
            assert pilot.spread(pilot.equal_weights) > 0
    assert effective_number(pilot.equal_weights, pilot.multiplicity) == pytest.approx(pilot.units)


def test_grouping_changes_nothing() -> None:
    for sample in (as_sample(*scores("ratings", 70)), clustered()):
        whole, single = (pilot_of(sample, grouped=grouped) for grouped in (True, False))
        assert len(whole.multiplicity) < len(single.multiplicity)
        for pilot in (whole, single):
            assert pilot.shown(pilot.equal_weights) == pytest.approx(sample.score(0) - sample.score(1))
        assert whole.spread(whole.equal_weights) == pytest.approx(single.spread(single.equal_weights))
        assert whole.spread(whole.weights_for(0.3)) == pytest.approx(single.spread(single.weights_for(0.3)), rel=1e-6)


# Inner p-values


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize(
    ("method", "kind", "options", "exact"),
    [
        ("paired_t", "normal", {}, True),
        ("sign", "ratings", {}, True),
        ("mcnemar", "binary", {}, True),
        ("tango", "binary", {}, True),
        ("wilcoxon", "normal", {}, False),
        ("wilcoxon", "ratings", {}, False),
        ("wilcoxon", "ratings", {"zeros": "pratt"}, False),
        ("wilcoxon", "ratings", {"mode": "normal"}, True),
        ("permutation", "normal", {}, False),
        ("permutation", "ratings", {}, False),
        ("permutation", "skewed", {}, False),
        ("bootstrap", "ratings", {}, False),
        ("bootstrap", "ratings", {"form": "percentile"}, False),
        ("bootstrap", "ratings", {"form": "berg_kirkpatrick"}, False),
    ],
)
@pytest.mark.parametrize("size", [10, 60])
def test_inner_p_values_are_those_of_the_test(
    method: str, kind: str, options: dict[str, Any], exact: bool, alternative: str, size: int
) -> None:
    sample = as_sample(*scores(kind, 50))
    setting = Setting(alternative, 0.05, 0.0, options)
    pilot, single = (pilot_of(sample, grouped=grouped) for grouped in (True, False))
    inner = rule_of(pilot, TESTS[method], setting, 0)
    direct = direct_rule(single, TESTS[method], setting, 0)
    counts = next(drawn_counts(Alias(single.equal_weights), size, 30, seed=1))
    grouped = np.zeros((len(counts), len(pilot.multiplicity)))
    np.add.at(grouped.T, pilot.group, counts.T)
    ours, truth = inner.block(grouped), direct.block(counts)
    below = truth < math.log(0.5)
    assert (ours[~below] > math.log(0.3)).all()
    # Approximations are held to the neighbourhood of the level, where they decide; the bootstrap's with few items is
    # the roughest (its exact law is that of ten draws).
    close = np.abs(truth - math.log(0.05)) < math.log(1.15 if (method, kind) == ("wilcoxon", "ratings") else 3)
    loose = {"bootstrap": 0.12 if size == 10 else 0.03}.get(method, 0.004)
    assert ours[below & (close | exact)] == pytest.approx(truth[below & (close | exact)], abs=1e-9 if exact else loose)
    if inner.exact is not None:
        for row in range(0, 30, 10):
            if below[row]:
                assert inner.exact(grouped[row]) == pytest.approx(truth[row], abs=1e-9)


@pytest.mark.parametrize("method", ["permutation", "bootstrap"])
def test_inner_p_values_of_clusters(method: str) -> None:
    sample = clustered(200, 4)
    setting = Setting("two-sided", 0.05, 0.0, {})
    pilot, single = (pilot_of(sample, grouped=grouped) for grouped in (True, False))
    counts = next(drawn_counts(Alias(single.equal_weights), 60, 12, seed=3))
    grouped = np.zeros((len(counts), len(pilot.multiplicity)))
    np.add.at(grouped.T, pilot.group, counts.T)
    options = {"monte_carlo": 19_999} if method == "bootstrap" else {}
    truth = direct_rule(single, TESTS[method], Setting("two-sided", 0.05, 0.0, options), 0).block(counts)
    ours = rule_of(pilot, TESTS[method], setting, 0).block(grouped)
    near = truth < math.log(0.6)
    assert near.any()
    assert np.exp(ours[near]) == pytest.approx(np.exp(truth[near]), abs=0.012 if method == "bootstrap" else 0.004)


@pytest.mark.parametrize("margin", [0.1, 0.4])
def test_inner_p_values_with_a_margin(margin: float) -> None:
    for method, kind in (
        ("permutation", "normal"),
        ("tango", "binary"),
        ("bootstrap", "ratings"),
        ("paired_t", "normal"),
    ):
        sample = as_sample(*scores(kind, 60))
        setting = Setting("greater", 0.05, -margin, {})
        pilot, single = (pilot_of(sample, grouped=grouped) for grouped in (True, False))
        counts = next(drawn_counts(Alias(single.equal_weights), 70, 20, seed=1))
        grouped = np.zeros((len(counts), len(pilot.multiplicity)))
        np.add.at(grouped.T, pilot.group, counts.T)
        ours = rule_of(pilot, TESTS[method], setting, 0).block(grouped)
        truth = direct_rule(single, TESTS[method], setting, 0).block(counts)
        close = np.abs(truth - math.log(0.05)) < math.log(4)
        assert ours[close] == pytest.approx(truth[close], abs=0.03), method


@pytest.mark.parametrize("method", ["permutation", "bootstrap"])
def test_inner_p_values_of_a_corpus_metric(method: str) -> None:
    sample = f1_sample(300)
    pilot = pilot_of(sample, grouped=True)
    counts = next(drawn_counts(Alias(pilot.weights_for(0.05)), 300, 40, seed=2))
    ours = rule_of(pilot, TESTS[method], Setting("two-sided", 0.05, 0.0, {}), 0).block(counts)
    drawn = Setting("two-sided", 0.05, 0.0, {"monte_carlo": 1_999})
    chosen = np.argsort(np.abs(ours - math.log(0.05)))[:6]
    truth = direct_rule(pilot, TESTS[method], drawn, 0).block(counts[chosen])
    assert np.exp(ours[chosen]) == pytest.approx(np.exp(truth), abs=0.02)


def test_a_test_set_without_a_bootstrap_p_value_does_not_show_the_margin() -> None:
    # Of 60 items 55 tie, so some test sets of 5 hold no difference at all, and the studentized bootstrap no spread.
    a = np.tile([2.0, 3.0, 4.0], 20)
    b = a - (np.arange(60) < 3) + ((np.arange(60) >= 3) & (np.arange(60) < 5))
    options = {"form": "studentized", "monte_carlo": 99}
    pilot = pilot_of(as_sample(a, b), grouped=False)
    tied = (np.arange(60) >= 55).astype(float)
    drawn = drawn_sample(pilot, tied.astype(int))
    assert math.isnan(nf.test(drawn, "bootstrap", alternative="greater", delta=-0.5, **options).p_value)
    inner = direct_rule(pilot, TESTS["bootstrap"], Setting("greater", 0.05, -0.5, options), 0)
    assert inner.block(tied[None]).tolist() == [0.0]
    curve = nf.power_curve(
        a, b, "bootstrap", margin=0.5, test_form="studentized", monte_carlo=99, sizes=[5, 10], iterations=20
    )
    assert curve.power[0] < 1
    assert curve.computed == note("power.p_the_test_or_silent")
    assert "Where it has no p-value, nothing counts as shown." in str(curve.computed)


@pytest.mark.parametrize(
    ("method", "size"), in_turn(["paired_t", "permutation", "wilcoxon", "bootstrap", "sign"], [30, 250])
)
def test_inner_p_values_of_normal_differences(method: str, size: int) -> None:
    values = np.round(next(drawn_normals(0.3, 1.0, size, 12, seed=2)), 6)
    setting = Setting("two-sided", 0.05, 0.0, {})
    ours = normal_rule(method, setting).block(values)
    options = {"monte_carlo": 9_999} if method == "bootstrap" and size < 40 else {}
    for row, log_p in zip(values, ours, strict=True):
        truth = nf.test(row, np.zeros(size), method, **options).p_value
        if 0.005 < truth < 0.5:
            assert math.exp(log_p) == pytest.approx(truth, rel=0.01, abs=0.012 if options else 0.0)


# The curve


def test_the_curve_is_what_planning_says() -> None:
    """Normal differences, many iterations: the simulated curve of t, flips and ranks lies around the planned one."""
    a = np.round(np.random.default_rng(1).normal(0, 1, 400), 4)
    sd = float(np.std(a, ddof=1))
    for method in ("paired_t", "permutation", "wilcoxon"):
        curve = nf.power_curve(a, np.zeros(400), method, form="normal" if method != "paired_t" else "pilot",
                               difference=0.3, sizes=[20, 60, 100, 150], iterations=3000, seed=3)  # fmt: skip
        for n, power in zip(curve.sizes, curve.power, strict=True):
            planned = nf.power(method, n=int(n), difference=0.3, sd=sd)
            error = 3.3 * math.sqrt(planned * (1 - planned) / 3000)
            assert power == pytest.approx(planned, abs=error + (0.015 if method != "permutation" else 0.005)), (
                method,
                n,
            )


@pytest.mark.parametrize(("p10", "p01"), [(0.2, 0.1), (0.3, 0.28)])
def test_reweighted_zeros_and_ones_have_the_exact_power(p10: float, p01: float) -> None:
    """Tilting a pilot of 0/1 scores gives new shares, for which the exact power is known."""
    sample = nf.sample_from_counts(400 - round(400 * (p10 + p01)), round(400 * p10), round(400 * p01), 0)
    difference = 0.15
    pilot = pilot_of(sample, grouped=True)
    weights = dict(zip(pilot.totals.tolist(), pilot.weights_for(difference), strict=True))
    worse, better = weights[-1], weights[1]
    curve = nf.power_curve(sample, difference=difference, sizes=[40, 120, 260], iterations=4000)
    assert curve.test == "mcnemar"
    for n, power in zip(curve.sizes, curve.power, strict=True):
        exact = nf.power("mcnemar", n=int(n), p10=float(better), p01=float(worse))
        assert power == pytest.approx(exact, abs=3.3 * math.sqrt(exact * (1 - exact) / 4000))


@pytest.mark.parametrize("method", ["paired_t", "permutation", "wilcoxon", "sign"])
def test_without_an_effect_the_curve_is_the_size(method: str) -> None:
    symmetric = np.round(np.random.default_rng(2).normal(0, 1, 60), 3)
    a = np.concatenate((symmetric, -symmetric))
    curve = nf.power_curve(a, np.zeros(120), method, difference="observed", sizes=[30, 100], iterations=3000)
    assert curve.at_observed_effect
    assert "That is the error rate, not power." in str(curve).replace("\n", " ")
    low, high = stats.binom.ppf([0.0005, 0.9995], 3000, 0.05) / 3000
    assert np.all(curve.power <= high + 0.005)
    if method != "sign":
        assert np.all(curve.power >= low - 0.005)


def test_the_band_is_that_of_clopper_and_pearson() -> None:
    a, b = scores("normal", 60)
    curve = nf.power_curve(a, b, difference=0.3, sizes=[30], iterations=40)
    hits = round(float(curve.power[0]) * 40)
    interval = stats.binomtest(hits, 40).proportion_ci(0.95, method="exact")
    assert (curve.low[0], curve.high[0]) == pytest.approx((interval.low, interval.high))


@FEW
@given(st.lists(st.floats(0, 1), min_size=2, max_size=12), st.floats(0.05, 0.95))
def test_the_crossing_lies_where_the_curve_reaches_the_target(power: list[float], target: float) -> None:
    sizes = np.arange(1.0, len(power) + 1) * 10
    found = crossing(sizes, np.array(power), target)
    if math.isnan(found):
        assert power[-1] < target
    else:
        assert sizes[0] <= found <= sizes[-1]
        assert max(power) >= target
    rising = np.sort(np.array(power))
    if rising[0] < target <= rising[-1]:
        assert np.interp(crossing(sizes, rising, target), sizes, rising) == pytest.approx(target, abs=1e-9)


def test_without_a_stated_effect_the_answer_is_four_sizes() -> None:
    a, b = scores("normal", 80)
    curve = nf.power_curve(a, b, iterations=50, sizes=4)
    names = [row.name for row in curve.scenarios]
    assert names == ["detectable", "half", "low end", "high end"]
    compared = nf.compare(a, b)
    assert curve.scenarios[0].difference == pytest.approx(compared.detectable.difference, rel=1e-9)
    assert curve.scenarios[0].size == 80
    assert 300 < curve.scenarios[1].size < 330
    interval = compared.effects["mean_difference"].interval
    assert interval is not None
    assert (curve.scenarios[2].difference, curve.scenarios[3].difference) == (interval.low, interval.high)
    assert "Next" in str(curve)
    assert not curve.at_observed_effect
    one_sided = nf.power_curve(a, b, alternative="greater", iterations=20, sizes=2)
    assert math.isnan(one_sided.scenarios[2].size)
    assert "never: a gap on the side that is not tested" in str(one_sided)


@pytest.mark.parametrize("kind", ["balanced", "same", "constant", "one"])
def test_a_pilot_without_an_effect_gets_an_answer_in_words(kind: str) -> None:
    ones, zeros = np.ones(50), np.zeros(50)
    half = np.arange(50) % 2
    pilots = {"balanced": (half, 1 - half), "same": (ones, ones), "constant": (ones, zeros), "one": ([1.0], [0.0])}
    for asked in ({}, {"difference": 0.1}, {"difference": "observed"}):
        curve = nf.power_curve(*pilots[kind], **asked, iterations=30)
        text = nf.report(curve)
        assert str(curve)[:40] in text.replace("\n", " ")
        if kind == "balanced":
            assert len(curve.sizes) > 1
        else:
            assert "cannot say how many items are needed" in str(curve)
            assert curve.reason is not None
            assert math.isnan(curve.size_for_target)
            assert "nf.sample_size" in text
    if kind == "same":
        assert "up to 5.8% of all items" in text


def test_the_retrospective_curve_carries_its_warning() -> None:
    curve = nf.power_curve(*scores("normal", 100), "wilcoxon", difference="observed", iterations=20)
    assert list(curve.sizes) == list(range(5, 101, 5))
    assert curve.notes[0] == note("power.at_observed")
    text = " ".join(nf.report(curve).split())
    assert "no evidence about these systems" in text
    assert "66 of 100 pilots" in text
    assert curve.difference == pytest.approx(curve.observed)


def test_inner_errors_are_stated() -> None:
    exact = nf.power_curve(*scores("ratings", 60), "sign", difference=0.3, iterations=30)
    assert exact.computed == note("power.p_exact")
    flips = nf.power_curve(*scores("normal", 60), "permutation", difference=0.3, iterations=30)
    assert flips.computed.code == "power.p_saddlepoint"
    assert flips.computed["checked"] > 0
    assert flips.computed["changed"] == 0
    assert "recomputed exactly, no verdict changed" in str(flips.computed)
    formula = nf.power_curve(*scores("normal", 60), "paired_t", form="normal", difference=0.3)
    assert formula.computed == note("power.p_formula")
    assert "nothing was drawn" in str(formula.computed)
    assert np.array_equal(formula.power, formula.low)


def test_other_tests_run_themselves() -> None:
    a, b = scores("ratings", 40)
    for method, options in (
        ("bootstrap_median", {"monte_carlo": 99}),
        ("bounded_mean", {"low": 1.0, "high": 5.0}),
        ("student_t", {}),
        ("welch_t", {}),
        ("mann_whitney", {}),
    ):
        curve = nf.power_curve(a, b, method, difference=0.6, sizes=[20, 60], iterations=8, **options)
        assert curve.computed == note("power.p_the_test")
        assert np.all((curve.power >= 0) & (curve.power <= 1))
    chi = nf.power_curve(*scores("binary", 60), "chi_square", difference=0.3, sizes=[150], iterations=30)
    assert chi.power[0] > 0.9


def test_unpaired_groups_of_different_length() -> None:
    rng = np.random.default_rng(0)
    a, b = np.round(rng.normal(0, 1, 90), 3), np.round(rng.normal(0, 2, 60), 3)
    curve = nf.power_curve(a, b, "welch_t", difference=0.8, sizes=[60], iterations=800)
    spread = math.sqrt(np.var(a, ddof=1) + np.var(b, ddof=1))
    planned = nf.power("welch_t", n=60, difference=0.8, sd=float(np.std(a)), sd_b=float(np.std(b)))
    assert spread > 1
    assert curve.power[0] == pytest.approx(planned, abs=0.09)
    assert curve.unit == "items for each system"


def test_progress_and_interrupt() -> None:
    seen: list[tuple[int, int]] = []
    a, b = scores("normal", 50)
    nf.power_curve(
        a, b, difference=0.3, sizes=3, iterations=300, progress=lambda done, total: seen.append((done, total))
    )
    assert seen[-1] == (900, 900)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)

    def stop(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        nf.power_curve(a, b, difference=0.3, sizes=3, progress=stop)


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        ({"difference": 0.0}, InputError, "a true difference of 0 is never found"),
        ({"difference": 99.0}, InputError, "no reweighting of these items shows a difference of 99"),
        ({"difference": "large"}, InputError, "difference = 'large' is neither a number nor 'observed'"),
        (
            {"difference": -0.1, "alternative": "greater"},
            InputError,
            "a true difference of -0.1 does not lie on the side",
        ),
        ({"form": "bootstrap"}, InputError, "there is no form of power curve 'bootstrap'"),
        ({"sd": 1.0}, InputError, "sd belongs to form 'normal'"),
        ({"alpha": 0.7}, InputError, "alpha = 0.7 is not a number between 0 and 0.5"),
        ({"iterations": 0}, InputError, "iterations = 0 is not a whole number"),
        ({"sizes": []}, InputError, "no sizes were given"),
        ({"sizes": [1]}, InputError, "size = 1 is not a whole number"),
        ({"method": "corrected_resampled_t", "difference": 0.1}, MethodError, "the units of corrected_resampled_t"),
        ({"method": "wilcoxon", "margin": 0.1}, MethodError, "wilcoxon does not decide about a margin"),
        ({"method": "wilcoxon", "zeros": "keep", "difference": 0.1}, InputError, "zeros = 'keep' is not known"),
        ({"margin": 0.1, "alternative": "less"}, InputError, "a margin asks whether A is not worse than B"),
        ({"sizes": [20, 40], "up_to": 100, "difference": 0.1}, InputError, "up_to would change nothing here"),
        ({"method": "mcnemar", "form": "normal", "difference": 0.1}, MethodError, "mcnemar is no test of continuous"),
        *(
            (
                {"method": method, "form": "normal", "difference": 0.1, **options},
                MethodError,
                f"normal differences are drawn for {method} as it is",
            )
            for method, options in (
                ("sign", {"tie_width": 0.5}),
                ("wilcoxon", {"mode": "normal", "continuity": True}),
                ("permutation", {"monte_carlo": 99}),
                ("bootstrap", {"resample_size": 10}),
            )
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(asked: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        nf.power_curve(*scores("normal", 40), **asked)
    assert caught.value.message.startswith(message)  # type: ignore[attr-defined]
    assert caught.value.fix  # type: ignore[attr-defined]


def test_clusters_refuse_tests_of_items() -> None:
    with pytest.raises(MethodError, match="come in clusters"):
        nf.power_curve(clustered(), "wilcoxon", difference=0.3)
    curve = nf.power_curve(clustered(), difference=0.5, sizes=4, iterations=20)
    assert curve.unit == "clusters"
    assert curve.pilot == 30


# Time: the setting of the paper's Figure 3. Processor time, for the machine may be shared.


def seconds(method: str, difference: float | str) -> float:
    rng = np.random.default_rng(0)
    a = np.round(rng.normal(0.005, 0.11, 2000), 6)
    nf.power_curve(a[:50], np.zeros(50), method, difference="observed", sizes=2, iterations=2)
    start = time.process_time()
    nf.power_curve(a, np.zeros(2000), method, difference=difference)  # type: ignore[arg-type]
    return time.process_time() - start


@pytest.mark.parametrize(("method", "budget"), [("wilcoxon", 1.0), ("bootstrap", 2.0), ("permutation", 1.0)])
def test_twenty_sizes_of_200_test_sets_take_a_moment(method: str, budget: float) -> None:
    assert min(seconds(method, "observed") for _ in range(3)) < budget


def test_a_pilot_of_five_items_does_not_fail() -> None:
    """P-values far below the level have a floor in the approximation; that is no error of the power."""
    curve = nf.power_curve([1, 2, 3, 4, 5], [2, 2.5, 1, 4.5, 6], difference=1.0, up_to=100_000)
    assert curve.power[-1] > 0.9


# The bootstrap where no resample gets so far


def found_by_bootstrap_or_flips(d: np.ndarray, form: str) -> bool:
    """The verdict on one test set, as the test tells its users to reach it."""
    result = nf.test(d, np.zeros(len(d)), "bootstrap", form=form)
    if math.isnan(result.p_value):
        assert "Use method='permutation'" in " ".join(map(str, result.notes))
        result = nf.test(d, np.zeros(len(d)), "permutation")
    return result.p_value <= 0.05


@pytest.mark.parametrize("form", thinned(["percentile", "shift", "berg_kirkpatrick"], always=1))
def test_clear_test_sets_count_for_the_bootstrap_too(form: str) -> None:
    """Brute force: test sets drawn from the same items, tested one by one."""
    rng = np.random.default_rng(4)
    d = np.round(rng.normal(0.2, 0.1, 60), 2)
    sizes = [4, 8, 20]
    curve = nf.power_curve(
        d, np.zeros(60), "bootstrap", difference="observed", sizes=sizes, iterations=400, test_form=form
    )
    for size, low, high in zip(sizes, curve.low, curve.high, strict=True):
        hits = sum(found_by_bootstrap_or_flips(rng.choice(d, size), form) for _ in range(150))
        spread = 3 * math.sqrt(hits / 150 * (1 - hits / 150) / 150) + 0.02
        assert low - spread <= hits / 150 <= high + spread, (size, hits / 150, curve.power)
    assert curve.power[-1] > 0.99


@pytest.mark.slow
@pytest.mark.parametrize("sd", [0.25, 0.1])
def test_normal_differences_as_well(sd: float) -> None:
    curve = nf.power_curve(
        np.arange(20) % 7 / 7,
        np.arange(20) % 5 / 5,
        "bootstrap",
        form="normal",
        difference=0.2,
        sd=sd,
        sizes=[10, 30],
        iterations=400,
    )
    rng = np.random.default_rng(2)
    for size, low, high in zip([10, 30], curve.low, curve.high, strict=True):
        drawn = np.round(rng.normal(0.2, sd, (100, size)), 3)
        share = sum(found_by_bootstrap_or_flips(row, "shift") for row in drawn) / 100
        assert low - 0.13 <= share <= high + 0.13


def test_no_curve_of_a_test_that_refuses_the_margin() -> None:
    rng = np.random.default_rng(2)
    a = rng.integers(0, 5, 80).astype(float)
    b = np.where(rng.random(80) < 0.3, a, rng.integers(0, 5, 80))
    with pytest.raises(MethodError, match=r"flipping signs about delta = -0\.1 is not valid here"):
        nf.power_curve(a, b, "permutation", margin=0.1, difference=0.0)
