"""Scores far from 0, nearly constant, tiny or huge: the figures of exact arithmetic, and no crash.

The oracle is the textbook formula in 60-digit decimals: gradient and covariance matrix as they are printed, which
cancel in doubles and do not there.
"""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.engine.correlation import pearson_of, pearson_scorer
from nofluke.registry import EFFECTS
from support.notes import codes

FORMS = ("z", "av", "rm", "pooled")
PLAIN_TESTS = ("permutation", "bootstrap", "paired_t", "student_t", "welch_t", "wilcoxon", "sign", "mann_whitney")
N = 40
RNG = np.random.default_rng(20)
X, Y, NOISE = RNG.random(N), RNG.random(N), RNG.normal(size=N)

CASES = {
    "shift by 1": (X + 1 + 1e-3 * NOISE, X),
    "shift by 1, hardly any spread": (X + 1 + 1e-9 * NOISE, X),
    "shift by 1, spread near the grid": (X + 1 + 3e-11 * NOISE, X),
    "far from 0": (1e8 + NOISE, 1e8 + NOISE + 0.1 * Y),
    "far from 0, small spread": (1e4 + 1e-4 * X, 1e4 + 1e-4 * Y),
    "tiny": (1e-90 * X, 1e-90 * Y),
    "smallest": (1e-99 * (X + 0.1), 1e-99 * Y),
    "huge": (1e90 * X, 1e90 * Y),
    "largest": (1e99 * X, 1e99 * Y),
    "tiny and shifted": (1e-90 * (X + 1 + 1e-9 * NOISE), 1e-90 * X),
    "one varies far more": (1e6 * X, Y),
    "almost opposite": (X, 1 - X + 1e-7 * NOISE),
}


def moments(a: np.ndarray, b: np.ndarray) -> tuple[Decimal, ...]:
    """Mean difference, variances and covariance, without rounding."""
    first, second = ([Decimal(value) for value in column.tolist()] for column in (a, b))
    n = len(first)
    mean_a, mean_b = sum(first) / n, sum(second) / n
    va, vb = sum((x - mean_a) ** 2 for x in first) / (n - 1), sum((y - mean_b) ** 2 for y in second) / (n - 1)
    cov = sum((x - mean_a) * (y - mean_b) for x, y in zip(first, second, strict=True)) / (n - 1)
    return mean_a - mean_b, va, vb, cov


def exact_d(a: np.ndarray, b: np.ndarray, form: str) -> tuple[float, float]:
    """Cohen's d and its delta-method standard error from gradient and covariance matrix, in 60 digits."""
    with localcontext() as context:
        context.prec, context.Emin, context.Emax = 120, -(10**6), 10**6
        mean, va, vb, c = moments(a, b)
        v, sa, sb = va + vb - 2 * c, va.sqrt(), vb.sqrt()
        r, half = c / (sa * sb), Decimal("0.5")
        s = {
            "z": v.sqrt(),
            "av": (sa + sb) / 2,
            "pooled": ((va + vb) / 2).sqrt(),
            "rm": (v / (2 * (1 - r))).sqrt(),
        }[form]
        gradient = {
            "z": (half / v, half / v, -1 / v),
            "av": (1 / (4 * s * sa), 1 / (4 * s * sb), Decimal(0)),
            "pooled": (half / (va + vb), half / (va + vb), Decimal(0)),
            "rm": (
                half / v - r / (4 * (1 - r) * va),
                half / v - r / (4 * (1 - r) * vb),
                -1 / v + half / ((1 - r) * sa * sb),
            ),
        }[form]
        matrix = (
            (2 * va * va, 2 * c * c, 2 * va * c),
            (2 * c * c, 2 * vb * vb, 2 * vb * c),
            (2 * va * c, 2 * vb * c, va * vb + c * c),
        )
        log_variance = sum(gradient[i] * matrix[i][j] * gradient[j] for i in range(3) for j in range(3))
        d = mean / s
        return float(d), float(((v / s**2 + d * d * log_variance) / (len(a) - 1)).sqrt())


def rounding(a: np.ndarray, b: np.ndarray) -> float:
    """What rounding a - b once does to its standard deviation, as a share of it."""
    return 1e-12 + 2e-16 * float(max(np.abs(a).max(), np.abs(b).max()) / np.std(a - b))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case", CASES)
def test_cohens_d_is_that_of_exact_arithmetic(case: str, form: str) -> None:
    a, b = CASES[case]
    found, (d, error) = nf.effect(a, b, "cohens_d", form=form), exact_d(a, b, form)
    assert found.value == pytest.approx(d, rel=rounding(a, b))
    assert found.standard_error == pytest.approx(error, rel=10 * rounding(a, b))
    turned = nf.effect(b, a, "cohens_d", form=form)
    assert (turned.value, turned.standard_error) == pytest.approx((-found.value, found.standard_error), rel=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_compare_and_describe_give_the_moments_of_exact_arithmetic(case: str) -> None:
    a, b = CASES[case]
    with localcontext() as context:
        context.prec, context.Emin, context.Emax = 120, -(10**6), 10**6
        mean, va, vb, c = moments(a, b)
        sd, r = float((va + vb - 2 * c).sqrt()), float(c / (va.sqrt() * vb.sqrt()))
    profile = nf.describe(a, b)
    assert profile.difference.mean == pytest.approx(float(mean), rel=1e-9, abs=1e-15 * float(np.abs(a).max()))
    assert profile.difference.sd == pytest.approx(sd, rel=rounding(a, b))
    assert profile.a.sd == pytest.approx(float(va.sqrt()), rel=1e-12)
    assert profile.correlation == pytest.approx(r, abs=1e-12)
    assert sum(profile.difference.histogram.counts) == N
    compared = nf.compare(a, b)
    assert 0 < compared.test.p_value <= 1
    assert compared.profile.difference.sd == profile.difference.sd


@pytest.mark.parametrize("offset", [1.0, 0.1, 0.37, 1 / 3, 0.1234567890125])
@pytest.mark.parametrize("n", [3, 50])
def test_differences_that_are_one_up_to_last_bits_are_constant(offset: float, n: int) -> None:
    b = np.random.default_rng(4).random(n)
    a = b + offset
    assert len(np.unique(a - b)) > 1  # not constant in binary
    profile = nf.compare(a, b).profile
    assert profile.difference.sd == 0
    assert profile.difference.histogram.counts == (n,)
    assert math.isnan(profile.skewness)
    assert profile.normality.conclusion == "constant"
    assert codes(nf.effect(a, b, "cohens_d")) == ("effect.equal_differences_undefined",)
    assert math.isnan(nf.effect(a, b, "cohens_d", form="rm").value)
    assert nf.effect(a, b, "cohens_d", form="pooled").value == pytest.approx(offset / b.std(ddof=1))


def of_scale(result: Any, scale: float) -> tuple[float, ...]:
    ends = (math.nan,) * 2 if result.interval is None else (result.interval.low, result.interval.high)
    return tuple(figure / scale for figure in (result.value, *ends))


@pytest.mark.parametrize("scale", [2.0**-300, 2.0**300, 2.0**-325, 2.0**325])
@pytest.mark.parametrize("name", [name for name in EFFECTS.names() if name != "odds_ratio"])
def test_effects_do_not_depend_on_the_unit(name: str, scale: float) -> None:
    unit = scale if name in ("mean_difference", "hodges_lehmann") else 1.0
    plain, scaled = nf.effect(X, Y, name), nf.effect(scale * X, scale * Y, name)
    assert of_scale(scaled, unit) == pytest.approx(of_scale(plain, 1.0), rel=1e-9)
    assert scaled.standard_error / unit == pytest.approx(plain.standard_error, rel=1e-9, nan_ok=True)


@pytest.mark.parametrize("scale", [2.0**-300, 2.0**325])
@pytest.mark.parametrize("name", PLAIN_TESTS)
def test_tests_do_not_depend_on_the_unit(name: str, scale: float) -> None:
    plain, scaled = nf.test(X, Y, name), nf.test(scale * X, scale * Y, name)
    assert scaled.p_value == pytest.approx(plain.p_value, rel=1e-8)


@pytest.mark.parametrize("scales", [(1e-160, 1.0), (1e-300, 1.0), (1.0, 1e90), (1e-99, 1e-99), (1e-160, 1e90)])
@pytest.mark.parametrize("method", ["pearson", "spearman", "kendall"])
def test_correlation_of_columns_of_any_size(method: str, scales: tuple[float, float]) -> None:
    plain = nf.correlation(X, X + Y, method)
    scaled = nf.correlation(scales[0] * X, scales[1] * (X + Y), method)
    assert (scaled.estimate, scaled.p_value) == pytest.approx((plain.estimate, plain.p_value), rel=1e-9)


@pytest.mark.parametrize("scale", [1e-200, 1e-160, 1e-90])
def test_systems_of_any_size_correlate_with_gold(scale: float) -> None:
    def compared(unit: float) -> tuple[float, float, float]:
        scores = nf.score("pearson", {"A": (unit * X).tolist(), "B": Y.tolist()}, (X + Y).tolist())
        sample = scores.pair("A", "B")
        return sample.score(0), nf.compare(sample).test.p_value, nf.test(sample, "permutation").p_value

    assert compared(scale) == pytest.approx(compared(1.0), rel=1e-9)


def test_pearson_of_numbers_no_double_can_square() -> None:
    for unit in (5e-308, 1e-200, 1e200, 1e307):
        assert pearson_of(np.column_stack((unit * X, Y))) == pytest.approx(np.corrcoef(X, Y)[0, 1], rel=1e-12)
    assert math.isnan(pearson_of(np.column_stack((np.full(N, 0.1), Y))))


def test_resamples_far_from_the_mean_of_all_keep_their_digits() -> None:
    # One item far away: without it all others lie within 1e-9 of each other, far from the mean.
    x = np.concatenate((1e-9 * X, [1.0]))
    rows = np.column_stack((x, np.concatenate((Y, [2.0]))))
    counts = np.ones((2, N + 1))
    counts[1, N], counts[1, 0] = 0, 2
    plain = np.corrcoef(np.concatenate((X, X[:1])), np.concatenate((Y, Y[:1])))[0, 1]
    assert pearson_scorer(rows)(counts)[1] == pytest.approx(plain, rel=1e-6)
    counts[1] = 0
    counts[1, 3] = N
    assert math.isnan(pearson_scorer(rows)(counts)[1])
