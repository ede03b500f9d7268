"""Swaps of a ratio with own denominators agree with enumeration and with dynamic programming in unlimited integers."""

from __future__ import annotations

import itertools
import math
import time
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke.engine.lattice2d.relevant_nodes as scan
import nofluke.engine.ratio_swaps.tail as swaps
from nofluke.engine.flips import flip_tail
from nofluke.engine.lattice2d.basis import Basis, hermite_basis, merge_items
from nofluke.engine.lattice2d.dense import dense_tail
from nofluke.engine.lattice2d.tilt import tilt_pair
from nofluke.engine.ratio_swaps.draws import ratio_swap_draws
from nofluke.engine.ratio_swaps.event import RatioEvent, observed_event
from nofluke.engine.ratio_swaps.tail import ratio_swap_tail
from nofluke.errors import InputError


def ratio_of_law(law, columns, empty=0):
    """log P(F_A - F_B >= observed) from counts[(U, V)], in fractions."""
    a, b, y_a, y_b = (sum(int(x) for x in column) for column in columns)
    c, d = a + b, y_a + y_b

    def difference(u, v):
        score_a = Fraction(c + u, d + v) if d + v else Fraction(empty)
        return score_a - (Fraction(c - u, d - v) if d - v else Fraction(empty))

    observed = difference(a - b, y_a - y_b)
    patterns = sum(law.values())
    inside = sum(count for (u, v), count in law.items() if difference(u, v) >= observed)
    if 2 * inside <= patterns:
        return math.log(inside) - math.log(patterns)
    return math.log1p(-((patterns - inside) / patterns))


def signs_law(columns):
    """Every pattern, one by one."""
    num_a, num_b, den_a, den_b = (np.asarray(column) for column in columns)
    u, v = (num_a - num_b).tolist(), (den_a - den_b).tolist()
    return Counter(
        (sum(s * x for s, x in zip(signs, u, strict=True)), sum(s * y for s, y in zip(signs, v, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(u))
    )


def convolved_law(columns):
    """Dynamic programming over (U, V) in unlimited integers."""
    num_a, num_b, den_a, den_b = (np.asarray(column) for column in columns)
    law = {(0, 0): 1}
    for x, y in zip((num_a - num_b).tolist(), (den_a - den_b).tolist(), strict=True):
        following: dict[tuple[int, int], int] = {}
        for (u, v), count in law.items():
            for key in ((u + x, v + y), (u - x, v - y)):
                following[key] = following.get(key, 0) + count
        law = following
    return law


def f1_columns(rng, n, recall_a=0.7, recall_b=0.65, width=2, extra=0.6):
    gold = rng.poisson(width, n)
    true_a, true_b = rng.binomial(gold, recall_a), rng.binomial(gold, recall_b)
    guessed_a, guessed_b = true_a + rng.poisson(extra, n), true_b + rng.poisson(extra, n)
    return 2 * true_a, 2 * true_b, guessed_a + gold, guessed_b + gold


def scaled(columns, by_num, by_den):
    a, b, y_a, y_b = columns
    return by_num * a, by_num * b, by_den * y_a, by_den * y_b


@pytest.fixture
def inverted(monkeypatch):
    """Leave only the Fourier inversion, whatever the size."""
    monkeypatch.setattr(swaps, "_COUNTED", -1)
    monkeypatch.setattr(swaps, "_FALLBACK", -1)
    monkeypatch.setattr(swaps, "_DENSE_STEPS", -1)


# Factors of numerators and denominators: sublattices of index 1, 6, 8 and 12.
LATTICES = [(1, 1), (2, 3), (4, 2), (1, 12)]


@pytest.mark.parametrize("factors", LATTICES)
@pytest.mark.parametrize("n", [1, 2, 5, 9, 12])
def test_counting_and_inversion_equal_every_pattern(n, factors, rng, honest, request):
    cases = [scaled(f1_columns(rng, n), *factors) for _ in range(3)]
    expected = [ratio_of_law(signs_law(columns), columns) for columns in cases]
    for columns, log_p in zip(cases, expected, strict=True):
        assert honest(ratio_swap_tail(*columns), log_p, 1e-13)
    request.getfixturevalue("inverted")
    for columns, log_p in zip(cases, expected, strict=True):
        tail = ratio_swap_tail(*columns)
        assert honest(tail, log_p, 1e-10)
        assert tail.bound < 1e-9


def test_sixteen_items(rng, honest, request):
    columns = f1_columns(rng, 16, 0.9, 0.5)
    log_p = ratio_of_law(signs_law(columns), columns)
    assert honest(ratio_swap_tail(*columns), log_p, 1e-13)
    request.getfixturevalue("inverted")
    assert honest(ratio_swap_tail(*columns), log_p, 1e-11)


def test_alignment_error_rate(rng, honest):
    """AER = (A + S - A&S - A&P) / (A + S): numerators and denominators of one link set move together."""
    sure = rng.integers(1, 4, 14)
    links_a, links_b = rng.integers(1, 5, 14), rng.integers(1, 5, 14)
    errors_a, errors_b = rng.integers(0, 1 + links_a), rng.integers(0, 1 + links_b)
    columns = (errors_a, errors_b, links_a + sure, links_b + sure)
    assert honest(ratio_swap_tail(*columns), ratio_of_law(signs_law(columns), columns), 1e-13)


def test_the_hazard_of_an_unreduced_sublattice(rng, inverted):
    """The same p-value whatever common factors numerators and denominators have."""
    columns = f1_columns(rng, 30)
    plain = ratio_swap_tail(*columns)
    for factors in LATTICES[1:]:
        assert ratio_swap_tail(*scaled(columns, *factors)).log_p == pytest.approx(plain.log_p, abs=1e-11)


@pytest.mark.parametrize("slope", [(1, 1), (2, 3), (0, 1), (3, 1), (-1, 2)])
@pytest.mark.parametrize("n", [6, 11])
def test_collinear_items(slope, n, rng, honest):
    base_a, base_b = rng.integers(0, 4, n), rng.integers(0, 4, n)
    columns = (10 + slope[0] * base_a, 10 + slope[0] * base_b, 3 + slope[1] * base_a, 3 + slope[1] * base_b)
    assert honest(ratio_swap_tail(*columns), ratio_of_law(signs_law(columns), columns), 1e-13)


@pytest.mark.parametrize("empty", [0, 1, Fraction(1, 3)])
def test_systems_that_may_be_left_without_denominators(empty, rng, honest, request):
    """Each item is answered by one system only, so some swaps give everything to one of them."""
    cases = []
    for n in (3, 6, 9):
        for collinear in (False, True):
            mine = rng.integers(0, 2, n)
            size = rng.integers(1, 4, n)
            correct = size if collinear else rng.integers(0, 1 + size)
            cases.append((correct * mine, correct * (1 - mine), size * mine, size * (1 - mine)))
        everything = rng.integers(1, 4, n)
        cases.append((rng.integers(0, 1 + everything), 0 * everything, everything, 0 * everything))
    for columns in cases:
        assert honest(ratio_swap_tail(*columns, empty=empty), ratio_of_law(signs_law(columns), columns, empty), 1e-12)
    request.getfixturevalue("inverted")
    for columns in cases:
        assert honest(ratio_swap_tail(*columns, empty=empty), ratio_of_law(signs_law(columns), columns, empty), 1e-10)


def test_nothing_to_swap():
    same = [1, 2, 3]
    assert ratio_swap_tail(same, same, [4, 4, 4], [4, 4, 4]).log_p == 0.0
    assert ratio_swap_tail([0, 0], [0, 0], [0, 0], [0, 0]).log_p == 0.0
    assert ratio_swap_tail([], [], [], []).log_p == 0.0


def test_equal_scores_of_different_systems(honest):
    """F_A = F_B is reached by at least half of all swaps, with the ties."""
    columns = ([2, 0, 4, 2], [0, 2, 2, 4], [4, 2, 5, 3], [2, 4, 3, 5])
    tail = ratio_swap_tail(*columns)
    assert math.exp(tail.log_p) >= 0.5
    assert honest(tail, ratio_of_law(signs_law(columns), columns), 1e-14)


def test_shared_denominators_cancel(rng):
    den = rng.integers(5, 30, 300)
    num_a, num_b = rng.binomial(den, 0.6), rng.binomial(den, 0.58)
    tail = ratio_swap_tail(num_a, num_b, den, den)
    assert tail == flip_tail(num_a - num_b, int((num_a - num_b).sum()))


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.lists(st.tuples(*[st.integers(0, 3)] * 4), min_size=1, max_size=9))
def test_two_sided_is_twice_the_smaller_side(items):
    """Complementary swaps give -T, so P(|T| >= |t|) = 2 min(both sides); and the sides overlap in the ties."""
    a, b, extra_a, extra_b = (np.array(column) for column in zip(*items, strict=True))
    columns = (a, b, a + extra_a, b + extra_b)
    law = signs_law(columns)
    event = observed_event(*columns, Fraction(0))
    size = abs(event.threshold)
    both = sum(count for (u, v), count in law.items() if abs(event.difference(u, v)) >= size) / 2 ** len(items)
    greater = math.exp(ratio_swap_tail(*columns).log_p)
    less = math.exp(ratio_swap_tail(b, a, b + extra_b, a + extra_a).log_p)
    assert both == pytest.approx(min(1.0, 2.0 * min(greater, less)), rel=1e-12)
    equal = sum(count for (u, v), count in law.items() if event.difference(u, v) == event.threshold)
    assert greater + less == pytest.approx(1.0 + equal / 2 ** len(items), rel=1e-12)


DEEP = [(60, 0.95, 0.3), (110, 0.95, 0.25), (150, 1.0, 0.0), (150, 0.3, 0.7)]


@pytest.mark.parametrize(("n", "recall_a", "recall_b"), DEEP)
def test_deep_tails_against_unlimited_integers(n, recall_a, recall_b, rng, honest):
    gold = rng.integers(1, 3, n)
    true_a, true_b = rng.binomial(gold, recall_a), rng.binomial(gold, recall_b)
    guessed_a, guessed_b = true_a + rng.integers(0, 2, n), true_b + rng.integers(0, 2, n)
    for columns in (
        (2 * true_a, 2 * true_b, guessed_a + gold, guessed_b + gold),
        (true_a, true_b, guessed_a, guessed_b),
    ):
        log_p = ratio_of_law(convolved_law(columns), columns)
        tail = ratio_swap_tail(*columns)
        assert honest(tail, log_p, 1e-9)
        assert tail.bound < 1e-9
        # the dynamic programme in floats is the third route
        u, v, counts = merge_items(columns[0] - columns[1], columns[2] - columns[3])
        event = observed_event(*columns, Fraction(0))
        if event.threshold > 0:
            assert dense_tail(tilt_pair(u, v, counts, event)) == pytest.approx(log_p, rel=1e-12)


def test_improbable_levels_are_passed_over(rng, inverted):
    """One pattern of 2^200: rounding on levels of V that cannot matter would drown it."""
    true_a = rng.integers(1, 3, 200)
    guessed_a, guessed_b = true_a + rng.integers(0, 2, 200), rng.integers(0, 2, 200)
    tail = ratio_swap_tail(true_a, 0 * true_a, guessed_a, guessed_b)
    assert tail.log_p == pytest.approx(-200 * math.log(2), abs=1e-8)
    assert tail.bound < 1e-8


def test_unproved_nodes_are_judged_fairly(rng, monkeypatch, honest):
    """Numbers too wide to scan: the main lobe alone, with the bound that it claims."""
    cases = [f1_columns(rng, 19, 0.72, 0.7, width=400, extra=200) for _ in range(4)]
    exact = [ratio_swap_tail(*columns) for columns in cases]
    assert {tail.path for tail in exact} == {"enumeration"}
    monkeypatch.setattr(swaps, "_COUNTED", -1)
    monkeypatch.setattr(swaps, "_FALLBACK", -1)
    monkeypatch.setattr(swaps, "_DENSE_STEPS", -1)
    monkeypatch.setattr(scan, "_BUDGET", -1)
    for columns, tail in zip(cases, exact, strict=True):
        judged = ratio_swap_tail(*columns)
        assert judged.path == "inversion"
        assert 1e-9 < judged.bound < 10.0
        assert honest(judged, tail.log_p)


def test_a_resonance_is_not_vouched_for(rng, monkeypatch):
    """All but three items are multiples of 16: the main lobe alone would be wrong, and must say so."""
    a, b, y_a, y_b = (16 * column for column in f1_columns(rng, 60))
    a[:2] += 1
    y_b[1:3] += 1
    proved = ratio_swap_tail(a, b, y_a, y_b)
    monkeypatch.setattr(scan, "_BUDGET", -1)
    monkeypatch.setattr(swaps, "_DENSE_STEPS", -1)
    judged = ratio_swap_tail(a, b, y_a, y_b)
    assert abs(math.expm1(judged.log_p - proved.log_p)) > 1e-5
    assert (proved.bound < 1e-9, judged.bound) == (True, math.inf)


def test_two_thousand_items_are_fast_and_agree_with_draws(rng):
    columns = f1_columns(rng, 2000, 0.7, 0.69)
    seconds = []
    for _ in range(4):
        start = time.process_time()
        tail = ratio_swap_tail(*columns)
        seconds.append(time.process_time() - start)
    assert tail.path == "lattice"
    assert tail.bound < 1e-11
    assert min(seconds) < 0.5  # 0.02 s on a quiet machine
    resamples, p = 20_000, math.exp(tail.log_p)
    counts = ratio_swap_draws(*columns, resamples=resamples, seed=1, studentized=False)
    assert abs(counts.at_least - resamples * p) <= 4 * math.sqrt(resamples * p * (1 - p))


@pytest.mark.slow
@pytest.mark.parametrize("width", [1, 2, 10, 50])
@pytest.mark.parametrize("n", [200, 600, 2000])
def test_a_million_draws(n, width, rng):
    columns = f1_columns(rng, n, 0.7, 0.7 - 1.2 / math.sqrt(n * width), width=width, extra=0.3 * width)
    tail = ratio_swap_tail(*columns)
    assert tail.bound < 1e-9
    resamples, p = 1_000_000, math.exp(tail.log_p)
    counts = ratio_swap_draws(*columns, resamples=resamples, seed=n, studentized=False)
    assert abs(counts.at_least - resamples * p) <= 4 * math.sqrt(resamples * p * (1 - p))


@settings(deadline=None, derandomize=True, max_examples=100)
@given(st.lists(st.tuples(st.integers(-30, 30), st.integers(-30, 30)), min_size=1, max_size=6))
def test_the_basis_spans_the_items(items):
    u, v = (np.array(column) for column in zip(*items, strict=True))
    basis = hermite_basis(u, v)
    minors = [abs(a * d - b * c) for (a, b), (c, d) in itertools.combinations(items, 2)]
    index = math.gcd(*minors) if minors else 0
    assert basis.step_u * basis.step_v == index or (basis.step_v == 0 and index == 0)
    assert basis.step_v == math.gcd(*v.tolist())
    if basis.step_u and basis.step_v:
        for turned in (basis, basis.sheared(2.7)):
            x, y = turned.coordinates(u, v)
            assert np.array_equal(x * turned.step_u + y * turned.shear, u)
            assert np.array_equal(y * turned.step_v, v)


def test_a_known_basis():
    assert hermite_basis(np.array([4, 2]), np.array([2, 4])) == Basis(6, 4, 2)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(
    st.integers(0, 10**9), st.integers(1, 10**9), st.fractions(-1, 1, max_denominator=10**12), st.booleans(), st.data()
)
def test_the_event_is_decided_in_whole_numbers(c, d, threshold, strict, data):
    """Thresholds in floats, where they are used, equal those in fractions, ties included."""
    event = RatioEvent(c, d, threshold, Fraction(0), strict)
    v = data.draw(st.lists(st.integers(-d, d), min_size=1, max_size=5))
    least = event.least_of(np.array(v))
    for level, u in zip(v, least.tolist(), strict=True):
        assert event.holds(u, level)
        assert not event.holds(u - 1, level)
    around = np.concatenate([least + shift for shift in (-1, 0, 1)])
    expected = np.concatenate([np.full(len(v), shift >= 0) for shift in (-1, 0, 1)])
    assert np.array_equal(event.holds_for(around, np.tile(v, 3)), expected)


def test_exact_ties_beyond_the_digits_of_floats():
    """(C + U) / (D + V) - (C - U) / (D - V) equals the threshold exactly; a float comparison would be luck."""
    event = RatioEvent(3 * 10**15 + 7, 9 * 10**15 + 21, Fraction(0), Fraction(0))
    u, v = np.array([1, 10**6, 333]), np.array([3, 3 * 10**6, 999])
    assert event.holds_for(u, v).all()
    assert not event.holds_for(u - 1, v).any()


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([1], [1, 2], [1], [1]), "differ in length"),
        (([0.5], [1], [1], [1]), "whole numbers"),
        (([1], [1], [-1], [1]), "negative"),
        (([2**52], [1], [1], [1]), "2\\^52"),
    ],
)
def test_bad_columns_are_refused(columns, message):
    with pytest.raises(InputError, match=message):
        ratio_swap_tail(*columns)
