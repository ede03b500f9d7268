"""Every linear form of the bootstrap test, and every interval of a mean, has an exact value that the draws tend to."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtri

import nofluke as nf
from nofluke.align import as_sample
from nofluke.engine.resample import resampled_sums
from nofluke.inference.effects.mean_difference import bootstrap_mean_interval, mean_acceleration
from nofluke.inference.intervals.bootstrap import corrected_level
from nofluke.inference.resampling.exact_bootstrap import LINEAR_FORMS, Drawn, exact_bias, exact_limits, one_sided
from nofluke.inference.resampling.resampled_mean import units_of

RESAMPLES = 40_000


def every_mean(totals, sizes, draws):
    """The mean of each of the n^draws resamples, as a fraction."""
    for chosen in itertools.product(range(len(totals)), repeat=draws):
        below = draws if sizes is None else sum(int(sizes[i]) for i in chosen)
        yield Fraction(sum(int(totals[i]) for i in chosen), below)


def counted(form, means, mean, null):
    """What the forms say, word by word: the shares for "greater" and for "less"."""
    tests = {
        "shift": (lambda m: m - mean >= mean - null, lambda m: m - mean <= mean - null),
        "berg_kirkpatrick": (lambda m: m - mean > mean - null, lambda m: m - mean < mean - null),
        "percentile": (lambda m: m <= null, lambda m: m >= null),
    }[form]
    return tuple(sum(map(test, means)) / len(means) for test in tests)


def log_p(form, drawn, null=Fraction(0), claim="greater"):
    return one_sided(form, drawn, null, greater=claim == "greater").log_p


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    totals=st.lists(st.integers(-4, 5), min_size=2, max_size=5),
    null=st.fractions(-2, 2, max_denominator=4),
    form=st.sampled_from(LINEAR_FORMS),
    draws=st.sampled_from([None, 2, 6]),
    data=st.data(),
)
def test_forms_against_every_resample(totals, null, form, draws, data):
    sizes = data.draw(st.none() | st.lists(st.integers(1, 4), min_size=len(totals), max_size=len(totals)))
    drawn = Drawn(np.array(totals), None if sizes is None else np.array(sizes), draws)
    means = list(every_mean(totals, sizes, drawn.number))
    expected = counted(form, means, drawn.mean, null)
    assert math.exp(log_p(form, drawn, null)) == pytest.approx(expected[0], rel=1e-12, abs=0)
    assert math.exp(log_p(form, drawn, null, "less")) == pytest.approx(expected[1], rel=1e-12, abs=0)


def test_the_direction_of_the_shift_form():
    # A gains on three of four items. S = 2: of the 256 resamples only four gains, 81, reach S* >= 2S = 4.
    drawn = Drawn(np.array([1, 1, 1, -1]))
    assert math.exp(log_p("shift", drawn)) == pytest.approx(81 / 256)
    assert log_p("berg_kirkpatrick", drawn) == -math.inf


def scores(seed, n, *, grid):
    rng = np.random.default_rng(seed)
    b = rng.integers(0, 100, n) / 100
    a = b + rng.integers(-30, 40, n) / 100 if grid else b + np.round(rng.normal(0.04, 0.2, n), 6)
    return a.round(6).tolist(), b.tolist()


@pytest.mark.parametrize("form", LINEAR_FORMS)
@pytest.mark.parametrize("grid", [True, False])
@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_the_registered_test_tends_to_the_exact_tail(form, grid, alternative):
    a, b = scores(3, 60, grid=grid)
    result = nf.test(a, b, "bootstrap", form=form, alternative=alternative, monte_carlo=RESAMPLES, seed=5)
    drawn = Drawn(units_of(as_sample(a, b)).totals)
    p = math.exp(log_p(form, drawn, claim=alternative))
    assert abs(result.p_value - p) <= 4 * math.sqrt(p * (1 - p) / RESAMPLES) + 1 / RESAMPLES


def test_absolute_tends_to_the_exact_tail():
    a, b = scores(4, 50, grid=True)
    result = nf.test(a, b, "bootstrap", two_sided="absolute", monte_carlo=RESAMPLES, seed=5)
    drawn = Drawn(np.rint((np.array(a) - np.array(b)) * 100).astype(np.int64))
    # Both tails as far from the mean as 0 is.
    p = sum(math.exp(tail.log_p) for tail in (drawn.at_least(2 * drawn.mean), drawn.at_most(Fraction(0))))
    assert abs(result.p_value - p) <= 4 * math.sqrt(p * (1 - p) / RESAMPLES) + 1 / RESAMPLES


def test_clusters_tend_to_the_exact_tail():
    rng = np.random.default_rng(8)
    sizes = rng.integers(1, 9, 30)
    totals = np.array([rng.integers(-20, 26, size).sum() for size in sizes])
    drawn = Drawn(totals, sizes)
    sums = resampled_sums(np.stack((totals, sizes), axis=1), RESAMPLES, seed=2)
    for form in ("shift", "percentile"):
        bound = 2 * drawn.mean if form == "shift" else Fraction(0)
        left, right = sums[:, 0] * bound.denominator, sums[:, 1] * bound.numerator
        share = np.mean(left >= right if form == "shift" else left <= right)
        p = math.exp(log_p(form, drawn))
        assert abs(share - p) <= 4 * math.sqrt(p * (1 - p) / RESAMPLES)


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_intervals_tend_to_the_exact_limits(method):
    a, b = scores(6, 45, grid=False)
    sample = as_sample(a, b)
    units = units_of(sample)
    drawn = Drawn(units.totals)
    low, high = exact_limits(method, drawn, 0.025, 0.025, mean_acceleration(units))
    interval = bootstrap_mean_interval(sample, method, 0.95, resamples=400_000, seed=1)
    step = float(sample.grid.exact_step)
    spread = float(np.std(np.array(a) - np.array(b))) / math.sqrt(45)
    # the standard error of a quantile at .025 is sqrt(.025 * .975 / B) / density, density about .058 / spread
    allowed = 5 * math.sqrt(0.025 * 0.975 / 400_000) / 0.05 * spread
    assert float(low) * step == pytest.approx(interval.low, abs=allowed)
    assert float(high) * step == pytest.approx(interval.high, abs=allowed)


def test_the_percentile_interval_and_the_percentile_test_agree():
    values = np.random.default_rng(1).integers(-30, 45, 40)
    drawn = Drawn(values)
    low, high = exact_limits("percentile", drawn, 0.05, 0.05)
    for null in (low, high, low + Fraction(1, 40), high - Fraction(1, 40)):
        assert min(log_p("percentile", drawn, null), log_p("percentile", drawn, null, "less")) > math.log(0.05)
    assert log_p("percentile", drawn, low - Fraction(1, 40)) <= math.log(0.05)
    assert log_p("percentile", drawn, high + Fraction(1, 40), "less") <= math.log(0.05)


def test_the_basic_interval_and_the_shift_test_agree():
    drawn = Drawn(np.random.default_rng(1).integers(-30, 45, 40))
    low, high = exact_limits("basic", drawn, 0.05, 0.05)
    assert log_p("shift", drawn, low) > math.log(0.05)
    assert log_p("shift", drawn, high, "less") > math.log(0.05)
    assert log_p("shift", drawn, low - Fraction(1, 40)) <= math.log(0.05)
    assert log_p("shift", drawn, high + Fraction(1, 40), "less") <= math.log(0.05)


def test_one_sided_and_undefined_limits():
    drawn = Drawn(np.array([1, 2, 5, 9]))
    assert exact_limits("percentile", drawn, 0.0, 0.05)[0] == -math.inf
    assert exact_limits("basic", drawn, 0.05, 0.0)[1] == math.inf
    assert all(math.isnan(limit) for limit in exact_limits("bca", drawn, 0.025, 0.025))
    assert math.isnan(corrected_level(0.975, 0.1, 3.0))
    assert corrected_level(0.1, 0.0, 0.0) == pytest.approx(0.1)


def test_the_bias_splits_ties():
    # two values: S* is 0, 1, 2 with 1/4, 1/2, 1/4: half of the resamples at S = 1 count as below
    assert exact_bias(Drawn(np.array([0, 1]))) == pytest.approx(0.0, abs=1e-12)
    skewed = exact_bias(Drawn(np.array([0, 0, 0, 1])))
    assert skewed == pytest.approx(float(ndtri(0.75**4 + 0.5 * 4 * 0.25 * 0.75**3)), rel=1e-12)
