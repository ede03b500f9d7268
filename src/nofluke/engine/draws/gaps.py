"""A quick certificate for many different values: where the characteristic function of a sum of draws can be large.

V = 1 - |phi|^2 is the variance sum w_j |e_j - phi|^2 of the unit vectors e_j = e^(i t y_j), and for two of them
|e_j - e_l|^2 = 4 sin^2(t (y_j - y_l) / 2) <= 2 |e_j - phi|^2 + 2 |e_l - phi|^2. Join every value to the k-th after it
in order: each is in at most two pairs, so V(t) >= sum min(w_j, w_l) sin^2(t gap / 2). For k = 1 the gaps are small, and
one short FFT settles all high frequencies (as in certificate.py). Pairs with gap <= pi / T have sines that only rise up
to frequency T, so what they prove at a frequency holds from there to T: wider and wider gaps settle lower and lower
frequencies without a grid, by sin^2 x >= x^2 - x^4 / 3. The law as a whole settles the main lobe.
"""

from __future__ import annotations

import math

import numpy as np

from nofluke.engine.draws.certificate import Level, live_runs, needed, points_for
from nofluke.engine.draws.tilt import DrawTilt
from nofluke.engine.flips.certificate import Range, merge, nodes_of
from nofluke.types import IntArray

_USUAL_FFT = 1 << 12
_LONGEST_FFT = 1 << 15
# Neighbours prove something only where all of them together give V at least this many times what is needed.
_PLENTY = 2.5
# Only gaps up to so many typical ones are taken; the fewer and smaller they are, the shorter the FFT may be.
_WIDTHS = (2.5, 0.6, 0.2)
_MOST_NODES = 512
# What roundings of a few sums of thousands of positive terms could feign.
_ROUNDED = 1.0 + 1e-10


def quick_node_ranges(tilted: DrawTilt) -> list[Range] | None:
    """Give the node ranges (first, last) in [0, M/2] outside which |psi| < e^-32 is proved; None if that fails."""
    need = needed(tilted.law.draws) * _ROUNDED
    every = np.diff(tilted.law.values)
    # Half of the gaps are wider than this; at random the mean would be 1 / log 2 times as much.
    typical = float(np.partition(every, every.size // 2)[every.size // 2]) / math.log(2.0)
    level = _neighbours(tilted, every, need, typical)
    if level is None:
        return None
    runs, cell = live_runs(level, math.sqrt(need), 1)
    ranges = [nodes_of(run, cell, tilted.nodes) for run in runs[1:]]
    end = _lower_end(tilted, need, typical, 2.0 * (runs[0][1] + 0.5) * cell)
    last = math.ceil(end * tilted.nodes / (2.0 * math.pi)) + 1
    if last > _MOST_NODES:
        return None
    return merge([*ranges, (0, min(last, tilted.nodes // 2))])


def _neighbours(tilted: DrawTilt, every: IntArray, need: float, typical: float) -> Level | None:
    """Give the gaps between neighbours that ask for a short FFT; None where they prove nothing or it would be long."""
    joints = np.minimum(tilted.weights[1:], tilted.weights[:-1])
    best, shortest = None, 2 * _LONGEST_FFT
    for width in _WIDTHS:
        near = np.flatnonzero(every <= width * typical)
        gaps, joint = every[near], joints[near]
        # sin^2 is 1/2 on average.
        if float(joint.sum()) < 2.0 * _PLENTY * need:
            break
        squares = np.square(gaps.astype(np.float64))
        level = Level(gaps, joint, math.sqrt(float((joint * squares).sum())), complete=False)
        points = points_for(level, math.sqrt(need), 1)
        if points < shortest:
            best, shortest = level, points
        if shortest <= _USUAL_FFT:
            break
    return best


def _lower_end(tilted: DrawTilt, need: float, typical: float, ceiling: float) -> float:
    """Bring the frequency above which all is settled as far down as it goes."""
    values, weights, size = tilted.law.values, tilted.weights, tilted.law.values.size
    settled = _proved_range(tilted, need)
    while True:
        if settled is not None and settled[1] >= ceiling:
            return min(settled[0], ceiling)
        widest = math.pi / ceiling
        apart = min(max(int(widest / (1.6 * typical)), 1), size // 2)
        gaps = (values[apart:] - values[:-apart]).astype(np.float64)
        joint = np.minimum(weights[apart:], weights[:-apart]) * (gaps <= widest)
        squares = gaps * gaps
        joint *= squares
        # sum v sin^2(t g / 2) >= a t^2 - b t^4
        a = float(joint.sum()) / 4.0
        joint *= squares
        root = _first_root(a, float(joint.sum()) / 48.0, need)
        if root is None or root > 0.7 * ceiling:
            return ceiling
        ceiling = root


def _proved_range(tilted: DrawTilt, need: float) -> tuple[float, float] | None:
    """Give the frequencies between which V = 1 - |phi|^2 is proved large by variance and fourth moment alone.

    For Y and Y' drawn apart V = E[1 - cos(t (Y - Y'))] >= t^2 E(Y - Y')^2 / 2 - t^4 E(Y - Y')^4 / 24.
    """
    fourth, variance = tilted.fourth, tilted.spread**2
    b = (fourth + 3.0 * variance * variance) / 12.0
    first = _first_root(variance, b, need)
    # The product of the squared roots is need / b.
    return None if first is None else (first, math.sqrt(need / b) / first / _ROUNDED)


def _first_root(a: float, b: float, need: float) -> float | None:
    """Give the smallest t > 0 with a t^2 - b t^4 = need."""
    inside = a * a - 4.0 * b * need
    if inside <= 0.0:
        return None
    return math.sqrt(2.0 * need / (a + math.sqrt(inside))) * _ROUNDED
