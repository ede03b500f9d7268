"""Posteriors are calibrated: with parameters drawn from the prior, the posterior probability of lying below the truth
is uniform. The distance from uniform stays within the Dvoretzky-Kiefer-Wolfowitz bound, which a right function leaves
once in a thousand seeds."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from nofluke.inference.bayes.beta_differences import PairedDifference, UnpairedDifference
from nofluke.inference.bayes.hierarchical import Observed, integrated
from nofluke.inference.bayes.posterior_law import BetaLaw
from support.quantities.bayes import posterior

REPETITIONS = 1_500


def distance(values: list[float]) -> float:
    ordered = np.sort(values)
    steps = np.arange(len(ordered) + 1) / len(ordered)
    return float(max(np.max(steps[1:] - ordered), np.max(ordered - steps[:-1])))


def bound(n: int) -> float:
    return math.sqrt(math.log(2 / 0.001) / (2 * n))


def test_the_check_itself_can_fail() -> None:
    rng = np.random.default_rng(0)
    assert distance(list(rng.random(REPETITIONS))) < bound(REPETITIONS)
    assert distance(list(rng.beta(1.2, 1.2, REPETITIONS))) > bound(REPETITIONS) / 2
    assert distance(list(rng.beta(1.5, 1.5, REPETITIONS))) > bound(REPETITIONS)


@pytest.mark.parametrize("weight", [0.5, 1.0])
def test_dirichlet(weight: float) -> None:
    rng = np.random.default_rng(11)
    found = []
    for rates in rng.dirichlet([weight] * 4, REPETITIONS):
        both, only_a, only_b, neither = rng.multinomial(25, rates)
        law = PairedDifference(only_a + weight, only_b + weight, both + neither + 2 * weight)
        found.append(law.below(rates[1] - rates[2]))
    assert distance(found) < bound(REPETITIONS)


def test_beta_binomial_and_unpaired_accuracies() -> None:
    rng = np.random.default_rng(12)
    shares, differences = [], []
    for x, y in rng.beta(0.5, 0.5, (REPETITIONS, 2)):
        k, m = rng.binomial(12, x), rng.binomial(30, y)
        shares.append(BetaLaw(k + 0.5, 12 - k + 0.5).below(x))
        differences.append(UnpairedDifference((k + 0.5, 12.5 - k), (m + 0.5, 30.5 - m)).below(x - y))
    assert distance(shares) < bound(REPETITIONS)
    assert distance(differences) < bound(REPETITIONS)


@pytest.mark.parametrize("rho", [0.0, 0.3])
def test_correlated_t(rho: float) -> None:
    """The prior is flat, so any mean and spread will do: the probability of being above the true mean is uniform."""
    rng = np.random.default_rng(13)
    found = []
    for _ in range(REPETITIONS // 2):
        spread = rng.lognormal(0, 2)
        noise = math.sqrt(rho) * rng.normal() + math.sqrt(1 - rho) * rng.normal(size=6)
        # Differences less the true mean.
        found.append(posterior(spread * noise, np.zeros(6), "correlated_t", rho=rho).p_better)
    assert distance(found) < bound(len(found))


def between(rng: np.random.Generator, scale: float, datasets: int) -> tuple[float, npt.NDArray[np.float64]]:
    spread = scale * abs(rng.standard_cauchy())
    return spread, rng.normal(0.0, spread, datasets)


@pytest.mark.parametrize("datasets", [3, 12])
def test_hierarchical(datasets: int) -> None:
    """With the spread drawn from its prior: the common mean, the next dataset and a seen dataset are calibrated."""
    rng = np.random.default_rng(14)
    found: dict[str, list[float]] = {"mean": [], "next": [], "seen": []}
    for _ in range(REPETITIONS):
        errors = rng.uniform(0.5, 2.0, datasets)
        spread, true = between(rng, 1.5, datasets)
        means = rng.normal(true, errors)
        names = tuple(map(str, range(datasets)))
        shape = integrated(Observed(names, (99,) * datasets, means, errors), scale=1.5)
        found["mean"].append(shape.mean_law().below(0.0))
        found["next"].append(shape.next_law().below(float(rng.normal(0.0, spread))))
        found["seen"].append(shape.dataset_law(float(means[0]), float(errors[0])).below(float(true[0])))
    for values in found.values():
        assert distance(values) < bound(REPETITIONS)


@pytest.mark.slow
@pytest.mark.parametrize("datasets", [2, 3, 5, 10, 30])
@pytest.mark.parametrize("spread", [0.0, 1.0, 5.0])
def test_the_default_scale_is_wide_enough(datasets: int, spread: float) -> None:
    """95% intervals of the common mean hold the truth at least 95 times in 100 (docs/decisions/bayes.md)."""
    rng = np.random.default_rng(15)
    inside = 0
    for _ in range(4_000):
        errors = rng.uniform(0.3, 2.0, datasets)
        means = rng.normal(rng.normal(0.0, spread, datasets), errors)
        seen = Observed(tuple(map(str, range(datasets))), (99,) * datasets, means, errors)
        inside += 0.025 < integrated(seen, seen.default_scale).mean_law().below(0.0) < 0.975
    assert inside / 4_000 > 0.95 - 3.3 * math.sqrt(0.95 * 0.05 / 4_000)
