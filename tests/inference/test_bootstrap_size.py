"""How often each form of the bootstrap rejects a true null, as independent code finds them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binomtest

from nofluke.inference.resampling.resampled_mean import Draws, Units, draw
from nofluke.inference.tests import bootstrap_forms as forms
from support.rates import same_rate

Rates = dict[str, tuple[float, float]]

# Sizes at a nominal .05 (greater, less) from plain NumPy code that shares nothing with nofluke, with its repetitions;
# skewed differences are exponential minus 1. Tables made with few repetitions are no anchor: one in circulation has
# .090 for shift/less, which 20,000 repetitions exclude (99.9 % interval .096 to .110).
SKEWED_50: Rates = {"shift": (0.0253, 0.1031), "percentile": (0.0352, 0.0862), "studentized": (0.0440, 0.0564)}
SKEWED_REPETITIONS = 20_000
# Berg-Kirkpatrick on normal differences; theory for n = 10 is P(t9 >= 1.645 sqrt .9) = .0765.
NORMAL = {10: (0.0779, 40_000), 20: (0.0620, 10_000), 50: (0.0548, 10_000)}
MOSES = (0.1144, 5_000)


def outcomes(units: Units, resamples: int, seed: int, wanted: tuple[str, ...]) -> dict[str, forms.Outcome]:
    draws = draw(units, resamples, seed=seed)
    evidence = forms.Evidence(units, draws, Fraction(0), 0.025, 0.025)
    made: dict[str, Callable[[], forms.Outcome]] = {
        "shift": lambda: forms.shift(evidence, units.mean, strict=False),
        "berg_kirkpatrick": lambda: forms.shift(evidence, units.mean, strict=True),
        "percentile": lambda: forms.percentile(evidence),
        "moses": lambda: forms.moses(evidence),
        "studentized": lambda: forms.studentized(
            evidence, forms.draw_pivots(units, resamples, seed=seed, size=len(units))
        ),
    }
    return {form: made[form]() for form in wanted}


def rejections(
    kind: str, n: int, wanted: tuple[str, ...], repetitions: int, resamples: int
) -> dict[str, tuple[int, int, int]]:
    """Count p <= .05 for "greater", "less" and, for moses, both."""
    rng = np.random.default_rng(n)
    values = rng.exponential(size=(repetitions, n)) - 1 if kind == "skewed" else rng.normal(size=(repetitions, n))
    counts = {form: np.zeros(3, np.int64) for form in wanted}
    allowed = 0.05 * (1 + resamples)
    for seed, row in enumerate(np.sort(np.rint(values * 1e6).astype(np.int64), axis=1)):
        for form, outcome in outcomes(Units(row, None), resamples, seed, wanted).items():
            hits = (outcome.greater, outcome.less, outcome.either)
            # Out of reach (None) counts as a rejection here: the p-value it stands for is 0.
            counts[form] += [1 + (0 if h is None else h) <= allowed for h in hits]
    return {form: (int(c[0]), int(c[1]), int(c[2])) for form, c in counts.items()}


def check_skewed(repetitions: int, resamples: int) -> None:
    found = rejections("skewed", 50, tuple(SKEWED_50), repetitions, resamples)
    for form, rates in SKEWED_50.items():
        for count, rate in zip(found[form], rates, strict=False):
            assert same_rate(count, repetitions, rate, SKEWED_REPETITIONS), (form, count / repetitions, rate)
    # The order that makes the studentized form the one for skewed means.
    gaps = {form: found[form][1] - found[form][0] for form in SKEWED_50}
    assert gaps["shift"] > gaps["percentile"] > gaps["studentized"]


def check_normal(n: int, repetitions: int, resamples: int) -> None:
    found = rejections("normal", n, ("berg_kirkpatrick", "shift"), repetitions, resamples)
    for counts in found.values():
        for count in counts[:2]:
            assert same_rate(count, repetitions, *NORMAL[n]), (n, count / repetitions)


def check_moses(repetitions: int, resamples: int) -> None:
    count = rejections("normal", 200, ("moses",), repetitions, resamples)["moses"][2]
    assert same_rate(count, repetitions, *MOSES), count / repetitions
    # Twice the promised size, beyond doubt.
    assert binomtest(count, repetitions, 0.05, alternative="greater").pvalue < 1e-6


def test_size_on_skewed_differences() -> None:
    check_skewed(1_500, 399)


@pytest.mark.parametrize("n", NORMAL)
def test_size_on_normal_differences(n: int) -> None:
    check_normal(n, 1_500, 399)


def test_size_of_the_moses_form() -> None:
    check_moses(800, 399)


def test_the_studentized_form_keeps_its_size_where_the_others_do_not() -> None:
    found = rejections("normal", 10, ("shift", "studentized"), 2_000, 399)
    both = {form: counts[0] + counts[1] for form, counts in found.items()}
    assert both["studentized"] < 0.8 * both["shift"]
    assert same_rate(found["studentized"][0], 2_000, 0.0511, 10_000)


def test_far_out_of_reach_counts_nothing() -> None:
    units = Units(np.array([4, 5, 6]), None)
    evidence = forms.Evidence(units, Draws(np.array([12, 15, 18]), 3), Fraction(0), 0.1, 0.1)
    assert forms.percentile(evidence).greater is None
    assert forms.percentile(evidence).less == 3
    assert forms.shift(evidence, units.mean, strict=False).greater is None


@pytest.mark.slow
def test_size_on_skewed_differences_at_full_size() -> None:
    check_skewed(10_000, 1_999)


@pytest.mark.slow
@pytest.mark.parametrize("n", NORMAL)
def test_size_on_normal_differences_at_full_size(n: int) -> None:
    check_normal(n, 10_000, 1_999)


@pytest.mark.slow
def test_size_of_the_moses_form_at_full_size() -> None:
    check_moses(5_000, 1_999)
