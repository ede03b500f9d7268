"""Where the period of a sum of draws cannot be scanned whole: likely resonances, and a bound on what has no structure.

|phi| rises again where t y is nearly the same for all values, modulo whole turns: at t = 2 pi l / q for values that are
nearly multiples of q. Powers of ten, small integers and common divisors of differences are looked at, and all low
frequencies. This is a search, not a proof.
"""

from __future__ import annotations

import math

import numpy as np

from nofluke.engine.draws.nodes import DrawNodes
from nofluke.engine.draws.tilt import DrawTilt
from nofluke.engine.flips.peaks import Peaks, climb
from nofluke.engine.flips.resonances import SUBSAMPLE, TEETH, Comb, first_teeth, spread, suspected, teeth_of
from nofluke.types import FloatArray, IntArray

# Below this logarithm a resonance cannot matter.
_NEGLIGIBLE = -34.0


def log_mean_modulus(tilted: DrawTilt) -> float:
    """Bound log E|psi| if the phases of distinct values were independent and uniform: arithmetic without structure.

    With W the largest weight and R the sum of the others, E|W + R|^(2P) = sum_k C(P, k)^2 W^(2(P - k)) E|R|^(2k), and
    E|R|^(2k) <= r^(2(k - j)) j! (sum w^2)^j for every j <= k (Khintchine's inequality for Steinhaus variables), r the
    weight of R. |psi| = |phi|^N <= |phi|^(2P) for every P <= N/2.
    """
    from scipy.special import gammaln

    heaviest = int(np.argmax(tilted.weights))
    others = np.delete(tilted.weights, heaviest)
    squares, rest = max(float(np.square(others).sum()), 1e-300), max(float(others.sum()), 1e-300)
    log_heavy = math.log(float(tilted.weights[heaviest]))
    best = 0.0
    # From low powers to high ones, until nothing is left that could matter.
    for halvings in range(5, -1, -1):
        power = tilted.law.draws // 2 >> halvings
        if power < 1 or best < 2.0 * _NEGLIGIBLE:
            continue
        k = np.arange(power + 1, dtype=np.float64)
        # j! (squares / rest^2)^j falls as long as j < rest^2 / squares.
        j = np.minimum(k, math.floor(rest * rest / squares))
        moments = 2.0 * k * math.log(rest) + gammaln(j + 1.0) + j * math.log(squares / rest**2)
        choose = gammaln(power + 1.0) - gammaln(k + 1.0) - gammaln(power - k + 1.0)
        terms = 2.0 * choose + 2.0 * (power - k) * log_heavy + moments
        largest = float(terms.max())
        best = min(best, largest + math.log(float(np.exp(terms - largest).sum())))
    return best


def kernel_integral(tilt: float, start: float) -> float:
    """Bound 1/pi times the integral of 1/|1 - e^(-(s + it))| over [start, pi]."""
    flat = 1.0 / -math.expm1(-tilt)
    # |1 - e^(-(s + it))| >= 2 e^(-s/2) sin(t/2) >= e^(-s/2) 2t/pi
    steep = 0.5 * math.exp(min(tilt, 600.0) / 2.0) * math.log(max(math.pi / start, 1.0))
    return min(flat, steep)


def resonances(nodes: DrawNodes, start: float, floor: float, low: Peaks) -> tuple[dict[int, float], float]:
    """Give the nodes nearest to resonances beyond `start` with what they hold, and what may lie beyond those looked at.

    `low` are the places in phase among the low frequencies. The estimate of what lies beyond assumes that every further
    octave of a comb holds as much as the last one seen.
    """
    tilted = nodes.tilted
    floor = max(floor, _NEGLIGIBLE)
    held, beyond = _low_resonances(nodes, start, floor, low)
    for denominator, unit in _suspects(tilted, start, floor, 2.0 * math.pi * low[1]):
        last_octave = 0.0
        for tooth, log_modulus in _hits(nodes, denominator, unit, start, floor):
            frequency = 2.0 * math.pi * tooth * unit / denominator
            content = math.exp(log_modulus) * _lobe_content(tilted, frequency)
            held[round(tilted.nodes * tooth * unit / denominator)] = content
            if 2 * tooth > TEETH:
                last_octave += content
        beyond += last_octave * math.ceil(math.log2(max(denominator / (2.0 * unit * TEETH), 1.0)))
    return held, beyond


def _low_resonances(nodes: DrawNodes, start: float, floor: float, low: Peaks) -> tuple[dict[int, float], float]:
    """Take in all resonances up to some frequency, and judge by the last octave what may lie beyond."""
    tilted = nodes.tilted
    values: FloatArray = tilted.law.values.astype(np.float64)
    # e^(i t y): t = 2 pi f
    frequencies = 2.0 * math.pi * climb(low[0], values, tilted.weights, modulus=True)
    held: dict[int, float] = {}
    beyond, reach = 0.0, min(2.0 * math.pi * low[1], math.pi)
    for frequency in frequencies[(frequencies > start) & (frequencies <= math.pi)].tolist():
        log_modulus = float(nodes.log_modulus_at(values[None, :] * frequency)[0])
        if log_modulus < floor:
            continue
        content = math.exp(log_modulus) * _lobe_content(tilted, frequency)
        held[round(tilted.nodes * frequency / (2.0 * math.pi))] = content
        beyond += content if 2.0 * frequency > reach else 0.0
    return held, beyond * math.ceil(math.log2(max(math.pi / reach, 1.0)))


def _lobe_content(tilted: DrawTilt, frequency: float) -> float:
    """Bound what a resonance of modulus 1 at a frequency adds to the node sum over M: twice that of a Gaussian lobe."""
    width = math.sqrt(2.0 * math.pi) / tilted.deviation
    across = 2.0 * math.exp(-tilted.tilt / 2.0) * math.sin(frequency / 2.0)
    return 2.0 / math.pi * width / math.hypot(-math.expm1(-tilted.tilt), across)


def _suspects(tilted: DrawTilt, start: float, floor: float, seen: float) -> list[Comb]:
    """Give the combs that some values do not rule out by their first teeth."""
    values, draws = tilted.law.values, tilted.law.draws
    chosen = spread(values.size, SUBSAMPLE)
    weights = (tilted.weights[chosen] / float(tilted.weights[chosen].sum())).astype(np.float32)
    combs, turns = first_teeth(values, chosen, tilted.law.scale, start / (2.0 * math.pi), seen / (2.0 * math.pi))
    angles = np.float32(2.0 * math.pi) * turns
    # No matrix product in single precision: BLAS kernels may raise "invalid value" from lanes they do not use.
    moduli = np.hypot(*((wave(angles) * weights).sum(axis=1) for wave in (np.cos, np.sin)))
    # |phi| of some values may be a little below that of all: three times what it may lack, and chance.
    return suspected(combs, moduli > 1.0 + 3.0 * max(floor / draws, -1.0) - 4.0 / chosen.size)


def _hits(nodes: DrawNodes, denominator: int, unit: int, start: float, floor: float) -> list[tuple[int, float]]:
    """Give the teeth l with log |psi(2 pi l unit / q)| > floor, screened on some of the values."""
    tilted = nodes.tilted
    first = math.floor(start / (2.0 * math.pi) * denominator / unit) + 1
    last = min(first + TEETH - 1, denominator // (2 * unit)) if first <= TEETH else 0
    if last < first:
        return []
    teeth = np.arange(first, last + 1, dtype=np.int64)
    for sample in (SUBSAMPLE, 8 * SUBSAMPLE):
        teeth = teeth[_log_modulus_of_some(tilted, teeth, denominator, unit, sample) > floor - 1.0]
        if not teeth.size:
            return []
    found = []
    for tooth in teeth.tolist():
        angles = _angles(np.array([tooth]), tilted.law.values, denominator, unit)
        log_modulus = float(nodes.log_modulus_at(angles)[0])
        if log_modulus > floor:
            found.append((int(tooth), log_modulus))
    return found


def _log_modulus_of_some(tilted: DrawTilt, teeth: IntArray, denominator: int, unit: int, sample: int) -> FloatArray:
    """Bound log |psi| from some values of weight W: |phi| <= |phi of those| + 1 - W."""
    chosen = spread(tilted.law.values.size, sample)
    weights, draws = tilted.weights[chosen], tilted.law.draws
    angles = _angles(teeth, tilted.law.values[chosen], denominator, unit).astype(np.float32)
    re, im = ((wave(angles) * weights).sum(axis=1) for wave in (np.cos, np.sin))
    # Phases in single precision are right to 1e-6.
    lacking = np.hypot(re, im) - float(weights.sum()) + 2e-6
    logs: FloatArray = draws * np.log1p(np.clip(lacking, -1.0 + 1e-16, 0.0))
    return logs


def _angles(teeth: IntArray, values: IntArray, denominator: int, unit: int) -> FloatArray:
    """Give 2 pi l unit y / q modulo whole turns."""
    return 2.0 * math.pi * teeth_of(teeth, values, denominator, unit)
