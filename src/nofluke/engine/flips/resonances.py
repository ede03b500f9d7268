"""Where the period cannot be scanned whole, likely resonances are searched and the rest is bounded as structureless.

Values that are nearly multiples of some q (most scores have two decimals, a few have six; fractions with small
denominators; a shift of coarse data) make |psi| rise again near t = pi l / q. Those frequencies are looked at: powers
of ten and their fractions, small integers, and common divisors of differences. This is a search, not a proof.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from nofluke.engine.flips.nodes import NodeSums
from nofluke.engine.flips.peaks import Peaks, climb
from nofluke.engine.flips.tilt import Tilt
from nofluke.types import FloatArray, IntArray

TEETH = 256
_SMALL_DIVISORS = 64
# A denominator q and the unit of its teeth at l unit / q turns.
Comb = tuple[int, int]
SUBSAMPLE = 64
_MODEL_VALUES = 512
# Below this logarithm a resonance cannot matter.
_NEGLIGIBLE = -34.0
# A comb without a hit among its first teeth has none: the errors of values nearly on a grid grow from tooth to tooth.
FIRST_TEETH = 16


def log_mean_modulus(tilted: Tilt) -> float:
    """Give log E|psi| if the phases t u of distinct values were independent and uniform: arithmetic without structure.

    The mean of (1 - c sin^2)^(m/2) is by quadrature for small counts m, and at most e^(-mc/4) I_0(mc/4) for large ones.
    """
    from scipy.special import i0e

    chosen = spread(tilted.values.size, _MODEL_VALUES)
    counts, curvature = tilted.counts[chosen].astype(np.float64), tilted.curvature[chosen]
    angles = (np.arange(48) + 0.5) * (math.pi / 96)
    squares = 1.0 - curvature[:, None] * np.sin(angles) ** 2
    small = np.power(squares, np.minimum(counts, 8.0)[:, None] / 2.0).mean(axis=1)
    return float(np.log(np.where(counts <= 8, small, i0e(counts * curvature / 4.0))).sum())


def kernel_integral(tilted: Tilt, start: float) -> float:
    """Bound (2/pi) times the integral of 1/|1 - e^(-2(s + it))| over [start, pi/2]."""
    ratio = math.exp(-2.0 * tilted.tilt)
    flat = (math.pi / 2) / -math.expm1(-2.0 * tilted.tilt)
    steep = math.pi / (4.0 * math.sqrt(ratio)) * math.log(max((math.pi / 2) / start, 1.0)) if ratio > 0 else math.inf
    return 2.0 / math.pi * min(flat, steep)


def resonances(sums: NodeSums, scale: int, start: float, floor: float, low: Peaks) -> tuple[dict[int, float], float]:
    """Give the nodes nearest to resonances beyond `start` with what they hold, and what may lie beyond those looked at.

    `scale` is what the values were divided by: decimals are recognised in the user's units. The estimate assumes that
    every further octave of a comb holds as much as the last one that was looked at. It is in units of the node sum.
    `low` are the places in phase among the low frequencies, as peaks.py gives them.
    """
    tilted = sums.tilted
    floor = max(floor, _NEGLIGIBLE)
    held, beyond = _low_resonances(sums, start, floor, low)
    for denominator, unit in _suspects(tilted, scale, start, floor, math.pi * low[1]):
        hits = _hits(sums, denominator, unit, start, floor)
        last_octave = 0.0
        for tooth, log_modulus in hits:
            content = math.exp(log_modulus) * _lobe_content(tilted, math.pi * tooth * unit / denominator)
            held[round(tilted.nodes * tooth * unit / denominator)] = content
            if 2 * tooth > TEETH:
                last_octave += content
        octaves = math.log2(max(denominator / (2.0 * unit * TEETH), 1.0))
        beyond += last_octave * math.ceil(octaves)
    return held, beyond


def _low_resonances(sums: NodeSums, start: float, floor: float, low: Peaks) -> tuple[dict[int, float], float]:
    """Take in all resonances up to some frequency, and judge by the last octave what may lie beyond."""
    tilted = sums.tilted
    values: FloatArray = tilted.values.astype(np.float64)
    found = climb(low[0], values, tilted.counts * tilted.curvature, modulus=False)
    # cos(2 t v): t = pi f
    frequencies = math.pi * found[found * math.pi > start]
    log_moduli = sums.log_modulus(values * frequency for frequency in frequencies.tolist())
    held: dict[int, float] = {}
    beyond, reach = 0.0, min(math.pi * low[1], math.pi / 2)
    for frequency, log_modulus in zip(frequencies.tolist(), log_moduli.tolist(), strict=True):
        if log_modulus < floor or frequency > math.pi / 2:
            continue
        content = math.exp(log_modulus) * _lobe_content(tilted, frequency)
        held[round(tilted.nodes * frequency / math.pi)] = content
        if 2.0 * frequency > reach:
            beyond += content
    return held, beyond * math.ceil(math.log2(math.pi / 2 / reach))


def _lobe_content(tilted: Tilt, frequency: float) -> float:
    """Bound what a resonance of modulus 1 at a frequency adds to the node sum over M: twice that of a Gaussian lobe."""
    width = math.sqrt(2.0 * math.pi) / tilted.deviation
    kernel = 1.0 / math.hypot(-math.expm1(-2.0 * tilted.tilt), 2.0 * math.exp(-tilted.tilt) * math.sin(frequency))
    return 2.0 * (2.0 / math.pi) * width * kernel


def _suspects(tilted: Tilt, scale: int, start: float, floor: float, seen: float) -> list[Comb]:
    """Give the combs that some values do not rule out by their first teeth."""
    chosen = spread(tilted.values.size, SUBSAMPLE)
    weights, curvature = tilted.counts[chosen].astype(np.float64), tilted.curvature[chosen]
    combs, turns = first_teeth(tilted.values, chosen, scale, start / math.pi, seen / math.pi)
    sines = np.sin(np.float32(math.pi) * turns)
    logs = np.log(np.maximum(1.0 - curvature * sines * sines, 1e-12)) @ weights / 2.0
    # Values near a grid are so evenly over the sample; three times what their share of the logarithm may be is left.
    share = float(weights.sum()) / float(tilted.counts.sum())
    return suspected(combs, logs > max(floor, 3.0 * share * floor - 4.0) - 1.0)


def first_teeth(
    values: IntArray, chosen: IntArray, scale: int, start: float, seen: float
) -> tuple[list[Comb], npt.NDArray[np.float32]]:
    """Give l unit v / q modulo 1, a row for each of the first teeth l of a comb, a column for each chosen value v.

    Looked at are combs beyond `seen` turns: powers of ten, small integers, and common divisors of differences. Every
    small integer divides one of those from 33 to 64, whose comb has its teeth.
    """
    some = values[chosen]
    small = np.arange(2, _SMALL_DIVISORS + 1)
    combs = [(int(q) * (_SMALL_DIVISORS // int(q)), 1) for q in small]
    rows = [((some % small[:, None]) / small[:, None]).astype(np.float32)]
    for q, unit in _larger_denominators(values, scale):
        if FIRST_TEETH * unit / q > seen:
            teeth = math.floor(start * q / unit) + 1 + np.arange(FIRST_TEETH)
            rows.append(teeth_of(teeth, some, q, unit).astype(np.float32))
            combs += [(q, unit)] * FIRST_TEETH
    return combs, np.concatenate(rows)


def suspected(combs: list[Comb], high: npt.NDArray[np.bool_]) -> list[Comb]:
    """Give each comb once that has a high tooth."""
    return list(dict.fromkeys(comb for comb, found in zip(combs, high.tolist(), strict=True) if found))


def _larger_denominators(values: IntArray, scale: int) -> Iterator[Comb]:
    """Give q and the unit of the frequencies l unit / q, in turns, that are looked at."""
    widest = int(values[-1]) * scale
    power = 100
    # Above 10^16 a tooth times a residue would not fit 64 bits.
    while power <= min(widest, 10**16):
        yield power, scale
        power *= 10
    differences = np.diff(values[spread(values.size, 3 * SUBSAMPLE)])
    if differences.size >= 3:
        triples = differences[: differences.size // 3 * 3].reshape(-1, 3)
        divisors, seen = np.unique(np.gcd.reduce(triples, axis=1), return_counts=True)
        common = divisors[(divisors > _SMALL_DIVISORS) & (seen > 1)]
        for divisor in common[-8:].tolist():
            yield int(divisor), 1


def _hits(sums: NodeSums, denominator: int, unit: int, start: float, floor: float) -> list[tuple[int, float]]:
    """Give the teeth l with log |psi(pi l unit / q)| > floor, screened on some values, whose product is only larger."""
    tilted = sums.tilted
    first = math.floor(start / math.pi * denominator / unit) + 1
    last = min(first + TEETH - 1, denominator // (2 * unit)) if first <= TEETH else 0
    if last < first:
        return []
    teeth = np.arange(first, last + 1, dtype=np.int64)
    for sample in (SUBSAMPLE, 8 * SUBSAMPLE):
        teeth = teeth[_log_modulus_of_some(tilted, teeth, denominator, unit, sample) > floor - 1.0]
    exact = sums.log_modulus(_angles(teeth[i : i + 1], tilted.values, denominator, unit)[0] for i in range(teeth.size))
    return [(int(t), float(v)) for t, v in zip(teeth, exact, strict=True) if v > floor]


def _log_modulus_of_some(tilted: Tilt, teeth: IntArray, denominator: int, unit: int, sample: int) -> FloatArray:
    """Give log |psi| from some of the values only, in single precision: never much below that of all."""
    chosen = spread(tilted.values.size, sample)
    angles = _angles(teeth, tilted.values[chosen], denominator, unit).astype(np.float32)
    weights, curvature = tilted.counts[chosen].astype(np.float32), tilted.curvature[chosen].astype(np.float32)
    # No matrix product in single precision: BLAS kernels may raise "invalid value" from lanes they do not use.
    logs: FloatArray = (np.log(np.maximum(1.0 - curvature * np.sin(angles) ** 2, 1e-12)) * weights).sum(axis=1) / 2.0
    return logs


def _angles(teeth: IntArray, values: IntArray, denominator: int, unit: int) -> FloatArray:
    """Give pi l unit u / q modulo pi, reduced in integers."""
    return math.pi * teeth_of(teeth, values, denominator, unit)


def teeth_of(teeth: IntArray, values: IntArray, denominator: int, unit: int) -> FloatArray:
    """Give l unit v / q modulo 1, reduced in integers."""
    if denominator < 1 << 31:
        residues = (values % denominator) * (unit % denominator) % denominator
    elif int(values.max()) * unit < 1 << 62:
        residues = values * unit % denominator
    else:
        residues = (values.astype(object) * unit % denominator).astype(np.int64)
    turns: FloatArray = ((teeth[:, None] * residues) % denominator) / denominator
    return turns


def spread(size: int, number: int) -> IntArray:
    """Give up to `number` indices spread over range(size)."""
    if size <= number:
        return np.arange(size)
    return np.arange(number) * (size - 1) // (number - 1)
