"""How often equal systems are told apart over training runs: inside the bounds that simulations of others gave."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nofluke as nf
from support.runs import scores_of, with_runs

# Seeds of each system, items, seed sd of A and of B in points: shares of right answers near .6, items differing.
SETTINGS = [
    *((3, 200, sd, sd) for sd in (0, 1, 4)),
    *((3, 2_000, sd, sd) for sd in (0, 0.5, 1, 2, 4)),
    *((5, 200, sd, sd) for sd in (0, 2)),
    *((5, 2_000, sd, sd) for sd in (0, 1, 4)),
]
ONE_VARIES = [(3, 2_000, 2, 0), (5, 2_000, 2, 0)]


def trained(rng: np.random.Generator, runs: int, chances: np.ndarray, seed_sd: float) -> np.ndarray:
    """Right and wrong answers to items of different difficulty, in runs that are better or worse as a whole."""
    shifts = rng.normal(0, seed_sd / 100, runs)
    return (rng.random((len(chances), runs)) < np.clip(chances[:, None] + shifts, 0, 1)).astype(np.float64)


def size(runs: int, n: int, sd_a: float, sd_b: float, repetitions: int, seed: int, **options: str) -> float:
    """The share of p-values of equal systems that are at most .05."""
    rng = np.random.default_rng(seed)
    found = 0
    for _ in range(repetitions):
        chances = rng.choice([0.15, 0.5, 0.85, 0.9], n)
        sample = with_runs(trained(rng, runs, chances, sd_a), trained(rng, runs, chances, sd_b))
        found += nf.test(sample, "crossed_runs", **options).p_value <= 0.05
    return found / repetitions


def allowed(rate: float, repetitions: int) -> float:
    """A rate and three standard errors of it."""
    return rate + 3 * math.sqrt(rate * (1 - rate) / repetitions)


@pytest.mark.parametrize(("runs", "n", "sd_a", "sd_b"), [(3, 200, 2, 2), (5, 200, 0, 0)])
def test_size_of_a_few(runs: int, n: int, sd_a: float, sd_b: float) -> None:
    assert size(runs, n, sd_a, sd_b, 300, seed=1) <= allowed(0.05, 300)


@pytest.mark.slow
@pytest.mark.parametrize(("runs", "n", "sd_a", "sd_b"), SETTINGS)
def test_size(runs: int, n: int, sd_a: float, sd_b: float) -> None:
    assert size(runs, n, sd_a, sd_b, 2_000, seed=2) <= allowed(0.05, 2_000)


@pytest.mark.slow
@pytest.mark.parametrize(("runs", "n", "sd_a", "sd_b"), ONE_VARIES)
def test_size_where_one_system_varies(runs: int, n: int, sd_a: float, sd_b: float) -> None:
    assert size(runs, n, sd_a, sd_b, 2_000, seed=3) <= allowed(0.063, 2_000)


@pytest.mark.slow
def test_size_of_the_subtracted_form() -> None:
    assert size(10, 500, 1, 1, 2_000, seed=4, form="subtracted") <= allowed(0.056, 2_000)


@pytest.mark.slow
def test_seeds_that_are_left_out_look_like_evidence() -> None:
    """What the test is for: the same settings by a test of checkpoints err four times as often and more."""
    rng = np.random.default_rng(5)
    found = 0
    for _ in range(500):
        chances = rng.choice([0.15, 0.5, 0.85, 0.9], 2_000)
        a, b = (trained(rng, 3, chances, 2.0).mean(axis=1) for _ in range(2))
        found += nf.test(a, b, "paired_t").p_value <= 0.05
    assert found / 500 > 0.2


def missed(runs: int, n: int, seed_sd: float, repetitions: int, seed: int) -> float:
    """The share of 95 % intervals that miss a true gap of three points."""
    rng, found = np.random.default_rng(seed), 0
    for _ in range(repetitions):
        chances = rng.choice([0.15, 0.5, 0.85, 0.9], n)
        sample = with_runs(trained(rng, runs, chances + 0.03, seed_sd), trained(rng, runs, chances, seed_sd))
        interval = nf.test(sample, "crossed_runs").interval
        found += interval is None or 0.03 not in interval
    return found / repetitions


def test_intervals_over_runs_cover() -> None:
    assert missed(3, 200, 2, 200, seed=6) <= allowed(0.05, 200)


@pytest.mark.slow
@pytest.mark.parametrize(("runs", "n", "seed_sd"), [(3, 200, 1), (3, 2_000, 2), (5, 2_000, 1), (5, 500, 3)])
def test_intervals_over_runs_cover_at_full_size(runs: int, n: int, seed_sd: float) -> None:
    assert missed(runs, n, seed_sd, 2_000, seed=7) <= allowed(0.05, 2_000)


@pytest.mark.slow
def test_a_ranking_of_equal_systems_over_runs_claims_nothing() -> None:
    """Any false claim among all pairs of four systems, in 5 of 100 rankings at most (Holm)."""
    rng, found = np.random.default_rng(8), 0
    for _ in range(400):
        chances = rng.choice([0.15, 0.5, 0.85, 0.9], 150)
        table = {name: trained(rng, 3, chances, 2.0) for name in "abcd"}
        found += nf.rank(scores_of(table), runs="crossed").separated > 0
    assert found / 400 <= allowed(0.05, 400)
