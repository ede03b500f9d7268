"""A certificate of where in the whole period the characteristic function of a sum of draws can be large at all.

Cut the values into blocks B of weight W_B. By Cauchy-Schwarz |phi|^2 <= sum_B |phi_B|^2 / W_B = 1 - V(t), with
V(t) = sum_B sum_(j < l in B) (4 w_j w_l / W_B) sin^2(t (y_j - y_l) / 2), so |psi|^2 = |phi|^(2N) <= (1 - V)^N.
Blocks of neighbours have small gaps, for which V on an equidistant grid is one short FFT of a histogram; sqrt(V) is the
norm of a vector, so between grid points it cannot fall faster than sqrt(sum v gap^2): nothing stays unseen. They settle
the high frequencies; wider blocks, their gaps rounded to a grain that the remaining low frequencies do not resolve, the
next lower ones; and one block of all values, where V = 1 - |phi|^2, the main lobe.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.engine.draws.tilt import DrawTilt
from nofluke.engine.flips.certificate import Range, merge, nodes_of
from nofluke.types import FloatArray, IntArray

# |psi| below e^-32 (1e-14) is left out.
CUTOFF = 32.0
_USUAL_FFT = 1 << 12
LONGEST_FFT = 1 << 20
_BLOCK_SIZES = (2, 3, 4, 6, 8, 12, 16)
# Blocks are enough when a typical V is this many standard deviations above what is needed.
_MARGIN = 6.0
_LEAST_BLOCKS = 12
_USUAL_BLOCKS = 192
_HEAVY = 8.0
# Multiples of the golden ratio modulo 1 are spread evenly and have no period.
_GOLDEN = 0.6180339887498949


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """Gaps with weights v; or, when complete, the values themselves with their weights w."""

    values: IntArray
    weights: FloatArray
    steepness: float
    complete: bool


def needed(draws: int) -> float:
    """Give the V from which on |psi| < e^-CUTOFF."""
    return -math.expm1(-2.0 * CUTOFF / draws)


def live_node_ranges(tilted: DrawTilt, longest: int) -> list[Range] | None:
    """Give the node ranges (first, last) in [0, M/2] outside which |psi| < e^-32 is proved; None if that fails.

    `longest` is the longest FFT that may be spent on a level of which no shorter one can be had.
    """
    wanted = math.sqrt(needed(tilted.law.draws))
    ranges: list[Range] = []
    # Half the frequency, t / 2: from 0 to pi/2.
    ceiling = math.pi / 2
    for _ in range(16):
        grain = max(1, math.floor(0.25 / ceiling))
        level = _choose_level(tilted, wanted, grain, longest)
        if level is None:
            return None
        runs, cell = live_runs(level, wanted, grain)
        ranges += [nodes_of(run, cell, tilted.nodes) for run in runs[1:] if (run[0] - 0.5) * cell < ceiling]
        if level.complete:
            return merge([*ranges, nodes_of(runs[0], cell, tilted.nodes)])
        lobe = (runs[0][1] + 0.5) * cell
        if lobe > ceiling / 2:
            return None
        ceiling = lobe
    return None


def _choose_level(tilted: DrawTilt, wanted: float, grain: int, longest: int) -> Level | None:
    """Take all values as one block when the FFT may be short, otherwise blocks as wide as it allows."""
    whole = Level(tilted.law.values, tilted.weights, 2.0 * tilted.spread, complete=True)
    if points_for(whole, wanted, grain) <= _USUAL_FFT:
        return whole
    blocks = _blocks(tilted, wanted, grain)
    if blocks is not None and points_for(blocks, wanted, grain) <= longest:
        return blocks
    return whole if points_for(whole, wanted, grain) <= longest else None


def points_for(level: Level, wanted: float, grain: int) -> int:
    """Give the length of the FFT with which half a cell costs a quarter of sqrt(V) or of what sqrt(V) has to spare."""
    spare = min(wanted, 1.0 - wanted)
    if not level.complete:
        spare = max(math.sqrt(float(level.weights.sum()) / 2.0) - wanted, 1e-3)
    points = 64
    while points < 2.0 * math.pi * level.steepness / (grain * spare):
        points *= 2
    return points


def _blocks(tilted: DrawTilt, wanted: float, grain: int) -> Level | None:
    """Give the gaps inside blocks that are large and many enough to prove something, as wide as a short FFT allows."""
    # A value that is there again and again has no neighbours of its weight; it is left out.
    light = tilted.weights <= _HEAVY * float(np.median(tilted.weights))
    values, weights = tilted.law.values[light], tilted.weights[light]
    size, total = values.size, float(weights.sum())
    # The middle half of the values shows how dense they are.
    density = max((int(values[3 * size // 4]) - int(values[size // 4])) / max(size // 2, 1), 1.0)
    for length in _BLOCK_SIZES:
        number = size // length
        if number < _LEAST_BLOCKS:
            return None
        # Of all blocks together V is about 1 - 1/length; four times what is needed is enough.
        typical = total * (1.0 - 1.0 / length)
        if typical * (1.0 - _MARGIN / ((length - 1) * math.sqrt(number))) <= 1.3 * wanted**2:
            continue
        enough = min(4.0 * wanted**2, typical)
        widest = _USUAL_FFT * grain * (math.sqrt(enough) - wanted) / (2.0 * math.pi * math.sqrt(2.0 * enough))
        reach = max(1, min(int(widest / (0.6 * density * length)), number))
        chosen = _members(size, length, reach)
        share = enough * length / (length - 1)
        level = _gaps(values, weights, _enough(chosen, values, weights, share, widest))
        if float(level.weights.sum()) / 2.0 > 1.3 * wanted**2:
            return level
    return None


def _members(size: int, length: int, reach: int) -> IntArray:
    """Cut range(size) into runs of length * reach, and give blocks with one member from each `length`-th of a run.

    The second part is taken backwards and the others shuffled, so that gaps of all widths occur.
    """
    runs = size // (length * reach)
    places = np.arange(reach)
    parts = [places, places[::-1]]
    parts += [np.argsort(places * _GOLDEN * (i + 1) % 1.0, kind="stable") for i in range(2, length)]
    inside = np.stack([part + i * reach for i, part in enumerate(parts[:length])], axis=1)
    blocks: IntArray = (np.arange(runs)[:, None, None] * (length * reach) + inside[None]).reshape(-1, length)
    return blocks


def _enough(chosen: IntArray, values: IntArray, weights: FloatArray, share: float, widest: float) -> IntArray:
    """Leave out blocks that are not needed: those that are too wide first, then evenly over all."""
    if share >= 0.7 * float(weights.sum()) or chosen.shape[0] <= _USUAL_BLOCKS:
        return chosen
    # The members of a block are in ascending order.
    spread = values[chosen[:, -1]] - values[chosen[:, 0]]
    held = _weight_of(chosen, weights)
    fitting = np.flatnonzero(spread <= 2.0 * widest)
    if fitting.size < _USUAL_BLOCKS or float(held[fitting].sum()) < share:
        order = np.argsort(spread, kind="stable")
    else:
        order = fitting[np.argsort((fitting * _GOLDEN) % 1.0, kind="stable")]
    enough = int(np.searchsorted(np.cumsum(held[order]), share)) + 1
    return chosen[order[: max(enough, _USUAL_BLOCKS)]]


def _weight_of(chosen: IntArray, weights: FloatArray) -> FloatArray:
    # Column by column: a reduction along a short axis is slow.
    total = np.zeros(chosen.shape[0])
    for column in chosen.T:
        total += weights[column]
    return total


def _gaps(values: IntArray, weights: FloatArray, chosen: IntArray) -> Level:
    first, second = np.triu_indices(chosen.shape[1], 1)
    gaps = np.abs(values[chosen[:, first]] - values[chosen[:, second]])
    total = _weight_of(chosen, weights)
    joint = 4.0 * weights[chosen[:, first]] * weights[chosen[:, second]] / np.maximum(total, 1e-300)[:, None]
    steepness = math.sqrt(float((joint * np.square(gaps.astype(np.float64))).sum()))
    return Level(gaps.ravel(), joint.ravel(), steepness, complete=False)


def live_runs(level: Level, wanted: float, grain: int) -> tuple[list[Range], float]:
    """Give the runs of grid cells in which |psi| may exceed e^-32, and the width of a cell in t / 2."""
    points = points_for(level, wanted, grain)
    cell = math.pi / (points * grain)
    rounded = (level.values + grain // 2) // grain
    histogram = np.bincount(rounded % points, weights=level.weights, minlength=points)
    transform = np.fft.rfft(histogram)
    if level.complete:
        heights = 1.0 - (transform.real**2 + transform.imag**2)
    else:
        # sum v sin^2(t g / 2) = (sum v - sum v cos(t g)) / 2
        heights = (level.weights.sum() - transform.real) / 2.0
    # What rounding to the grain costs at a frequency is in proportion to it.
    lost = 0.0
    if grain > 1:
        moved = (level.values - rounded * grain).astype(np.float64)
        lost = math.sqrt(float((level.weights * moved * moved).sum())) * (2.0 if level.complete else 1.0)
    slack = (level.steepness + lost) * cell / 2.0
    roots = np.sqrt(np.maximum(heights - 1e-12, 0.0)) - lost * cell * np.arange(heights.size)
    live = roots - slack < wanted
    live[0] = True
    edges = np.flatnonzero(np.diff(np.concatenate(([False], live, [False])).astype(np.int8))).tolist()
    return [(start, stop - 1) for start, stop in zip(edges[::2], edges[1::2], strict=True)], cell
