"""Dror's simulations stand inside binomial bounds of theory, and of what others simulated."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from nofluke.engine.randomness import MULTIPLICITY, Stream
from nofluke.errors import InputError
from nofluke.studies.multiplicity_study import Plan, multiplicity, simulated_counts, statistics
from nofluke.studies.multiplicity_theory import chances
from nofluke.words import studies as words
from support.rates import same_rate

REPETITIONS = 10_000
DROR = ((34, 0.0), (33, 0.2), (33, 0.5))
MAIN = "too many claimed"


def inside(rate: float, repetitions: int, theory: float) -> bool:
    """Whether a simulated rate lies in the exact central 99.9% of what theory lets one expect."""
    low, high = stats.binom.interval(0.999, repetitions, theory)
    return bool(low <= round(rate * repetitions) <= high)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"datasets": 7, "alpha": 0.1},
        {"dependence": "dror"},
        {"dependence": "dror", "shared_factor": True},
        {"dependence": [(12, 0.9)]},
        {"dependence": [(1, 0.0), (2, 0.4)]},
    ],
)
def test_simulated_rates_are_those_of_theory(settings: dict) -> None:
    table = multiplicity(**settings, repetitions=REPETITIONS, seed=3).tables[MAIN]
    checked = 0
    for found, theory in (("k-hat > k", "in theory"), ("k-hat > k + 1", "in theory too")):
        for rate, expected in zip(table[found], table[theory], strict=True):
            if not math.isnan(expected):
                assert inside(rate, REPETITIONS, expected)
                checked += 1
    assert checked >= 4


def test_theory_of_the_independent_case() -> None:
    found = chances(((100, 0.0),), 0.05, shared_factor=False)
    assert found["count"].more_than_none == pytest.approx(stats.binom.sf(0, 100, 0.05), rel=1e-12)
    assert found["count"].more_than_one == pytest.approx(stats.binom.sf(1, 100, 0.05), rel=1e-12)
    assert found["bonferroni"].more_than_none == pytest.approx(1 - (1 - 0.0005) ** 100, rel=1e-10)
    assert found["fisher"].more_than_none == found["simes"].more_than_none == 0.05
    # The figures of the notes on the paper: what it prints for k-hat > 0 is k-hat > 1.
    assert round(found["count"].more_than_one, 3) == 0.963
    assert round(found["bonferroni"].more_than_one, 3) == 0.001


def test_theory_of_bonferroni_claiming_two() -> None:
    """Two datasets: both are claimed when the smaller p is at most alpha / 2 and the larger at most alpha."""
    alpha = 0.1
    found = chances(((2, 0.0),), alpha, shared_factor=False)["bonferroni"]
    half = alpha / 2
    assert found.more_than_one == pytest.approx(2 * half * alpha - half * half, rel=1e-9)


def test_theory_of_correlated_pairs_is_the_bivariate_normal() -> None:
    alpha, rho = 0.05, 0.7
    edge = stats.norm.isf(alpha)
    both_below = stats.multivariate_normal([0, 0], [[1, rho], [rho, 1]]).cdf([edge, edge])
    found = chances(((2, rho),), alpha, shared_factor=False)["count"]
    assert found.more_than_none == pytest.approx(1 - both_below, abs=1e-6)
    both_above = 2 * alpha - (1 - both_below)
    assert found.more_than_one == pytest.approx(both_above, abs=1e-6)


def test_the_figures_that_others_simulated() -> None:
    """20,000 and 12,000 runs of an independent implementation, from the notes on the paper."""
    independent = multiplicity(repetitions=REPETITIONS, seed=1).tables[MAIN]
    rates = dict(zip(independent["method"], independent["k-hat > k + 1"], strict=True))
    for name, rate in (("count", 0.964), ("bonferroni", 0.0011), ("fisher", 0.017)):
        assert same_rate(round(rates[name] * REPETITIONS), REPETITIONS, rate, 20_000)
    for shared, expected in ((False, (0.961, 0.043, 0.233)), (True, (0.941, 0.040, 0.265))):
        dependent = multiplicity("dror", shared_factor=shared, repetitions=REPETITIONS, seed=1).tables[MAIN]
        for rate, other in zip(dependent["k-hat > k"][:3], expected, strict=True):
            assert same_rate(round(rate * REPETITIONS), REPETITIONS, other, 12_000)


def test_the_erratum_is_stated_for_the_papers_case_only() -> None:
    paper = multiplicity(repetitions=200)
    assert paper.tables[MAIN]["printed"][:3] == (0.963, 0.001, 0.021)
    assert any("chances of k-hat > 1" in note for note in words.notes(paper))
    other = multiplicity(datasets=50, repetitions=200)
    assert "printed" not in other.tables[MAIN]
    assert not words.notes(other)


def test_correlations_are_what_was_asked_for() -> None:
    plan = Plan(DROR, False, 0, 0.0, 0.05, "dror")
    z = statistics(plan, Stream(0, MULTIPLICITY, 0), 4_000)
    correlations = np.corrcoef(z.T)
    starts = (0, 34, 67, 100)
    for (first, last), (_, rho) in zip(itertools.pairwise(starts), DROR, strict=True):
        block = correlations[first:last, first:last]
        off = block[~np.eye(last - first, dtype=bool)]
        assert off.mean() == pytest.approx(rho, abs=0.02)
    assert correlations[:34, 67:].mean() == pytest.approx(0.0, abs=0.02)
    assert z.std() == pytest.approx(1.0, abs=0.01)


def test_true_effects_move_the_right_number_of_datasets() -> None:
    plan = Plan(((30, 0.0),), False, 10, 50.0, 0.05, "")
    assert np.count_nonzero(plan.shifts) == 10
    counts = simulated_counts(plan, ("bonferroni", "fisher", "simes"), 300, 0, None)
    # Effects of 50 standard errors are always found, so nothing below them is claimed.
    assert all(int(values.min()) >= 10 for values in counts.values())
    # With every effect certain, more than k are claimed as if only the other 20 were tested: Fisher has size alpha.
    assert stats.binom.cdf(np.sum(counts["fisher"] > 10), 300, 0.05) < 0.9995


def test_k_bonferroni_never_exceeds_simes() -> None:
    counts = simulated_counts(Plan(((20, 0.3),), False, 5, 2.0, 0.05, ""), ("bonferroni", "simes"), 500, 7, None)
    assert np.all(counts["bonferroni"] <= counts["simes"])


def test_the_same_seed_gives_the_same_study() -> None:
    first, again, other = (multiplicity(datasets=10, repetitions=600, seed=seed) for seed in (5, 5, 6))
    assert first.to_dict() == again.to_dict()
    assert first.tables["claims"] != other.tables["claims"]


@pytest.mark.parametrize(
    "settings",
    [
        {"dependence": "unknown"},
        {"dependence": []},
        {"dependence": [(3, 1.5)]},
        {"effects": 101},
        {"alpha": 0.0},
        {"methods": ["stouffer?"]},
        {"repetitions": 0},
        {"datasets": True},
    ],
)
def test_what_cannot_be_simulated_is_refused(settings: dict) -> None:
    with pytest.raises(InputError):
        multiplicity(**{"repetitions": 100, **settings})


def test_one_factor_for_all_makes_single_datasets_dependent() -> None:
    groups = [(1, 0.9)] * 10
    apart = multiplicity(groups, repetitions=2_000)
    together = multiplicity(groups, repetitions=2_000, shared_factor=True)
    assert "all independent" in words.sentences(apart)[0]
    assert "correlated at 0.9" in words.sentences(together)[0]
    assert "shared_factor:True" in together.signature
    fisher = together.tables[MAIN]["method"].index("fisher")
    assert together.tables[MAIN]["k-hat > k"][fisher] > 0.15
    assert math.isnan(together.tables[MAIN]["in theory"][fisher])
    assert any("Fisher's method needs independent" in note for note in words.notes(together))
