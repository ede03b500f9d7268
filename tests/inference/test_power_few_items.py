"""Planned power near the smallest p-value that a test can attain, against simulation."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

import nofluke as nf
from nofluke.align import as_sample
from nofluke.engine.pairs.draw_saddlepoint import one_draw
from nofluke.inference.power.curves.choose import direct_rule, rule_of
from nofluke.inference.power.curves.draws import Alias, drawn_counts
from nofluke.inference.power.curves.pilot import pilot_of
from nofluke.inference.power.curves.rule import Setting
from nofluke.registry import TESTS

DRAWS = 6_000


def flips_found(n: int, difference: float, level: float) -> float:
    """The share of test sets in which the flip test of the mean is significant, over all patterns of signs."""
    d = np.random.default_rng((n, 5)).normal(difference, 1.0, (DRAWS, n))
    flipped = ((np.arange(2**n)[:, None] >> np.arange(n)) & 1).astype(np.float64)
    hits = 0
    for block in np.array_split(d, 1 + DRAWS * 2**n // 4_000_000):
        sums = block @ flipped.T
        tails = np.minimum(np.sum(sums <= 1e-12, axis=1), np.sum(sums >= -1e-12, axis=1)) / 2.0**n
        tails = np.minimum(tails, np.sum(sums >= block.sum(axis=1)[:, None] - 1e-12, axis=1) / 2.0**n)
        hits += int(np.sum(2 * tails <= level * (1 + 1e-12)))
    return hits / DRAWS


def near(found: float, power: float) -> bool:
    return abs(found - power) <= 0.01 + 3.3 * math.sqrt(power * (1 - power) / DRAWS)


@pytest.mark.parametrize(
    ("n", "difference", "tests"), [(6, 2.0, 1), (6, 1.0, 1), (7, 1.5, 1), (9, 1.0, 1), (10, 0.9, 5), (12, 2.0, 100)]
)
def test_flips_near_the_smallest_p_value(n: int, difference: float, tests: int) -> None:
    power = nf.power("permutation", n=n, difference=difference, sd=1, tests=tests)
    assert near(flips_found(n, difference, 0.05 / tests), power)


def test_flips_at_the_figures_reported() -> None:
    assert nf.power("permutation", n=6, difference=2, sd=1) == pytest.approx(stats.norm.cdf(2) ** 6, abs=1e-9)
    assert nf.power("permutation", n=5, difference=9, sd=1) == 0
    assert nf.power("permutation", n=8, difference=0, sd=1) == pytest.approx(2 * 6 / 256, rel=1e-6)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_flips_rise_with_items_and_difference(alternative: str) -> None:
    sign = -1 if alternative == "less" else 1
    by_n = [nf.power("permutation", n=n, difference=sign * 1.1, sd=1, alternative=alternative) for n in range(2, 25)]
    assert all(one <= two for one, two in itertools.pairwise(by_n))
    for target in (0.3, 0.8, 0.95):
        size = nf.sample_size("permutation", difference=sign * 1.1, sd=1, power=target, alternative=alternative).n
        assert by_n[size - 2] >= target > by_n[size - 3]
    found = nf.detectable_effect("permutation", n=8, sd=1, alternative=alternative)
    assert nf.power("permutation", n=8, difference=found, sd=1, alternative=alternative) == pytest.approx(0.8, abs=1e-9)


@pytest.mark.parametrize(("n", "alpha"), [(6, 0.05), (8, 0.01), (15, 0.001)])
def test_ranks_near_the_smallest_p_value(n: int, alpha: float) -> None:
    for difference in (1.0, 1.5):
        d = np.random.default_rng(n).normal(difference, 1.0, (DRAWS, n))
        found = float(np.mean(stats.wilcoxon(d, axis=1, method="exact").pvalue <= alpha * (1 + 1e-12)))
        assert near(found, nf.power("wilcoxon", n=n, difference=difference, sd=1, alpha=alpha))


@pytest.mark.parametrize("form", ["shift", "percentile", "berg_kirkpatrick"])
def test_a_bootstrap_that_cannot_reach_its_threshold_counts_by_sign_flips(form: str) -> None:
    rng = np.random.default_rng(4)
    sample = as_sample(rng.choice([1, 2, 3, -2, 7], 60, p=[0.4, 0.25, 0.2, 0.1, 0.05]), np.zeros(60))
    setting = Setting("two-sided", 0.05, 0.0, {"form": form})
    pilot, single = (pilot_of(sample, grouped=grouped) for grouped in (True, False))
    counts = next(drawn_counts(Alias(single.equal_weights), 13, 60, seed=1))
    grouped = np.zeros((len(counts), len(pilot.multiplicity)))
    np.add.at(grouped.T, pilot.group, counts.T)
    ours = rule_of(pilot, TESTS["bootstrap"], setting, 0).block(grouped)
    truth = direct_rule(single, TESTS["bootstrap"], setting, 0).block(counts)
    undefined = [math.isnan(nf.test(np.repeat(single.totals, row.astype(int)), np.zeros(13), "bootstrap").p_value)
                 for row in counts[:200]]  # fmt: skip
    assert any(undefined)
    assert (truth[:200][undefined] <= math.log(0.05)).all()
    assert np.mean((ours <= math.log(0.05)) != (truth <= math.log(0.05))) <= 0.1


def test_items_that_are_not_drawn_do_not_set_the_scale() -> None:
    x = np.array([[-1.0, 1.0, 1e6]])
    cumulant, mean, variance = one_draw(np.array([1.0]), x, np.array([[0.5, 0.5, 0.0]]))
    assert cumulant[0] == pytest.approx(math.log(math.cosh(1)), rel=1e-12)
    assert (mean[0], variance[0]) == pytest.approx((math.tanh(1), 1 - math.tanh(1) ** 2), rel=1e-9)
