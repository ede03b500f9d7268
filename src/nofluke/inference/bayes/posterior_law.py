"""What a posterior distribution has to answer: tails on both sides, quantiles, a picture; and its integrals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np

from nofluke.inference.bayes.region import Region
from nofluke.inference.intervals.inversion import falling_root
from nofluke.laws.tails import log_t_tail, t_quantile
from nofluke.types import FloatArray, frozen

# The picture: this many bins over the central part of the distribution that leaves this much out on each side.
BINS = 100
_OUTSIDE = 5e-4
# The rule ends where the rest of the interval is 1e-16 of it.
_REACH = 3.15
FEWEST = 100
MOST = 20_000


class Law(Protocol):
    """The posterior distribution of one number; both tails are computed directly, so that tiny ones are right."""

    def above(self, x: float) -> float:
        """Give P(parameter > x)."""

    def below(self, x: float) -> float:
        """Give P(parameter < x)."""

    def quantile(self, probability: float) -> float:
        """Give the value that the parameter stays below with this probability."""

    def centre(self) -> float:
        """Give the mean, or the median where there is no mean."""


def three(law: Law, region: Region | None, null: float) -> tuple[float, float, float]:
    """Give P(better), P(equal), P(worse); without a region the second is unknown, of a region of no width it is 0."""
    if region is None or region[0] == region[1]:
        return law.above(null), math.nan if region is None else 0.0, law.below(null)
    low, high = region
    better, worse = law.above(high), law.below(low)
    # The region as a difference of the tails on the side where they are small.
    above_low, below_high = law.above(low), law.below(high)
    if above_low < 0.5:
        equal = above_low - better
    elif below_high < 0.5:
        equal = below_high - worse
    else:
        equal = 1 - better - worse
    return better, max(equal, 0.0), worse


def picture(law: Law) -> tuple[FloatArray, FloatArray]:
    """Give the density at the middle of equal bins, as the probability of each over its width."""
    low, high = law.quantile(_OUTSIDE), law.quantile(1 - _OUTSIDE)
    if not low < high:
        return frozen(np.empty(0)), frozen(np.empty(0))
    edges = np.linspace(low, high, BINS + 1)
    tails = np.array([law.above(float(edge)) for edge in edges])
    return frozen((edges[:-1] + edges[1:]) / 2), frozen(np.maximum(-np.diff(tails), 0) / np.diff(edges))


def quantile_between(law: Law, probability: float, low: float, high: float) -> float:
    """Find a quantile inside known bounds, on the tail that is the smaller one."""
    if probability > 0.5:
        return falling_root(law.above, 1 - probability, low, high)
    return -falling_root(lambda x: law.below(-x), probability, -high, -low)


@dataclass(frozen=True, slots=True)
class StudentLaw:
    """Student's t, moved and stretched."""

    location: float
    scale: float
    df: float

    def above(self, x: float) -> float:
        """Give P(parameter > x)."""
        return math.exp(log_t_tail((x - self.location) / self.scale, self.df))

    def below(self, x: float) -> float:
        """Give P(parameter < x)."""
        return math.exp(log_t_tail((self.location - x) / self.scale, self.df))

    def quantile(self, probability: float) -> float:
        """Give the value that the parameter stays below with this probability."""
        return self.location + self.scale * t_quantile(probability, self.df)

    def centre(self) -> float:
        """Give the median, which is the mean from 2 degrees of freedom on."""
        return self.location


@dataclass(frozen=True, slots=True)
class BetaLaw:
    """A share with a beta distribution."""

    a: float
    b: float

    def above(self, x: float) -> float:
        """Give P(share > x)."""
        from scipy.special import betaincc

        return float(betaincc(self.a, self.b, min(max(x, 0.0), 1.0)))

    def below(self, x: float) -> float:
        """Give P(share < x)."""
        from scipy.special import betainc

        return float(betainc(self.a, self.b, min(max(x, 0.0), 1.0)))

    def quantile(self, probability: float) -> float:
        """Give the value that the share stays below with this probability."""
        from scipy.special import betaincinv

        return float(betaincinv(self.a, self.b, probability))

    def centre(self) -> float:
        """Give the mean."""
        return self.a / (self.a + self.b)


@dataclass(frozen=True, slots=True, eq=False)
class NormalMixture:
    """Normal distributions, each with its weight."""

    means: FloatArray
    sds: FloatArray
    weights: FloatArray

    def above(self, x: float) -> float:
        """Give P(parameter > x)."""
        from scipy.special import ndtr

        return float(self.weights @ ndtr((self.means - x) / self.sds))

    def below(self, x: float) -> float:
        """Give P(parameter < x)."""
        from scipy.special import ndtr

        return float(self.weights @ ndtr((x - self.means) / self.sds))

    def quantile(self, probability: float) -> float:
        """Give the value that the parameter stays below with this probability."""
        reach = 12 * self.sds
        return quantile_between(self, probability, float((self.means - reach).min()), float((self.means + reach).max()))

    def centre(self) -> float:
        """Give the median; the mean need not exist where the spread has a heavy tail."""
        return self.quantile(0.5)


@lru_cache(maxsize=64)
def _rule(nodes: int) -> tuple[FloatArray, FloatArray]:
    """Nodes on (0, 1) and weights (Takahasi and Mori 1974)."""
    step = _REACH / nodes
    t = np.arange(-nodes, nodes + 1) * step
    u = 0.5 * math.pi * np.sinh(t)
    return np.exp(u) / (2 * np.cosh(u)), step * 0.25 * math.pi * np.cosh(t) / np.cosh(u) ** 2


def nodes_between(low: float, high: float, spacing: float) -> tuple[FloatArray, FloatArray]:
    """Give points between low and high, about `spacing` apart in the middle and ever closer at the ends, and weights.

    >>> x, w = nodes_between(0.0, 1.0, 0.1)
    >>> float(w @ x**-0.5).__round__(6)
    2.0
    """
    width = high - low
    share, weights = _rule(min(MOST, max(FEWEST, math.ceil(0.25 * math.pi * _REACH * width / spacing))))
    return low + width * share, width * weights
