"""Drawn swaps of a ratio: the studentised statistic is the delta method's; its size holds where the raw one's fails."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from nofluke.engine.flips.draws import FlipCounts
from nofluke.engine.randomness import CHUNK
from nofluke.engine.ratio_swaps.draws import ratio_swap_draws, studentized_ratio
from nofluke.engine.ratio_swaps.tail import ratio_swap_tail


def delta_method(num_a, num_b, den_a, den_b):
    """Written down item by item, as in a textbook."""
    f_a, f_b = num_a.sum() / den_a.sum(), num_b.sum() / den_b.sum()
    influence = (num_a - f_a * den_a) / den_a.sum() - (num_b - f_b * den_b) / den_b.sum()
    return f_a - f_b, math.sqrt(float(influence @ influence))


def columns_of(rng, n, share=0.6, shift=1):
    den_a, den_b = rng.integers(1, 6, n), rng.integers(1, 6, n) + shift
    return rng.binomial(den_a, share), rng.binomial(den_b, share), den_a, den_b


def test_the_standard_error_is_the_delta_methods(rng):
    for n in (3, 20, 500):
        columns = columns_of(rng, n)
        difference, error = delta_method(*columns)
        result = studentized_ratio(*columns)
        assert result.difference == pytest.approx(difference, rel=1e-12)
        assert result.standard_error == pytest.approx(error, rel=1e-10)
        assert result.t == pytest.approx(difference / error, rel=1e-10)


def test_the_standard_error_is_that_of_the_bootstrap(rng):
    columns = np.stack(columns_of(rng, 400))
    drawn = columns[:, rng.integers(0, 400, (4000, 400))].sum(axis=2)
    spread = (drawn[0] / drawn[2] - drawn[1] / drawn[3]).std()
    assert studentized_ratio(*columns).standard_error == pytest.approx(float(spread), rel=0.05)


@pytest.mark.parametrize("studentized", [True, False])
def test_draws_agree_with_every_pattern(studentized, rng):
    columns = columns_of(rng, 10)
    values = []
    for signs in itertools.product((False, True), repeat=10):
        turned = np.where(signs, (columns[1], columns[0], columns[3], columns[2]), columns)
        difference, error = delta_method(*turned)
        values.append(difference / error if studentized else difference)
    slack = 1e-10 * abs(values[0])
    high, low = np.mean(np.array(values) >= values[0] - slack), np.mean(np.array(values) <= values[0] + slack)
    resamples = 40 * CHUNK
    counts = ratio_swap_draws(*columns, resamples=resamples, seed=5, studentized=studentized)
    for count, p in ((counts.at_least, high), (counts.at_most, low)):
        assert abs(count - resamples * p) <= 4 * math.sqrt(resamples * p * (1 - p))


@pytest.mark.parametrize("studentized", [True, False])
def test_exchanging_the_systems_mirrors_the_counts(studentized, rng):
    """Ties included: the same patterns, seen from the other side."""
    num_a, num_b, den_a, den_b = columns_of(rng, 12)
    there = ratio_swap_draws(num_a, num_b, den_a, den_b, resamples=2000, seed=3, studentized=studentized)
    back = ratio_swap_draws(num_b, num_a, den_b, den_a, resamples=2000, seed=3, studentized=studentized)
    assert (there.at_least, there.at_most) == (back.at_most, back.at_least)


@pytest.mark.parametrize("studentized", [True, False])
def test_chunks_may_run_in_any_order_and_be_shared_out(studentized, rng):
    columns = columns_of(rng, 3000)
    resamples = 4 * CHUNK + 19
    run = {"resamples": resamples, "seed": 8, "studentized": studentized}
    whole = ratio_swap_draws(*columns, **run)
    parts = [ratio_swap_draws(*columns, **run, chunks=some) for some in ([3, 0], [4], [2, 1])]
    assert whole == FlipCounts(
        sum(part.at_least for part in parts), sum(part.at_most for part in parts), sum(part.resamples for part in parts)
    )
    assert whole != ratio_swap_draws(*columns, **(run | {"seed": 9}))


@pytest.mark.parametrize("studentized", [True, False])
def test_identical_systems_and_empty_denominators(studentized):
    same = [1, 0, 2]
    for columns in ((same, same, [2, 2, 2], [2, 2, 2]), ([0, 0], [0, 0], [0, 0], [0, 0])):
        counts = ratio_swap_draws(*columns, resamples=100, seed=0, studentized=studentized)
        assert counts == FlipCounts(100, 100, 100)


def test_a_system_left_without_denominators_scores_nothing():
    """Only A answers: raw differences are 3/5, 2/3 - 1/2, 1/2 - 2/3 and -3/5, each one time in four."""
    counts = ratio_swap_draws([2, 1], [0, 0], [3, 2], [0, 0], resamples=4000, seed=0, studentized=False)
    assert abs(counts.at_least - 1000) <= 4 * math.sqrt(4000 * 0.25 * 0.75)
    assert counts.at_most == 4000


def sizes(rng, n, repetitions, resamples=199):
    """Equal precision .6, A guesses 0.2 times per item and B twice: rejections at .05, studentised and raw."""
    rejected = {True: 0, False: 0}
    for repetition in range(repetitions):
        den_a, den_b = rng.poisson(0.2, n), rng.poisson(2.0, n)
        columns = (rng.binomial(den_a, 0.6), rng.binomial(den_b, 0.6), den_a, den_b)
        for studentized in rejected:
            counts = ratio_swap_draws(*columns, resamples=resamples, seed=repetition, studentized=studentized)
            p = 2 * (1 + min(counts.at_least, counts.at_most)) / (1 + resamples)
            rejected[studentized] += p <= 0.05
    return rejected[True] / repetitions, rejected[False] / repetitions


def test_unequal_denominators_need_the_studentised_swap(rng):
    studentized, raw = sizes(rng, 150, 300)
    assert studentized < 0.12
    assert 0.18 < raw < 0.36


@pytest.mark.slow
def test_size_of_both_swaps_at_length(rng):
    studentized, raw = sizes(rng, 150, 4000, 999)
    assert studentized == pytest.approx(0.06, abs=0.015)
    assert raw == pytest.approx(0.27, abs=0.04)


def test_raw_draws_count_ties_exactly():
    """Many swaps tie with the observed difference here; floats would lose some of them."""
    columns = ([1, 2, 1, 3, 1, 2], [2, 1, 1, 1, 3, 1], [3, 6, 3, 9, 3, 6], [6, 3, 3, 3, 9, 3])
    p = math.exp(ratio_swap_tail(*columns).log_p)
    counts = ratio_swap_draws(*columns, resamples=50 * CHUNK, seed=2, studentized=False)
    assert p == 1.0
    assert counts.at_least == counts.at_most == 50 * CHUNK
