"""Where among the low frequencies a sum of waves is nearly in phase: a search over thousands of widths of the values.

sum w cos(2 pi f v) is 1 of sum w at f = 0 and again where all v are nearly multiples of 1/f. It falls within about
1 / (2 pi rms) of such a place, whatever the number of values, so a grid of that width sees them all: one FFT reaches
24,000 such widths. Values k/m written as decimals or doubles are found in this way for every m up to thousands.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from nofluke.types import FloatArray

_POINTS = 1 << 16
# Grid points in units of 1 / (2 pi rms): half a cell beside a place in phase the sum is still 0.74 of its value there.
_CELL = 1.5
# Waves of many values with phases at random are nowhere near this share of being in phase.
_IN_PHASE = 0.4
_MOST_VALUES = 4096
# More peaks than this are the level that a value keeps which is there again and again; such values weigh this many
# times as much as the median, and without them the others must be in phase all the same.
_MOST_PEAKS = 256
_HEAVY = 8.0
_LEAST_LIGHT = 8
_STEPS = 4
_STANDS_STILL = 1e-13
# Waves held at a time.
_BLOCK = 1 << 16


# Frequencies near places in phase, and the frequency up to which all were seen.
Peaks = tuple[FloatArray, float]


def in_phase(values: FloatArray, weights: FloatArray, *, modulus: bool) -> Peaks:
    """Give the frequencies f > 0 near which all v f are nearly whole, and the frequency up to which all were seen.

    With `modulus`, v f need only be nearly the same modulo 1. The peaks themselves are within half a cell: `climb`.
    """
    values, weights = _some(values, weights)
    return _search(values.tobytes(), weights.astype(np.float64).tobytes(), modulus=modulus)


@lru_cache(maxsize=4)
def _search(value_bytes: bytes, weight_bytes: bytes, *, modulus: bool) -> Peaks:
    values, weights = np.frombuffer(value_bytes), np.frombuffer(weight_bytes)
    total = float(weights.sum())
    centre = float((weights * values).sum()) / total if modulus else 0.0
    values = values - centre
    rms = math.sqrt(float((weights * values * values).sum()) / total)
    cell = _CELL / (2.0 * math.pi * rms)
    heights = _sums(values * (cell * _POINTS), weights, modulus=modulus) / total
    inner = heights[1:-1]
    found = np.flatnonzero((inner > _IN_PHASE) & (inner >= heights[:-2]) & (inner >= heights[2:])) + 1
    # The main lobe is no resonance.
    found = found[found > 2]
    light = weights <= _HEAVY * float(np.median(weights))
    if found.size > _MOST_PEAKS and _LEAST_LIGHT <= np.count_nonzero(light) < light.size:
        return _search(values[light].tobytes(), weights[light].tobytes(), modulus=modulus)
    frequencies: FloatArray = cell * found.astype(np.float64)
    return frequencies, (heights.size - 2) * cell


def _some(values: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    if values.size <= _MOST_VALUES:
        return values, weights
    chosen = np.arange(_MOST_VALUES) * (values.size - 1) // (_MOST_VALUES - 1)
    return values[chosen], weights[chosen]


def _sums(places: FloatArray, weights: FloatArray, *, modulus: bool) -> FloatArray:
    """Give sum w e^(2 pi i j place / points) for j up to a quarter of the points: the real part, or the modulus.

    Every weight is shared by the two nearest points; what that takes off on the average is made good.
    """
    whole = np.floor(places)
    share = places - whole
    index = whole.astype(np.int64) % _POINTS
    table = np.bincount(index, weights * (1.0 - share), _POINTS)
    table += np.bincount((index + 1) % _POINTS, weights * share, _POINTS)
    spectrum = np.fft.rfft(table)[: _POINTS // 4 + 1]
    return (np.sqrt(spectrum.real**2 + spectrum.imag**2) if modulus else spectrum.real) * _made_good()


@lru_cache(maxsize=1)
def _made_good() -> FloatArray:
    result: FloatArray = np.sinc(np.arange(_POINTS // 4 + 1) / _POINTS) ** -2
    return result


def climb(frequencies: FloatArray, values: FloatArray, weights: FloatArray, *, modulus: bool) -> FloatArray:
    """Go from grid points to the peaks beside them, by Newton's steps of at most half a cell."""
    values, weights = _some(values, weights)
    if modulus:
        values = values - float(np.average(values, weights=weights))
    turns = 2.0 * math.pi * values
    most = _CELL / 2.0 / math.sqrt(float(np.average(turns * turns, weights=weights)))
    if not modulus:
        # Values that are nothing beside the others stand still: they bend no peak.
        bends = weights * turns * turns
        moving = bends > _STANDS_STILL * float(bends.max())
        turns, weights = turns[moving], weights[moving]
    rows = max(1, _BLOCK // turns.size)
    return np.concatenate(
        [
            _climbed(frequencies[start : start + rows], turns, weights, most, modulus=modulus)
            for start in range(0, frequencies.size, rows)
        ]
        or [frequencies]
    )


def _climbed(here: FloatArray, turns: FloatArray, weights: FloatArray, most: float, *, modulus: bool) -> FloatArray:
    for _ in range(_STEPS):
        wave: npt.NDArray[np.complex128] = weights * np.exp(1j * np.outer(here, turns))
        if modulus:
            wave *= np.exp(-1j * np.angle(wave.sum(axis=1)))[:, None]
        slope, bend = -(turns * wave.imag).sum(axis=1), -(turns * turns * wave.real).sum(axis=1)
        here = here + uphill(slope, bend, most)
    return here


def uphill(slope: FloatArray, bend: FloatArray, most: float) -> FloatArray:
    """Newton's step; where the sum is not bent like a peak, half a cell uphill."""
    step = np.divide(-slope, bend, out=np.copysign(most, slope), where=bend < 0)
    return np.clip(step, -most, most)


def quick_climb(frequencies: FloatArray, values: FloatArray, weights: FloatArray) -> FloatArray:
    """The same for a few values and many peaks of the real part: all steps but the last in single precision."""
    turns = 2.0 * math.pi * values
    first, second = weights * turns, weights * turns * turns
    most = _CELL / 2.0 / math.sqrt(float(second.sum() / weights.sum()))
    here = frequencies.copy()
    for _ in range(_STEPS - 1):
        rounds = np.outer(here, values)
        rounds -= np.rint(rounds)
        short = (2.0 * math.pi * rounds).astype(np.float32)
        slope, bend = np.sin(short) * first.astype(np.float32), np.cos(short) * second.astype(np.float32)
        here += uphill(-slope.sum(axis=1, dtype=np.float64), -bend.sum(axis=1, dtype=np.float64), most)
    angles = np.outer(here, turns)
    return here + uphill(-(np.sin(angles) * first).sum(axis=1), -(np.cos(angles) * second).sum(axis=1), most)
