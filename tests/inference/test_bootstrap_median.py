"""The bootstrap test of the median difference."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import binom

import nofluke as nf
from nofluke.align import as_sample
from nofluke.engine.resample import resampled_medians
from nofluke.errors import InputError, MethodError
from nofluke.inference.tests import bootstrap_median
from support.notes import codes, facts
from support.rates import same_rate

FORMS = ("percentile", "shift")
QUICK = settings(deadline=None, derandomize=True, max_examples=40)


def run(d: Any, **options: Any) -> Any:
    return nf.test(d, [0] * len(d), "bootstrap_median", **options)


def all_medians(items: np.ndarray, resamples: int, **_: Any) -> np.ndarray:
    chosen = list(itertools.product(items.tolist(), repeat=len(items)))
    assert len(chosen) == resamples
    return (2 * np.median(np.array(chosen), axis=1)).astype(np.int64)


@pytest.mark.parametrize("d", [[3, -1, 2], [0, 0, 1, 4], [-5, 2, 1, 1], [5, -2, 0, 1, 3]], ids=str)
@pytest.mark.parametrize("delta", [0.0, 0.5, -1.25])
@pytest.mark.parametrize("form", FORMS)
def test_it_counts_what_it_says(d: list[int], delta: float, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap_median, "resampled_medians", all_medians)
    medians = np.median(np.array(list(itertools.product(d, repeat=len(d)))), axis=1)
    bound = 2 * np.median(d) - delta
    hits = {"greater": int((medians >= bound).sum()), "less": int((medians <= bound).sum())}
    if form == "percentile":
        hits = {"greater": int((medians <= delta).sum()), "less": int((medians >= delta).sum())}
    for alternative, count in hits.items():
        p = run(d, delta=delta, form=form, alternative=alternative, monte_carlo=len(medians)).p_value
        assert p == (1 + count) / (1 + len(medians)) if count else math.isnan(p)
    p = run(d, delta=delta, form=form, monte_carlo=len(medians)).p_value
    fewest = min(hits.values())
    assert p == min(1.0, 2 * (1 + fewest) / (1 + len(medians))) if fewest else math.isnan(p)


def test_the_draws_have_the_known_distribution_of_a_resampled_median() -> None:
    # Efron 1979: the median of n = 2m - 1 draws is at most the k-th item when at least m draws are among the first k.
    n, draws = 15, 40_000
    medians = resampled_medians(2 * np.arange(1, n + 1), draws, seed=3)
    for k in range(1, n):
        expected = binom.sf((n - 1) // 2, n, k / n)
        found = np.mean(medians <= 4 * k)
        assert abs(found - expected) <= 4 * math.sqrt(expected * (1 - expected) / draws) + 1e-4


@given(st.lists(st.integers(-4, 6), min_size=2, max_size=13), st.sampled_from(FORMS))
@QUICK
def test_swap_order_scale_and_overlap(d: list[int], form: str) -> None:
    assume(len(set(d)) > 1)
    options = {"monte_carlo": 300, "form": form}
    base, mirrored = run(d, **options), nf.test([0] * len(d), d, "bootstrap_median", **options)
    turned, scaled = run(d[::-1], **options), run([v / 4 for v in d], **options)
    for other in (mirrored, turned, scaled):
        assert np.array_equal(other.p_value, base.p_value, equal_nan=True)
    assert mirrored.estimate == -base.estimate
    assert (-mirrored.interval.high, -mirrored.interval.low) == (base.interval.low, base.interval.high)
    greater, less = (run(d, alternative=a, **options).p_value for a in ("greater", "less"))
    assert math.isnan(greater) or math.isnan(less) or greater + less >= 1


@pytest.mark.parametrize("form", FORMS)
def test_the_interval_holds_what_the_test_does_not_reject(form: str) -> None:
    d = np.random.default_rng(4).normal(0.2, 1, 60).round(2)
    options = {"monte_carlo": 999, "form": form}
    interval = run(d, **options).interval
    for limit, outwards in ((interval.low, -1), (interval.high, 1)):
        assert run(d, delta=limit, **options).p_value > 0.05
        assert run(d, delta=round(limit + outwards * 0.001, 4), **options).p_value <= 0.05


def test_it_is_about_the_median_not_the_mean() -> None:
    # One item in ten gains a lot, most others lose a little: the mean says better, the median worse.
    d = np.where(np.arange(200) % 10 == 0, 9.0, -0.5) + np.sin(np.arange(200)).round(3)
    for form in FORMS:
        result = run(d, form=form)
        assert result.estimate == pytest.approx(np.median(d))
        assert result.p_value < 0.01
        assert result.estimate < 0 < d.mean()


def test_ties_are_noted_and_never_significant() -> None:
    d = [0] * 70 + [1] * 30
    result = run(d)
    assert result.p_value == 1.0
    assert result.details["n_tied"] == 70
    assert facts(result, "test.median_fixed") == {"count": 70, "n": 100, "tied": True}
    assert "test.median_fixed" not in codes(run(np.arange(-30, 40)))
    assert facts(run(np.arange(15) - 7), "test.few_items_for_median") == {"n": 15, "form": "percentile"}
    assert facts(run(np.arange(-30, 40), form="shift"), "test.few_items_for_median")["n"] == 70


def test_degenerate_differences() -> None:
    assert run([0, 0, 0]).p_value == 1.0
    assert run([2, 2], delta=2.0).p_value == 1.0
    for d in ([2, 2, 2], [5]):
        result = run(d)
        assert math.isnan(result.p_value)
        assert "permutation" in facts(result, "test.resamples_alike")["instead"]
    far = run([5, 6, 6, 7, 5])
    assert math.isnan(far.p_value)
    assert "test.out_of_reach" in codes(far)


def test_refusals() -> None:
    with pytest.raises(InputError, match="monte_carlo = 0"):
        run([1, 2], monte_carlo=0)
    with pytest.raises(InputError, match="seed = -2"):
        run([1, 2], seed=-2)
    with pytest.raises(MethodError, match="clusters"):
        nf.test(as_sample([1, 2, 3], [0, 0, 4], clusters=[0, 0, 1]), method="bootstrap_median")


# Two-sided sizes at a nominal .05 on normal differences, from plain NumPy code: (percentile, shift), repetitions.
SIZES = {20: ((0.0528, 0.168), 4_000), 51: ((0.048, 0.140), 4_000), 200: ((0.0567, 0.108), 3_000)}


def check_size(n: int, repetitions: int, draws: int) -> None:
    rng = np.random.default_rng(n)
    counts = dict.fromkeys(FORMS, 0)
    for seed in range(repetitions):
        d = rng.normal(size=n).round(4)
        for form in FORMS:
            # Out of reach (nan) stands for a p-value of 0.
            counts[form] += not run(d, form=form, monte_carlo=draws, seed=seed).p_value > 0.05
    rates, source_repetitions = SIZES[n]
    for form, rate in zip(FORMS, rates, strict=True):
        assert same_rate(counts[form], repetitions, rate, source_repetitions), (form, counts[form] / repetitions)
    assert counts["shift"] > 1.5 * counts["percentile"]


def test_the_percentile_form_keeps_its_size_and_the_shift_form_does_not() -> None:
    check_size(51, 800, 499)


@pytest.mark.slow
@pytest.mark.parametrize("n", SIZES)
def test_size_at_full_size(n: int) -> None:
    check_size(n, 4_000, 499)


@pytest.mark.parametrize("form", FORMS)
def test_differences_far_below_the_others_are_counted_as_small_ones_are(form: str) -> None:
    tiny, small = (
        nf.test(d, [0] * 5, method="bootstrap_median", form=form)
        for d in ([0.2, -0.2, 1e-31, 3e-31, 0.4], [0.2, -0.2, 0.001, 0.003, 0.4])
    )
    assert tiny.p_value == small.p_value
    assert tiny.estimate == 3e-31
    assert tiny.interval is not None
    assert small.interval is not None
    assert [tiny.interval.low, tiny.interval.high] == pytest.approx([small.interval.low, small.interval.high], abs=0.01)
