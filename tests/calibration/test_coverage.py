"""How often the default intervals contain the truth: the second table of docs/decisions/sizes.md."""

from __future__ import annotations

import numpy as np
import pytest

import nofluke as nf
from support.rates import same_rate


def normal(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, float]:
    return rng.normal(0.3, 1, n).round(6), np.zeros(n), 0.3


def ratings(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, float]:
    a = rng.integers(1, 6, n)
    moved = rng.random(n) < 0.3
    step = rng.choice([-1, 0, 1], n, p=[0.2, 0.3, 0.5])
    # Differences are -1, 0, 1 where moved; scores may leave 1..5, which no test here minds.
    return a + np.where(moved, step, 0), a, 0.3 * 0.3


def rare_wins(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, float]:
    gains = rng.exponential(1, n).round(2) + 0.01
    return np.where(rng.random(n) < 0.1, gains, 0), np.zeros(n), 0.101


def answers(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, float]:
    cell = rng.choice(4, n, p=[0.5, 0.2, 0.1, 0.2])
    return np.isin(cell, (0, 1)).astype(float), np.isin(cell, (0, 2)).astype(float), 0.1


CASES = {
    ("permutation", "normal", 20): (normal, 0.9553, 4_000),
    ("permutation", "ratings", 100): (ratings, 0.9610, 4_000),
    ("permutation", "rare wins", 100): (rare_wins, 0.862, 500),
    ("wilcoxon", "normal", 20): (normal, 0.9560, 4_000),
    ("mcnemar", "answers", 60): (answers, 0.9535, 4_000),
    ("tango", "answers", 40): (answers, 0.9467, 600),
}


def covered(method: str, shape: str, n: int, repetitions: int, seed: int) -> int:
    rng = np.random.default_rng(seed)
    make = CASES[method, shape, n][0]
    count = 0
    for _ in range(repetitions):
        a, b, truth = make(rng, n)
        interval = nf.test(a, b, method).interval
        count += interval is not None and truth in interval
    return count


@pytest.mark.parametrize(("method", "shape", "n"), CASES)
def test_coverage_is_the_tabulated_one(method: str, shape: str, n: int) -> None:
    _, rate, behind = CASES[method, shape, n]
    repetitions = 60 if method == "tango" else 200
    assert same_rate(covered(method, shape, n, repetitions, seed=1), repetitions, rate, behind)


@pytest.mark.slow
@pytest.mark.parametrize(("method", "shape", "n"), CASES)
def test_coverage_at_full_size(method: str, shape: str, n: int) -> None:
    _, rate, behind = CASES[method, shape, n]
    repetitions = 500 if method == "tango" else 2_000
    assert same_rate(covered(method, shape, n, repetitions, seed=2), repetitions, rate, behind)
