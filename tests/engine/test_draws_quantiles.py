"""Quantiles against all resamples, draws against exact tails, and the saddlepoint against both."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from nofluke.engine.draws import draw_quantile, draw_tail, draw_tail_saddlepoint, draw_tails_saddlepoint
from nofluke.engine.resample import resampled_sums
from nofluke.errors import InputError

VALUES = [[0, 1], [3, -1, 4, 1, -5], [0, 0, 0, 7, 1, 2], [1_000_003, -5, 271_828, 314_159, 9, 9]]


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("draws", [None, 3])
def test_quantiles_against_every_resample(values, draws):
    number = len(values) if draws is None else draws
    sums = np.sort([sum(chosen) for chosen in itertools.product(values, repeat=number)])
    for probability in (0.001, 0.025, 0.05, 0.2, 0.5, 0.6, 0.97):
        shares = np.searchsorted(sums, np.unique(sums), side="left") / sums.size
        expected = np.unique(sums)[np.flatnonzero(shares <= probability * (1 + 1e-12))[-1]]
        assert draw_quantile(np.array(values), probability, draws=draws) == expected
        mirrored = draw_quantile(-np.array(values), probability, draws=draws, upper=True)
        assert mirrored == -expected


def test_a_level_that_is_met_exactly():
    # 1/4, 1/2, 1/4: a quarter lies below 1, so 1 is the limit that leaves a quarter outside
    assert draw_quantile(np.array([0, 1]), 0.25) == 1
    assert draw_quantile(np.array([0, 1]), 0.25, upper=True) == 1
    assert draw_quantile(np.array([4, 4]), 0.025) == 8
    with pytest.raises(InputError):
        draw_quantile(np.array([0, 1]), 0.0)


@pytest.mark.parametrize(("n", "decimals"), [(11, 6), (40, 2), (60, 12), (300, 4), (2000, 6), (5000, 0)])
def test_the_level_is_passed_at_the_quantile(n, decimals, rng):
    values = np.rint(rng.lognormal(1, 0.7, n) * 10**decimals).astype(np.int64)
    for probability in (1e-9, 0.025, 0.4, 0.8):
        high = draw_quantile(values, probability, upper=True)
        assert draw_tail(values, high, strict=True).log_p <= math.log(probability) + 1e-10
        assert draw_tail(values, high - 1, strict=True).log_p >= math.log(probability) - 1e-10
        low = draw_quantile(values, probability)
        assert draw_tail(-values, -low, strict=True).log_p <= math.log(probability) + 1e-10
        assert draw_tail(-values, -low - 1, strict=True).log_p >= math.log(probability) - 1e-10


GIANTS = [[10**14], [10**11, 2 * 10**11, 3 * 10**11, 4 * 10**11], [10**12, -3 * 10**13], [-(10**13), 7 * 10**9, 10**13]]


@pytest.mark.parametrize("giants", GIANTS, ids=len)
@pytest.mark.parametrize("n", [6, 50])
def test_beside_giants_the_level_is_passed_at_the_quantile_to_the_step(giants, n, rng):
    """Within 1e-11 standard deviations of it lie all sums of the other scores."""
    values = np.append(rng.integers(-40, 100, n), giants)
    for probability in (0.0005, 0.025, 0.3):
        low = draw_quantile(values, probability)
        below, up_to = (draw_tail(-values, -low, strict=strict) for strict in (True, False))
        assert max(below.bound, up_to.bound) < 1e-9
        assert below.log_p <= math.log(probability) < up_to.log_p


DRAWN = {
    "normal": lambda rng: rng.normal(0.1, 1, 40) * 1e6,
    "six items": lambda rng: rng.normal(0.3, 1, 6) * 1e6,
    "lognormal": lambda rng: rng.lognormal(0, 1, 30) * 1e6,
    "t with 2 degrees of freedom": lambda rng: rng.standard_t(2, 60) * 1e6,
    "zeros and ones": lambda rng: rng.integers(-1, 2, 60),
    "hundredths": lambda rng: rng.integers(-100, 130, 50),
    "Likert": lambda rng: rng.integers(-4, 6, 35),
    "ranks": lambda _: np.arange(-20, 30),
    "mostly zeros": lambda rng: np.where(rng.random(60) < 0.85, 0, rng.normal(1, 3, 60) * 1e6),
    "one outlier": lambda rng: np.append(rng.normal(0, 1, 30) * 1e3, 1e9),
    "twelve digits": lambda rng: rng.uniform(-1, 1.3, 25) * 1e12,
    "two clumps": lambda rng: np.concatenate([rng.normal(0, 1, 25), rng.normal(1000, 1, 15)]) * 1e4,
    "m of n": lambda rng: rng.normal(0.2, 1, 500) * 1e6,
}


def standard_errors_off(name, rng, resamples):
    """By how many standard errors the shares of the draws miss the tails, at the worst of four levels."""
    values = np.rint(DRAWN[name](rng)).astype(np.int64)
    size = 20 if name == "m of n" else len(values)
    sums = resampled_sums(values, resamples, seed=11, size=size)
    off = []
    for level in (0.5, 0.9, 0.99, 0.999):
        threshold = int(np.quantile(sums[:1000], level, method="higher"))
        p = math.exp(draw_tail(values, threshold, draws=size).log_p)
        share = np.count_nonzero(sums >= threshold) / resamples
        off.append(abs(share - p) / math.sqrt(p * (1 - p) / resamples))
    return max(off)


@pytest.mark.parametrize("name", DRAWN)
def test_two_hundred_thousand_draws(name, rng):
    assert standard_errors_off(name, rng, 200_000) <= 4


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN)
def test_ten_million_draws(name, rng):
    assert standard_errors_off(name, rng, 10_000_000) <= 4


# n: the largest relative error of the saddlepoint for normal and for exponential items, thresholds at 0 to 5 deviations
SADDLEPOINT = {14: (6e-3, 1.5e-2), 30: (2e-3, 6e-3), 100: (4e-4, 1.5e-3), 300: (1e-4, 5e-4), 2000: (2e-5, 8e-5)}


@pytest.mark.parametrize("n", SADDLEPOINT)
def test_the_saddlepoint_by_number_of_items(n, rng):
    for skewed, limit in enumerate(SADDLEPOINT[n]):
        floats = rng.exponential(1, n) if skewed else rng.normal(0, 1, n)
        values = np.rint(floats * 1e6).astype(np.int64)
        thresholds = [int(values.sum() + z * values.std() * math.sqrt(n)) for z in (-3, -1, 0, 0.3, 1, 2, 3, 4, 5)]
        rows = np.tile(values.astype(np.float64), (len(thresholds), 1))
        approximate = draw_tails_saddlepoint(rows, np.array(thresholds, dtype=np.float64))
        exact = np.array([draw_tail(values, threshold).log_p for threshold in thresholds])
        errors = np.abs(np.expm1(approximate - exact))
        assert errors.max() <= limit, errors
        assert draw_tail_saddlepoint(rows[0], thresholds[3]) == pytest.approx(approximate[3], rel=1e-9)


def test_the_saddlepoint_at_the_ends():
    values = np.array([1.0, 2.0, 2.0, 5.0])
    assert draw_tail_saddlepoint(values, 4.0) == 0.0
    assert draw_tail_saddlepoint(values, 21.0) == -math.inf
    assert draw_tail_saddlepoint(values, 20.0) == pytest.approx(4 * math.log(0.25))
    assert draw_tail_saddlepoint(np.full(3, 2.0), 6.0) == 0.0
    assert draw_tail_saddlepoint(np.full(3, 2.0), 6.5) == -math.inf
    grouped = draw_tail_saddlepoint(np.array([1.0, 2.0, 5.0]), 12.0, counts=np.array([1, 2, 1]))
    assert grouped == pytest.approx(draw_tail_saddlepoint(values, 12.0), rel=1e-12)


def test_the_centre_of_the_saddlepoint_is_smooth():
    values = np.random.default_rng(2).exponential(1, 50)
    total = values.sum()
    logs = draw_tails_saddlepoint(np.tile(values, (5, 1)), total + np.array([-1e-2, -1e-5, 0.0, 1e-5, 1e-2]))
    assert (np.diff(logs) < 0).all()
    assert np.abs(np.diff(logs)).max() < 1e-2
