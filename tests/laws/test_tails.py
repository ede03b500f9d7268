"""Tails of known laws keep their digits where SciPy loses them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from nofluke.laws.tails import (
    log_binomial_tail,
    log_chi_square_tail,
    log_f_tail,
    log_lower,
    log_t_tail,
    log_t_tails,
    log_upper,
)


def test_t_tails_are_rs() -> None:
    assert math.exp(log_t_tail(2.0, 10)) == pytest.approx(0.0366940185, rel=1e-7)
    assert log_t_tail(-3, 7) == pytest.approx(math.log1p(-math.exp(log_t_tail(3, 7))), rel=1e-14)


@pytest.mark.parametrize(("t", "df"), [(1e12, 30), (1e80, 5), (60, 1e5), (45, 3e6), (1e9, 100)])
def test_t_tails_beyond_floating_point(t: float, df: float) -> None:
    # The tail is the integral of the density; far out it is the leading term times a series in df / t^2.
    logs = []
    for steps in (20_000, 40_000):
        u = (np.arange(steps) + 0.5) / steps * 60
        x = t * np.exp(u / (df * t * t / (df + t * t)))
        log_density = (
            math.lgamma((df + 1) / 2)
            - math.lgamma(df / 2)
            - 0.5 * math.log(df * math.pi)
            - (df + 1) / 2 * np.log1p(x * x / df)
        )
        integrand = log_density + np.log(x / (df * t * t / (df + t * t)) * 60 / steps)
        top = integrand.max()
        logs.append(top + math.log(np.exp(integrand - top).sum()))
    assert log_t_tail(t, df) == pytest.approx(logs[-1], rel=1e-6)


def test_t_tails_in_bulk_are_the_single_ones_far_out_too() -> None:
    t = np.array([-300.0, -4.0, -0.1, 0.0, 0.5, 7.0, 80.0, 900.0])
    assert log_t_tails(t, 800) == pytest.approx([log_t_tail(float(x), 800) for x in t], rel=1e-11)


def test_binomial_tail_is_the_sum_of_its_terms() -> None:
    for n, k in ((10, 7), (50, 45), (900, 700), (3000, 2900), (5000, 5000)):
        exact = sum(math.comb(n, j) for j in range(k, n + 1))
        assert log_binomial_tail(k, n) == pytest.approx(math.log(exact) - n * math.log(2), rel=1e-11)


@pytest.mark.parametrize(("k", "df2"), [(2, 5), (5, 40), (12, 720)])
def test_f_and_chi_square_tails_are_scipys_and_go_further(k: int, df2: int) -> None:
    for x in (0.01, 0.7, 3.0, 40.0):
        assert log_f_tail(x, k, df2) == pytest.approx(stats.f.logsf(x, k, df2), rel=1e-9)
        assert log_chi_square_tail(x, k) == pytest.approx(stats.chi2.logsf(x, k), rel=1e-9)
    far = [log_f_tail(x, 9, 7200) for x in (1000.0, 2000.0, 4000.0)]
    assert far == sorted(far, reverse=True)
    assert far[-1] < -3_000
    # P(F >= f) of (2, m) degrees of freedom is (1 + 2 f / m)^(-m / 2).
    assert log_f_tail(5e4, 2, 500) == pytest.approx(-250 * math.log1p(200.0), rel=1e-12)


def test_far_tails_of_sums_of_exponentials() -> None:
    for size, x in ((1, 900.0), (3, 800.0), (30, 2_000.0), (400, 3_000.0), (5, 1e5)):
        terms = [k * math.log(x) - math.lgamma(k + 1) for k in range(size)]
        top = max(terms)
        expected = -x + top + math.log(math.fsum(math.exp(term - top) for term in terms))
        assert float(log_upper(size, x)) == pytest.approx(expected, rel=1e-12)
    assert float(log_upper(3, math.inf)) == -math.inf
    assert float(log_upper(3, 0.0)) == 0.0
    for size, x in ((60, 1e-6), (400, 1.0), (2, 1e-200)):
        assert log_lower(size, x) == pytest.approx(size * math.log(x) - x - math.lgamma(size + 1), rel=1e-3)
    # P(X <= x) of a sum of a exponential variables is P(a events or more) of a Poisson variable with mean x.
    poisson = math.fsum(math.exp(k * math.log(5) - math.lgamma(k + 1) + 1_300) for k in range(400, 600))
    assert log_lower(400, 5.0) == pytest.approx(math.log(poisson) - 1_300 - 5, rel=1e-12)
    assert log_lower(2, 0.0) == -math.inf
