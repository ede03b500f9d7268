"""Tails of many sums of random signs by Fourier inversion of the main lobe, where the saddlepoint is not good enough.

Nothing is proved about frequencies beyond the main lobe, as flips.py does for one pair at a time and up to a second;
few items and nearly coarser grids are recognised by the caller.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from nofluke.types import FloatArray

ComplexArray = npt.NDArray[np.complex128]

# Aliasing is below e^-30 of the tail.
_EXPONENT = 30.0
_LEAST_TILT = 1.0
_QUIET = 1e-13
_MOST_NODES = 240


def invert_lobe(
    sizes: FloatArray, threshold: FloatArray, half_step: FloatArray, tilt: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give log P(T >= threshold), the relative size of what was left out, and the last frequency, as in flip_saddle.

    P = e^(K(s) - s x) (D / pi) sum' Re[psi(t_k) e^(-i t_k x) g(s + i t_k)], t_k = k D, the first term halved, with
    psi(t) = prod (cos(t u) + i tanh(s u) sin(t u)) and g(c) = a / sinh(a c), x half a step a below the threshold.
    """
    s, x = np.maximum(tilt, _LEAST_TILT), threshold - half_step
    scaled = sizes * s[:, None]
    shrunk = np.exp(-2.0 * scaled)
    log_prefactor = (scaled + np.log((1.0 + shrunk) / 2.0)).sum(axis=1) - s * x
    tanh = (1.0 - shrunk) / (1.0 + shrunk)
    node = 2.0 * math.pi * s / (_EXPONENT - log_prefactor + np.log1p(s))
    total, size, reached = np.zeros(s.size), np.ones(s.size), np.zeros(s.size)
    rows, part, part_tanh = np.arange(s.size), sizes, tanh
    for k in range(_MOST_NODES):
        t = k * node[rows]
        angle = part * t[:, None]
        psi = np.multiply.reduce(np.cos(angle) + 1j * part_tanh * np.sin(angle), axis=1)
        term = psi * np.exp(-1j * t * x[rows]) * _kernel(s[rows] + 1j * t, half_step[rows])
        total[rows] += term.real * (0.5 if k == 0 else 1.0)
        size[rows], reached[rows] = np.maximum(np.abs(psi), 0.3 * size[rows]), t
        going = size[rows] >= _QUIET
        if not going.any():
            break
        if going.sum() < 0.8 * rows.size:
            rows, part, part_tanh = rows[going], part[going], part_tanh[going]
    total = np.maximum(total * node / math.pi, 1e-300)
    left_out = size * np.abs(_kernel(s + 1j * reached, half_step)) / total
    return np.minimum(log_prefactor + np.log(total), 0.0), np.maximum(left_out, 1e-10), reached


def _kernel(c: ComplexArray, a: FloatArray) -> ComplexArray:
    """Give a / sinh(a c), or 1 / c where the lattice is too fine to matter."""
    fine = np.abs(a * c) < 1e-5
    kernel: ComplexArray = np.where(fine, 1.0 / c, a / np.sinh(np.where(fine, 1.0, a * c)))
    return kernel
