"""The characteristic function of the tilted sum of draws at equidistant nodes, in bounded memory.

phi(t) - 1 = sum w (e^(i t y) - 1) is what is added up: its rounding error is as small as t y, so that the N-th power
of phi, N up to millions, keeps its digits. In the main lobe it comes from moments, elsewhere from powers of e^(i t y).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from nofluke.engine.draws.series import Series, series_of
from nofluke.engine.draws.tilt import DrawTilt
from nofluke.types import FloatArray, IntArray

ComplexArray: TypeAlias = npt.NDArray[np.complex128]

# Nodes are k = first + inner a + b: powers for all a and for all b < inner, and a sum over values for every pair.
# Few values leave room for many nodes at a time.
_FEW_VALUES = 256
_INNER, _BLOCK = 8, 64
_INNER_OF_FEW, _BLOCK_OF_FEW = 64, 2048
_VALUES_PER_CHUNK = 4096


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """Nodes from `first` on: their terms of the sum, the moduli of those, the rounding error, and the largest |psi|."""

    first: int
    values: ComplexArray
    sizes: FloatArray
    rounding: float
    largest: float

    @property
    def total_size(self) -> float:
        """The sum of the moduli."""
        return float(self.sizes.sum())


@dataclass(slots=True)
class NodeSum:
    """A running sum over nodes: of the terms, of their moduli, and of the rounding errors in them."""

    value: float = 0.0
    modulus: float = 0.0
    rounding: float = 0.0
    nodes: int = 0

    def add(self, terms: Terms) -> None:
        """Add a block of nodes."""
        self.value += float(terms.values.real.sum())
        self.modulus += terms.total_size
        self.rounding += terms.rounding
        self.nodes += terms.sizes.size


class DrawNodes:
    """Terms psi(t_k) e^(-i t_k (threshold)) / (1 - e^(-(s + i t_k))), t_k = 2 pi k / M, psi = phi^N."""

    def __init__(self, tilted: DrawTilt) -> None:
        self.tilted = tilted
        # About the middle of the tilted law phases are small in the main lobe.
        self._whole, self._rest = divmod(tilted.threshold, tilted.law.draws)
        self._values: IntArray = tilted.law.values - self._whole
        self._widest = max(abs(int(self._values[0])), abs(int(self._values[-1])))
        self._series: Series | None = None

    def expand(self, last: int) -> None:
        """Take moments that serve the nodes up to `last`, if few are enough."""
        frequency = (2.0 * math.pi / self.tilted.nodes) * last
        self._series = series_of(self._values.astype(np.float64), self.tilted.weights, frequency)

    def seconds(self, number: int) -> float:
        """About how long `number` nodes take; used only to decide what is affordable."""
        each = 2e-7 if self._values.size <= _FEW_VALUES else 2e-6
        return (1.5e-9 * number + 1e-7) * self._values.size + each * number

    def add(self, running: NodeSum, first: int, last: int) -> float:
        """Add nodes first .. last, and give the largest |psi| of the last block."""
        largest = 0.0
        for block in self.terms(first, last):
            running.add(block)
            largest = block.largest
        return largest

    def terms(self, first: int, last: int) -> list[Terms]:
        """Give nodes first .. last, each together with its mirror image, in blocks of bounded memory."""
        block = _BLOCK_OF_FEW if self._values.size <= _FEW_VALUES else _BLOCK
        return [self._block(k, min(block, last + 1 - k)) for k in range(first, last + 1, block)]

    def _block(self, start: int, number: int) -> Terms:
        tilted, nodes, draws = self.tilted, self.tilted.nodes, self.tilted.law.draws
        k = np.arange(start, start + number, dtype=np.float64)
        turns = (2.0 * math.pi / nodes) * k
        excess, error = self._excess_and_error(turns, start, number)
        log_modulus, phase = self._power(excess)
        phase -= (2.0 * math.pi / nodes) * residues(start, number, self._rest, nodes)
        # A node k stands for itself and its mirror image, but for 0 and the last of an even period.
        folds = np.where((k == 0) | (2 * k == nodes), 1.0, 2.0)
        kernel = -folds / np.expm1(-(tilted.tilt + 1j * turns))
        modulus = np.exp(log_modulus)
        # |phi| is about 1 wherever the term counts.
        relative = draws * error * np.exp(-log_modulus / draws) + math.ulp(1.0) * (8.0 + np.abs(phase))
        sizes = modulus * np.abs(kernel)
        values = modulus * np.exp(1j * phase) * kernel
        return Terms(start, values, sizes, float((sizes * relative).sum()), float(modulus.max()))

    def _excess_and_error(self, turns: FloatArray, start: int, number: int) -> tuple[ComplexArray, FloatArray]:
        """Give phi - 1 and a bound on its error."""
        if self._series is not None and turns[-1] <= self._series.reach:
            return self._series.excess(turns)
        excess = self._excess(start, number)
        # Cauchy-Schwarz: sum w |e^(i t y) - 1| <= sqrt(2 (1 - Re phi)).
        return excess, 6.0 * math.ulp(1.0) * np.sqrt(np.maximum(-2.0 * excess.real, 0.0))

    def log_modulus_at(self, angles: FloatArray) -> FloatArray:
        """Give log |psi| for rows of angles t y (one row per frequency, one column per value)."""
        phi = (np.exp(1j * angles) * self.tilted.weights).sum(axis=1)
        logs: FloatArray = self.tilted.law.draws * np.log(np.maximum(np.abs(phi), 1e-300))
        return logs

    def _power(self, excess: ComplexArray) -> tuple[FloatArray, FloatArray]:
        """Give log |phi^N| and N arg phi from phi - 1."""
        re, im, draws = excess.real, excess.imag, float(self.tilted.law.draws)
        inner = np.maximum(2.0 * re + re * re + im * im, -1.0 + 2.0**-53)
        return draws / 2.0 * np.log1p(inner), draws * np.arctan2(im, 1.0 + re)

    def _excess(self, first: int, number: int) -> ComplexArray:
        """Give phi - 1 at nodes first .. first + number - 1."""
        width = min(_INNER_OF_FEW if self._values.size <= _FEW_VALUES else _INNER, number)
        outer = -(-number // width)
        total = np.zeros((outer, width), dtype=np.complex128)
        for chunk in _chunks(self._values.size):
            values, weights = self._values[chunk], self.tilted.weights[chunk]
            inner = _powers(self._unit(values, 1), np.zeros(values.size, dtype=np.complex128), width)
            start = self._unit(values, first) if first else np.zeros(values.size, dtype=np.complex128)
            rows = _powers(self._unit(values, width), start, outer) if outer > 1 else start[None, :].copy()
            # (1 + a)(1 + b) - 1 = a + b (1 + a), summed with weights. Not by BLAS: its threads would cost more than
            # they save, and their number would change the last digit.
            total += (rows * weights).sum(axis=1)[:, None]
            inner *= weights
            rows += 1.0
            for row, line in zip(rows, total, strict=True):
                line += (inner * row).sum(axis=1)
        return total.ravel()[:number]

    def _unit(self, values: IntArray, k: int) -> ComplexArray:
        """Give e^(2 pi i k y / M) - 1; turns are taken off in integers where floats would lose the phase."""
        nodes = self.tilted.nodes
        half: FloatArray
        if k * self._widest <= nodes:
            half = (math.pi * k / nodes) * values.astype(np.float64)
        else:
            half = (math.pi / nodes) * centred(values, k, nodes)
        sines = np.sin(half)
        result = np.empty(half.shape, dtype=np.complex128)
        result.real = -2.0 * sines * sines
        result.imag = 2.0 * sines * np.cos(half)
        return result


def _powers(step: ComplexArray, start: ComplexArray, number: int) -> ComplexArray:
    """Give (1 + start)(1 + step)^j - 1 for j < number, by doubling: errors grow with log2 of the number only."""
    powers = np.empty((number, step.size), dtype=np.complex128)
    powers[0] = start
    filled = 1
    while filled < number:
        more = min(filled, number - filled)
        block = powers[filled : filled + more]
        np.multiply(powers[:more], step, out=block)
        block += powers[:more]
        block += step
        filled += more
        if filled < number:
            step = step * step + 2.0 * step
    return powers


def _chunks(size: int) -> Iterator[slice]:
    for start in range(0, size, _VALUES_PER_CHUNK):
        yield slice(start, min(start + _VALUES_PER_CHUNK, size))


def centred(values: IntArray, k: int, nodes: int) -> FloatArray:
    """Give k y modulo M between -M/2 and M/2, reduced in integers."""
    widest = max(abs(int(values.min())), abs(int(values.max())))
    if nodes < 1 << 62 and k * min(widest, nodes) < 1 << 62:
        residues = ((values % nodes if widest > nodes else values) * k) % nodes
        return np.where(2 * residues > nodes, residues - nodes, residues).astype(np.float64)
    half = nodes // 2
    return np.array([(value * k + half) % nodes - half for value in values.tolist()], dtype=np.float64)


def residues(first: int, number: int, value: int, nodes: int) -> FloatArray:
    """Give k value modulo M for number k from the first on, reduced in integers."""
    value %= nodes
    if (first + number) * value < 1 << 62:
        return (np.arange(first, first + number) * value % nodes).astype(np.float64)
    return np.array([(k * value) % nodes for k in range(first, first + number)], dtype=np.float64)
