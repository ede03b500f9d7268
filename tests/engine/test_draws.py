"""The tail of a sum of draws agrees with the enumeration of all compositions and with polynomial powers in integers."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nofluke.engine.draws import draw_tail, ratio_draw_tail
from nofluke.errors import InputError
from support.thinned import thinned


def compositions(values, draws):
    """All compositions: (sums in order, numbers of ordered draws that give at least each of them, all in integers)."""
    left, sums, ways = np.array([draws]), np.array([0]), np.array([1])
    for position, value in enumerate(values):
        if position == len(values) - 1:
            sums, left = sums + left * value, 0 * left
            continue
        times = np.concatenate([np.arange(r + 1) for r in left])
        parent = np.repeat(np.arange(left.size), left + 1)
        table = np.array([[math.comb(n, k) for k in range(draws + 1)] for n in range(draws + 1)])
        ways = ways[parent] * table[left[parent], times]
        sums, left = sums[parent] + times * value, left[parent] - times
    order = np.argsort(sums, kind="stable")
    return sums[order], np.cumsum(ways[order][::-1])[::-1]


def log_share(part, whole):
    """log(part / whole), of integers however long, without loss on either side."""
    if part == 0:
        return -math.inf
    if 2 * part > whole:
        return math.log1p(-float(Fraction(whole - part, whole)))
    shift = max(whole.bit_length() - part.bit_length() - 60, 0)
    return math.log(float(Fraction(part << shift, whole))) - shift * math.log(2)


class Power:
    """The law of the sum as the N-th power of a polynomial, held in one long integer; tails by casting out."""

    def __init__(self, values, draws):
        values = [int(v) for v in values]
        self.low, self.draws, self.whole = min(values), draws, len(values) ** draws
        self.bits = self.whole.bit_length() + 1
        self.power = sum(1 << (self.bits * (v - self.low)) for v in values) ** draws

    def log_tail(self, threshold):
        digits = max(threshold - self.draws * self.low, 0)
        return log_share((self.power >> (self.bits * digits)) % ((1 << self.bits) - 1), self.whole)


SMALL = {
    "lattice": [1, 2, 3, 4, 5, 6, 7, 8, 9],
    "six decimals": [123457, -998321, 500003, 7, 250001, -333333, 41, 871234, 999999, -3],
    "tied": [2, 2, 2, 2, 4, 4, -4, 4, 6, 6, 0, 0],
    "skewed": [1, 1, 1, 2, 2, 3, 5, 900, -1, -1, 1],
    "zeros and ones": [1, 0, 0, -1, 1, 1, 1, 0, 1, -1, 1, 1],
    "all zero but one": [0, 0, 0, 0, -5, 0, 0, 0],
    "huge": [9 * 10**12, -8 * 10**12 + 1, 7 * 10**12 + 3, 10**13 - 7, 3, 1, -2 * 10**12],
    "one": [7],
    "constant": [3, 3, 3],
}


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("draws", [None, 1, 3])
def test_every_composition(name, draws, honest):
    values = SMALL[name]
    number = len(values) if draws is None else draws
    sums, reached = compositions(values, number)
    whole = len(values) ** number
    chosen = np.unique(np.concatenate((sums[:: max(1, sums.size // 25)], sums[:3], sums[-3:])))
    for threshold in sorted({int(t) + shift for t in chosen for shift in (-1, 0, 1)}):
        at = int(np.searchsorted(sums, threshold, side="left"))
        expected = log_share(int(reached[at]) if at < sums.size else 0, whole)
        assert honest(draw_tail(np.array(values), threshold, draws=draws), expected, 1e-12)
        assert honest(draw_tail(np.array(values), threshold - 1, draws=draws, strict=True), expected, 1e-12)


def twelve(rng, kind):
    return {
        "real": lambda: rng.normal(0.1, 1, 12) * 1e6,
        "skewed": lambda: rng.lognormal(0, 1.5, 12) * 1e6,
    }[kind]().astype(np.int64)


@pytest.mark.parametrize("kind", thinned(["skewed", "real"], always=1))
def test_the_million_compositions_of_twelve(kind, rng, honest):
    values = twelve(rng, kind)
    sums, reached = compositions(values.tolist(), 12)
    for threshold in (2 * int(values.sum()), int(values.sum()), 0, int(np.quantile(sums, 0.999)), int(sums[-20])):
        at = int(np.searchsorted(sums, threshold))
        assert honest(draw_tail(values, threshold), log_share(int(reached[at]) if at < sums.size else 0, 12**12), 1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("n", [13, 14])
def test_thirteen_and_fourteen(n, rng, honest):
    values = (rng.normal(0.2, 1, n) * 1e6).astype(np.int64)
    thresholds = (2 * int(values.sum()), int(values.sum()), 0)
    reached = dict.fromkeys(thresholds, 0)
    for first in range(n + 1):  # by how often the first value is drawn, to bound the memory
        sums, counts = compositions(values[1:].tolist(), n - first)
        for threshold in thresholds:
            at = int(np.searchsorted(sums, threshold - first * int(values[0])))
            reached[threshold] += math.comb(n, first) * (int(counts[at]) if at < sums.size else 0)
    for threshold in thresholds:
        assert honest(draw_tail(values, threshold), log_share(reached[threshold], n**n), 1e-12)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    values=st.lists(st.integers(-30, 30), min_size=1, max_size=7),
    threshold=st.integers(-220, 220),
    draws=st.integers(1, 7),
)
def test_small_samples_are_exact(values, threshold, draws):
    expected = Power(values, draws).log_tail(threshold)
    tail = draw_tail(np.array(values), threshold, draws=draws)
    assert tail.log_p == pytest.approx(expected, rel=1e-12, abs=1e-13)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    values=st.lists(st.integers(-40, 40), min_size=20, max_size=40),
    threshold=st.integers(-700, 700),
    factor=st.integers(2, 1000),
    shift=st.integers(-10_000, 10_000),
    data=st.data(),
)
def test_invariances(values, threshold, factor, shift, data):
    d, n = np.array(values), len(values)
    tail = draw_tail(d, threshold)
    assert draw_tail(np.array(data.draw(st.permutations(values))), threshold) == tail
    moved = draw_tail(d * factor + shift, threshold * factor + n * shift)
    assert (moved.log_p, moved.path) == (tail.log_p, tail.path)
    distinct, counts = np.unique(d, return_counts=True)
    assert draw_tail(distinct, threshold, counts=counts) == tail
    # P(S >= x) + P(-S > -x) = 1
    other = draw_tail(-d, -threshold, strict=True)
    assert math.exp(tail.log_p) + math.exp(other.log_p) == pytest.approx(1.0, abs=1e-12)
    assert draw_tail(d, threshold + 1).log_p <= tail.log_p + 1e-12


CASES = {
    "Likert": lambda rng: rng.integers(-4, 5, 60),
    "integers": lambda rng: rng.integers(-20, 40, 50),
    "zeros and ones": lambda rng: rng.integers(-1, 2, 200),
    "skewed": lambda rng: np.ceil(rng.lognormal(1, 1, 40)).astype(np.int64),
    "near lattice": lambda rng: np.concatenate([rng.integers(1, 5, 40) * 100, [1, 101, 99]]),
    "shifted grid": lambda rng: rng.integers(1, 90, 40) * 1000 - 12_345,
    "mostly zeros": lambda rng: np.where(rng.random(80) < 0.9, 0, rng.integers(-30, 60, 80)),
    "all zero but one": lambda _: np.array([0] * 99 + [7]),
    "two values": lambda _: np.array([0] * 30 + [5] * 70),
    "outlier above": lambda rng: np.append(rng.integers(0, 5, 24), 4000),
    "outlier below": lambda rng: np.append(rng.integers(0, 5, 24), -4000),
    "two outliers above": lambda rng: np.append(rng.integers(0, 4, 14), [3000, 3002]),
    "two outliers below": lambda rng: np.append(rng.integers(0, 4, 14), [-3000, -6001]),
    "outliers at both ends": lambda rng: np.append(rng.integers(0, 4, 14), [3000, -2001]),
    "two above, one below": lambda rng: np.append(rng.integers(0, 4, 12), [2500, 3001, 3001, -2000]),
    "four above": lambda rng: np.append(rng.integers(0, 4, 14), [2000, 2001, 2900, 3500]),
    "two below, three above": lambda rng: np.append(rng.integers(0, 4, 12), [-2000, -1700, 1500, 1502, 2600]),
    "wide": lambda rng: rng.integers(0, 900, 36),
}


# The long integers of the oracle allow many draws only where the values are few.
WITH_DRAWS = [(name, draws) for name in CASES for draws in (None, 17)]
WITH_DRAWS += [(name, 120) for name in ("Likert", "zeros and ones", "all zero but one", "two values")]


@pytest.mark.parametrize(("name", "draws"), WITH_DRAWS)
def test_polynomial_powers_over_the_whole_support(name, draws, honest, rng):
    values = CASES[name](rng)
    number = len(values) if draws is None else draws
    step = int(np.gcd.reduce(values - values.min())) or 1
    reduced = (values - values.min()) // step
    law = Power(reduced, number)
    centre, spread = number * reduced.mean(), reduced.std() * math.sqrt(number)
    points = {round(centre + z * spread) for z in (-8, -4, -2, -1, -0.1, 0, 0.1, 1, 2, 3, 5, 8, 12, 25)}
    top = int(reduced.max()) * number
    points |= {0, 1, 2, 5, top, top + 1, top - 1, top - 2, top - 7, round(0.9 * top)}
    for point in sorted(p for p in points if 0 <= p <= top + 1):
        threshold = number * int(values.min()) + step * point
        assert honest(draw_tail(values, threshold, draws=draws), law.log_tail(point), 1e-10)


def test_a_threshold_between_lattice_points_belongs_to_the_next():
    values = np.array([137, 237, 537, 37, 37] * 12)
    at = draw_tail(values, 60 * 37 + 12_000)
    assert draw_tail(values, 60 * 37 + 11_901) == at
    assert draw_tail(values, 60 * 37 + 11_900).log_p > at.log_p
    assert draw_tail(values, 60 * 37 + 11_900, strict=True) == at


def test_support():
    values = np.array([5, 5, 1, 2, 3])
    assert draw_tail(values, 25).log_p == pytest.approx(5 * math.log(2 / 5), rel=1e-14)
    assert draw_tail(values, 24).log_p == pytest.approx(5 * math.log(2 / 5), rel=1e-14)
    assert draw_tail(values, 25, strict=True).log_p == -math.inf
    assert draw_tail(values, 5).log_p == 0.0
    assert math.exp(draw_tail(values, 6).log_p) == pytest.approx(1 - 5**-5, rel=1e-15)
    million = np.array([0] * 999_999 + [1])
    # the deepest support end there is: one value a million times
    assert draw_tail(million, 1_000_000).log_p == pytest.approx(-1e6 * math.log(1e6), rel=1e-14)
    assert math.exp(draw_tail(million, 1).log_p) == pytest.approx(-math.expm1(1e6 * math.log1p(-1e-6)), rel=1e-14)


def test_constant_values_have_no_spread():
    for threshold, log_p in ((8, 0.0), (9, 0.0), (10, -math.inf)):
        assert draw_tail(np.array([3, 3, 3]), threshold).log_p == log_p
    assert draw_tail(np.array([3, 3, 3]), 9, strict=True).log_p == -math.inf


@pytest.mark.parametrize(
    ("values", "options"),
    [([], {}), ([1, 2], {"draws": 0}), ([1, 2], {"counts": np.array([1])}), ([1], {"counts": np.array([0])})],
)
def test_refusals(values, options):
    with pytest.raises(InputError):
        draw_tail(np.array(values, dtype=np.int64), 1, **options)
    with pytest.raises(InputError):
        ratio_draw_tail(np.array([1, 2]), np.array([1, -1]), 1, 2)


def test_numbers_beyond_64_bits():
    wide = np.array([2**70, 2**70 + 2**66, 2**69], dtype=object)
    # a common divisor brings them back
    assert draw_tail(wide, 3 * 2**70) == draw_tail(np.array([16, 17, 8]), 48)
    odd = np.array([2**70, 2**70 + 2**66 + 1, 2**69, 5], dtype=object)
    tail = draw_tail(odd, 2**71)
    assert (tail.bound, tail.path) == (math.inf, "saddlepoint")
    assert 0 < math.exp(tail.log_p) < 1


def test_clusters_as_a_ratio_against_every_resample(rng):
    totals, sizes = rng.integers(-9, 12, 6), rng.integers(1, 7, 6)
    index = np.indices((6,) * 6).reshape(6, -1)
    tops, bottoms = totals[index].sum(axis=0), sizes[index].sum(axis=0)
    for bound in (Fraction(0), Fraction(1, 3), Fraction(-2, 7), Fraction(int(totals.sum()), int(sizes.sum()))):
        for strict in (False, True):
            left, right = tops * bound.denominator, bottoms * bound.numerator
            share = np.count_nonzero(left > right if strict else left >= right) / 6**6
            tail = ratio_draw_tail(totals, sizes, bound.numerator, bound.denominator, strict=strict)
            assert math.exp(tail.log_p) == pytest.approx(share, rel=1e-12, abs=0)
            scaled = ratio_draw_tail(totals, sizes, 6 * bound.numerator, 6 * bound.denominator, strict=strict)
            assert scaled == tail


def test_a_ratio_of_nothing_to_nothing():
    # both items have an empty reference with chance 1/4: such a resample has no ratio, and counts unless strict
    tops, bottoms = np.array([0, 1]), np.array([0, 2])
    assert math.exp(ratio_draw_tail(tops, bottoms, 1, 2).log_p) == 1.0
    assert ratio_draw_tail(tops, bottoms, 1, 2, strict=True).log_p == -math.inf
    assert math.exp(ratio_draw_tail(tops, bottoms, 2, 3).log_p) == pytest.approx(0.25)
    assert math.exp(ratio_draw_tail(tops, bottoms, 1, 3, strict=True).log_p) == pytest.approx(0.75)
