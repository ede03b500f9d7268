"""The characteristic function of a tilted pair of sums at chosen nodes, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.engine.flips.nodes import ComplexArray
from nofluke.engine.lattice2d.tilt import TiltedPair
from nofluke.types import IntArray

# Counts up to this are powers by multiplication; larger ones multiply logarithms, which lose less.
_MOST_POWER = 4
_ELEMENTS = 1 << 16
# A factor of modulus 0 counts as 1e-8, so that its logarithm stays finite.
_LEAST = -1.0 + 2.0**-53


def roots(index: IntArray, position: IntArray, period: int) -> ComplexArray:
    """Give e^(2 pi i index position / period) as a table, the product reduced in integers."""
    turns = (index[:, None] * (position % period)) % period
    angles = turns.astype(np.float64) * (2.0 * np.pi / period)
    result = np.empty(angles.shape, dtype=np.complex128)
    np.cos(angles, out=result.real)
    np.sin(angles, out=result.imag)
    return result


def characteristic(pair: TiltedPair, k_1: IntArray, k_2: IntArray) -> ComplexArray:
    """Give prod (1 - q_j + q_j e^(i (t_1 x_j + t_2 y_j)))^m_j at the nodes (k_1, k_2)."""
    few = pair.counts <= _MOST_POWER
    result = np.ones(k_1.size, dtype=np.complex128)
    if few.any():
        result *= _by_products(pair, np.flatnonzero(few), k_1, k_2)
    if not few.all():
        result *= _by_logarithms(pair, np.flatnonzero(~few), k_1, k_2)
    return result


def _by_products(pair: TiltedPair, items: IntArray, k_1: IntArray, k_2: IntArray) -> ComplexArray:
    _, _, n_1, n_2 = pair.window
    items = np.repeat(items, pair.counts[items])
    chance = pair.chance[items]
    distinct_1, place_1 = np.unique(k_1, return_inverse=True)
    distinct_2, place_2 = np.unique(k_2, return_inverse=True)
    result = np.ones(k_1.size, dtype=np.complex128)
    # Blocks of items keep the tables of roots small, blocks of nodes the products.
    for part in _blocks(items.size, max(64, 4 * _ELEMENTS // (distinct_1.size + distinct_2.size))):
        first = roots(distinct_1, pair.x[items[part]], n_1)
        second = roots(distinct_2, pair.y[items[part]], n_2) * chance[part]
        for nodes in _blocks(k_1.size, max(1, _ELEMENTS // (part.stop - part.start))):
            factors = first[place_1[nodes]]
            factors *= second[place_2[nodes]]
            factors += 1.0 - chance[part]
            result[nodes] *= _product_of_rows(factors)
    return result


def _by_logarithms(pair: TiltedPair, items: IntArray, k_1: IntArray, k_2: IntArray) -> ComplexArray:
    """Modulus and phase apart, each to full relative accuracy: a large count multiplies a tiny error only."""
    _, _, n_1, n_2 = pair.window
    x, y, chance = pair.x[items] % n_1, pair.y[items] % n_2, pair.chance[items]
    weights, curvature = pair.counts[items].astype(np.float64), pair.curvature[items]
    result = np.empty(k_1.size, dtype=np.complex128)
    for nodes in _blocks(k_1.size, max(1, _ELEMENTS // items.size)):
        turns_1 = (k_1[nodes, None] * x) % n_1 / n_1
        turns_2 = (k_2[nodes, None] * y) % n_2 / n_2
        turns = turns_1 + turns_2
        turns -= np.rint(turns)
        sine = np.sin(np.pi * turns)
        cosine = np.cos(np.pi * turns)
        log_square = np.log1p(np.maximum(-curvature * sine * sine, _LEAST)) @ weights
        phase = np.arctan2(2.0 * chance * sine * cosine, 1.0 - 2.0 * chance * sine * sine) @ weights
        result[nodes] = np.exp(log_square / 2.0 + 1j * phase)
    return result


def _blocks(size: int, length: int) -> Iterator[slice]:
    for start in range(0, size, length):
        yield slice(start, min(start + length, size))


def _product_of_rows(factors: ComplexArray) -> ComplexArray:
    """Multiply along the rows by halving, in place: fast, and rounding grows slowly."""
    remaining: npt.NDArray[Any] = factors
    while remaining.shape[1] > 1:
        half = remaining.shape[1] // 2
        odd = remaining.shape[1] % 2
        if odd:
            remaining[:, 0] *= remaining[:, -1]
        remaining = np.multiply(remaining[:, :half], remaining[:, half : 2 * half], out=remaining[:, :half])
    return remaining[:, 0]
