"""Posterior distributions of a difference of two accuracies, each by one integral over a beta distribution."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nofluke.inference.bayes.posterior_law import nodes_between, quantile_between
from nofluke.types import FloatArray

# A function of a share and of one minus the share, each with all its digits.
Function = Callable[[FloatArray, FloatArray], FloatArray]

# Spacing of the nodes in standard deviations of the logit; half of it changes no figure by more than 1e-12.
_SPACING = 0.5
# Tails of the inner variable below this are left out, so that even a result of 1e-20 keeps its digits.
_CUT = 1e-30
_FARTHEST = 690.0


@dataclass(frozen=True, slots=True)
class Beta:
    """A beta distribution to integrate over, as its logit around the logit of its mean."""

    a: float
    b: float

    def expect(self, function: Function, low: float = 0.0, high: float = 1.0) -> float:
        """Give the integral of function(x, 1 - x) over low < x < high; the ends may be singular."""
        return self._integral(function, low, high) / _total(self.a, self.b)

    def _integral(self, function: Function, low: float, high: float) -> float:
        first, last = _support(self.a, self.b)
        middle = math.log(self.a / self.b)
        first, last = max(first, _logit(low) - middle), min(last, _logit(high) - middle)
        if not first < last:
            return 0.0
        spacing = _SPACING * min(1.0, math.sqrt(1 / self.a + 1 / self.b))
        offset, weights = nodes_between(first, last, spacing)
        # With m the mean: m / x = 1 + (1 - m) (e^-t - 1), (1 - m) / (1 - x) = 1 + m (e^t - 1); nothing cancels.
        m = self.a / (self.a + self.b)
        over, under = (1 - m) * np.expm1(-offset), m * np.expm1(offset)
        density = np.exp(-self.a * np.log1p(over) - self.b * np.log1p(under))
        return float(weights @ (density * function(m / (1 + over), (1 - m) / (1 + under))))


@lru_cache(maxsize=256)
def _total(a: float, b: float) -> float:
    return Beta(a, b)._integral(lambda x, _: np.ones_like(x), 0.0, 1.0)


@lru_cache(maxsize=256)
def _support(a: float, b: float) -> tuple[float, float]:
    """Where the distribution lies, as distances of the logit from that of the mean."""
    from scipy.special import betaincinv

    middle = math.log(a / b)
    low, high = float(betaincinv(a, b, _CUT)), float(betaincinv(b, a, _CUT))
    return max(_logit(low) - middle, -_FARTHEST), min(-_logit(high) - middle, _FARTHEST)


def _logit(x: float) -> float:
    return -math.inf if x <= 0 else math.inf if x >= 1 else math.log(x) - math.log1p(-x)


def _share_above(a: float, b: float, x: FloatArray, rest: FloatArray) -> FloatArray:
    """Give P(share > x), with rest = 1 - x carrying the digits where x is near 1."""
    from scipy.special import betainc, betaincc

    small = x < 0.5
    tail = np.empty_like(x)
    tail[small] = betaincc(a, b, np.maximum(x[small], 0.0))
    tail[~small] = betainc(b, a, np.maximum(rest[~small], 0.0))
    return tail


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """p10 - p01 where (p10, p01, rest) is Dirichlet: how often only A is right, less how often only B is.

    The share of disagreements D = p10 + p01 ~ Beta(only_a + only_b, rest) and A's part of them
    S = p10 / D ~ Beta(only_a, only_b) are independent, and p10 - p01 = D (2 S - 1).
    """

    only_a: float
    only_b: float
    rest: float

    def above(self, x: float) -> float:
        """Give P(p10 - p01 > x)."""
        from scipy.special import betainc, betaincc

        if abs(x) >= 1:
            return float(x < 0)
        if x == 0:
            return float(betaincc(self.only_a, self.only_b, 0.5))
        share = (self.only_a, self.only_b)
        disagree = Beta(self.only_a + self.only_b, self.rest)
        certain = float(betainc(disagree.a, disagree.b, -x)) if x < 0 else 0.0
        tail = disagree.expect(lambda d, _: _share_above(*share, (1 + x / d) / 2, (1 - x / d) / 2), low=abs(x))
        return min(1.0, certain + tail)

    def below(self, x: float) -> float:
        """Give P(p10 - p01 < x)."""
        return PairedDifference(self.only_b, self.only_a, self.rest).above(-x)

    def quantile(self, probability: float) -> float:
        """Give the value that the difference stays below with this probability."""
        return quantile_between(self, probability, -1.0, 1.0)

    def centre(self) -> float:
        """Give the mean."""
        return (self.only_a - self.only_b) / (self.only_a + self.only_b + self.rest)


@dataclass(frozen=True, slots=True)
class UnpairedDifference:
    """X - Y of two independent accuracies with beta distributions (right, wrong) each."""

    a: tuple[float, float]
    b: tuple[float, float]

    def above(self, x: float) -> float:
        """Give P(X - Y > x), integrating over the narrower one: the tail of the other is no step between two nodes."""
        from scipy.special import betainc

        if abs(x) >= 1:
            return float(x < 0)
        if sum(self.b) > sum(self.a):
            certain = float(betainc(*self.b, -x)) if x < 0 else 0.0
            tail = Beta(*self.b).expect(
                lambda y, rest: _share_above(*self.a, y + x, rest - x), low=max(0.0, -x), high=min(1.0, 1 - x)
            )
            return min(1.0, certain + tail)
        # Y < X - x: in terms of what is wrong, 1 - Y > 1 - X + x.
        wrong = (self.b[1], self.b[0])
        certain = float(betainc(self.a[1], self.a[0], -x)) if x < 0 else 0.0
        tail = Beta(*self.a).expect(
            lambda y, rest: _share_above(*wrong, rest + x, y - x), low=max(0.0, x), high=min(1.0, 1 + x)
        )
        return min(1.0, certain + tail)

    def below(self, x: float) -> float:
        """Give P(X - Y < x)."""
        return UnpairedDifference(self.b, self.a).above(-x)

    def quantile(self, probability: float) -> float:
        """Give the value that the difference stays below with this probability."""
        return quantile_between(self, probability, -1.0, 1.0)

    def centre(self) -> float:
        """Give the mean."""
        return self.a[0] / sum(self.a) - self.b[0] / sum(self.b)
