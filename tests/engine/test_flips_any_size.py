"""Tails of signed sums of whole numbers of any size, against counting every pattern in Python's integers."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from nofluke.engine import flips
from nofluke.engine.flips import flip_draws, flip_tail
from nofluke.engine.pairs.max_t import max_t, shared_flip_p_values


def share_reaching(items: list[int], threshold: int) -> float:
    sums = np.zeros(1, dtype=object)
    for item in items:
        sums = np.concatenate((sums + item, sums - item))
    return float(np.count_nonzero(sums >= threshold)) / len(sums)


@pytest.mark.parametrize("bits", [20, 61, 62, 64, 90, 300])
def test_tails_of_wide_numbers_are_counted_exactly(bits: int) -> None:
    rng = np.random.default_rng(bits)
    for _ in range(25):
        n = int(rng.integers(2, 13))
        items = [int(rng.integers(1, 2**20)) * (1 << (bits - 20)) + int(rng.integers(1000)) for _ in range(n)]
        signed = [int(rng.choice([-1, 1])) * item for item in items]
        tail = flip_tail(np.array(signed, dtype=object), sum(signed))
        assert math.exp(tail.log_p) == pytest.approx(share_reaching(items, sum(signed)), rel=1e-12)
        assert tail.bound < 1e-9


@pytest.mark.parametrize("scale", [1, 10**6, 10**12, 10**25])
def test_giants_are_conditioned_on(scale: int) -> None:
    rng = np.random.default_rng(3)
    small = rng.integers(1, 10**6, 60).tolist()
    giants = [10**13 * scale, 10**13 * scale, 3 * 10**13 * scale + 1]
    observed = sum(small[:35]) - sum(small[35:])
    # With these giants as they are, only their observed sum leaves a tail of the small ones to compute.
    tail = flip_tail(np.array(small + giants, dtype=object), sum(giants) + observed)
    alone = flip_tail(np.array(small), observed)
    assert tail.log_p == pytest.approx(alone.log_p - 3 * math.log(2), abs=1e-11)
    # Where the two equal ones cancel, two patterns do.
    tail = flip_tail(np.array(small + giants, dtype=object), giants[2] + observed)
    expected = (1 + 2 * math.exp(alone.log_p)) / 8
    assert math.exp(tail.log_p) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("lost", [0, 1, 2, 5])
def test_only_sums_of_giants_that_leave_the_others_a_say_cost_a_tail(lost: int, monkeypatch) -> None:
    # Of 2^16 sums of giants only that with the signs of `lost` is within reach of the 400 ones; larger ones pass alone.
    giants = [10**10 << k for k in range(16)]
    threshold = sum(giants) - 2 * 10**10 * lost + 30
    calls = []
    tail_of = flips._tail
    monkeypatch.setattr(flips, "_tail", lambda *given, **named: calls.append(given[2]) or tail_of(*given, **named))
    tail = flip_tail(np.array([1] * 400 + giants), threshold)
    assert len(calls) == 2
    ones = Fraction(sum(math.comb(400, ups) for ups in range(215, 401)), 2**400)
    assert math.exp(tail.log_p) == pytest.approx(float((lost + ones) / 2**16), rel=1e-12)


def test_numbers_too_wide_for_the_inversion_keep_their_tail_up_to_the_bound() -> None:
    rng = np.random.default_rng(4)
    narrow = rng.integers(1, 2**50, 300)
    threshold = int(narrow[:170].sum() - narrow[170:].sum())
    expected = flip_tail(narrow, threshold)
    factor = 3**70
    wide = np.array([v * factor + 1 for v in narrow.tolist()], dtype=object)
    found = flip_tail(wide, threshold * factor + 40)
    assert found.log_p == pytest.approx(expected.log_p, abs=1e-9)
    assert found.bound < 1e-9


@pytest.mark.parametrize("factor", [1, 2**45, 2**70, 10**40])
def test_draws_are_the_same_at_any_scale(factor: int) -> None:
    items = np.random.default_rng(5).integers(-1000, 1000, 333)
    observed = int(items.sum())
    plain = flip_draws(items, observed, observed, resamples=5000, seed=9)
    wide = np.array([v * factor for v in items.tolist()], dtype=object)
    assert flip_draws(wide, observed * factor, observed * factor, resamples=5000, seed=9) == plain
    # One more than the threshold is not reached by sums that were equal to it.
    more = flip_draws(wide, None, observed * factor + 1, resamples=5000, seed=9).at_least
    assert more == flip_draws(items, None, observed + 1, resamples=5000, seed=9).at_least


def test_draws_depend_neither_on_the_order_of_items_nor_on_who_is_a() -> None:
    rng = np.random.default_rng(6)
    for items in (rng.integers(-50, 60, 200), np.array([3, 3, -6, 5, -5, 0]), rng.integers(-(2**61), 2**61, 40)):
        observed = sum(items.tolist())
        first = flip_draws(items, observed, observed, resamples=999, seed=1)
        again = flip_draws(rng.permutation(items), observed, observed, resamples=999, seed=1)
        mirrored = flip_draws(-rng.permutation(items), -observed, -observed, resamples=999, seed=1)
        assert again == first
        assert (mirrored.at_most, mirrored.at_least) == (first.at_least, first.at_most)


def test_joint_flips_do_not_depend_on_the_order_of_items() -> None:
    rng = np.random.default_rng(7)
    scores = rng.integers(0, 100, (80, 5))
    order = rng.permutation(80)
    first, again = max_t(scores, 500, 3), max_t(scores[order], 500, 3)
    assert np.array_equal(first.p_value, again.p_value)
    assert np.array_equal(first.maxima, again.maxima)
    better, worse = np.array([0, 1, 2]), np.array([3, 4, 0])
    drawn = [shared_flip_p_values(table, better, worse, draws=500, seed=3) for table in (scores, scores[order])]
    assert np.array_equal(*drawn)
