"""The exponentially tilted law of a pair of sums of random signs, where the boundary of an event becomes typical.

(U, V) = sum s_j (u_j, v_j) = S - 2 X (step_u, 0) - 2 Y (shear, step_v), where (X, Y) adds up the lattice coordinates of
the items with s = -1. Under the tilt e^(s (U + r V) - K) item j has s_j = -1 with chance 1 / (1 + e^(2 eta_j)),
eta_j = s (u_j + r v_j); every item is turned so that eta_j >= 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.engine.lattice2d.basis import Basis, hermite_basis
from nofluke.engine.ratio_swaps.event import RatioEvent
from nofluke.types import FloatArray, IntArray

# What lies outside the window is held below e^-34 of the answer.
_WINDOW_EXPONENT = 34.0
_TURNS = 12


@dataclass(frozen=True, slots=True, eq=False)
class TiltedPair:
    """Distinct items with counts, turned and in lattice coordinates (x, y), and the tilted law of their sums.

    log P(U, V) = log_base - tilt (U + slope V - anchor) + log P_tilted(U, V); `window` is the first X, the first Y and
    how many of each; `outside` bounds what the window leaves out, in units of e^log_base.
    """

    event: RatioEvent
    basis: Basis
    x: IntArray
    y: IntArray
    counts: IntArray
    start_u: int
    start_v: int
    tilt: float
    slope: float
    anchor: float
    log_base: float
    log_base_error: float
    chance: FloatArray
    window: tuple[int, int, int, int]
    outside: float

    @property
    def curvature(self) -> FloatArray:
        """Four q (1 - q): how strongly each item dampens the characteristic function."""
        result: FloatArray = 4.0 * self.chance * (1.0 - self.chance)
        return result

    @property
    def deviation(self) -> float:
        """The standard deviation of U + slope V under the tilt."""
        weights = self.counts * self.curvature
        across = self.x * self.basis.step_u + self.y * (self.basis.shear + self.slope * self.basis.step_v)
        return math.sqrt(float(np.dot(weights, across * across)))


def tilt_pair(u: IntArray, v: IntArray, counts: IntArray, event: RatioEvent) -> TiltedPair:
    """Tilt to about the most probable point of the event's boundary; the items must not be collinear."""
    tilt, slope, anchor = _most_probable(u, v, counts, event)
    exponents = tilt * (u + slope * v)
    sign = np.where(exponents < 0, -1, 1)
    u, v, exponents = u * sign, v * sign, np.abs(exponents)
    shrunk = np.exp(-2.0 * exponents)
    chance = shrunk / (1.0 + shrunk)
    weights = counts * chance * (1.0 - chance)
    # A basis along the regression of U on V makes X and Y nearly uncorrelated, and the window small.
    basis = hermite_basis(u, v).sheared(float(np.dot(weights, u * v)) / float(np.dot(weights, v * v)))
    x, y = basis.coordinates(u, v)
    half = np.sinh(np.minimum(exponents, 1.0) / 2.0)
    log_cosh = np.where(exponents <= 1.0, np.log1p(2.0 * half * half), exponents + np.log1p(shrunk) - math.log(2.0))
    cumulant = float(np.dot(counts, log_cosh))
    start_u, start_v = int(np.dot(u, counts)), int(np.dot(v, counts))
    support = int(np.dot(np.abs(v), counts))
    excess = _excess(event, support, tilt, slope, anchor)
    deviation = 2.0 * math.sqrt(float(np.dot(weights, (u + slope * v) ** 2)))
    exponent = _WINDOW_EXPONENT + excess + math.log1p(2.5 * tilt * deviation)
    first_x, number_x = _window(x, counts, chance, exponent)
    first_y, number_y = _window(y, counts, chance, exponent)
    # Outside mass is missing once, and once it is folded into the window: 2 sides x 2 sums x 2.
    outside = 8.0 * math.exp(excess - exponent)
    size = cumulant + tilt * (float(np.dot(np.abs(u), counts)) + abs(slope) * support + abs(anchor))
    return TiltedPair(
        event,
        basis,
        x,
        y,
        counts,
        start_u,
        start_v,
        tilt,
        slope,
        anchor,
        cumulant - tilt * anchor,
        4.0 * math.ulp(1.0) * size,
        chance,
        (first_x, first_y, number_x, number_y),
        outside,
    )


def _most_probable(u: IntArray, v: IntArray, counts: IntArray, event: RatioEvent) -> tuple[float, float, float]:
    """Give (s, r, a): tilted by s along (1, r), the law is centred on {U + r V = a}, which touches the boundary."""
    centre, tilt, slope, anchor = 0.0, 0.0, 0.0, 0.0
    for _ in range(_TURNS):
        height, rise = event.boundary(centre)
        slope, anchor = -rise, height - rise * centre
        across = u + slope * v
        tilt = _saddlepoint(np.abs(across), counts.astype(np.float64), anchor)
        moved = float(np.dot(counts * v, np.tanh(tilt * across)))
        moved = max(-event.denominators, min(event.denominators, moved))
        if abs(moved - centre) <= 1e-3 * (1.0 + abs(moved)):
            break
        centre = moved
    return tilt, slope, anchor


def _saddlepoint(sizes: FloatArray, weights: FloatArray, target: float) -> float:
    """Solve sum m w tanh(s w) = target for s >= 0, but leave on average at least half an item turned."""
    if target <= 0.0:
        return 0.0
    spread = float(np.dot(weights, sizes * sizes))
    low, high, tilt = 0.0, math.inf, target / spread
    for _ in range(80):
        shrunk = np.exp(-2.0 * tilt * sizes)
        chance = shrunk / (1.0 + shrunk)
        reached = float(np.dot(weights * sizes, np.tanh(tilt * sizes)))
        if reached < target and float(np.dot(weights, chance)) > 0.5:
            low = tilt
        else:
            high = tilt
        slope = 4.0 * float(np.dot(weights * sizes * sizes, chance * (1.0 - chance)))
        proposed = tilt - (reached - target) / slope if slope > 0 else math.inf
        if not low < proposed < high:
            proposed = 2.0 * tilt if math.isinf(high) else (low + high) / 2
        if abs(proposed - tilt) <= 1e-4 * tilt:
            return proposed
        tilt = proposed
    return tilt


def _excess(event: RatioEvent, support: int, tilt: float, slope: float, anchor: float) -> float:
    """Bound the logarithm of the weight e^(-s (U + r V - a)) over the whole event.

    U >= f(V) with f concave, so the largest weight is at an end of the range of V.
    """
    ends = [-support, support]
    if support == event.denominators:
        # At the very ends a system without denominators scores `empty`; the real boundary stops one short of them.
        ends += [1 - support, support - 1]
    heights = [event.least(end) + slope * end for end in ends]
    real = [event.boundary(float(end))[0] + slope * end for end in ends]
    return max(0.0, max(tilt * (anchor - min(h, r)) for h, r in zip(heights, real, strict=True)))


def _window(steps: IntArray, counts: IntArray, chance: FloatArray, exponent: float) -> tuple[int, int]:
    """Give the first of the sums and how many hold all but e^-exponent on either side, by Chernoff's bound.

    P(X >= x) <= e^(k(d) - d x) for every d > 0, so x = (k(d) + exponent) / d will do; the best of some d is taken.
    """
    largest = float(np.abs(steps).max())
    deviation = math.sqrt(float(np.dot(counts * chance * (1.0 - chance), steps.astype(np.float64) ** 2)))
    best = math.sqrt(2.0 * exponent) / max(deviation, 1e-3)
    d = np.minimum(best * np.exp2(np.arange(-3.0, 1.01, 0.5)), 600.0 / largest)[:, None]
    above = (np.log1p(chance * np.expm1(d * steps)) @ counts + exponent) / d[:, 0]
    below = (np.log1p(chance * np.expm1(-d * steps)) @ counts + exponent) / d[:, 0]
    low, high = int(np.dot(np.minimum(steps, 0), counts)), int(np.dot(np.maximum(steps, 0), counts))
    first = max(low, math.floor(-float(below.min())))
    last = min(high, math.ceil(float(above.min())))
    return first, last - first + 1


def log_chance_bound(pair: TiltedPair, y: IntArray) -> FloatArray:
    """Bound log P_tilted(Y = y) by Chernoff's P(Y >= y) <= e^(k(d) - d y) and its mirror image."""
    largest = float(np.abs(pair.y).max())
    deviation = math.sqrt(float(np.dot(pair.counts * pair.curvature, pair.y.astype(np.float64) ** 2))) / 2.0
    sizes = np.minimum(np.exp2(np.arange(-1.0, 5.01, 0.5)) / max(deviation, 1e-3), 600.0 / largest)
    d = np.concatenate((-sizes, sizes))
    cumulant = np.log1p(pair.chance * np.expm1(d[:, None] * pair.y)) @ pair.counts
    bound = np.zeros(y.size)
    for slope, height in zip(d.tolist(), cumulant.tolist(), strict=True):
        np.minimum(bound, height - slope * y, out=bound)
    return bound
