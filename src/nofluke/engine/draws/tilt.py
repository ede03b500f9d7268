"""The exponentially tilted law of a sum of draws: where the threshold becomes typical, and how long a period it needs.

Y is the sum of N draws, E e^(sY) = e^K(s). Everything is taken about the threshold: kappa(s) = K(s) - s k is
N log E e^(s x) with x = y - k/N, which loses no digits where s x is small.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from nofluke.engine.draws.law import DrawLaw
from nofluke.types import FloatArray

# Aliasing is held below e^-36 = 2e-16 of the answer, by the bounds in `alias_bound`.
_ALIAS_EXPONENT = 36.0
# A tilt of at least 2.5 standard deviations halves the nodes for a threshold near the mean at the price of one digit.
_USUAL_TILT = 2.5
# For laws with a long tail that tilt would be a leap: the price in logarithms that is not exceeded.
_MOST_PREFACTOR = 5.0
# Above this exponent sums of e^z are scaled by their largest term.
_LARGE = 30.0


@dataclass(frozen=True, slots=True, eq=False)
class DrawTilt:
    """The tilt s, what follows from it, and `nodes` = M: the frequencies 2 pi k / M tile one period of the lattice.

    `spread` and `fourth` are the standard deviation and the fourth central moment of one tilted draw.
    """

    law: DrawLaw
    threshold: int
    tilt: float
    weights: FloatArray
    spread: float
    fourth: float
    log_prefactor: float
    log_prefactor_error: float
    log_alias_above: tuple[float, float]
    log_alias_below: tuple[float, float]
    nodes: int

    @property
    def deviation(self) -> float:
        """The standard deviation of the tilted sum."""
        return self.spread * math.sqrt(self.law.draws)

    def moved_to(self, threshold: int) -> DrawTilt:
        """The same tilt and nodes for another threshold: kappa(s) = K(s) - s k moves by s for every step."""
        by = threshold - self.threshold
        above, below = self.log_alias_above, self.log_alias_below
        return replace(
            self,
            threshold=threshold,
            log_prefactor=self.log_prefactor - self.tilt * by,
            log_prefactor_error=self.log_prefactor_error + 4.0 * math.ulp(1.0) * abs(self.tilt * by),
            log_alias_above=(above[0], above[1] - above[0] * by),
            log_alias_below=(below[0], below[1] + below[0] * by),
        )

    def alias_bound(self, log_p: float) -> float:
        """Bound the relative aliasing error of the M-node sum; it is exact up to this and rounding.

        The sum gives sum_r e^(srM) P(k + rM <= Y < k + (r + 1)M). In units of e^kappa(s), by Chernoff with any d > 0,
        all r > 0 together are at most e^(kappa(s + d) - kappa(s)) q / (1 - q) with q = e^(-dM), and all r < 0 at most
        the same with s - d for d <= s. kappa is evaluated at those points, so no assumption on the law is made.
        """
        unit = self.log_prefactor - log_p
        above = -math.inf
        if self.threshold + self.nodes <= self.law.top:
            above = unit + _geometric(self.log_alias_above, self.nodes)
        below = unit + _geometric(self.log_alias_below, self.nodes)
        return math.exp(min(above, 0.0)) + math.exp(min(below, 0.0))


def _geometric(step: tuple[float, float], nodes: int) -> float:
    """Give log of e^rise q / (1 - q) with q = e^(-d nodes)."""
    d, rise = step
    return rise - d * nodes - math.log(-math.expm1(-d * nodes))


def tilt_to(law: DrawLaw, threshold: int) -> DrawTilt:
    """Tilt the law so that the threshold 0 < threshold < top is about its mean, or a little beyond."""
    whole, rest = divmod(threshold, law.draws)
    x: FloatArray = (law.values - whole).astype(np.float64) - rest / law.draws
    kappa = _Kappa(x, law.counts.astype(np.float64), law.draws)
    least = _USUAL_TILT / (law.spread() * math.sqrt(law.draws))
    tilt = max(_saddlepoint(kappa, least), least)
    while tilt == least and kappa.at(tilt) > _MOST_PREFACTOR:
        least = tilt = tilt / 2.0
    weights, mean, variance = kappa.moments(tilt)
    spread = math.sqrt(variance)
    fourth = float((weights * np.square(np.square(x - mean))).sum())
    log_prefactor = kappa.at(tilt)
    steps = float((weights * np.abs(x)).sum()) * tilt
    error = 8.0 * math.ulp(1.0) * (law.draws * steps + abs(log_prefactor) + 1.0)
    deviation = spread * math.sqrt(law.draws)
    exponent = _ALIAS_EXPONENT + math.log1p(2.5 * tilt * deviation)
    above = _best_step(kappa, tilt, deviation, exponent, up=True)
    below = _best_step(kappa, tilt, deviation, exponent, up=False)
    up = min(math.ceil((exponent + above[1]) / above[0]), law.top - threshold + 1)
    down = math.ceil((exponent + below[1]) / below[0])
    nodes = max(up, down, 8) + 1
    return DrawTilt(law, threshold, tilt, weights, spread, fourth, log_prefactor, error, above, below, nodes)


class _Kappa:
    """kappa(s) = N log E e^(s x) and its derivatives."""

    def __init__(self, x: FloatArray, counts: FloatArray, draws: int) -> None:
        self.x, self.counts, self.draws = x, counts, draws
        self.items = float(counts.sum())

    def at(self, s: float) -> float:
        exponents = s * self.x
        largest = max(float(exponents[0]), float(exponents[-1]))
        if largest < _LARGE:
            return self.draws * math.log1p(float((self.counts * np.expm1(exponents)).sum()) / self.items)
        return self.draws * (largest + math.log(float((self.counts * np.exp(exponents - largest)).sum()) / self.items))

    def moments(self, s: float) -> tuple[FloatArray, float, float]:
        """Give the tilted weights, the mean of x under them, and its variance."""
        exponents = s * self.x
        weights: FloatArray = self.counts * np.exp(exponents - max(float(exponents[0]), float(exponents[-1])))
        weights /= float(weights.sum())
        moved = weights * self.x
        mean = float(moved.sum())
        # The variance about the mean, not E x^2 - mean^2, which cancels where the law is narrow and off centre.
        variance = float((weights * np.square(self.x - mean)).sum())
        return weights, mean, variance


def _saddlepoint(kappa: _Kappa, start: float) -> float:
    """Solve E_s x = 0 for s by Newton steps kept in a bracket; at most 0 when the threshold is below the mean."""
    low, high, tilt = 0.0, math.inf, start
    for _ in range(100):
        _, mean, variance = kappa.moments(tilt)
        low, high = (tilt, high) if mean < 0 else (low, tilt)
        proposed = tilt - mean / variance if variance > 0 else math.inf
        if proposed <= 0.0 and low == 0.0:
            # E x falls with s: unless the threshold is above the mean there is no positive solution.
            proposed = tilt / 8.0
            if proposed < start / 4.0:
                return proposed
        if not low < proposed < high:
            proposed = 2.0 * tilt if math.isinf(high) else (low + high) / 2.0
        if abs(proposed - tilt) <= 1e-3 * tilt:
            return proposed
        tilt = proposed
    return tilt


def _best_step(kappa: _Kappa, tilt: float, deviation: float, exponent: float, *, up: bool) -> tuple[float, float]:
    """Give the d, and kappa(s +- d) - kappa(s), that ask for the shortest period."""
    here = kappa.at(tilt)
    d = math.sqrt(2.0 * exponent) / deviation
    d = d if up else min(d, tilt)
    best, shortest = (d, math.inf), math.inf
    for _ in range(12):
        rise = kappa.at(tilt + d if up else tilt - d) - here
        length = (exponent + rise) / d
        if length >= shortest:
            break
        best, shortest = (d, rise), length
        d /= 2.0
    return best
