"""Tango's test of paired accuracies against a margin: score form, exact form, and their intervals."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import minimize_scalar

import nofluke as nf
import nofluke.inference.tests.mcnemar
import nofluke.inference.tests.tango
from nofluke.align.counts import sample_from_counts
from nofluke.errors import InputError, MethodError
from nofluke.inference.intervals.paired_proportions import paired_exact_interval, score_z, tango_interval
from nofluke.laws.trinomial import exact_tail, score_statistics
from support.notes import codes, facts

ALTERNATIVES = ("two-sided", "greater", "less")
Z = 1.959963984540054
steady = settings(deadline=None, derandomize=True, max_examples=60)
margins = st.integers(-40, 40).map(lambda k: k / 50)


@st.composite
def paired_tables(draw: st.DrawFn, most: int = 40) -> tuple[int, int, int]:
    n = draw(st.integers(1, most))
    b = draw(st.integers(0, n))
    return b, draw(st.integers(0, n - b)), n


def tango(b: int, c: int, n: int, **options: Any) -> nf.TestResult:
    return nf.test(sample_from_counts(n - b - c, b, c, 0), method="tango", **options)


# ---------------------------------------------------------------- the score statistic and its interval


def brute_force_z(b: int, c: int, n: int, delta: float) -> float:
    """The score statistic with the constrained likelihood maximised numerically."""

    def unlikely(q: float) -> float:
        total = 0.0
        for count, p in ((b, q + delta), (c, q), (n - b - c, 1 - 2 * q - delta)):
            if count:
                total -= count * math.log(p) if p > 0 else -math.inf
        return total

    low, high = max(0.0, -delta), (1 - delta) / 2
    inner = minimize_scalar(unlikely, bounds=(low, high), method="bounded", options={"xatol": 1e-13}).x
    q = min((low, high, inner), key=unlikely)
    return (b - c - n * delta) / math.sqrt(n * (2 * q + delta - delta**2))


@given(paired_tables(300), margins)
@steady
def test_score_statistic_maximises_the_likelihood(table: tuple[int, int, int], delta: float) -> None:
    assume(delta or table[0] + table[1])
    assert score_z(*table, delta) == pytest.approx(brute_force_z(*table, delta), rel=1e-5, abs=1e-5)


@given(paired_tables(300), st.sampled_from([0.8, 0.95, 0.99]))
@steady
def test_limits_solve_the_score_equation(table: tuple[int, int, int], level: float) -> None:
    b, c, n = table
    assume(b + c)
    error = (1 - level) / 2
    interval = tango_interval(b, c, n, error, error, level)
    z = stats.norm.isf(error)
    assert -1 <= interval.low <= (b - c) / n <= interval.high <= 1
    if interval.low > -1:
        assert score_z(b, c, n, interval.low) == pytest.approx(z, rel=1e-9)
        assert brute_force_z(b, c, n, interval.low) == pytest.approx(z, rel=1e-4)
    if interval.high < 1:
        assert score_z(b, c, n, interval.high) == pytest.approx(-z, rel=1e-9)
        assert brute_force_z(b, c, n, interval.high) == pytest.approx(-z, rel=1e-4)


def test_closed_forms_at_the_edges() -> None:
    for n in (1, 5, 40, 1000):
        best = tango_interval(n, 0, n, 0.025, 0.025, 0.95)
        assert (best.low, best.high) == pytest.approx(((n - Z**2) / (n + Z**2), 1.0), rel=1e-12)
        worst = tango_interval(0, n, n, 0.025, 0.025, 0.95)
        assert (worst.low, worst.high) == (-best.high, -best.low)
        same = tango_interval(0, 0, n, 0.025, 0.025, 0.95)
        reach = max(Z**2 / (n + Z**2), 1 - 0.025 ** (1 / n))
        assert (same.low, same.high) == pytest.approx((-reach, reach), rel=1e-12)
        assert tango_interval(n, 0, n, 0.05, 0.0, 0.95).high == 1.0
        assert tango_interval(n, 0, n, 0.0, 0.05, 0.95).low == -1.0


@pytest.mark.parametrize("n", [1, 2, 7, 20, 45])
def test_all_statistics_at_once_and_their_order(n: int) -> None:
    for delta in (-0.98, -0.3, -0.02, 0.0, 0.05, 0.4, 0.9):
        table = score_statistics(n, delta)
        for b, c in product(range(n + 1), repeat=2):
            if b + c <= n:
                assert table[b, c] == pytest.approx(score_z(b, c, n, delta), rel=1e-12, abs=1e-12)
                # Barnard's convexity: more for A or less for B never lowers the statistic.
                if b + c < n:
                    assert table[b + 1, c] >= table[b, c] - 1e-12
                    assert table[b, c + 1] <= table[b, c] + 1e-12


@given(paired_tables(60))
@steady
def test_statistic_falls_with_delta(table: tuple[int, int, int]) -> None:
    values = [score_z(*table, delta) for delta in np.linspace(-0.99, 0.99, 199)]
    assert np.all(np.diff(values) <= 1e-12)


@given(paired_tables(40), st.sampled_from(ALTERNATIVES))
@steady
def test_without_margin_the_score_test_is_mcnemars_chi_square(table: tuple[int, int, int], alternative: str) -> None:
    b, c, n = table
    ours = tango(*table, mode="score", alternative=alternative)
    theirs = nf.test(sample_from_counts(n - b - c, b, c, 0), method="mcnemar", mode="chi2", alternative=alternative)
    assert ours.p_value == pytest.approx(theirs.p_value, rel=1e-12)
    assert ours.statistic**2 == pytest.approx(theirs.statistic, rel=1e-12)
    assert ours.interval == theirs.interval


# ---------------------------------------------------------------- both forms


@pytest.mark.parametrize("mode", ["score", "exact"])
@given(paired_tables(12), margins)
@settings(steady, max_examples=30)
def test_swap_and_sides(mode: str, table: tuple[int, int, int], delta: float) -> None:
    b, c, n = table
    results = {x: tango(b, c, n, mode=mode, delta=delta, alternative=x) for x in ALTERNATIVES}
    for x, mirrored in zip(ALTERNATIVES, ("two-sided", "less", "greater"), strict=True):
        mirror = tango(c, b, n, mode=mode, delta=-delta, alternative=mirrored)
        assert 0 < results[x].p_value <= 1
        assert mirror.p_value == pytest.approx(results[x].p_value, rel=1e-9)
        assert mirror.statistic == -results[x].statistic
        assert results[x].interval is not None
        assert mirror.interval is not None
        assert mirror.interval.low == pytest.approx(-results[x].interval.high, abs=1e-9)
    greater, less = results["greater"].p_value, results["less"].p_value
    assert greater + less >= 1 - 1e-9
    assert results["two-sided"].p_value == pytest.approx(min(1, 2 * min(greater, less)), rel=1e-9)


@pytest.mark.parametrize("mode", ["score", "exact"])
@pytest.mark.parametrize("n", [6, 15, 30])
def test_one_item_more_for_a_never_raises_p(mode: str, n: int) -> None:
    for delta in (-0.2, -0.05, 0.0, 0.1):
        tables = [(b, c) for b, c in product(range(6), repeat=2) if b + c < n]
        if mode == "exact":
            p = {table: math.exp(exact_tail(*table, n, delta).log_value) for table in tables}
        else:
            p = {table: tango(*table, n, mode="score", delta=delta, alternative="greater").p_value for table in tables}
        if delta >= 0:
            # Identical outputs have p = 1 by rule; the normal tail of the table next to them is below 1.
            assert p.pop((0, 0)) == 1
        for b, c in p:
            if (b + 1, c) in p:
                assert p[b + 1, c] <= p[b, c] * (1 + 1e-9)
            if (b, c + 1) in p:
                assert p[b, c + 1] >= p[b, c] * (1 - 1e-9)


@pytest.mark.parametrize("mode", ["score", "exact"])
@pytest.mark.parametrize("n", [3, 10, 30, 50, 59, 100])
@pytest.mark.parametrize("margin", [0.01, 0.05, 0.1, 0.3])
def test_identical_outputs_pass_a_margin_only_if_so_unlikely(mode: str, n: int, margin: float) -> None:
    bound = (1 - margin) ** n
    p = (
        math.exp(exact_tail(0, 0, n, -margin).log_value)
        if mode == "exact"
        else tango(0, 0, n, mode="score", delta=-margin, alternative="greater").p_value
    )
    assert p >= bound * (1 - 1e-12)
    if mode == "exact" and bound >= 0.04:
        # Below, tables with many disagreements on both sides are as extreme and raise the p-value further.
        assert p == pytest.approx(bound, rel=1e-12)
    if mode == "score":
        assert p == pytest.approx(max(bound, stats.norm.sf(math.sqrt(n * margin / (1 - margin)))), rel=1e-9)


def test_the_guard_changes_a_verdict() -> None:
    # 54 items, margin .05: the normal tail alone says .046, but items that all agree have probability .063.
    result = tango(0, 0, 54, delta=-0.05, alternative="greater", mode="score", confidence_level=0.95)
    assert stats.norm.sf(result.z_score) < 0.05 < result.p_value
    assert result.p_value == pytest.approx(0.95**54)
    assert result.interval is not None
    assert -0.05 in result.interval
    assert facts(result, "test.right_on_same_items_margin")["chance"] == pytest.approx(0.0627, abs=5e-5)


@pytest.mark.parametrize("mode", ["score", "exact"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_identical_outputs_without_margin_give_one(mode: str, alternative: str) -> None:
    result = tango(0, 0, 20, mode=mode, alternative=alternative)
    assert (result.p_value, result.statistic, result.estimate) == (1.0, 0.0, 0.0)


def test_options_are_checked_and_auto_changes_at_50() -> None:
    assert tango(9, 2, 50).validity == "exact"
    assert tango(9, 2, 51).validity == "asymptotic"
    assert tango(9, 2, 51).p_value == tango(9, 2, 51, mode="score").p_value
    with pytest.raises(MethodError, match="enumerates"):
        tango(9, 2, 201, mode="exact")
    for delta in (1.0, -1.0, 5):
        with pytest.raises(InputError, match="difference of two accuracies"):
            tango(9, 2, 20, delta=delta)
    assert "is 0.05" in str(tango(9, 2, 20, delta=0.05))


def test_far_tails_of_the_score_test() -> None:
    result = tango(3000, 10, 5000, alternative="greater")
    assert result.p_value > 0
    assert result.log_p_value == pytest.approx(stats.norm.logsf(2990 / math.sqrt(3010)), rel=1e-12)


# ---------------------------------------------------------------- the exact form


def region_probability(n: int, delta: float, observed: float, q: Fraction) -> Fraction:
    """The probability of all tables with at least this statistic, in exact arithmetic."""
    p10, p01 = q + Fraction(delta).limit_denominator(1000), q
    rest = 1 - p10 - p01
    total = Fraction(0)
    for b, c in product(range(n + 1), repeat=2):
        if b + c <= n and score_z(b, c, n, delta) >= observed - 1e-9:
            ways = math.comb(n, b) * math.comb(n - b, c)
            total += ways * p10**b * p01**c * rest ** (n - b - c)
    return total


@given(paired_tables(7), st.sampled_from([-0.5, -0.1, 0.0, 0.05, 0.3]))
@settings(steady, max_examples=25)
def test_exact_p_is_the_largest_probability(table: tuple[int, int, int], delta: float) -> None:
    b, c, n = table
    found = exact_tail(b, c, n, delta)
    low, high = (
        max(Fraction(0), -Fraction(delta).limit_denominator(1000)),
        (1 - Fraction(delta).limit_denominator(1000)) / 2,
    )
    observed = score_z(b, c, n, delta)
    values = [region_probability(n, delta, observed, low + (high - low) * k / 60) for k in range(61)]
    p = math.exp(found.log_value)
    assert found.error < 1e-9
    assert float(max(values)) <= p * (1 + 1e-9)
    # Between grid points the polynomial of degree n can rise a little.
    assert p <= float(max(values)) * 1.02 + 1e-12


@given(paired_tables(45), margins)
@settings(steady, max_examples=40)
def test_exact_p_beats_a_fine_grid_by_little(table: tuple[int, int, int], delta: float) -> None:
    b, c, n = table
    inside = score_statistics(n, delta) >= score_z(b, c, n, delta) - 1e-9
    counts = np.array([(i, j) for i, j in product(range(n + 1), repeat=2) if i + j <= n and inside[i, j]])
    q = np.linspace(max(0.0, -delta), (1 - delta) / 2, 801)[:, None, None]
    chances = np.concatenate([q + delta, q, 1 - 2 * q - delta], axis=2).clip(0, 1)
    outcomes = np.column_stack([counts, n - counts.sum(axis=1)])
    with np.errstate(invalid="ignore"):
        grid = stats.multinomial.pmf(outcomes, n, chances).sum(axis=-1)
    p = math.exp(exact_tail(b, c, n, delta).log_value)
    assert grid.max() * (1 - 1e-9) <= p <= grid.max() * 1.002 + 1e-12


@pytest.mark.parametrize("delta", [-0.3, -0.1, 0.0, 0.1])
@pytest.mark.parametrize("n", [5, 10, 15])
def test_exact_size_by_enumeration(n: int, delta: float) -> None:
    cells = [(b, c) for b, c in product(range(n + 1), repeat=2) if b + c <= n]
    p = np.array([math.exp(exact_tail(b, c, n, delta).log_value) for b, c in cells])
    # On the boundary of the null and inside it: true differences of delta and below.
    for true in (delta, delta - 0.05, delta - 0.2):
        for q in np.linspace(max(0.0, -true), (1 - true) / 2, 25):
            chances = np.clip([q + true, q, 1 - 2 * q - true], 0, 1)
            outcomes = [(b, c, n - b - c) for b, c in cells]
            weights = stats.multinomial.pmf(outcomes, n, chances / chances.sum())
            for alpha in (0.01, 0.025, 0.05, 0.1, *p[:: max(1, len(p) // 20)]):
                assert weights[p <= alpha].sum() <= alpha * (1 + 1e-8) + 1e-12


@given(paired_tables(25), st.sampled_from([0.8, 0.95]))
@settings(steady, max_examples=15)
def test_exact_interval_inverts_the_exact_test(table: tuple[int, int, int], level: float) -> None:
    b, c, n = table
    error = (1 - level) / 2
    interval = paired_exact_interval(b, c, n, error, error, level)
    assert -1 <= interval.low <= (b - c) / n <= interval.high <= 1

    def rejected(delta: float) -> bool:
        return exact_tail(b, c, n, delta).log_value <= math.log(error)

    if interval.low > -1:
        assert not rejected(interval.low)
        for step in (2e-8, 1e-4, 0.3 / n, 1 / n):
            assert interval.low - step <= -1 or rejected(interval.low - step)
    result = tango(b, c, n, mode="exact", confidence_level=level)
    assert result.interval is not None
    assert (0 not in result.interval) == (result.p_value <= 1 - level) or (
        codes(result)[0] == "interval.contains_rejected"
    )


def test_exact_interval_reaches_across_gaps() -> None:
    # The order of the tables changes with delta, so the p-value is not monotone: here some differences above the limit
    # are rejected. The interval is the whole range, from the lowest difference that is not.
    b, c, n = 17, 6, 30
    low = paired_exact_interval(b, c, n, 0.05, 0.0, 0.95).low
    p = {delta: math.exp(exact_tail(b, c, n, float(delta)).log_value) for delta in np.linspace(low - 3 / n, 0.12, 150)}
    assert low == pytest.approx(0.0786679, abs=1e-6)
    assert all(value <= 0.05 for delta, value in p.items() if delta < low)
    assert any(value <= 0.05 for delta, value in p.items() if delta > low)
    assert p[0.12] > 0.05


def test_exact_interval_of_one_item_by_hand() -> None:
    # One item, right for A only: p10 reaches at most (1 + delta) / 2, so the limit is 2 * .025 - 1.
    interval = paired_exact_interval(1, 0, 1, 0.025, 0.025, 0.95)
    assert (interval.low, interval.high) == pytest.approx((-0.95, 1.0), abs=1e-7)


# ---------------------------------------------------------------- calibration


# Largest one-sided size at .05 over the rate of disagreement, by full enumeration of the tables.
SIZES = {
    20: {0.0: 0.0577, -0.05: 0.0575, -0.1: 0.0580, -0.2: 0.0692, 0.1: 0.0746},
    30: {0.0: 0.0558, -0.05: 0.0599, -0.1: 0.0714, -0.2: 0.0550, 0.1: 0.0870},
    50: {0.0: 0.0595, -0.05: 0.0524, -0.1: 0.0526, -0.2: 0.0573, 0.1: 0.0615},
    100: {0.0: 0.0522, -0.05: 0.0546, -0.1: 0.0576, -0.2: 0.0542, 0.1: 0.0726},
}


def probabilities(n: int, delta: float, points: int) -> tuple[np.ndarray, np.ndarray]:
    """Tables (b, c) and their probabilities under p10 - p01 = delta, one row for each rate of disagreement."""
    b, c = (axis.ravel() for axis in np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij"))
    b, c = b[b + c <= n], c[b + c <= n]
    q = np.linspace(max(0.0, -delta), (1 - delta) / 2, points)
    pmf = stats.binom.pmf(c, n, q[:, None]) * stats.binom.pmf(b, n - c, ((q + delta) / (1 - q)).clip(0, 1)[:, None])
    return np.column_stack([b, c]), pmf


@pytest.mark.parametrize(("n", "delta"), [(n, delta) for n, sizes in SIZES.items() for delta in sizes])
def test_score_size_by_enumeration(n: int, delta: float) -> None:
    tables, pmf = probabilities(n, delta, 400)
    z = score_statistics(n, delta)[tables[:, 0], tables[:, 1]]
    reject = z >= stats.norm.isf(0.05)
    identical = (tables.sum(axis=1) == 0) & ((1 + delta) ** n > 0.05)
    size = (pmf @ (reject & ~identical)).max()
    assert size == pytest.approx(SIZES[n][delta], abs=0.0004)
    # The public result rejects the same tables.
    for row in range(0, len(tables), max(1, len(tables) // 40)):
        p = tango(*tables[row], n, delta=delta, alternative="greater", mode="score").p_value
        assert (p <= 0.05) == bool(reject[row] and not identical[row])


@pytest.mark.parametrize(("n", "form"), [(20, "score"), (40, "score"), (9, "exact")])
def test_coverage_by_enumeration(n: int, form: str) -> None:
    construct = tango_interval if form == "score" else paired_exact_interval
    tables, _ = probabilities(n, 0.0, 2)
    limits = np.array([(i.low, i.high) for b, c in tables.tolist() for i in [construct(b, c, n, 0.025, 0.025, 0.95)]])
    coverage = []
    for delta in np.linspace(-0.6, 0.6, 25):
        _, pmf = probabilities(n, delta, 21)
        coverage.append(pmf @ ((limits[:, 0] <= delta + 1e-7) & (delta - 1e-7 <= limits[:, 1])))
    if form == "exact":
        assert np.min(coverage) >= 0.95 - 1e-9
    else:
        assert 0.945 < np.mean(coverage) < 0.965
        assert np.min(coverage) > 0.90
