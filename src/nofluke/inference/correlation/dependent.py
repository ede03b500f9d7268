"""Tests of two correlations with the same gold standard: checks, Zou's interval, and the four tests in use."""

from __future__ import annotations

import math
from dataclasses import dataclass

from nofluke.errors import InputError
from nofluke.inference.p_values import Alternative, ConfidenceLevel, log_p_of, p_of, tail_levels
from nofluke.laws.tails import log_normal_tail, log_t_tail
from nofluke.registry import CORRELATIONS
from nofluke.types import Computed, Interval, TestResult, note


@dataclass(frozen=True, slots=True)
class Correlations:
    """Correlations of A and of B with gold, of A with B, and the number of items."""

    a: float
    b: float
    ab: float
    n: int

    def check(self) -> None:
        """Refuse what cannot be the correlations of three columns."""
        for name, r in (("r_a", self.a), ("r_b", self.b), ("r_ab", self.ab)):
            if not -1 < r < 1:
                raise InputError(
                    f"{name} = {r!r} does not lie between -1 and 1.", fix="give correlations, not p-values."
                )
        if self.n < 4:
            raise InputError(f"n = {self.n} items are too few.", fix="correlations are compared from 4 items on.")
        if self.determinant < -1e-12:
            raise InputError(
                f"no three columns have the correlations {self.a:g}, {self.b:g} and {self.ab:g}.",
                fix="check r_ab, the correlation of A's and B's scores with each other.",
            )

    @property
    def determinant(self) -> float:
        """The determinant of the 3 x 3 correlation matrix."""
        return 1 - self.a**2 - self.b**2 - self.ab**2 + 2 * self.a * self.b * self.ab

    @property
    def gap(self) -> float:
        """The difference of the two correlations on Fisher's z scale."""
        return math.atanh(self.a) - math.atanh(self.b)


def covariance(r_a: float, r_b: float, r_ab: float) -> float:
    """Give the correlation of two Fisher z values that share one variable (Dunn and Clark 1969)."""
    joint = r_ab * (1 - r_a**2 - r_b**2) - 0.5 * r_a * r_b * (1 - r_a**2 - r_b**2 - r_ab**2)
    return joint / ((1 - r_a**2) * (1 - r_b**2))


def zou_interval(r: Correlations, alternative: str, level: float) -> Interval:
    """Give the interval of r_a - r_b made of the intervals of both (Zou 2007)."""
    from scipy.special import ndtri

    c = covariance(r.a, r.b, r.ab)

    def limit(tail: float, sign: int) -> float:
        if not tail:
            return sign * math.inf
        half = -float(ndtri(tail)) / math.sqrt(r.n - 3)
        up = math.tanh(math.atanh(r.a) + sign * half) - r.a
        down = r.b - math.tanh(math.atanh(r.b) - sign * half)
        return r.a - r.b + sign * math.sqrt(max(0.0, up**2 + down**2 - 2 * c * up * down))

    below, above = tail_levels(alternative, level)
    return Interval(limit(below, -1), limit(above, 1), level, "Zou")


def correlation_result(
    r: Correlations, statistic: float, alternative: str, level: float, *, df: float | None = None
) -> TestResult:
    """Give the result of a normal (or, with df, a t) statistic."""
    tails = [log_normal_tail(s) if df is None else log_t_tail(s, df) for s in (statistic, -statistic)]
    log_p = log_p_of(tails[0], tails[1], alternative)
    return TestResult(
        statistic=statistic,
        p_value=p_of(log_p),
        log_p_value=log_p,
        alternative=alternative,
        n=r.n,
        computed=Computed("exact"),
        validity="normal_correlations",
        estimate=r.a - r.b,
        direction=(statistic > 0) - (statistic < 0),
        z_score=statistic if df is None else math.nan,
        interval=zou_interval(r, alternative, level),
        details={} if df is None else {"df": df},
        notes=(note("correlation.for_pearson"),),
    )


@CORRELATIONS.register("hittner", label="Hittner, May and Silver's z", cite="Hittner, May and Silver 2003")
def hittner(
    r: Correlations, *, alternative: Alternative = "two-sided", confidence_level: ConfidenceLevel = 0.95
) -> TestResult:
    """Do A and B correlate differently with the gold standard, pooling on Fisher's scale?

    As steiger, with the mean correlation taken on the z scale and transformed back.
    """
    mean = math.tanh((math.atanh(r.a) + math.atanh(r.b)) / 2)
    z = r.gap * math.sqrt((r.n - 3) / (2 - 2 * covariance(mean, mean, r.ab)))
    return correlation_result(r, z, alternative, confidence_level)


@CORRELATIONS.register("meng", label="Meng, Rosenthal and Rubin's z", cite="Meng, Rosenthal and Rubin 1992")
def meng(
    r: Correlations, *, alternative: Alternative = "two-sided", confidence_level: ConfidenceLevel = 0.95
) -> TestResult:
    """Do A and B correlate differently with the gold standard, by Meng's variance?

    Null: both correlations are equal.
    """
    squares = (r.a**2 + r.b**2) / 2
    f = min(1.0, (1 - r.ab) / (2 * (1 - squares)))
    h = (1 - f * squares) / (1 - squares)
    z = r.gap * math.sqrt((r.n - 3) / (2 * (1 - r.ab) * h))
    return correlation_result(r, z, alternative, confidence_level)


@CORRELATIONS.register("steiger", label="Steiger's z", cite="Dunn and Clark 1969; Steiger 1980")
def steiger(
    r: Correlations, *, alternative: Alternative = "two-sided", confidence_level: ConfidenceLevel = 0.95
) -> TestResult:
    """Do A and B correlate differently with the gold standard, by Fisher's z with a pooled correlation?

    Null: both correlations are equal. The covariance of the two z values is computed at their mean correlation.
    """
    mean = (r.a + r.b) / 2
    z = r.gap * math.sqrt((r.n - 3) / (2 - 2 * covariance(mean, mean, r.ab)))
    return correlation_result(r, z, alternative, confidence_level)


@CORRELATIONS.register("williams", label="Williams' t", cite="Williams 1959")
def williams(
    r: Correlations, *, alternative: Alternative = "two-sided", confidence_level: ConfidenceLevel = 0.95
) -> TestResult:
    """Do A and B correlate differently with the gold standard, by a t statistic with n - 3 degrees of freedom?

    Null: both correlations are equal; the usual test in metric evaluation. Better than z for few items.
    """
    n, mean = r.n, (r.a + r.b) / 2
    spread = 2 * (n - 1) / (n - 3) * r.determinant + mean**2 * (1 - r.ab) ** 3
    t = (r.a - r.b) * math.sqrt((n - 1) * (1 + r.ab) / spread)
    return correlation_result(r, t, alternative, confidence_level, df=n - 3)
