"""Intervals by sign flips: limits lie where the exact p-value passes the level, also where a few items outweigh all."""

from __future__ import annotations

import itertools
import math
import random
from bisect import bisect_right
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import nofluke as nf
from nofluke.align import as_sample
from nofluke.engine.flips import flip_tail
from nofluke.engine.saddlepoint import flip_tail_saddlepoint
from nofluke.inference.intervals.flip_inversion import Anchor, flip_interval
from nofluke.inference.intervals.flip_patterns import Patterns
from nofluke.types import TestResult
from support.notes import codes, facts
from support.thinned import thinned


def differences(seed: int, n: int, extremes: tuple[float, ...]) -> np.ndarray:
    values = np.round(np.random.default_rng(seed).normal(0.1, 1.0, n), 3)
    values[: len(extremes)] = extremes
    return values


def exact_log_p(d: np.ndarray, null: float) -> float:
    """The one-sided p-value of the shifted differences, by exact counting on a fine grid."""
    whole = np.rint((d - null) * 1e6).astype(np.int64)
    return float(flip_tail(whole, int(whole.sum())).log_p)


@pytest.mark.parametrize("extremes", [(), (40.0,), (4_000.0,), (-4_000.0,), (60.0, 50.0), (300.0, -200.0, 150.0)])
@pytest.mark.parametrize("seed", [1, 2])
def test_limits_are_where_the_exact_p_value_passes_the_level(seed: int, extremes: tuple[float, ...]) -> None:
    d = differences(seed, 60, extremes)
    interval = nf.test(d, np.zeros(60), "permutation").interval
    assert interval is not None
    for limit, sign in ((interval.low, 1), (interval.high, -1)):
        # A step of a staircase may be wide beside an extreme item: the level lies between its two heights.
        scale = 0.02 * max(1.0, abs(limit))
        inside, outside = (exact_log_p(sign * d, sign * limit + side * scale) for side in (1, -1))
        assert outside <= math.log(0.025 * 1.02)
        assert inside >= math.log(0.025 / 1.02)
    p = nf.test(d, np.zeros(60), "permutation").p_value
    assert (interval.low <= 0 <= interval.high) == (p > 0.05)


def test_an_item_that_outweighs_all_others_does_not_move_the_other_limit() -> None:
    """Of the flips that matter for the lower limit none turns the extreme item: its size is then irrelevant."""
    lows = []
    for size in (100.0, 1e4, 1e6, 1e12):
        interval = nf.test(differences(3, 100, (size,)), np.zeros(100), "permutation").interval
        assert interval is not None
        lows.append(interval.low)
    assert lows == pytest.approx([lows[0]] * 4, abs=1e-4)


@pytest.mark.parametrize("extremes", [(30.0,), (30.0, 25.0), (1e160,), (500.0, 40.0, 30.0, 20.0)])
def test_tails_with_heavy_items_agree_with_counting(extremes: tuple[float, ...]) -> None:
    d = differences(4, 40, extremes)
    scale = 1e3 if max(extremes) < 1e6 else 1e3 / max(extremes) * 1e9
    whole = np.rint(d * scale).astype(np.int64)
    for share in (0.2, 0.5, 0.9):
        threshold = round(share * float(whole.sum()))
        assert math.exp(flip_tail_saddlepoint(whole / scale, threshold / scale)) == pytest.approx(
            math.exp(flip_tail(whole, threshold).log_p), rel=0.02
        )


# ---------------------------------------------------------------- against an inversion in fractions

Group = tuple[Fraction, int]


def smallest_mean_not_rejected(groups: list[Group], level: float) -> float:
    """All sets of flipped groups (sum, size), counted in whole numbers: the mean at which more than `level` are below.

    Groups that are alike are taken together, so that dozens of ties can be counted as well.
    """
    law: dict[Group, int] = {(Fraction(0), 0): 1}
    for (total, size), count in Counter(groups).items():
        extended: Counter[Group] = Counter()
        for (s, z), ways in law.items():
            for flipped in range(count + 1):
                extended[s + flipped * total, z + flipped * size] += ways * math.comb(count, flipped)
        law = dict(extended)
    allowed = Fraction(level) * 2 ** len(groups) * (1 + Fraction(1, 10**12))
    counted = law.pop((Fraction(0), 0))
    if counted > allowed:
        return -math.inf
    by_mean: Counter[Fraction] = Counter()
    for (s, z), ways in law.items():
        by_mean[s / z] += ways
    for mean in sorted(by_mean):
        counted += by_mean[mean]
        if counted > allowed:
            return float(mean)
    raise AssertionError("all sets together exceed every level")


def agrees_with_fractions(groups: list[Group], result: nf.TestResult, level: float, delta: float = 0.0) -> bool:
    interval = result.interval
    assert interval is not None
    error = (1 - level) / 2
    low = smallest_mean_not_rejected(groups, error)
    high = -smallest_mean_not_rejected([(-total, size) for total, size in groups], error)
    inside = interval.low <= delta <= interval.high
    return (
        (interval.low, interval.high) == pytest.approx((low, high), rel=1e-9, abs=1e-12)
        and inside == (result.p_value > (1 - level) * (1 + 1e-12))
        and interval.low <= result.estimate <= interval.high
    )


@pytest.mark.parametrize("seed", thinned(range(40), always=10))
def test_a_few_differences_among_many_ties(seed: int) -> None:
    rng = np.random.default_rng((7, seed))
    n, different, unit = int(rng.integers(21, 61)), int(rng.integers(1, 9)), int(rng.choice([1, 10, 100]))
    values = [Fraction(int(k), unit) for k in rng.integers(-unit, 3 * unit, different)]
    d = values + [Fraction(0)] * (n - different)
    level = float(rng.choice([0.9, 0.95, 0.99]))
    if not any(d):
        return
    result = nf.test([float(x) for x in d], [0] * n, "permutation", confidence_level=level)
    assert agrees_with_fractions([(x, 1) for x in d], result, level)


@pytest.mark.parametrize("seed", thinned(range(20), always=6))
def test_clusters_with_ties(seed: int) -> None:
    rng = np.random.default_rng((8, seed))
    n, level = int(rng.integers(30, 61)), float(rng.choice([0.9, 0.95]))
    d = [Fraction(int(k), 10) if rng.random() < 0.2 else Fraction(0) for k in rng.integers(-8, 30, n)]
    clusters = np.sort(rng.integers(0, 24, n))
    sample = as_sample([float(x) for x in d], [0] * n, clusters=clusters.tolist())
    groups = [
        (sum((d[i] for i in np.flatnonzero(clusters == c)), Fraction(0)), int(np.sum(clusters == c)))
        for c in set(clusters.tolist())
    ]
    result = nf.test(sample, "permutation", confidence_level=level)
    assert agrees_with_fractions(groups, result, level)


@pytest.mark.parametrize("seed", thinned(range(20), always=6))
def test_tested_differences_other_than_0(seed: int) -> None:
    rng = np.random.default_rng((9, seed))
    n, level = int(rng.integers(5, 13)), float(rng.choice([0.8, 0.9, 0.95]))
    d = [Fraction(int(k), 10) for k in rng.integers(1, 30, n)]
    # A mean of some of the items: there the p-value jumps.
    delta = float(sum(d[:2]) / 2) if seed % 2 else float(Fraction(int(rng.integers(-5, 25)), 10))
    result = nf.test([float(x) for x in d], [0] * n, "permutation", confidence_level=level, delta=delta)
    assert agrees_with_fractions([(x, 1) for x in d], result, level, delta)


def test_ties_by_the_thousand_are_counted_too() -> None:
    differing = [0.4, 1.1, 0.9, 0.7, -0.2, 1.6, 0.8, 1.3]
    a = differing + [0.0] * 12_000
    result = nf.test(a, [0.0] * len(a), "permutation")
    assert result.interval is not None
    assert result.p_value == pytest.approx(4 / 256, rel=1e-12)
    assert 0 < result.interval.low < result.estimate < result.interval.high
    # With t ties a set of them with s of the others has mean S / (s + k): binomial tails, added up over the 2^8 sets.
    for limit, sign in ((result.interval.low, 1.0), (result.interval.high, -1.0)):
        for side, above in ((1e-7, True), (-1e-7, False)):
            null = sign * limit * (1 + sign * math.copysign(1.0, limit) * side)
            p = 0.0
            for chosen in itertools.product((0, 1), repeat=8):
                total = sign * float(np.dot(chosen, differing))
                ties = total / null - sum(chosen)
                p += (
                    float(
                        stats.binom.sf(math.ceil(ties - 1e-9) - 1, 12_000, 0.5)
                        if null > 0
                        else stats.binom.cdf(math.floor(ties + 1e-9), 12_000, 0.5)
                    )
                    / 256
                )
            assert (p > 0.025) == above


@pytest.mark.parametrize("draws", [19, 99, 999, 20_000])
def test_drawn_p_values_do_not_rule_the_interval(draws: int) -> None:
    d = np.round(np.random.default_rng(3).normal(1.1, 0.5, 25), 2)
    zeros = np.zeros(25)
    exact, drawn = nf.test(d, zeros, "permutation"), nf.test(d, zeros, "permutation", monte_carlo=draws)
    assert exact.interval is not None
    assert drawn.interval is not None
    if 2 / (1 + draws) > 0.05:
        # So few draws reject nothing, and the interval must not say otherwise of the tested difference.
        assert (drawn.interval.low, drawn.interval.high) == (0.0, exact.interval.high)
    else:
        assert drawn.interval == exact.interval


@pytest.mark.parametrize("seed", thinned(range(12), always=4))
def test_drawn_p_values_and_intervals_agree(seed: int) -> None:
    d = np.round(np.random.default_rng((4, seed)).normal(0.4, 1.0, 24), 2)
    result = nf.test(d, np.zeros(24), "permutation", monte_carlo=199, seed=seed)
    assert result.interval is not None
    assert (result.interval.low <= 0 <= result.interval.high) == (result.p_value > 0.05 * (1 + 1e-12))


@pytest.mark.parametrize("n", [33, 60, 300])
@pytest.mark.parametrize("seed", range(4))
def test_interval_and_p_agree_where_patterns_are_too_many(n: int, seed: int) -> None:
    """Differences moved so that p is within a hair of the level, on either side."""
    d = np.round(np.random.default_rng((5, n, seed)).normal(0.0, 1.0, n), 3)
    interval = nf.test(d, np.zeros(n), "permutation").interval
    assert interval is not None
    for limit in (interval.low, interval.high):
        for nudge in (-0.001, 0.0, 0.001):
            moved = np.round(d - round(limit, 3) + nudge, 3)
            result = nf.test(moved, np.zeros(n), "permutation")
            assert result.interval is not None
            assert (result.interval.low <= 0 <= result.interval.high) == (result.p_value > 0.05 * (1 + 1e-12))


@pytest.mark.parametrize("seed", range(6))
def test_totals_beyond_64_bits(seed: int) -> None:
    """The same differences in steps 10^12 times finer, which only Python's whole numbers hold."""
    rng = np.random.default_rng((6, seed))
    totals, sizes = rng.integers(-(10**8), 3 * 10**8, 12), np.ones(12, np.int64)
    anchor = Anchor(0.0, math.nan, math.nan)
    plain = flip_interval(totals, sizes, Fraction(1), 0.025, 0.025, 0.95, anchor)
    wide = np.array([int(total) * 10**12 for total in totals], dtype=object)
    fine = flip_interval(wide, sizes, Fraction(1, 10**12), 0.025, 0.025, 0.95, anchor)
    assert plain is not None
    assert fine is not None
    assert (fine.low, fine.high) == pytest.approx((plain.low, plain.high), rel=1e-9)


# ---------------------------------------------------------------- what the notes say


def swapped(d: np.ndarray, **options: str) -> TestResult:
    return nf.test(d, np.zeros(len(d)), "permutation", **options)


def test_the_note_on_ties_counts_the_items_that_differ() -> None:
    few, many = np.zeros(100), np.zeros(400)
    few[:8], many[:60] = np.arange(1, 9), np.arange(-20, 40) + 0.5
    told = facts(swapped(few), "test.few_differ")
    assert (told["different"], told["enough"]) == (8, 40)
    assert facts(swapped(many), "test.many_ties")["different"] == 60


@pytest.mark.parametrize("n", [20, 50])
def test_skewed_differences_are_named_on_both_sides_alike(n: int) -> None:
    skewed = np.round(np.exp(np.random.default_rng(2).normal(0, 1.3, n)), 2) - 2.3
    assert "test.skewed" in codes(swapped(skewed))
    assert "test.skewed" in codes(swapped(-skewed))
    normal = np.round(np.random.default_rng(3).normal(0, 1, n), 2)
    assert "test.skewed" not in codes(swapped(normal))
    assert "test.skewed_one_sided" in codes(swapped(skewed, alternative="greater"))


def _limit_by_counting(differences: list[float], alpha: float) -> float:
    """The smallest mean of a set of items at which more than alpha of all sets have a mean that is not larger."""
    d = [Fraction(str(x)) for x in differences]
    sets = [[x for place, x in enumerate(d) if pattern >> place & 1] for pattern in range(1, 2 ** len(d))]
    means = sorted(sum(chosen, Fraction(0)) / len(chosen) for chosen in sets)
    if Fraction(1, len(means) + 1) > Fraction(str(alpha)):
        return -math.inf
    return next(float(m) for m in means if 1 + bisect_right(means, m) > Fraction(str(alpha)) * (len(means) + 1))


@pytest.mark.parametrize("power", [3, 8, 9, 10, 12, 15])
def test_limits_beside_one_huge_difference_are_those_of_the_others(power: int) -> None:
    draw = random.Random(power)
    for _ in range(6):
        d = [round(draw.gauss(0.3, 1), 1) for _ in range(draw.randint(6, 8))]
        d[draw.randrange(len(d))] = draw.choice([-1, 1]) * 10.0**power
        for alpha in (0.05, 0.1):
            found = nf.test(d, [0.0] * len(d), "permutation", alternative="greater", confidence_level=1 - alpha)
            assert found.interval is not None
            assert found.interval.low == pytest.approx(_limit_by_counting(d, alpha), rel=1e-12)


def _over_magnitudes(draw: random.Random, n: int, decades: int) -> list[float]:
    d = [
        draw.choice([-1, 1, 1, 1]) * float(f"{draw.uniform(1, 9):.2f}e{draw.randint(-decades, decades)}")
        for _ in range(n)
    ]
    # Two that are gone when they are added: sums in doubles would leave noise in their place.
    d[0] = 3e8 * 10.0**decades
    d[1] = -d[0]
    return d


@pytest.mark.parametrize("decades", [12, 25, 40])
def test_limits_over_many_magnitudes_are_means_of_patterns(decades: int) -> None:
    draw = random.Random(decades)
    for n in (7, 9, 11):
        d = _over_magnitudes(draw, n, decades)
        for alpha in (0.05, 0.2, 0.5):
            found = nf.test(d, [0.0] * n, "permutation", alternative="greater", confidence_level=1 - alpha)
            assert found.interval is not None
            # An interval never rules out its own estimate.
            mean = float(sum(Fraction(str(x)) for x in d) / n)
            expected = min(_limit_by_counting(d, alpha), mean)
            # Nor the tested difference, where the p-value (ties on one grid) keeps it.
            expected = min(expected, 0.0) if found.p_value > alpha else expected
            assert found.interval.low == pytest.approx(expected, rel=1e-12)


def test_a_limit_over_many_magnitudes_takes_a_few_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    share = Patterns.share
    monkeypatch.setattr(Patterns, "share", lambda self, k: counts.append(k) or share(self, k))
    draw = random.Random(1)
    found = nf.test(_over_magnitudes(draw, 24, 60), [0.0] * 24, "permutation")
    assert found.interval is not None
    # Halving whole numbers of 140 digits took 400 and more for each of the two limits: 30 s with 30 items.
    assert len(counts) < 50
