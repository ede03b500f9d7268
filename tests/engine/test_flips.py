"""The tail of a sum of random signs agrees with enumeration and with dynamic programming in unlimited integers."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.engine.flips import _ENUMERATED_ITEMS, flip_tail

DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]

SMALL = {
    "lattice": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    "six decimals": [123457, -998321, 500003, 7, 250001, -333333, 41, 871234, 999999, -3, 654321],
    "tied": [2, 2, 2, 2, 4, 4, -4, 4, 6, 6, 0, 0],
    "skewed": [1, 1, 1, 2, 2, 3, 5, 900, -1, -1, 1],
    "zeros and ones": [1, 0, 0, -1, 1, 1, 1, 0, 1, -1, 1, 1],
    "one item": [0, 0, 0, -5],
    "huge": [9 * 10**12, -8 * 10**12 + 1, 7 * 10**12 + 3, 10**13 - 7, 3, 1, -2 * 10**12],
    "beyond 63 bits": [2**62, -(2**62) + 5, 2**61 + 1, 2**62 - 9, 2**60, 3],
}


@pytest.mark.parametrize("name", SMALL)
def test_enumeration_of_every_pattern(name, enumerated, honest):
    items = SMALL[name]
    law = enumerated(items)
    for threshold in {t + shift for t in law.counts for shift in (-1, 0, 1)}:
        if len(law.counts) > 300 and threshold % 7:
            continue
        assert honest(flip_tail(np.array(items), threshold), law.log_tail(threshold), 1e-14)


def test_nothing_to_flip():
    assert flip_tail(np.array([], dtype=np.int64), 0).log_p == 0.0
    assert flip_tail(np.zeros(5, dtype=np.int64), 1).log_p == -math.inf


def test_darwins_maize():
    total = sum(DARWIN)
    tail = flip_tail(np.array(DARWIN), total)
    assert tail.path == "enumeration"
    assert 2 * math.exp(tail.log_p) == pytest.approx(1726 / 32768, rel=1e-14)


@settings(max_examples=150, deadline=None)
@given(items=st.lists(st.integers(-50, 50), min_size=1, max_size=10), threshold=st.integers(-300, 300))
def test_small_samples_are_exact(items, threshold):
    from itertools import product

    reaching = sum(
        sum(s * v for s, v in zip(signs, items, strict=True)) >= threshold
        for signs in product((1, -1), repeat=len(items))
    )
    p = math.exp(flip_tail(np.array(items), threshold).log_p)
    assert p == pytest.approx(reaching / 2 ** len(items), rel=1e-13, abs=0)


@settings(max_examples=40, deadline=None)
@given(
    items=st.lists(st.integers(-40, 40).filter(bool), min_size=41, max_size=90),
    threshold=st.integers(-1500, 1500),
    factor=st.integers(2, 1000),
    data=st.data(),
)
def test_invariances(items, threshold, factor, data):
    d = np.array(items)
    tail = flip_tail(d, threshold)
    # signs and order of the items do not matter
    shuffled = np.array(data.draw(st.permutations(items))) * data.draw(st.sampled_from([1, -1]))
    assert flip_tail(shuffled, threshold) == tail
    # a common factor does not matter
    assert flip_tail(d * factor, threshold * factor) == tail
    # P(T >= x) + P(T >= 1 - x) = 1, since T is symmetric and whole
    other = flip_tail(d, 1 - threshold)
    assert math.exp(tail.log_p) + math.exp(other.log_p) == pytest.approx(1.0, abs=1e-12)
    assert flip_tail(d, threshold + 1).log_p <= tail.log_p + 1e-12


def mixed(rng, n, most):
    return rng.integers(1, most + 1, n)


CASES = {
    "41 small": lambda rng: mixed(rng, 41, 30),
    "60 integers": lambda rng: mixed(rng, 60, 99),
    "100 Likert": lambda rng: mixed(rng, 100, 4),
    "200 integers": lambda rng: mixed(rng, 200, 40),
    "400 few values": lambda rng: mixed(rng, 400, 6),
    "near lattice": lambda rng: np.concatenate([mixed(rng, 70, 4) * 100, [1, 101, 99, 3]]),
    "thousands with ones": lambda rng: mixed(rng, 60, 2) * 1000 + (rng.random(60) < 0.05),
    "ranks with few ties": lambda _: 2 * np.arange(1, 121) + (np.arange(120) % 40 == 0),
    "one wide item": lambda rng: np.concatenate([[4001], mixed(rng, 60, 5)]),
    "two wide items": lambda rng: np.concatenate([[40_001, 3_000], mixed(rng, 50, 4)]),
    "skewed": lambda rng: np.ceil(rng.lognormal(1, 1.5, 60)).astype(np.int64),
}


@pytest.mark.parametrize("name", CASES)
def test_dynamic_programming_over_the_whole_support(name, convolved, honest, rng):
    items = CASES[name](rng)
    law, total = convolved(items), int(np.sum(items))
    thresholds = {
        int(f * total) for f in (-1.01, -1, -0.6, -0.2, 0, 0.01, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 0.95, 1, 1.01)
    }
    thresholds |= {total - 2, total - 4, total - 10, total - 30, 1, 2, 3, -1}
    for threshold in sorted(thresholds):
        assert honest(flip_tail(items, threshold), law.log_tail(threshold), 1e-11)


def test_tails_down_to_a_hundred_digits(convolved, honest, rng):
    items = mixed(rng, 400, 9)
    law, total = convolved(items), int(items.sum())
    deep = [law.log_tail(int(f * total)) for f in (0.5, 0.8, 0.99)]
    assert deep[0] > math.log(1e-60) > math.log(1e-100) > deep[2]
    for f, expected in zip((0.5, 0.8, 0.99), deep, strict=True):
        assert honest(flip_tail(items, int(f * total)), expected, 1e-12)


def test_binomial_tails(honest):
    items = np.array([1] * 700 + [-1] * 200 + [0] * 1100)
    exact = sum(math.comb(900, k) for k in range(700, 901))
    tail = flip_tail(items, 500)
    assert tail.path == "binomial"
    assert math.exp(tail.log_p) == pytest.approx(5.845882883617788e-66, rel=1e-12)
    assert honest(tail, math.log(exact) - 900 * math.log(2), 1e-12)
    for n, k in ((41, 21), (2000, 1001), (2000, 1999), (2000, 2000), (5000, 2600), (100_000, 50_200)):
        assert honest(flip_tail(np.full(n, 3), 3 * (2 * k - n)), exact_binomial_tail(n, k), 1e-11)


def exact_binomial_tail(n: int, k: int) -> float:
    """log P(B >= k) in unlimited integers; points more than 2000 above k are below 1e-20 of the sum here."""
    point = total = math.comb(n, k)
    for j in range(k, min(n, k + 2000)):
        point = point * (n - j) // (j + 1)
        total += point
    return math.log(total / 2**n) if n < 900 or total * 10**200 > 2**n else math.log(total) - n * math.log(2)


def test_the_end_of_the_support():
    items = np.arange(1, 5001)
    total = int(items.sum())
    assert flip_tail(items, total).log_p == -5000 * math.log(2)
    assert flip_tail(items, total + 1).log_p == -math.inf
    assert flip_tail(items, -total).log_p == 0.0
    # subsets with sum <= 5: {}, 1, 2, 3, 4, 5, 1+2, 1+3, 1+4, 2+3
    near = flip_tail(items, total - 10)
    assert near.log_p == pytest.approx(math.log(10) - 5000 * math.log(2), rel=1e-15)
    assert flip_tail(items + 10_000_000, int((items + 10_000_000).sum()) - 2).log_p == -5000 * math.log(2)


def test_the_decision_names_the_number_of_differences_that_are_counted() -> None:
    page = (Path(__file__).parents[2] / "docs/decisions/exact-first.md").read_text()
    assert f"counts patterns for up to {_ENUMERATED_ITEMS} differences" in page


def test_nearly_equal_items_beside_an_outlier_are_bracketed_not_drawn() -> None:
    """The inversion cannot vouch for these; tables of sums on a grid of 1e-4, rounded down and up, hold the truth."""
    draw = np.random.default_rng(5)
    for n in (59, 67):
        x = np.concatenate([1.5 + draw.normal(size=n - 1) * 0.15, [-draw.uniform(5, 20)]])
        found = nf.test(x, np.zeros(n), "permutation", alternative="greater")
        sizes, total = np.abs(np.rint(x * 1e4)).astype(int), float(x.sum()) * 1e4
        law = np.ones(1)
        for size in sizes.tolist():
            law = (np.concatenate([law, np.zeros(2 * size)]) + np.concatenate([np.zeros(2 * size), law])) / 2
        sums = np.arange(len(law)) - int(sizes.sum())
        low, high = (law[sums >= total + moved].sum() for moved in (n / 2, -n / 2))
        assert found.computed.how in ("exact", "approximate")
        assert low - found.computed.error <= found.p_value <= high + found.computed.error
        assert found.computed.error < 0.01 * found.p_value
