"""Families of pairs keep their promise: no false claim, and rank ranges that hold, in all but alpha of the studies."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from nofluke.engine.pairs.max_t import max_t
from nofluke.inference.ranking.family import Claims, correct
from nofluke.inference.ranking.standings import rank_ranges
from nofluke.laws.tails import log_t_tails
from nofluke.types import FloatArray

ALPHA = 0.05
# Systems in blocks of truly equal ones: some nulls are true, some are not.
TRUTH = {
    "all equal": np.zeros(6),
    "two blocks": np.array([0.6, 0.6, 0.6, 0.0, 0.0, 0.0]),
    "a ladder": np.array([1.0, 0.8, 0.6, 0.4, 0.2, 0.0]),
}


def tails(scores: FloatArray) -> FloatArray:
    """One-sided t tails of all pairs of (n, S) normal scores, which are exact here."""
    n, size = scores.shape
    d = scores[:, :, None] - scores[:, None, :]
    with np.errstate(invalid="ignore", divide="ignore"):
        t = d.mean(axis=0) / (d.std(axis=0, ddof=1) / np.sqrt(n))
    t[np.diag_indices(size)] = -np.inf
    return log_t_tails(t.ravel(), n - 1).reshape(size, size)


def wrong(better: np.ndarray, truth: FloatArray) -> bool:
    """Whether any claim "i is better than j" is false."""
    return bool((better & (truth[:, None] <= truth[None, :])).any())


def covered(better: np.ndarray, truth: FloatArray) -> bool:
    """Whether every range holds every rank that truth allows: 1 + truly better to S - truly worse."""
    return all(
        low <= 1 + int((truth > value).sum()) and int((truth >= value).sum()) <= high
        for (low, high), value in zip(rank_ranges(better), truth, strict=True)
    )


def at_most(count: int, repetitions: int, rate: float) -> bool:
    """Whether a count is compatible with a rate of at most this, at 99.9 %."""
    return count <= int(stats.binom.ppf(0.999, repetitions, rate))


def simulate(truth: FloatArray, adjust: str, family: str, repetitions: int, seed: int) -> tuple[int, int]:
    rng = np.random.default_rng(seed)
    claims = Claims(len(truth), family, "two-sided")
    false = missed = 0
    for _ in range(repetitions):
        scores = rng.normal(0, 1, (25, 1)) + truth + rng.normal(0, 1, (25, len(truth)))
        better = correct(tails(scores), claims, adjust, ALPHA).better
        false += wrong(better, truth)
        missed += not covered(better, truth)
    return false, missed


@pytest.mark.parametrize("adjust", ["holm", "bonferroni"])
@pytest.mark.parametrize("name", TRUTH)
def test_no_false_claim_and_ranges_that_hold(name: str, adjust: str) -> None:
    false, missed = simulate(TRUTH[name], adjust, "directions", 1_500, seed=1)
    assert at_most(false, 1_500, ALPHA)
    assert at_most(missed, 1_500, ALPHA)
    assert false == missed or name != "all equal"


def test_the_bound_is_nearly_reached_when_all_are_equal() -> None:
    false, _ = simulate(TRUTH["all equal"], "holm", "directions", 1_500, seed=2)
    assert false / 1_500 > 0.02


def test_without_a_correction_false_claims_are_the_rule() -> None:
    false, _ = simulate(TRUTH["all equal"], "none", "directions", 300, seed=3)
    assert false / 300 > 0.25


def shared(truth: FloatArray, repetitions: int, seed: int, n: int = 20) -> tuple[int, int, int]:
    """Count false claims, missed ranges, and simultaneous limits that miss a difference, of max_t."""
    rng = np.random.default_rng(seed)
    false = missed = outside = 0
    gaps = truth[:, None] - truth[None, :]
    for _ in range(repetitions):
        scores = rng.normal(0, 1, (n, 1)) + truth + rng.normal(0, 1, (n, len(truth)))
        whole = np.rint(scores * 1e6).astype(np.int64)
        found = max_t(whole, 199, int(rng.integers(1 << 30)))
        better = (found.p_value <= ALPHA) & (found.statistic > 0)
        false += wrong(better, truth)
        missed += not covered(better, truth)
        d = scores[:, :, None] - scores[:, None, :]
        half = found.critical_t(1 - ALPHA) * d.std(axis=0, ddof=1) / np.sqrt(n)
        outside += bool((np.abs(d.mean(axis=0) - gaps) > half + 1e-12).any())
    return false, missed, outside


@pytest.mark.parametrize("name", TRUTH)
def test_max_t_keeps_its_promise(name: str) -> None:
    false, missed, outside = shared(TRUTH[name], 600, seed=4)
    assert at_most(false, 600, ALPHA)
    assert at_most(missed, 600, ALPHA)
    # The limits invert centred flips: asymptotic, a little above the level at 20 items.
    assert at_most(outside, 600, 0.075)


@pytest.mark.slow
@pytest.mark.parametrize("name", TRUTH)
def test_many_studies(name: str) -> None:
    for adjust in ("holm", "bonferroni"):
        false, missed = simulate(TRUTH[name], adjust, "directions", 20_000, seed=5)
        assert at_most(false, 20_000, ALPHA)
        assert at_most(missed, 20_000, ALPHA)
    false, missed, _ = shared(TRUTH[name], 8_000, seed=6)
    assert at_most(false, 8_000, ALPHA)
    assert at_most(missed, 8_000, ALPHA)


@pytest.mark.slow
def test_max_t_finds_more_than_holm() -> None:
    rng = np.random.default_rng(7)
    truth = np.repeat([0.5, 0.25, 0.0], [4, 4, 4])
    holm = largest = 0
    for _ in range(300):
        scores = rng.normal(0, 1, (40, 1)) + truth + rng.normal(0, 0.8, (40, 12))
        better = correct(tails(scores), Claims(12, "directions", "two-sided"), "holm", ALPHA).better
        found = max_t(np.rint(scores * 1e6).astype(np.int64), 399, int(rng.integers(1 << 30)))
        holm += int(better.sum())
        largest += int(((found.p_value <= ALPHA) & (found.statistic > 0)).sum())
    assert largest > 1.1 * holm


def test_tails_of_the_simulation_are_those_of_the_test() -> None:
    scores = np.random.default_rng(0).normal(0, 1, (12, 3))
    expected = stats.ttest_rel(scores[:, 2], scores[:, 0], alternative="greater").pvalue
    assert np.exp(tails(scores)[2, 0]) == pytest.approx(expected, rel=1e-9)
