"""Characteristic functions of the differences of all pairs, by matrix products that are exact in every order.

mean_i e^(it(x_ia - x_ib)) for all a, b is one complex product E E* / n. Floating-point products depend on the number
of threads; here cosines and sines are cut into a coarse and a fine part, whole multiples of 2^-23 and 2^-46, so that
every sum over a slice of 128 items is exact, and slices are added up in a fixed order. What is cut off depends on the
item as well (a fixed dither), so that it averages out even if many items have the same scores.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from nofluke.types import FloatArray

ComplexArray = npt.NDArray[np.complex128]

_SLICE = 128
# Adding and taking away 1.5 * 2^k rounds to multiples of 2^(k - 52).
_TO_COARSE = 1.5 * 2.0**29
_TO_FINE = 1.5 * 2.0**6
_FINE = 2.0**-46
# Root mean square of what is cut off each factor, dither included.
ROUNDING = _FINE / math.sqrt(6.0)
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


class Phases:
    """Scores prepared for products at any frequency; `scores` is (S, n), small after centring.

    Memory is used again from node to node: asking the system for fresh pages would cost as much as the products.
    """

    def __init__(self, scores: FloatArray) -> None:
        systems, self.items = scores.shape
        slices = -(-self.items // _SLICE)
        padded = np.zeros((systems, slices * _SLICE))
        padded[:, : self.items] = scores
        self._scores = np.ascontiguousarray(padded.reshape(systems, slices, _SLICE).transpose(1, 0, 2))
        self._padding = slices * _SLICE - self.items
        turns = np.arange(self._scores.size) * _GOLDEN
        self._dither = ((turns - np.rint(turns)) * _FINE).reshape(self._scores.shape)
        self._waves = np.empty((4, *self._scores.shape))
        self._rest = np.empty(self._scores.shape)
        self._products = np.empty((slices, systems, systems))

    def means(self, frequency: float) -> ComplexArray:
        """Give the (S, S) means of e^(i frequency (x_a - x_b)) over the items."""
        cosine, cosine_rest, sine, sine_rest = self._waves
        self._cut(np.cos, frequency, cosine, cosine_rest)
        self._cut(np.sin, frequency, sine, sine_rest)
        times = self._times
        mixed = times(cosine, cosine_rest) + times(sine, sine_rest)
        small = mixed + mixed.T + times(cosine_rest, cosine_rest) + times(sine_rest, sine_rest)
        real = times(cosine, cosine) + times(sine, sine) + small
        small = times(sine, cosine_rest) + times(sine_rest, cosine) + times(sine_rest, cosine_rest)
        imaginary = times(sine, cosine) + small
        # Padding items are zeros: each adds cos(0)^2 = 1.
        mean: ComplexArray = (real - self._padding + 1j * (imaginary - imaginary.T)) / self.items
        return mean

    def _cut(self, wave: np.ufunc, frequency: float, coarse: FloatArray, fine: FloatArray) -> None:
        """Write the coarse and the fine part of a wave."""
        rest = np.multiply(self._scores, frequency, out=self._rest)
        wave(rest, out=rest)
        np.add(rest, _TO_COARSE, out=coarse)
        coarse -= _TO_COARSE
        rest -= coarse
        rest += self._dither
        np.add(rest, _TO_FINE, out=fine)
        fine -= _TO_FINE

    def _times(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Each slice exactly (a multiple of one power of 2, below 2^53 of it), then the slices one after the other."""
        np.matmul(first, second.transpose(0, 2, 1), out=self._products)
        result: FloatArray = np.add.reduce(self._products, axis=0)
        return result
