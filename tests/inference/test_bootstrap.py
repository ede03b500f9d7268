"""The bootstrap test of a mean: each form against the enumeration of all resamples, its rules, its refusals."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.align import as_sample
from nofluke.errors import InputError, MethodError
from nofluke.inference.resampling import resampled_mean
from nofluke.inference.tests import bootstrap, bootstrap_forms
from nofluke.inference.tests.bootstrap_settings import Settings
from support.notes import codes, facts

FORMS = ("shift", "berg_kirkpatrick", "percentile", "studentized", "moses")
SIDED = FORMS[:-1]
QUICK = settings(deadline=None, derandomize=True, max_examples=40)
grid_scores = st.lists(st.integers(-4, 6), min_size=2, max_size=12)


def p_of(d: Any, form: str = "shift", **options: Any) -> float:
    return nf.test(d, [0] * len(d), "bootstrap", form=form, **options).p_value


# --- all n^n resamples ---------------------------------------------------------------------------------------------


def all_sums(items: np.ndarray, resamples: int, *, size: int, **_: Any) -> np.ndarray:
    """Every resample once, in the place of random ones."""
    table = items.reshape(len(items), -1)
    sums = [sum(table[i] for i in chosen) for chosen in itertools.product(range(len(items)), repeat=size)]
    assert len(sums) == resamples
    return np.array(sums, dtype=items.dtype).reshape(-1, *items.shape[1:])


def counted(d: list[int], form: str, null: Fraction, size: int) -> tuple[int, int, int]:
    """The definitions, word for word: draws against "greater", against "less", against "two-sided" (moses)."""
    n, mean = len(d), Fraction(sum(d), len(d))
    draws = [[d[i] for i in chosen] for chosen in itertools.product(range(n), repeat=size)]
    means = [Fraction(sum(draw), size) for draw in draws]
    if form == "shift":
        return _both([m - mean >= mean - null for m in means], [m - mean <= mean - null for m in means])
    if form == "berg_kirkpatrick":
        return _both([m > 2 * mean - null for m in means], [m < 2 * mean - null for m in means])
    if form == "percentile":
        return _both([m <= null for m in means], [m >= null for m in means])
    if form == "moses":
        average = sum(abs(m) for m in means) / len(means)
        return 0, 0, sum(abs(m) - average > abs(mean) for m in means)
    t = float(mean - null) / (np.std(d, ddof=1) / math.sqrt(n))
    greater, less = [], []
    for draw, m in zip(draws, means, strict=True):
        spread = np.std(draw, ddof=1) / math.sqrt(size)
        if len(set(draw)) == 1:
            t_star = math.copysign(math.inf, m - mean) if m != mean else math.nan
        else:
            t_star = float(m - mean) / spread
        greater.append(math.isnan(t_star) or t_star >= t - 1e-9)
        less.append(math.isnan(t_star) or t_star <= t + 1e-9)
    return _both(greater, less)


def _both(greater: list[bool], less: list[bool]) -> tuple[int, int, int]:
    return sum(greater), sum(less), 0


@pytest.fixture
def enumerate_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resampled_mean, "resampled_sums", all_sums)
    monkeypatch.setattr(bootstrap_forms, "resampled_sums", all_sums)


SMALL = [[3, -1], [2, 2, -1], [0, 1, 5], [0, 0, 1, 2], [-3, 1, 1, 4], [-1, -1, 0, 1], [5, -2, 0, 1, 3]]


@pytest.mark.usefixtures("enumerate_all")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("delta", [0.0, 0.5, -0.75])
@pytest.mark.parametrize("d", SMALL, ids=str)
@pytest.mark.parametrize("fewer", [0, 1])
def test_a_form_counts_what_it_says(d: list[int], form: str, delta: float, fewer: int) -> None:
    size = max(2, len(d) - fewer)
    total = len(d) ** size
    if form == "moses" and delta:
        with pytest.raises(MethodError, match="moses"):
            p_of(d, form, delta=delta)
        return
    greater, less, either = counted(d, form, Fraction(delta), size)
    sides = {"two-sided": 2 * (1 + min(greater, less)), "greater": 1 + greater, "less": 1 + less}
    if form == "moses":
        sides = {"two-sided": 1 + either}
    for alternative, numerator in sides.items():
        found = p_of(
            d, form, delta=delta, alternative=alternative, monte_carlo=total, resample_size=size if fewer else None
        )
        assert found == pytest.approx(min(1.0, numerator / (1 + total)), rel=1e-12)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("d", [[-3, 1, 1, 4], [5, -2, 0, 1, 3]], ids=str)
def test_monte_carlo_is_within_its_error_of_the_enumeration(d: list[int], form: str) -> None:
    greater, less, either = counted(d, form, Fraction(0), len(d))
    exact = either if form == "moses" else 2 * min(greater, less)
    expected = min(1.0, exact / len(d) ** len(d))
    result = nf.test(d, [0] * len(d), "bootstrap", form=form, monte_carlo=40_000, seed=11)
    assert result.computed.how == "monte-carlo"
    assert (result.computed.resamples, result.computed.seed) == (40_000, 11)
    assert 0 < result.computed.error < 0.006
    assert abs(result.p_value - expected) < 4 * result.computed.error


@pytest.mark.usefixtures("enumerate_all")
@pytest.mark.parametrize("form", ["shift", "percentile"])
@pytest.mark.parametrize("delta", [0.0, 0.25])
def test_clusters_are_drawn_whole_and_items_weigh_alike(form: str, delta: float) -> None:
    clusters = {"x": [3, 1, 0], "y": [-2], "z": [1, 2], "w": [0, -1, -1, 2]}
    d = [value for values in clusters.values() for value in values]
    labels = [name for name, values in clusters.items() for _ in values]
    mean, null = Fraction(sum(d), len(d)), Fraction(delta)
    ratios = []
    for chosen in itertools.product(clusters.values(), repeat=4):
        items = [value for values in chosen for value in values]
        ratios.append(Fraction(sum(items), len(items)))
    hits = [r - mean >= mean - null if form == "shift" else r <= null for r in ratios]
    sample = as_sample(d, [0] * len(d), clusters=labels)
    result = nf.test(sample, method="bootstrap", form=form, delta=delta, alternative="greater", monte_carlo=256)
    assert result.p_value == pytest.approx((1 + sum(hits)) / 257)
    assert facts(result, "test.few_clusters_for_bootstrap") == {"clusters": 4}


# --- properties ----------------------------------------------------------------------------------------------------


@given(grid_scores, st.sampled_from(FORMS), st.randoms(use_true_random=False))
@QUICK
def test_swap_order_shift_and_scale(d: list[int], form: str, shuffler: Any) -> None:
    assume(len(set(d)) > 1)
    options = {"form": form, "monte_carlo": 300}
    base = nf.test(d, [0] * len(d), "bootstrap", **options)
    mirrored = nf.test([0] * len(d), d, "bootstrap", **options)
    shuffled = list(d)
    shuffler.shuffle(shuffled)
    moved = nf.test([v + 16 for v in d], [16] * len(d), "bootstrap", **options)
    scaled = nf.test([v / 4 for v in d], [0] * len(d), "bootstrap", **options)
    for other in (mirrored, nf.test(shuffled, [0] * len(d), "bootstrap", **options), moved, scaled):
        assert np.array_equal(other.p_value, base.p_value, equal_nan=True)
    if base.interval is not None and mirrored.interval is not None and scaled.interval is not None:
        assert (-mirrored.interval.high, -mirrored.interval.low) == (base.interval.low, base.interval.high)
        assert scaled.interval.low == pytest.approx(base.interval.low / 4, rel=1e-12)
    if form != "moses":
        up = nf.test(d, [0] * len(d), "bootstrap", alternative="greater", **options).p_value
        down = nf.test([0] * len(d), d, "bootstrap", alternative="less", **options).p_value
        assert np.array_equal(up, down, equal_nan=True)


@given(grid_scores, st.sampled_from(("shift", "percentile", "studentized")))
@QUICK
def test_tails_overlap_and_two_sided_is_twice_the_smaller(d: list[int], form: str) -> None:
    assume(len(set(d)) > 1)
    greater, less, both = (p_of(d, form, alternative=a, monte_carlo=200) for a in ("greater", "less", "two-sided"))
    if math.isnan(greater) or math.isnan(less):
        assert math.isnan(both)
        return
    assert greater + less >= 1
    assert 0 < both <= 1
    assert both == pytest.approx(min(1.0, 2 * min(greater, less)))


@given(st.lists(st.integers(-4, 6), min_size=10, max_size=10), st.sampled_from(("shift", "percentile")))
@QUICK
def test_the_interval_holds_exactly_what_the_test_does_not_reject(d: list[int], form: str) -> None:
    assume(len(set(d)) > 1)
    options = {"form": form, "monte_carlo": 199, "confidence_level": 0.9}
    interval = nf.test(d, [0] * 10, "bootstrap", **options).interval
    assert interval is not None
    for delta in (interval.low, interval.high):
        assert p_of(d, delta=delta, **options) > 0.1
    for delta in (interval.low - 0.01, interval.high + 0.01):
        p = p_of(d, delta=delta, **options)
        assert math.isnan(p) or p <= 0.1 + 1e-12


def test_one_sided_and_studentized_intervals_agree_with_their_p() -> None:
    d = np.random.default_rng(3).exponential(size=40).round(3)
    for form, alternative in itertools.product(
        ("shift", "percentile", "studentized"), ("greater", "less", "two-sided")
    ):
        options = {"form": form, "alternative": alternative, "monte_carlo": 999}
        interval = nf.test(d, np.zeros(40), "bootstrap", **options).interval
        assert interval is not None
        assert math.isinf(interval.high) == (alternative == "greater")
        assert math.isinf(interval.low) == (alternative == "less")
        for limit, outwards in ((interval.low, -1), (interval.high, 1)):
            if math.isfinite(limit):
                assert p_of(d, delta=round(limit + outwards * 1e-3, 9), **options) <= 0.05 + 1e-12
                assert p_of(d, delta=round(limit - outwards * 1e-3, 9), **options) > 0.05


def test_the_studentized_form_uses_the_same_draws() -> None:
    units = resampled_mean.units_of(as_sample([3.25, -1.5, 0.75, 9.0], [0, 0, 0, 0]))
    pivot = bootstrap_forms.draw_pivots(units, 500, seed=4, size=3)
    assert np.array_equal(pivot.draws.totals, resampled_mean.draw(units, 500, seed=4, size=3).totals)


def test_long_decimals_stay_exact() -> None:
    # 15 digits and thousands of items: sums may pass 64 bits, and squares pass 100.
    d = np.sort(np.random.default_rng(0).integers(-(10**14), 10**14, 9_300))
    units, wide = resampled_mean.Units(d, None), resampled_mean.Units(d * 8_000, None)
    draws, wider = resampled_mean.draw(units, 3, seed=0), resampled_mean.draw(wide, 3, seed=0)
    assert (draws.totals.dtype, wider.totals.dtype) == (np.int64, object)
    assert wider.totals.tolist() == [8_000 * total for total in draws.totals.tolist()]
    pivot = bootstrap_forms.draw_pivots(units, 3, seed=0, size=len(d))
    assert all(isinstance(spread, int) and spread > 10**34 for spread in pivot.spreads)


@pytest.mark.parametrize("clusters", [None, 310])
def test_every_form_decides_alike_on_sums_too_wide_for_64_bits(clusters: int | None) -> None:
    # The same data with 15 digits (sums pass 64 bits: Python integers) and cut to a third of them (64-bit integers).
    short = np.random.default_rng(0).integers(-(10**5), 10**5 + 900, 9_300)
    groups = None if clusters is None else np.arange(9_300) % clusters
    for form in ("shift", "percentile") if clusters else FORMS:
        for two_sided in ("doubled", "absolute") if form == "shift" else ("doubled",):
            found = []
            for values in (short, short * 10**10):
                sample = as_sample(values, 0 * values, clusters=groups)
                options = {"form": form, "two_sided": two_sided, "monte_carlo": 99}
                found.append(nf.test(sample, method="bootstrap", **options))
            narrow, wide = found
            assert wide.p_value == narrow.p_value
            if narrow.interval is not None and wide.interval is not None:
                assert wide.interval.low == pytest.approx(narrow.interval.low * 1e10, rel=1e-12)
                assert wide.interval.high == pytest.approx(narrow.interval.high * 1e10, rel=1e-12)


def test_same_seed_same_bytes_other_seed_other_draws() -> None:
    d = np.random.default_rng(0).normal(size=30).round(3)
    first, again, other = (nf.test(d, np.zeros(30), "bootstrap", seed=seed, monte_carlo=9_999) for seed in (1, 1, 2))
    assert first.to_dict() == again.to_dict()
    assert first.p_value != other.p_value
    assert first.signature.endswith("seed:1")


def test_recentring_on_the_mean_of_the_draws() -> None:
    d = [4, -1, 0, 2, 7, -3]
    units = resampled_mean.units_of(as_sample(d, [0] * 6))
    means = resampled_mean.draw(units, 501, seed=0).means
    expected = (1 + np.count_nonzero(means - means.mean() >= np.mean(d) - 1e-9)) / 502
    found = p_of(d, recentre="bootstrap_mean", alternative="greater", monte_carlo=501)
    assert found == pytest.approx(expected)
    interval = nf.test(d, [0] * 6, "bootstrap", recentre="bootstrap_mean", monte_carlo=399).interval
    plain = nf.test(d, [0] * 6, "bootstrap", monte_carlo=399).interval
    assert interval is not None
    assert plain is not None
    drawn = resampled_mean.draw(units, 399, seed=0).means.mean()
    assert interval.low - plain.low == pytest.approx(drawn - np.mean(d))


def test_both_tails_at_once_by_name() -> None:
    d = [4, -1, 0, 2, 9, -3, 1, 1]
    means = resampled_mean.draw(resampled_mean.units_of(as_sample(d, [0] * 8)), 999, seed=0).means
    mean = np.mean(d)
    result = nf.test(d, [0] * 8, "bootstrap", two_sided="absolute", monte_carlo=999)
    assert result.p_value == pytest.approx((1 + np.count_nonzero(abs(means - mean) >= abs(mean) - 1e-9)) / 1000)
    assert result.interval is not None
    assert result.interval.low + result.interval.high == pytest.approx(2 * mean)
    for delta, rejected in ((result.interval.low, False), (result.interval.low - 0.01, True)):
        p = p_of(d, two_sided="absolute", monte_carlo=999, delta=delta)
        assert (p <= 0.05) == rejected


def test_fewer_items_in_a_resample_give_a_larger_p_and_a_note() -> None:
    d = np.random.default_rng(5).normal(0.5, 1, 100).round(3)
    result = nf.test(d, np.zeros(100), "bootstrap", resample_size=25, alternative="greater")
    assert result.p_value > 3 * p_of(d, alternative="greater")
    assert result.details["n_resampled"] == 25
    assert facts(result, "test.resample_size") == {"size": 25, "n": 100, "unit": "item"}
    assert "too large for yours" in str(result.notes[-1])


def test_clusters_of_one_item_are_items() -> None:
    d = np.random.default_rng(5).integers(-3, 5, 60)
    sample = as_sample(d, np.zeros(60), clusters=range(60))
    for form in ("shift", "percentile"):
        clustered, plain = (
            nf.test(sample, method="bootstrap", form=form, monte_carlo=9_999),
            nf.test(d, np.zeros(60), "bootstrap", form=form, monte_carlo=9_999),
        )
        assert clustered.p_value == plain.p_value
        assert clustered.interval is not None
        assert plain.interval is not None
        assert clustered.interval.low == pytest.approx(plain.interval.low)


# --- mistakes of others --------------------------------------------------------------------------------------------


def test_resampling_is_paired() -> None:
    # Item difficulty dwarfs a steady gain: drawn independently, A and B would not be separated (p near .2).
    rng = np.random.default_rng(0)
    difficulty = rng.normal(0, 1, 200)
    a, b = (difficulty + 0.1 + rng.normal(0, 0.2, 200)).round(3), (difficulty + rng.normal(0, 0.2, 200)).round(3)
    for form in FORMS:
        assert nf.test(a, b, "bootstrap", form=form).p_value < 0.001


@pytest.mark.parametrize("form", FORMS)
def test_identical_systems_give_p_1(form: str) -> None:
    scores = [0.3, 0.7, 0.1, 0.9]
    result = nf.test(scores, list(scores), "bootstrap", form=form)
    assert (result.p_value, result.log_p_value) == (1.0, 0.0)
    assert result.notes


@pytest.mark.parametrize("form", FORMS)
def test_one_differing_sentence_is_not_significant(form: str) -> None:
    a, b = [1.0] + [0.5] * 99, [0.25] + [0.5] * 99
    assert nf.test(a, b, "bootstrap", form=form).p_value > 0.05
    if form in SIDED:
        assert nf.test(a, b, "bootstrap", form=form, alternative="greater").p_value > 0.05


def test_p_is_never_0_and_the_tail_is_never_chosen_by_the_data() -> None:
    rng = np.random.default_rng(1)
    b = rng.normal(0, 1, 400).round(3)
    a = b + rng.normal(-0.5, 1, 400).round(3)
    for form in SIDED:
        assert p_of(a - b, form, alternative="greater", monte_carlo=99) == pytest.approx(1.0)
        assert p_of(a - b, form, alternative="less", monte_carlo=99) == pytest.approx(0.01)
        assert p_of(a - b, form, monte_carlo=99) == pytest.approx(0.02)


def test_a_p_of_alpha_is_alpha() -> None:
    # 500 of 10,000 must not come out as 0.05000000000000001, which would be "not significant".
    outcome = bootstrap_forms.Outcome(499, 249)
    for alternative in ("greater", "two-sided"):
        asked = Settings(alternative, 0.0, "shift", "observed", "doubled", 10, 9_999, 0, 0.95)
        assert bootstrap._p_value(outcome, asked)[0] == 0.05


def test_the_callers_data_are_not_touched() -> None:
    a, b = np.array([3.0, 1.0, 2.0]), np.array([1.0, 1.5, 0.0])
    nf.test(a, b, "bootstrap")
    assert a.tolist() == [3.0, 1.0, 2.0]
    assert b.tolist() == [1.0, 1.5, 0.0]


# --- undefined, refused, noted -------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("d", [[2, 2, 2, 2], [5]], ids=str)
def test_equal_differences_are_undefined_and_point_to_the_permutation_test(form: str, d: list[int]) -> None:
    result = nf.test(d, [0] * len(d), "bootstrap", form=form)
    assert math.isnan(result.p_value)
    assert result.interval is None
    assert facts(result, "test.resamples_alike")["instead"] == ("permutation",)


@pytest.mark.parametrize("form", ["shift", "berg_kirkpatrick", "percentile"])
def test_beyond_the_reach_of_the_resamples_is_undefined(form: str) -> None:
    d = [4, 5, 5, 6, 5, 4]
    for alternative in ("two-sided", "greater"):
        result = nf.test(d, [0] * 6, "bootstrap", form=form, alternative=alternative)
        assert math.isnan(result.p_value)
        assert math.isnan(result.log_p_value)
        assert facts(result, "test.out_of_reach") == {"instead": ("permutation",)}
    assert p_of(d, form, alternative="less") == 1.0
    assert p_of(d, form, delta=5.0) > 0.1


@pytest.mark.parametrize("form", ["shift", "berg_kirkpatrick", "percentile", "moses"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_draws_that_were_asked_for_give_the_classical_p(form: str, alternative: str) -> None:
    if form == "moses" and alternative != "two-sided":
        return
    d = [4, 5, 5, 6, 5, 4]
    result = nf.test(d, [0] * 6, "bootstrap", form=form, alternative=alternative, monte_carlo=199)
    expected = {"two-sided": 1 if form == "moses" else 2, "greater": 1, "less": 200}[alternative] / 200
    assert result.p_value == pytest.approx(expected)
    assert math.exp(result.log_p_value) == pytest.approx(expected)
    if alternative != "less":
        assert facts(result, "test.least_of_draws") == {"draws": 199}
    # Equal differences have nothing to vary: their draws would make a single item significant.
    for alike in ([2, 2, 2, 2], [5]):
        assert math.isnan(nf.test(alike, [0] * len(alike), "bootstrap", form=form, monte_carlo=199).p_value)


def test_identical_systems_with_a_margin_are_undefined() -> None:
    result = nf.test([1, 2], [1, 2], "bootstrap", delta=0.5)
    assert math.isnan(result.p_value)
    assert nf.test([2, 3], [1, 2], "bootstrap", delta=1.0).p_value == 1.0


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"form": "moses", "alternative": "greater"}, MethodError, "moses"),
        ({"form": "percentile", "recentre": "bootstrap_mean"}, MethodError, "recentre"),
        ({"form": "percentile", "two_sided": "absolute"}, MethodError, "absolute"),
        ({"two_sided": "absolute", "alternative": "less"}, MethodError, "absolute"),
        ({"form": "studentized", "resample_size": 1}, InputError, "at least 2"),
        ({"resample_size": 0}, InputError, "resample_size = 0"),
        ({"monte_carlo": 0}, InputError, "9999"),
        ({"seed": -1}, InputError, "seed = -1"),
        ({"form": "shifted"}, InputError, "shift"),
    ],
)
def test_what_has_no_meaning_is_refused(options: dict[str, Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        nf.test([1, 2, 4], [0, 0, 5], "bootstrap", **options)


@pytest.mark.parametrize("options", [{"form": f} for f in FORMS if f not in ("shift", "percentile")])
def test_forms_without_a_cluster_version_are_refused(options: dict[str, Any]) -> None:
    sample = as_sample([1, 2, 4, 3], [0, 0, 5, 1], clusters=[0, 0, 1, 1])
    with pytest.raises(MethodError, match="clusters"):
        nf.test(sample, method="bootstrap", **options)
    with pytest.raises(MethodError, match="recentre"):
        nf.test(sample, method="bootstrap", recentre="bootstrap_mean")


def test_notes_say_where_the_form_promises_too_much() -> None:
    rng = np.random.default_rng(2)
    few, many = rng.normal(size=20).round(2), rng.normal(size=80).round(2)

    def said(d: Any, **options: Any) -> tuple[str, ...]:
        return codes(nf.test(d, np.zeros(len(d)), "bootstrap", **options))

    assert said(few) == ("test.few_items_for_bootstrap",)
    assert not said(few, form="studentized")
    assert not said(many)
    assert said(many, form="moses") == ("test.moses",)
    assert said(many, form="berg_kirkpatrick") == ("test.berg_kirkpatrick_two_sided",)
    assert not said(many, form="berg_kirkpatrick", alternative="greater")
    assert "test.flat_resamples" in said([1, 0, 0, 0, 0], form="studentized")
    clustered = nf.test(as_sample(many, np.zeros(80), clusters=np.arange(80) // 4), method="bootstrap")
    assert facts(clustered, "test.few_clusters_for_bootstrap") == {"clusters": 20}
    assert clustered.validity == "asymptotic"


@pytest.mark.parametrize("form", ["shift", "berg_kirkpatrick", "percentile"])
@pytest.mark.parametrize(("n", "decimals"), [(8, 6), (30, 1), (60, 3), (500, 6)])
def test_without_draws_it_is_what_draws_tend_to(form: str, n: int, decimals: int) -> None:
    d = np.random.default_rng(n).normal(0.15, 1, n).round(decimals)
    exact = nf.test(d, np.zeros(n), "bootstrap", form=form)
    drawn = nf.test(d, np.zeros(n), "bootstrap", form=form, monte_carlo=40_000, seed=3)
    assert exact.computed.how == "exact"
    assert exact.validity == "asymptotic"
    assert exact.p_value == pytest.approx(drawn.p_value, abs=4 * drawn.computed.error + 2 / 40_000)
    assert exact.interval is not None
    assert drawn.interval is not None
    spread = exact.details["standard_error"]
    assert exact.interval.low == pytest.approx(drawn.interval.low, abs=0.12 * spread)
    assert exact.interval.high == pytest.approx(drawn.interval.high, abs=0.12 * spread)
