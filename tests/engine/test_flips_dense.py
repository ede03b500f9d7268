"""The table of sums counts what every pattern counts, and inversion stays right where the table now takes over."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nofluke.engine.flips import dense as flip_dense
from nofluke.engine.flips import flip_tail
from nofluke.engine.flips.counting import count_flips
from nofluke.engine.flips.dense import count_dense
from nofluke.engine.flips.inversion import invert
from nofluke.engine.tail import EXACT_BOUND

QUICK = settings(deadline=None, derandomize=True, max_examples=120)


def grouped(items):
    sizes = np.abs(np.asarray(items))
    values, counts = np.unique(sizes[sizes > 0], return_counts=True)
    return values, counts.astype(np.int64)


@QUICK
@given(st.lists(st.integers(1, 60), min_size=1, max_size=11), st.integers(0, 400), st.integers(0, 11))
def test_every_subset(items, limit, listed):
    values, counts = grouped(items)
    subsets = sum(
        sum(chosen) <= limit for size in range(len(items) + 1) for chosen in itertools.combinations(items, size)
    )
    for plan in (flip_dense._plan, lambda fitting, _: (min(listed, fitting.size), 0.0)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(flip_dense, "_plan", plan)
            found = count_dense(values, counts, limit, 1.0)
        assert found is not None
        assert found.exact
        assert round(math.exp(found.log_count)) == subsets


@pytest.mark.parametrize("most", [30, 4000, 10**6])
def test_the_same_as_meeting_in_the_middle(most, rng):
    items = rng.integers(1, most, 36)
    values, counts = grouped(items)
    total = int(items.sum())
    for share in (0.02, 0.1, 0.3, 0.5, 0.9, 1.0):
        found, expected = (
            count_dense(values, counts, int(share * total), 5.0),
            count_flips(values, counts, int(share * total)),
        )
        assert found is not None
        assert expected is not None
        assert found.exact
        assert found.log_count == expected.log_count


@pytest.mark.parametrize(("n", "most"), [(54, 40), (120, 99), (300, 30)])
def test_many_items_within_the_bound(n, most, rng, convolved):
    items = rng.integers(1, most, n)
    law, total = convolved(items), int(items.sum())
    values, counts = grouped(items)
    for share in (0.02, 0.1, 0.3, 0.6, 0.95):
        threshold = int(share * total)
        threshold += (total - threshold) % 2
        found = count_dense(values, counts, (total - threshold) // 2, 5.0)
        assert found is not None
        # items above the limit are never flipped, so that fewer may be left
        assert found.exact == (np.count_nonzero(items <= (total - threshold) // 2) <= 53)
        assert found.exact == (found.bound == 0)
        assert found.bound < EXACT_BOUND / 100
        expected = law.log_tail(threshold) + n * math.log(2)
        assert abs(math.expm1(found.log_count - expected)) <= found.bound + 4e-16 * abs(expected)


def test_blocks_are_cumulated_as_one(monkeypatch, rng):
    ways = rng.integers(0, 9, 5000).astype(np.float64)
    assert flip_dense._cumulated(ways).tolist() == np.cumsum(ways).tolist()
    monkeypatch.setattr(flip_dense, "_BLOCK", 7)
    assert flip_dense._cumulated(ways).tolist() == np.cumsum(ways).tolist()


def test_what_would_take_too_long_is_left_to_others(rng):
    values, counts = grouped(rng.integers(1, 10**12, 60))
    assert count_dense(values, counts, int(values.sum()) // 3, 60.0) is None
    values, counts = grouped(rng.integers(1, 10**6, 60))
    assert count_dense(values, counts, int(values.sum()) // 3, 1e-3) is None
    assert count_dense(np.array([1, 2**61]), np.array([2, 2]), 2**61, 60.0) is None
    assert count_dense(np.array([1, 2]), np.array([800, 800]), 900, 60.0) is None


SIZES = [(4, 41), (4, 150), (6, 55)] + [
    pytest.param(*size, marks=pytest.mark.slow) for size in ((4, 50), (4, 70), (4, 100), (6, 41), (6, 46), (6, 50))
]


@pytest.mark.parametrize(("decimals", "n"), SIZES)
def test_few_items_with_several_digits_are_counted(decimals, n, rng):
    items = np.rint(rng.normal(0, 0.3, n) * 10**decimals).astype(np.int64)
    threshold = int(2.5 * math.sqrt(float((items.astype(float) ** 2).sum())))
    tail = flip_tail(items, threshold)
    assert tail.path == "enumeration"
    assert tail.bound < 1e-11
    values, counts = grouped(items)
    total = int(np.abs(items).sum())
    even = threshold + (total - threshold) % 2
    log_p, bound, _ = invert(values, counts, total, even, 1)
    assert abs(math.expm1(log_p - tail.log_p)) <= max(bound, 1e-11)


HAZARDS = {
    "41 small": lambda rng: rng.integers(1, 31, 41),
    "100 Likert": lambda rng: rng.integers(1, 5, 100),
    "near lattice": lambda rng: np.concatenate([rng.integers(1, 5, 70) * 100, [1, 101, 99, 3]]),
    "thousands with ones": lambda rng: rng.integers(1, 3, 60) * 1000 + (rng.random(60) < 0.05),
    "ranks with few ties": lambda _: 2 * np.arange(1, 121) + (np.arange(120) % 40 == 0),
    "two wide items": lambda rng: np.concatenate([[40_001, 3_000], rng.integers(1, 5, 50)]),
    "skewed": lambda rng: np.ceil(rng.lognormal(1, 1.5, 60)).astype(np.int64),
}


@pytest.mark.parametrize("name", HAZARDS)
def test_inversion_where_tables_are_used_now(name, rng, convolved):
    items = HAZARDS[name](rng)
    law, total = convolved(items), int(items.sum())
    values, counts = grouped(items)
    for share in (0.001, 0.1, 0.3, 0.6, 0.9):
        threshold = max(int(share * total), 2)
        threshold += (total - threshold) % 2
        log_p, bound, _ = invert(values, counts, total, threshold, 1)
        assert abs(math.expm1(log_p - law.log_tail(threshold))) <= max(bound, 1e-11)
        assert bound < 1e-6 or name == "two wide items"
