"""Every node of the period of a sum of few draws, by FFTs, where none of them is negligible."""

from __future__ import annotations

import cmath
import math

import numpy as np

from nofluke.engine.draws.nodes import ComplexArray, NodeSum, centred
from nofluke.engine.draws.tilt import DrawTilt

_WHOLE_FFT = 1 << 16
_FFT_ERROR = 8.0 * math.ulp(1.0)


def sum_whole_period(tilted: DrawTilt) -> NodeSum:
    """Add every node of the period; `nodes` must be one of `fft_nodes`.

    Node k = a + R b: for every a an FFT over b of the weights turned by e^(2 pi i a y / M), in the memory of one FFT.
    Powers and the kernel need no sines: e^(-i t) is a table over b turned by a.
    """
    law, nodes, running = tilted.law, tilted.nodes, NodeSum()
    rows, length = nodes // _WHOLE_FFT, _WHOLE_FFT
    bins, b = law.values % length, np.arange(length)
    damped = math.exp(-tilted.tilt) * np.exp((-2j * math.pi / length) * b)
    turn_back = np.exp((-2j * math.pi / length) * ((b * (tilted.threshold % length)) % length))
    for a in range(rows // 2 + 1):
        turned = tilted.weights * np.exp((2j * math.pi / nodes) * centred(law.values, a, nodes))
        histogram = np.empty(length, dtype=np.complex128)
        histogram.real = np.bincount(bins, weights=turned.real, minlength=length)
        histogram.imag = np.bincount(bins, weights=turned.imag, minlength=length)
        phi = np.fft.ifft(histogram) * length
        kernel = 1.0 - damped * cmath.exp(-2j * math.pi * a / nodes)
        # Next to frequency 0 one minus almost one has lost its digits.
        for place, k in ((0, a), (length - 1, a - rows)):
            kernel[place] = -np.expm1(-(tilted.tilt + 2j * math.pi * k / nodes))
        terms = turn_back / kernel
        sizes = np.abs(terms) * np.abs(phi) ** (law.draws - 1)
        terms *= whole_power(phi, law.draws) * cmath.exp(-2j * math.pi * ((a * tilted.threshold) % nodes) / nodes)
        # Row R - a holds the mirror images of row a; rows 0 and R/2 hold their own.
        fold = 1.0 if a == 0 or 2 * a == rows else 2.0
        running.value += fold * float(terms.real.sum())
        running.modulus += fold * float(np.abs(terms).sum())
        # An FFT is right to a few units in the last place of the largest possible value, 1; the power multiplies that.
        running.rounding += fold * _FFT_ERROR * (law.draws + 1) * float(sizes.sum())
        running.nodes += length
    return running


def whole_power(base: ComplexArray, exponent: int) -> ComplexArray:
    """Raise to a whole power by squaring."""
    result = np.ones_like(base)
    while exponent:
        if exponent & 1:
            result *= base
        exponent >>= 1
        if exponent:
            base = base * base
    return result


def fft_nodes(nodes: int) -> int:
    """Give the next period that `sum_whole_period` can take."""
    return -(-nodes // (2 * _WHOLE_FFT)) * 2 * _WHOLE_FFT
