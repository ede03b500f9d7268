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
from nofluke.engine.flips.peaks import climb
from nofluke.engine.flips.tilt import Tilt
from nofluke.types import FloatArray, IntArray

TEETH = 256
_SMALL_DIVISORS = 64
_SUBSAMPLE = 64
_MODEL_VALUES = 512
# Below this logarithm a resonance cannot matter.
_NEGLIGIBLE = -34.0
# A comb without a hit among its first teeth has none: the errors of values nearly on a grid grow from tooth to tooth.
_FIRST_TEETH = 16


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


Peaks = tuple[FloatArray, float]


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


def denominators(values: IntArray, scale: int) -> Iterator[tuple[int, int]]:
    """Give q and the unit of the frequencies pi l unit / q that are looked at."""
    widest = int(values[-1]) * scale
    power = 100
    # Above 10^16 a tooth times a residue would not fit 64 bits.
    while power <= min(widest, 10**16):
        yield power, scale
        power *= 10
    # Every smaller integer divides one of these.
    for divisor in range(_SMALL_DIVISORS // 2 + 1, _SMALL_DIVISORS + 1):
        yield divisor, 1
    chosen = values[spread(values.size, 3 * _SUBSAMPLE)]
    differences = np.diff(chosen)
    if differences.size >= 3:
        triples = differences[: differences.size // 3 * 3].reshape(-1, 3)
        divisors, seen = np.unique(np.gcd.reduce(triples, axis=1), return_counts=True)
        common = divisors[(divisors > _SMALL_DIVISORS) & (seen > 1)]
        for divisor in common[-8:].tolist():
            yield int(divisor), 1


def _suspects(tilted: Tilt, scale: int, start: float, floor: float, seen: float) -> list[tuple[int, int]]:
    """Give the combs that some values do not rule out by their first teeth; those below `seen` have been looked at."""
    combs = [(q, unit) for q, unit in denominators(tilted.values, scale) if math.pi * unit / q * _FIRST_TEETH > seen]
    chosen = spread(tilted.values.size, _SUBSAMPLE)
    weights, curvature = tilted.counts[chosen].astype(np.float64), tilted.curvature[chosen]
    # Values near a grid are so evenly over the sample; three times what their share of the logarithm may be is left.
    share = float(weights.sum()) / float(tilted.counts.sum())
    sines = np.sin(np.float32(math.pi) * first_teeth(tilted.values[chosen], combs, start / math.pi))
    logs = np.log(np.maximum(1.0 - curvature * sines * sines, 1e-12)) @ weights / 2.0
    highest = logs.max(axis=1, initial=-math.inf)
    return [
        comb for comb, log in zip(combs, highest.tolist(), strict=True) if log > max(floor, 3 * share * floor - 4) - 1
    ]


def first_teeth(values: IntArray, combs: list[tuple[int, int]], start: float) -> npt.NDArray[np.float32]:
    """Give l unit v / q modulo 1 for every comb (q, unit), its first teeth l beyond `start` turns, and every value."""
    turns = np.empty((len(combs), _FIRST_TEETH, values.size), dtype=np.float32)
    for place, (q, unit) in enumerate(combs):
        teeth = math.floor(start * q / unit) + 1 + np.arange(_FIRST_TEETH)
        turns[place] = teeth_of(teeth, values, q, unit)
    return turns


def _hits(sums: NodeSums, denominator: int, unit: int, start: float, floor: float) -> list[tuple[int, float]]:
    """Give the teeth l with log |psi(pi l unit / q)| > floor, screened on some values, whose product is only larger."""
    tilted = sums.tilted
    first = math.floor(start / math.pi * denominator / unit) + 1
    last = min(first + TEETH - 1, denominator // (2 * unit)) if first <= TEETH else 0
    if last < first:
        return []
    teeth = np.arange(first, last + 1, dtype=np.int64)
    for sample in (_SUBSAMPLE, 8 * _SUBSAMPLE):
        teeth = teeth[_log_modulus_of_some(tilted, teeth, denominator, unit, sample) > floor - 1.0]
    exact = sums.log_modulus(_angles(teeth[i : i + 1], tilted.values, denominator, unit)[0] for i in range(teeth.size))
    return [(int(t), float(v)) for t, v in zip(teeth, exact, strict=True) if v > floor]


def _log_modulus_of_some(tilted: Tilt, teeth: IntArray, denominator: int, unit: int, sample: int) -> FloatArray:
    """Give log |psi| from some of the values only, in single precision: never much below that of all."""
    chosen = spread(tilted.values.size, sample)
    angles = _angles(teeth, tilted.values[chosen], denominator, unit).astype(np.float32)
    weights, curvature = tilted.counts[chosen].astype(np.float32), tilted.curvature[chosen].astype(np.float32)
    logs: FloatArray = np.log(np.maximum(1.0 - curvature * np.sin(angles) ** 2, 1e-12)) @ weights / 2.0
    return logs


def _angles(teeth: IntArray, values: IntArray, denominator: int, unit: int) -> FloatArray:
    """Give pi l unit u / q modulo pi, reduced in integers."""
    return math.pi * teeth_of(teeth, values, denominator, unit)


def teeth_of(teeth: IntArray, values: IntArray, denominator: int, unit: int) -> FloatArray:
    """Give l unit v / q modulo 1, reduced in integers."""
    residues = (values % denominator) * (unit % denominator) if denominator < 1 << 31 else values * unit
    residues = residues % denominator
    turns: FloatArray = ((teeth[:, None] * residues) % denominator) / denominator
    return turns


def spread(size: int, number: int) -> IntArray:
    """Give up to `number` indices spread over range(size)."""
    if size <= number:
        return np.arange(size)
    return np.arange(number) * (size - 1) // (number - 1)
