"""A certificate of where in the whole period the characteristic function of a sum of signs can be large at all.

With c = 1/cosh^2(s u), |psi(t)|^2 = prod (1 - c sin^2(t u)) <= e^(-H(t)), H(t) = sum c sin^2(t u). H on an equidistant
grid is one real FFT of the histogram of the values, and sqrt(H) is the norm of the vector sqrt(c) sin(t u), so between
grid points it cannot fall by more than sqrt(sum c u^2) per unit of t: nothing stays unseen.
Where the values are too wide for one FFT, they are paired: |sin(x - y)| <= |sin x| + |sin y| gives
c sin^2 x + c' sin^2 y >= min(c, c') sin^2(x - y) / 2, and the gaps between neighbours are small numbers. They settle
the high frequencies; wider gaps, rounded to a grain that the remaining low frequencies do not resolve, settle the next
lower ones, and so on down to the values themselves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.engine.flips.tilt import Tilt
from nofluke.types import FloatArray, IntArray

# |psi| below e^-32 (1e-14) is left out.
CUTOFF = 32.0
_NEEDED = math.sqrt(2.0 * CUTOFF)
_USUAL_FFT = 1 << 16
_LONGEST_FFT = 1 << 20
# Pairs are taken until their weight makes a typical H well above what is needed; fewer than the least prove nothing.
_WEIGHT_OF_PAIRS = 1200.0
_LEAST_WEIGHT = 450.0
_DIVERSE_PAIRS = 256
_MOST_PAIRS = 4096
# Multiples of the golden ratio modulo 1 are spread evenly and have no period.
_GOLDEN = 0.6180339887498949

Range = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """Values or gaps with weights: factor * sum w sin^2(t v) <= H(t)."""

    values: IntArray
    weights: FloatArray
    factor: float
    complete: bool

    @property
    def steepness(self) -> float:
        sizes = self.values.astype(np.float64)
        return math.sqrt(self.factor * float(np.dot(self.weights * sizes, sizes)))


def live_node_ranges(tilted: Tilt) -> list[Range] | None:
    """Give the node ranges (first, last) in [0, M/2] outside which |psi| < e^-32 is proved; None if that fails."""
    weights: FloatArray = tilted.counts * tilted.curvature
    ranges: list[Range] = []
    ceiling = math.pi / 2
    for _ in range(12):
        grain = max(1, math.floor(0.25 / ceiling))
        level = _choose_level(tilted, weights, 2.0 / math.pi * _USUAL_FFT * grain)
        if level is None:
            return None
        runs, cell = _live_runs(level, grain)
        if not runs:
            return None
        below = [run for run in runs[1:] if (run[0] - 0.5) * cell < ceiling]
        ranges += [nodes_of(run, cell, tilted.nodes) for run in below]
        if level.complete:
            return merge([*ranges, nodes_of(runs[0], cell, tilted.nodes)])
        lobe = (runs[0][1] + 0.5) * cell
        if lobe > ceiling / 2:
            return None
        ceiling = lobe
    return None


def _choose_level(tilted: Tilt, weights: FloatArray, steepest: float) -> _Level | None:
    """Take the values themselves when they are narrow enough for the FFT, otherwise gaps as wide as it allows."""
    whole = _Level(tilted.values, weights, 1.0, complete=True)
    if tilted.deviation <= steepest:
        return whole
    gaps = _gap_level(tilted.values, weights, steepest)
    if gaps is None and tilted.deviation <= steepest * (_LONGEST_FFT // _USUAL_FFT):
        return whole
    return gaps


def _gap_level(values: IntArray, weights: FloatArray, steepest: float) -> _Level | None:
    size = values.size
    if size < 64:
        return None
    typical = (int(values[3 * size // 4]) - int(values[size // 4])) / (size // 2)
    widest = steepest / math.sqrt(0.5 * _WEIGHT_OF_PAIRS)
    reach = max(1, min(int(widest / typical), size // 2))
    lower, upper = _pairs(size, reach)
    gaps = values[upper] - values[lower]
    pair_weights = np.minimum(weights[lower], weights[upper])
    fitting, wanted = np.flatnonzero(gaps <= 4.0 * widest), _WEIGHT_OF_PAIRS
    if float(pair_weights[fitting].sum()) < wanted:
        fitting, wanted = np.argsort(gaps, kind="stable"), 1.5 * _LEAST_WEIGHT  # the narrowest that there are
    elif reach == 1:
        fitting = fitting[np.argsort(fitting * _GOLDEN % 1.0, kind="stable")]
    enough = int(np.searchsorted(np.cumsum(pair_weights[fitting]), wanted)) + 1
    kept = fitting[: max(enough, _DIVERSE_PAIRS)]
    if float(pair_weights[kept].sum()) < _LEAST_WEIGHT:
        return None
    return _Level(gaps[kept], pair_weights[kept], 0.5, complete=False)


def _pairs(size: int, reach: int) -> tuple[IntArray, IntArray]:
    """Pair sorted values within blocks of 2 * reach, first with last and so on: gaps of all lengths, no value twice."""
    total = size // (2 * reach) * reach
    chosen = np.arange(total)
    if reach > 1 and total > _MOST_PAIRS:
        chosen = np.unique((np.arange(_MOST_PAIRS) * _GOLDEN % 1.0 * total).astype(np.int64))
        chosen = chosen[np.argsort(chosen * _GOLDEN % 1.0, kind="stable")]
    block, place = chosen // reach, chosen % reach
    return 2 * reach * block + place, 2 * reach * (block + 1) - 1 - place


def _live_runs(level: _Level, grain: int) -> tuple[list[Range], float]:
    """Give the runs of grid cells in which |psi| may exceed e^-32, and the width of a cell; no runs if out of reach."""
    points, steepness = 64, level.steepness
    while points < math.pi / 2 * steepness / grain and points <= _LONGEST_FFT:
        points *= 2
    if points > _LONGEST_FFT:
        return [], 0.0
    cell, total = math.pi / (points * grain), float(level.weights.sum())
    height = _heights(level, grain, points)
    # Half a cell away sqrt(H) is lower by at most steepness * cell / 2; rounding v to the grain costs t grain / 2 each.
    slack = (steepness + grain * math.sqrt(level.factor * total)) * cell / 2.0
    rounding = 0.0 if grain == 1 else cell * grain / 2.0 * math.sqrt(level.factor * total)
    live = np.sqrt(height) - rounding * np.arange(height.size) - slack < _NEEDED
    edges = np.flatnonzero(np.diff(np.concatenate(([False], live, [False])).astype(np.int8))).tolist()
    return [(start, stop - 1) for start, stop in zip(edges[::2], edges[1::2], strict=True)], cell


def _heights(level: _Level, grain: int, points: int) -> FloatArray:
    """Give factor * sum w sin^2(t v) at t = pi j / (points * grain), j <= points / 2, with v rounded to the grain."""
    rounded = (level.values + grain // 2) // grain
    histogram = np.bincount(rounded % points, weights=level.weights, minlength=points)
    # sum w sin^2(t v) = (sum w - sum w cos(2 t v)) / 2
    heights: FloatArray = np.maximum(level.weights.sum() - np.fft.rfft(histogram).real, 0.0) * (level.factor / 2.0)
    return heights


def nodes_of(run: Range, cell: float, nodes: int) -> Range:
    """Give the nodes pi k / M that the cells of a run can hold."""
    per_cell = cell * nodes / math.pi
    first, last = math.floor((run[0] - 0.5) * per_cell) - 1, math.ceil((run[1] + 0.5) * per_cell) + 1
    return max(first, 0), min(last, nodes // 2)


def merge(ranges: list[Range]) -> list[Range]:
    """Join ranges that touch or overlap."""
    merged: list[Range] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        elif first <= last:
            merged.append((first, last))
    return merged
