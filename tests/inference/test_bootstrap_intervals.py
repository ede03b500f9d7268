"""Bootstrap intervals of the mean: figures of R and SciPy, agreement with the test, clusters, coverage."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import nofluke as nf
import nofluke.inference.tests.bootstrap
from nofluke.align import as_sample
from nofluke.errors import InputError
from nofluke.inference.effects.mean_difference import BOOTSTRAP_INTERVALS, bootstrap_mean_interval
from nofluke.inference.intervals.bootstrap import (
    basic_limits,
    bca_acceleration,
    bca_bias,
    bca_limits,
    percentile_limits,
    rank_of,
)
from nofluke.inference.resampling.exact_bootstrap import Drawn, exact_limits
from support.figures import rows, samples
from support.quantities.resampling import QUANTITIES
from support.rates import same_rate
from support.thinned import thinned

RECORDED = [row for family in ("bca", "intervals", "decimal_pitfall") for row in rows(family)]


@pytest.mark.parametrize(
    "row",
    [pytest.param(row, id=f"{row['case']}-{row['quantity']}") for row in RECORDED if row["quantity"] in QUANTITIES],
)
def test_reference_figure(row: dict[str, Any]) -> None:
    sample = samples()[row["inputs"]["sample"]]
    found = np.array(QUANTITIES[row["quantity"]].compute(row["inputs"], sample["a"], sample["b"]), dtype=float)
    expected = np.array(row["value"], dtype=float)
    allowed = row["tolerance"].get("abs", 0.0) + row["tolerance"].get("rel", 0.0) * np.abs(expected)
    assert (np.abs(found - expected) <= allowed).all(), f"{found} is not {expected} ({row['source']})"


def test_every_recorded_bootstrap_figure_is_checked() -> None:
    assert sum(row["quantity"] in QUANTITIES for row in RECORDED) >= 39 + 13 + 3


def test_ranks_are_those_of_the_test() -> None:
    # p = (1 + hits) / (1 + draws) <= level exactly when hits < rank.
    for draws in (9, 19, 39, 99, 999, 9_999):
        for level in (0.005, 0.025, 0.05, (1 - 0.95) / 2, 1 - 0.95, 1 - 0.9):
            smallest = next(hits for hits in range(draws + 1) if (1 + hits) / (1 + draws) > level + 1e-12)
            assert rank_of(level, draws) == smallest


def test_limits_are_order_statistics() -> None:
    points = np.random.default_rng(0).permutation(np.arange(1, 1_000))
    assert percentile_limits(points, 0.025, 0.05) == (25, 950)
    assert basic_limits(points, 1_000, 0.05, 0.025) == (50, 975)
    assert percentile_limits(points, 0.0, 0.05) == (-math.inf, 950)
    assert percentile_limits(points, 0.0005, 0.0005) == (-math.inf, math.inf)
    assert bca_limits(points, 0.0, 0.0, 0.025, 0.05) == (25, 950)


def test_bca_pieces() -> None:
    assert bca_bias(40, 20, 100) == 0.0
    assert bca_bias(60, 0, 100) == pytest.approx(0.2533471, abs=1e-7)
    d = np.array([0.0, 0.0, 1.0, 5.0])
    g1 = np.mean((d - 1.5) ** 3) / np.mean((d - 1.5) ** 2) ** 1.5
    assert bca_acceleration(d - 1.5) == pytest.approx(g1 / (6 * math.sqrt(4)), rel=1e-12)
    assert math.isnan(bca_acceleration(np.zeros(3)))
    # DiCiccio and Efron 1996, equation 2.3 by hand: z0 = .1, a = .05, level .025.
    points = np.arange(1, 100_000)
    low = 0.5 * math.erfc(-(0.1 + (0.1 - 1.9599639845) / (1 - 0.05 * (0.1 - 1.9599639845))) / math.sqrt(2))
    high = 0.5 * math.erfc(-(0.1 + (0.1 + 1.9599639845) / (1 - 0.05 * (0.1 + 1.9599639845))) / math.sqrt(2))
    found = bca_limits(points, 0.1, 0.05, 0.025, 0.025)
    assert found[0] == pytest.approx(low * 100_000, abs=2)
    assert found[1] == pytest.approx(high * 100_000, abs=2)
    assert all(math.isnan(limit) for limit in bca_limits(points, math.inf, 0.0, 0.025, 0.025))
    assert all(math.isnan(limit) for limit in bca_limits(points, 0.0, -0.6, 0.025, 0.025))


@pytest.mark.parametrize(("method", "form"), [("percentile", "percentile"), ("basic", "shift")])
def test_the_interval_is_that_of_the_test(method: Any, form: str) -> None:
    d = np.random.default_rng(1).exponential(size=40).round(3)
    expected = nf.test(d, np.zeros(40), "bootstrap", form=form, seed=5, confidence_level=0.9).interval
    found = bootstrap_mean_interval(as_sample(d, np.zeros(40)), method, 0.9, seed=5)
    assert expected is not None
    assert (found.low, found.high, found.level) == (expected.low, expected.high, 0.9)


@pytest.mark.parametrize("method", BOOTSTRAP_INTERVALS)
def test_clusters_of_one_item_are_items_and_larger_ones_widen(method: Any) -> None:
    rng = np.random.default_rng(2)
    d = (np.repeat(rng.normal(size=30), 5) + 0.1 * rng.normal(size=150)).round(3)
    zeros = np.zeros(150)
    plain = bootstrap_mean_interval(as_sample(d, zeros), method)
    single = bootstrap_mean_interval(as_sample(d, zeros, clusters=range(150)), method)
    assert (single.low, single.high) == pytest.approx((plain.low, plain.high), rel=1e-9)
    clustered = bootstrap_mean_interval(as_sample(d, zeros, clusters=np.arange(150) // 5), method)
    wider = (clustered.high - clustered.low) / (plain.high - plain.low)
    assert wider == pytest.approx(2.2, abs=0.4)


@pytest.mark.parametrize("form", ["shift", "percentile"])
@pytest.mark.parametrize("decimals", [0, 3])
def test_unequal_clusters_without_draws_agree_with_many_draws(form: str, decimals: int) -> None:
    rng = np.random.default_rng(8)
    cluster = np.repeat(np.arange(45), rng.integers(1, 9, size=45))
    d = (1 + 3 * rng.normal(size=45)[cluster] + rng.normal(size=len(cluster))).round(decimals)
    sample = as_sample(d, np.zeros(len(d)), clusters=cluster)
    exact = nf.test(sample, "bootstrap", form=form)
    drawn = nf.test(sample, "bootstrap", form=form, monte_carlo=40_000)
    assert exact.computed.how == "exact"
    assert abs(exact.p_value - drawn.p_value) < 4 * drawn.computed.error
    assert exact.interval is not None
    assert drawn.interval is not None
    scale = exact.details["standard_error"]
    assert exact.interval.low == pytest.approx(drawn.interval.low, abs=0.06 * scale)
    assert exact.interval.high == pytest.approx(drawn.interval.high, abs=0.06 * scale)


@pytest.mark.parametrize("method", BOOTSTRAP_INTERVALS)
def test_swapping_the_systems_mirrors_the_interval(method: Any) -> None:
    d = np.random.default_rng(1).exponential(size=31).round(3)
    one, other = (bootstrap_mean_interval(as_sample(*pair), method) for pair in ((d, 0 * d), (0 * d, d)))
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), rel=1e-12)


@pytest.mark.parametrize("method", BOOTSTRAP_INTERVALS)
def test_equal_differences_have_no_interval(method: Any) -> None:
    for scores in ([1, 1, 1], [3, 3, 3]):
        interval = bootstrap_mean_interval(as_sample(scores, [1, 1, 1]), method)
        assert math.isnan(interval.low)
        assert math.isnan(interval.high)


def test_refusals() -> None:
    sample = as_sample([1, 2, 4], [0, 0, 5])
    with pytest.raises(InputError, match="did you mean 'bca'"):
        bootstrap_mean_interval(sample, "bcaa")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="confidence_level"):
        bootstrap_mean_interval(sample, "bca", 95)


# Coverage at a nominal .95 in 6,000 repetitions of plain NumPy and scipy.stats code.
COVERAGE = [
    ("normal", 10, {"percentile": 0.9007, "basic": 0.9032, "bca": 0.8973}),
    ("lognormal", 30, {"percentile": 0.8852, "basic": 0.8565, "bca": 0.8987}),
]


@pytest.mark.parametrize(("kind", "n", "expected"), COVERAGE)
def test_coverage_is_that_of_independent_code(kind: str, n: int, expected: dict[str, float]) -> None:
    _check_coverage(kind, n, expected, repetitions=500, draws=499)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "n", "expected"), [*COVERAGE, ("normal", 30, {"percentile": 0.933, "basic": 0.932, "bca": 0.9297})]
)
def test_coverage_is_that_of_independent_code_at_full_size(kind: str, n: int, expected: dict[str, float]) -> None:
    _check_coverage(kind, n, expected, repetitions=4_000, draws=999)


def _check_coverage(kind: str, n: int, expected: dict[str, float], repetitions: int, draws: int) -> None:
    rng = np.random.default_rng(8)
    truth = math.exp(0.5) if kind == "lognormal" else 0.0
    covered = dict.fromkeys(BOOTSTRAP_INTERVALS, 0)
    for seed in range(repetitions):
        d = (rng.lognormal(size=n) if kind == "lognormal" else rng.normal(size=n)).round(6)
        sample = as_sample(d, np.zeros(n))
        for method in BOOTSTRAP_INTERVALS:
            covered[method] += truth in bootstrap_mean_interval(sample, method, resamples=draws, seed=seed)
    for method, rate in expected.items():
        assert same_rate(covered[method], repetitions, rate, 6_000), (method, covered[method] / repetitions)


def limits_of_all_resamples(totals: list[int], sizes: list[int], error: float) -> tuple[Fraction, Fraction]:
    """Of all n^n resamples of clusters: the smallest mean with more than `error` at or below it, and its mirror."""
    means: Counter[Fraction] = Counter()
    for drawn in itertools.product(range(len(totals)), repeat=len(totals)):
        means[Fraction(sum(totals[i] for i in drawn), sum(sizes[i] for i in drawn))] += 1
    allowed = Fraction(error) * (1 + Fraction(1, 10**12)) * len(totals) ** len(totals)

    def first(ordered: list[Fraction]) -> Fraction:
        counts = itertools.accumulate(means[mean] for mean in ordered)
        return next(mean for mean, count in zip(ordered, counts, strict=True) if count > allowed)

    return first(sorted(means)), first(sorted(means, reverse=True))


@pytest.mark.parametrize("seed", thinned(range(12), always=4))
@pytest.mark.parametrize("error", [0.05, 0.005, 0.0005])
def test_limits_over_clusters_are_those_of_all_resamples(seed: int, error: float) -> None:
    rng = np.random.default_rng((3, seed))
    groups = int(rng.integers(3, 6))
    sizes = rng.integers(1, 9, groups)
    sizes[0] += int(sizes.min() == sizes.max())
    totals = np.array([rng.integers(-size, size + 1) for size in sizes]) * (1 if seed % 2 else 37)
    if len({Fraction(int(t), int(s)) for t, s in zip(totals, sizes, strict=True)}) == 1:
        return
    found = exact_limits("percentile", Drawn(totals, sizes), error, error)
    spread = float(np.std(totals - sizes * totals.sum() / sizes.sum())) / float(sizes.mean())
    for limit, right in zip(found, limits_of_all_resamples(totals.tolist(), sizes.tolist(), error), strict=True):
        assert float(limit) == pytest.approx(float(right), abs=2e-5 * spread)


@pytest.mark.parametrize("groups", thinned([12, 45], always=1))
@pytest.mark.parametrize("error", [0.025, 0.0005])
def test_limits_over_many_clusters_pass_the_level(groups: int, error: float) -> None:
    """Skewed clusters: normal quantiles are several standard errors away from the limits."""
    rng = np.random.default_rng((4, groups))
    sizes = rng.integers(1, 7, groups)
    totals = np.where(rng.random(groups) < 0.1, 900 * sizes, rng.integers(-30, 31, groups))
    drawn = Drawn(totals, sizes)
    low, high = (Fraction(limit) for limit in exact_limits("percentile", drawn, error, error))
    gap = Fraction(1, 50)
    assert min(Fraction(int(t), int(s)) for t, s in zip(totals, sizes, strict=True)) <= low < high
    assert drawn.at_most(low - gap).log_p <= math.log(error) < drawn.at_most(low + gap).log_p
    assert drawn.at_least(high + gap).log_p <= math.log(error) < drawn.at_least(high - gap).log_p
