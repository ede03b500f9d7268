"""The exponentially tilted law of a sum of random signs: where the threshold becomes typical.

T = sum s_i u_i lives on S + 2Z. Under the tilt e^(sT - K(s)), K(s) = sum log cosh(s u_i), item i is flipped with
probability q_i = 1 / (1 + e^(2 s u_i)); V = (S - T) / 2 is the sum of the flipped items.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.types import FloatArray, IntArray

# Aliasing is held below e^-36 = 2e-16 of the answer, by the bounds in `alias_bound`.
_ALIAS_EXPONENT = 36.0
# A tilt of at least 2.5 standard deviations halves the nodes for a threshold near 0 at the price of one digit.
# Where few items must dampen the characteristic function, a gentler tilt makes each of them dampen more.
USUAL_TILT = 2.5
GENTLE_TILT = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Tilt:
    """Distinct values with counts, the threshold, the tilt and what follows from it.

    `nodes` is M: the Fourier nodes t_k = pi k / M tile one period of the lattice, whose step is 2.
    """

    values: IntArray
    counts: IntArray
    total: int
    threshold: int
    tilt: float
    flip_chance: FloatArray
    mean: float
    deviation: float
    spread: float
    log_prefactor: float
    log_prefactor_error: float
    nodes: int

    @property
    def deficit(self) -> int:
        """The largest sum of flipped items that still reaches the threshold."""
        return (self.total - self.threshold) // 2

    @property
    def near_end(self) -> bool:
        """Whether the threshold is nearer to the end of the support than to 0."""
        return 2 * self.threshold > self.total

    @property
    def curvature(self) -> FloatArray:
        """Four q (1 - q) = 1 / cosh^2(s u): how strongly each item dampens the characteristic function."""
        result: FloatArray = 4.0 * self.flip_chance * (1.0 - self.flip_chance)
        return result

    def alias_bound(self, log_p: float) -> float:
        """Bound the relative aliasing error of the M-node sum; it is exact up to this and rounding.

        With L = 2M the sum gives sum_r e^(srL) P(x + rL <= T < x + (r + 1)L). By Chernoff with d > 0, in units of
        e^(K(s) - sx): all r > 0 together are at most e^(d(mean - x) + (d sd)^2 / 2) q / (1 - q) with q = e^(-dL), since
        K'' falls beyond s; all r < 0 at most e^(d(x - mean) + (d spread)^2 / 2) q / (1 - q) for d <= s, since K'' never
        exceeds the untilted variance; and, whatever the law, at most e^(-sL) in absolute terms.
        """
        length, overshoot = 2.0 * self.nodes, self.mean - self.threshold
        unit = self.log_prefactor - log_p
        below = min(
            -self.tilt * length - log_p,
            unit + _log_chernoff(length, -overshoot, self.spread, self.tilt),
        )
        above = -math.inf
        if self.threshold + 2 * self.nodes <= self.total:
            above = unit + _log_chernoff(length, overshoot, self.deviation, math.inf)
        return math.exp(min(below, 0.0)) + math.exp(min(above, 0.0))


def _log_chernoff(length: float, shift: float, deviation: float, most: float) -> float:
    """Give log of e^(d shift + (d deviation)^2 / 2) e^(-dL) / (1 - e^(-dL)) at the best d <= most."""
    best = min((length - shift) / deviation**2, most)
    if best <= 0.0:
        return 0.0
    return best * (shift - length) + (best * deviation) ** 2 / 2 - math.log(-math.expm1(-best * length))


def tilt_to(values: IntArray, counts: IntArray, total: int, threshold: int, least: float = USUAL_TILT) -> Tilt:
    """Tilt the law so that the threshold 0 < threshold < total is about its mean."""
    sizes, weights = values.astype(np.float64), counts.astype(np.float64)
    deficit = (total - threshold) // 2
    moments = weights * sizes
    spread = math.sqrt(float(np.dot(moments, sizes)))
    tilt = max(_saddlepoint(sizes, moments, float(deficit), threshold / spread**2), least / spread)
    shrunk = np.exp(-2.0 * tilt * sizes)
    chance = shrunk / (1.0 + shrunk)
    mean_deficit = float(np.dot(moments, chance))
    mean = float(total) - 2.0 * mean_deficit
    # total - 2 * mean_deficit cancels when both are near total / 2; tanh keeps the digits there.
    if mean_deficit > total / 4:
        mean = float(np.dot(moments, np.tanh(tilt * sizes)))
    deviation = 2.0 * math.sqrt(float(np.dot(moments * sizes, chance * (1.0 - chance))))
    log_prefactor, scale = _log_prefactor(sizes, weights, shrunk, tilt, total, threshold)
    length = _length(tilt, mean - threshold, deviation, spread, log_prefactor)
    nodes = math.ceil(length / 2) + 1
    error = 4.0 * math.ulp(1.0) * scale
    return Tilt(
        values, counts, total, threshold, tilt, chance, mean, deviation, spread, log_prefactor, error, max(nodes, 8)
    )


def _saddlepoint(sizes: FloatArray, moments: FloatArray, deficit: float, start: float) -> float:
    """Solve E[V] = sum u q(s) = deficit for s by Newton steps on its logarithm, kept in a bracket."""
    low, high, tilt = 0.0, math.inf, start
    for _ in range(60):
        shrunk = np.exp(-2.0 * tilt * sizes)
        part = moments * (shrunk / (1.0 + shrunk))
        mean = float(part.sum())
        if mean < deficit:
            high = tilt
        else:
            low = tilt
        slope = 2.0 * float(np.dot(part, sizes / (1.0 + shrunk)))
        step = math.log(mean / deficit) * mean / slope if mean > 0 and slope > 0 else -tilt
        proposed = tilt + step
        if not low < proposed < high:
            proposed = 2.0 * tilt if math.isinf(high) else (low + high) / 2
        if abs(proposed - tilt) <= 1e-3 * tilt:
            return proposed
        tilt = proposed
    return tilt


def _log_prefactor(
    sizes: FloatArray, weights: FloatArray, shrunk: FloatArray, tilt: float, total: int, threshold: int
) -> tuple[float, float]:
    """Give K(s) - s x and the size of the terms it was added from, in whichever of two forms cancels less.

    sum log cosh(s u) - s x near 0; sum log((1 + e^(-2su))/2) + s (S - x) near the end, where s S alone may be enormous.
    """
    if 2 * threshold > total:
        kept = float(np.dot(weights, np.log1p(shrunk)))
        lost = float(weights.sum()) * math.log(2.0)
        gained = tilt * float(total - threshold)
        return kept - lost + gained, kept + lost + gained
    scaled = tilt * sizes
    half = np.sinh(np.minimum(scaled, 1.0) / 2.0)
    log_cosh = np.where(scaled <= 1.0, np.log1p(2.0 * half * half), scaled + np.log1p(shrunk) - math.log(2.0))
    cumulant = float(np.dot(weights, log_cosh))
    return cumulant - tilt * threshold, cumulant + tilt * threshold


def _length(tilt: float, overshoot: float, deviation: float, spread: float, log_prefactor: float) -> float:
    """Give the period that the bounds of `alias_bound` ask for."""
    exponent = _ALIAS_EXPONENT + math.log1p(2.5 * tilt * deviation)
    any_law = (exponent - log_prefactor) / tilt
    gaussian = math.sqrt(2.0 * exponent) * spread
    if gaussian > tilt * spread**2:
        gaussian = exponent / tilt + tilt * spread**2 / 2.0
    above = overshoot + deviation * math.sqrt(2.0 * exponent)
    return max(min(any_law, gaussian), above)
