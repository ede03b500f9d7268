"""The characteristic function of the tilted sum of signs at equidistant nodes, in bounded memory."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from nofluke.engine.flips.tilt import Tilt
from nofluke.types import FloatArray, IntArray

ComplexArray: TypeAlias = npt.NDArray[np.complex128]

BLOCK = 32
_ITEMS_PER_CHUNK = 4096
# A factor of modulus 0 counts as 1e-8, so that its logarithm stays finite.
_LEAST = -1.0 + 2.0**-53


class NodeSums:
    """E e^(i t_k (T - x)) under the tilt, at t_k = pi k / M.

    Few distinct values: modulus and phase of every factor separately, each with full relative accuracy, so that a count
    of a million multiplies a tiny rounding error only. Many distinct values: plain products of 1 - q + q e^(-2 i t u),
    with the powers of e^(-2 i t u) by doubling from one sine and cosine per item and block.
    """

    def __init__(self, tilted: Tilt) -> None:
        items = int(tilted.counts.sum())
        self.tilted = tilted
        self.polar = tilted.values.size <= 64 or 4 * tilted.values.size <= items
        if self.polar:
            self._values, self._chance = tilted.values, tilted.flip_chance
        else:
            self._values = np.repeat(tilted.values, tilted.counts)
            self._chance = np.repeat(tilted.flip_chance, tilted.counts)
        self._weights = tilted.counts.astype(np.float64)
        self._curvature = tilted.curvature

    @property
    def seconds_per_node(self) -> float:
        """About how long one node takes; used only to decide what is affordable."""
        return (60e-9 if self.polar else 8e-9) * self._values.size + 1e-6

    def at(self, first: int, number: int) -> ComplexArray:
        """Evaluate the nodes first .. first + number - 1."""
        pieces = [self._block(k, min(BLOCK, first + number - k)) for k in range(first, first + number, BLOCK)]
        return np.concatenate(pieces)

    def _block(self, first: int, number: int) -> ComplexArray:
        return self._polar_block(first, number) if self.polar else self._product_block(first, number)

    def _polar_block(self, first: int, number: int) -> ComplexArray:
        tilted, period = self.tilted, 2 * self.tilted.nodes
        log_modulus, phase = np.zeros(number), np.zeros(number)
        for chunk in _chunks(self._values.size):
            angles = np.pi / tilted.nodes * _multiples(first, number, self._values[chunk], period)
            sines, cosines = np.sin(angles), np.cos(angles)
            chance, weights = self._chance[chunk], self._weights[chunk]
            log_modulus += np.log1p(np.maximum(-self._curvature[chunk] * sines * sines, _LEAST)) @ weights
            if tilted.near_end:
                across = 2.0 * chance * sines * cosines
                phase -= np.arctan2(across, 1.0 - 2.0 * chance * sines * sines) @ weights
            else:
                phase += np.arctan2((1.0 - 2.0 * chance) * sines, cosines) @ weights
        shift = 2 * tilted.deficit if tilted.near_end else -tilted.threshold
        phase += np.pi / tilted.nodes * _multiples_of_one(first, number, shift, period)
        result: ComplexArray = np.exp(log_modulus / 2.0) * np.exp(1j * phase)
        return result

    def _product_block(self, first: int, number: int) -> ComplexArray:
        period = self.tilted.nodes
        result = np.ones(number, dtype=np.complex128)
        for chunk in _chunks(self._values.size):
            values, chance = self._values[chunk], self._chance[chunk]
            powers = np.empty((number, values.size), dtype=np.complex128)
            powers[0] = _unit(_multiples(first, 1, values, period)[0], period)
            # Doubling: row j + i is row i times z^j, so a rounding error grows with log2 of the block only.
            step, filled = _unit(values % period, period), 1
            while filled < number:
                more = min(filled, number - filled)
                np.multiply(powers[:more], step, out=powers[filled : filled + more])
                step, filled = step * step, filled + more
            powers *= chance
            powers += 1.0 - chance
            result *= _product_of_rows(powers)
        shift = _multiples_of_one(first, number, self.tilted.deficit, period)
        result *= np.exp(2j * np.pi / period * shift)
        return result

    def log_modulus(self, angles_of: Iterator[FloatArray]) -> FloatArray:
        """Give log |characteristic function| for rows of angles t u (one row per frequency, one column per value)."""
        rows = [
            0.5 * float(np.log1p(np.maximum(-self._curvature * np.sin(row) ** 2, _LEAST)) @ self._weights)
            for row in angles_of
        ]
        return np.array(rows, dtype=np.float64)


def _chunks(size: int) -> Iterator[slice]:
    for start in range(0, size, _ITEMS_PER_CHUNK):
        yield slice(start, min(start + _ITEMS_PER_CHUNK, size))


def _unit(residues: FloatArray | IntArray, period: int) -> ComplexArray:
    angles = (2.0 * math.pi / period) * residues
    result = np.empty(angles.shape, dtype=np.complex128)
    result.real = np.cos(angles)
    result.imag = -np.sin(angles)
    return result


def _multiples(first: int, number: int, values: IntArray, period: int) -> FloatArray:
    """Give k * value modulo the period for the nodes k, reduced in integers: floats would lose the phase at large k."""
    largest = int(values[-1]) if values.size else 0
    if (first + number) * largest < 1 << 62 and period < 1 << 62:
        k = np.arange(first, first + number, dtype=np.int64)
        return ((k[:, None] * values) % period).astype(np.float64)
    rows = [((k * values.astype(object)) % period).astype(np.float64) for k in range(first, first + number)]
    return np.array(rows)


def _multiples_of_one(first: int, number: int, value: int, period: int) -> FloatArray:
    return np.array([(k * value) % period for k in range(first, first + number)], dtype=np.float64)


def _product_of_rows(factors: ComplexArray) -> ComplexArray:
    """Multiply along the rows by halving: fast, and rounding grows slowly."""
    remaining: npt.NDArray[Any] = factors
    while remaining.shape[1] > 1:
        half = remaining.shape[1] // 2
        product = remaining[:, :half] * remaining[:, half : 2 * half]
        if remaining.shape[1] % 2:
            product[:, 0] *= remaining[:, -1]
        remaining = product
    return remaining[:, 0]
