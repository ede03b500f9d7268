"""Step-down max-t: equal to a plain loop, equivariant, the same for every executor, with the promised error rates."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from nofluke.engine.pairs.flips import all_pairs_flips
from nofluke.engine.pairs.max_t import FLIP_TOGETHER, MaxT, max_t
from nofluke.engine.randomness import CHUNK, Stream
from nofluke.errors import InputError


def correlated(rng: np.random.Generator, n: int, means: np.ndarray, noise: float = 0.7) -> np.ndarray:
    shared = rng.normal(0, 1, (n, 1))
    return np.rint((shared + means + rng.normal(0, noise, (n, means.size))) * 1e4).astype(np.int64)


def signs_of(seed: int, resamples: int, n: int) -> np.ndarray:
    """The same bits in the plainest way: for n <= 2048, replicate r of a chunk has words 64 r to 64 r + 63."""
    rows = []
    for chunk in range(-(-resamples // CHUNK)):
        words = Stream(seed, FLIP_TOGETHER, chunk).words(CHUNK * 64).reshape(CHUNK, 64)
        bits = (words[:, :, None] >> np.arange(32, dtype=np.uint32)) & 1
        rows.append(bits.reshape(CHUNK, -1)[:, :n])
    return np.concatenate(rows)[:resamples].astype(np.int64) * 2 - 1


def step_down(scores: np.ndarray, resamples: int, seed: int) -> np.ndarray:
    n, systems = scores.shape
    # Items in the order of their scores, system by system from the smallest total up.
    ranked = np.argsort(scores.sum(axis=0), kind="stable")
    scores = np.array(sorted(scores.tolist(), key=lambda row: [row[s] - row[ranked[0]] for s in ranked]))
    pairs = list(itertools.combinations(range(systems), 2))
    d = np.array([scores[:, i] - scores[:, j] for i, j in pairs]).astype(float)
    root = np.sqrt((d**2).sum(axis=1))
    observed = np.abs(d.sum(axis=1)) / root
    drawn = np.abs(signs_of(seed, resamples, n) @ d.T) / root
    p, result, so_far = np.ones((systems, systems)), {}, 0.0
    order = sorted(range(len(pairs)), key=lambda k: -observed[k])
    for rank, k in enumerate(order):
        maxima = drawn[:, order[rank:]].max(axis=1)
        so_far = max(so_far, (1 + np.count_nonzero(maxima >= observed[k] * (1 - 1e-12))) / (1 + resamples))
        result[pairs[k]] = so_far
    for (i, j), value in result.items():
        p[i, j] = p[j, i] = value
    return p


@pytest.mark.parametrize("resamples", [99, 600])
def test_equal_to_a_plain_loop(resamples: int, rng: np.random.Generator) -> None:
    scores = correlated(rng, 40, np.array([0, 0, 0.3, 0.5]))
    found = max_t(scores, resamples, 7)
    assert np.array_equal(found.p_value, step_down(scores, resamples, 7))
    assert found.maxima.size == resamples


def test_two_systems_are_the_permutation_test(rng: np.random.Generator) -> None:
    scores = correlated(rng, 80, np.array([0.0, 0.15]))
    exact = all_pairs_flips(scores).log_p
    p = 2 * math.exp(min(exact[0, 1], exact[1, 0]))
    found = max_t(scores, 10_000, 1).p_value[0, 1]
    assert abs(found - p) < 4 * math.sqrt(p * (1 - p) / 10_000)


def test_systems_and_items_may_be_renamed(rng: np.random.Generator) -> None:
    scores = correlated(rng, 60, np.linspace(0, 0.6, 6))
    order = rng.permutation(6)
    found, moved = max_t(scores, 500, 3), max_t(scores[:, order], 500, 3)
    assert np.array_equal(moved.p_value, found.p_value[np.ix_(order, order)])
    assert np.allclose(moved.statistic, found.statistic[np.ix_(order, order)], rtol=1e-12)
    assert moved.critical_t() == pytest.approx(found.critical_t(), rel=1e-12)
    # a shift of an item for all systems, and one scale, change nothing
    shifted = max_t(3 * scores + rng.integers(-999, 999, (60, 1)), 500, 3)
    assert np.array_equal(shifted.p_value, found.p_value)


def same(first: MaxT, second: MaxT) -> bool:
    return all(
        getattr(first, name).tobytes() == getattr(second, name).tobytes() for name in ("p_value", "statistic", "maxima")
    )


def test_a_seed_gives_the_same_bytes_and_another_one_others(rng: np.random.Generator) -> None:
    scores = correlated(rng, 150, np.linspace(0, 0.5, 8))
    found = max_t(scores, 1_500, 5)
    assert same(found, max_t(scores, 1_500, 5))
    assert not same(found, max_t(scores, 1_500, 6))


def test_more_resamples_continue_the_run(rng: np.random.Generator) -> None:
    scores = correlated(rng, 50, np.zeros(3))
    few, many = max_t(scores, 300, 5), max_t(scores, 512, 5)
    assert set(few.maxima) <= set(many.maxima)


def test_wide_scores_are_summed_exactly(rng: np.random.Generator) -> None:
    scores = correlated(rng, 3_000, np.array([0, 0.01, 0.05]))
    wide = max_t(scores * 2**40, 300, 2)
    narrow = max_t(scores, 300, 2)
    assert np.array_equal(wide.p_value, narrow.p_value)
    assert np.allclose(wide.maxima, narrow.maxima, rtol=1e-12)


def test_identical_systems_and_many_to_one(rng: np.random.Generator) -> None:
    scores = correlated(rng, 100, np.array([0, 0.5, 1.0]))[:, [0, 0, 1, 2]]
    found = max_t(scores, 400, 1)
    assert found.p_value[0, 1] == 1.0
    one = max_t(scores, 400, 1, baseline=2)
    assert (one.p_value[[0, 1, 3], [1, 3, 0]] == 1.0).all()
    assert (one.p_value[2] <= found.p_value[2]).all()
    assert one.critical_t() <= found.critical_t()
    assert one.statistic[2, 0] > 0 > one.statistic[2, 3]


def test_refusals_and_progress(rng: np.random.Generator) -> None:
    scores = correlated(rng, 30, np.zeros(3))
    seen: list[tuple[int, int]] = []
    max_t(scores, 300, 1, progress=lambda done, every: seen.append((done, every)))
    assert seen == [(256, 300), (300, 300)]
    with pytest.raises(InputError, match="no system 3"):
        max_t(scores, 300, 1, baseline=3)
    with pytest.raises(InputError, match="draw at least 19"):
        max_t(scores, 18, 1).critical_t()
    assert max_t(scores, 19, 1).critical_t() > 0


def rejections(rng: np.random.Generator, repetitions: int, n: int, means: np.ndarray) -> tuple[int, int]:
    """In how many tables is a true null rejected, and in how many does a simultaneous interval miss its mean?"""
    wrong = missed = 0
    pairs = list(itertools.combinations(range(means.size), 2))
    for repetition in range(repetitions):
        scores = correlated(rng, n, means)
        found = max_t(scores, 199, repetition)
        wrong += any(found.p_value[i, j] <= 0.05 for i, j in pairs if means[i] == means[j])
        t = found.critical_t()
        for i, j in pairs:
            d = (scores[:, i] - scores[:, j]) / 1e4
            if abs(d.mean() - (means[i] - means[j])) > t * d.std(ddof=1) / math.sqrt(n):
                missed += 1
                break
    return wrong, missed


def most(repetitions: int, rate: float) -> float:
    return repetitions * rate + 3.29 * math.sqrt(repetitions * rate * (1 - rate))


@pytest.mark.parametrize("means", [np.zeros(6), np.array([0, 0, 0, 0.8, 0.8, 1.6])])
def test_familywise_error_and_coverage(means: np.ndarray, rng: np.random.Generator) -> None:
    wrong, missed = rejections(rng, 250, 40, means)
    assert wrong <= most(250, 0.05)
    assert wrong >= 2
    # centring at the mean costs a little at n = 40
    assert missed <= most(250, 0.06)


@pytest.mark.slow
@pytest.mark.parametrize("means", [np.zeros(10), np.repeat([0, 0.5, 1.0], [5, 3, 2])])
def test_familywise_error_at_length(means: np.ndarray, rng: np.random.Generator) -> None:
    wrong, missed = rejections(rng, 4_000, 60, means)
    assert wrong <= most(4_000, 0.05)
    assert missed <= most(4_000, 0.055)


def test_more_power_than_holm(rng: np.random.Generator) -> None:
    """Correlated comparisons: Holm ignores that they fail together."""
    gained = lost = 0
    for seed in range(12):
        scores = correlated(rng, 100, np.linspace(0, 0.5, 12))
        p = np.exp(all_pairs_flips(scores, exact="none").log_p)
        family = np.sort(p[~np.eye(12, dtype=bool)])
        passed = family <= 0.05 / np.arange(family.size, 0, -1)
        holm = int(np.argmin(passed))
        mine = int(np.count_nonzero(max_t(scores, 999, seed).p_value <= 0.05)) // 2
        gained, lost = gained + (mine > holm), lost + (mine < holm)
    assert gained > lost
    assert gained >= 8
