"""The noncentral t distribution, far into its tails too."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, special

from nofluke.errors import MethodError
from nofluke.laws.noncentral_t import log_noncentral_t_above, log_noncentral_t_below, noncentral_t_cdf, noncentral_t_sf
from nofluke.laws.tails import log_t_tail


def over_the_normal_variable(t: float, df: float, ncp: float) -> float:
    """P(T >= t), t > 0, by the other order of integration: over z, with the chi-square distribution inside."""

    def integrand(z: float) -> float:
        return math.exp(-z * z / 2) / math.sqrt(2 * math.pi) * special.gammainc(df / 2, df * ((z + ncp) / t) ** 2 / 2)

    low, high = max(-ncp, -40.0), 40.0 + max(0.0, -ncp)
    steps = [np.linspace(-12, 12, 49), t - ncp + np.linspace(-10, 10, 41) * t / math.sqrt(2 * df)]
    cuts = np.unique(np.clip(np.concatenate([*steps, [low, high], -ncp + np.linspace(0, 12, 25)]), low, high))
    return sum(integrate.quad(integrand, a, b, epsabs=0, epsrel=1e-11)[0] for a, b in itertools.pairwise(cuts))


@pytest.mark.parametrize("df", [1, 3.5, 10, 99, 1e4])
def test_noncentral_t_by_the_other_integral(df: float) -> None:
    for ncp, t in itertools.product((-5, -1, 0.5, 5, 30), (0.2, 2, 10, 40)):
        above = noncentral_t_sf(t, df, ncp)
        assert above + noncentral_t_cdf(t, df, ncp) == pytest.approx(1, abs=1e-12)
        if above > 1e-200:
            assert above == pytest.approx(over_the_normal_variable(t, df, ncp), rel=1e-10), (t, ncp)
        # T(ncp) mirrored is T(-ncp).
        assert noncentral_t_cdf(-t, df, -ncp) == pytest.approx(above, rel=1e-11)


def test_noncentral_t_where_scipy_is_sound() -> None:
    for df, ncp, t in itertools.product((4, 25, 150), (-2.0, 0.0, 3.0), (-4.0, -1.0, 0.0, 1.5, 6.0)):
        assert noncentral_t_cdf(t, df, ncp) == pytest.approx(special.nctdtr(df, ncp, t), rel=1e-8, abs=1e-11)


def test_noncentral_t_without_noncentrality_is_students_also_far_out() -> None:
    for df, t in itertools.product((1, 3, 10, 100, 1e4, 1e6), (0.1, 1, 5, 30, 200, 1e4, 1e8)):
        assert log_noncentral_t_above(t, df, 0.0) == pytest.approx(log_t_tail(t, df), rel=1e-10), (df, t)


def test_noncentral_t_at_extreme_arguments() -> None:
    # Large df: normal. Its first correction is of order t^2 / df.
    assert log_noncentral_t_above(40, 1e12, 38) == pytest.approx(special.log_ndtr(-2.0), abs=1e-8)
    assert log_noncentral_t_below(40, 1e12, 70) == pytest.approx(special.log_ndtr(-30.0), rel=1e-6)
    # Large t and ncp: T = ncp / s, so the tail is that of a chi variable.
    chi = special.gammainc(1.5, 3 * (1e7 / 2e7) ** 2 / 2)
    assert noncentral_t_sf(2e7, 3, 1e7) == pytest.approx(chi, rel=1e-7)
    assert noncentral_t_sf(0.0, 7, 1.3) == pytest.approx(special.ndtr(1.3), rel=1e-14)
    assert noncentral_t_sf(1e-9, 5, 3.0) == pytest.approx(special.ndtr(3.0), rel=1e-8)
    assert (log_noncentral_t_above(math.inf, 5, 3), log_noncentral_t_below(math.inf, 5, 3)) == (-math.inf, 0.0)
    # The step of the normal factor is finer than a double: chi2_5 below 5.
    assert noncentral_t_sf(1e20, 5, 1e20) == pytest.approx(special.gammainc(2.5, 2.5), rel=1e-12)
    # Hopelessly far: the best s balances both factors, -ncp^2 / 2 / (1 + t^2 / df), and the rest is nothing beside it.
    assert log_noncentral_t_below(5, 1, 1e9) == pytest.approx(-1e18 / 2 / 26, rel=1e-10)
    with pytest.raises(MethodError, match="mean difference"):
        log_noncentral_t_above(1e150, 3, 2.0)
    # P(T >= 1 | ncp = -300): Z has to exceed 300, s to be near 0; beyond any float, still finite in logs.
    assert -46_000 < log_noncentral_t_above(1, 2, -300) < -45_000
