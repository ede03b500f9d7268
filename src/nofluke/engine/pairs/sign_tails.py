"""Tails of many sums of random signs at once: saddlepoints to second order, corrected for the lattice.

K(s) = sum log cosh(s u_i); Edgeworth's series near the centre. engine/saddlepoint.py has the formula of the tail.

Where a saddlepoint is not good enough, the main lobe is inverted. Nothing is proved about frequencies beyond it, as
engine/flips does for one pair at a time and up to a second; few items and nearly coarser grids are recognised by the
caller.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from nofluke.engine.saddlepoint import Cumulants, lugannani_rice, solve_rows
from nofluke.types import FloatArray

# Nearer to the centre, in standard deviations, Edgeworth's series is better: 1/w - 1/u would cancel.
CENTRE = 0.2
ComplexArray = npt.NDArray[np.complex128]

# Aliasing is below e^-30 of the tail.
_EXPONENT = 30.0
_LEAST_TILT = 1.0
_QUIET = 1e-13
_MOST_NODES = 240
# Sums over more sizes than this go by nodes, so many of them.
_MANY, _NODES = 8_192, 1_024


@dataclass(frozen=True, slots=True, eq=False)
class Saddle:
    """Tails P(T >= x), the points P(T = x), an estimate of the relative error, and the tilts.

    The estimate is the size of the first terms left out, all with the same sign: in 300 tails of normal, t and
    lognormal differences (41 to 1,000 items) the error was never above it, and a twentieth of it in the median.
    `curvature` is K''(s) against K''(0) = 1: how much of the variance the tilt has left.
    """

    log_tail: FloatArray
    point: FloatArray
    error: FloatArray
    tilt: FloatArray
    curvature: FloatArray


def flip_saddle(
    sizes: FloatArray, threshold: FloatArray, half_step: FloatArray, counts: FloatArray | None = None
) -> Saddle:
    """Approximate the tails of rows of sizes |d| with sum of squares 1, at thresholds >= 0 in the same unit.

    `half_step` is half the step of the lattice that the threshold lies on; it may be negligible. `counts`, of the shape
    of the sizes, repeat them.
    """
    law = (sizes,) if counts is None else (sizes, counts)
    widest = None
    if counts is None and sizes.shape[1] >= _MANY:
        law, widest = _on_nodes(sizes)
    x = threshold - half_step
    saddle = Saddle(*(np.empty_like(x) for _ in fields(Saddle)))
    for rows, method in ((np.flatnonzero(x < CENTRE), _central), (np.flatnonzero(x >= CENTRE), _outer)):
        if rows.size:
            chosen = law if rows.size == x.size else tuple(array[rows] for array in law)
            part = method(chosen, x[rows], half_step[rows])
            for field in fields(Saddle):
                getattr(saddle, field.name)[rows] = getattr(part, field.name)
    if widest is not None:
        # Interpolation leaves out a part of K, about the tail's logarithm, of the size of (s times a step) cubed.
        left = (saddle.tilt * widest / _NODES) ** 3
        saddle = replace(saddle, error=saddle.error + np.maximum(1.0, -saddle.log_tail) * left)
    return saddle


def _on_nodes(sizes: FloatArray) -> tuple[tuple[FloatArray, FloatArray], FloatArray]:
    """Give even nodes for every row with the weights of parabolas through three of them, and each row's largest size.

    All that saddlepoints sum up are even, smooth functions of the sizes, of which far fewer nodes than items know all
    digits: with s times a step of 0.005, as 40 deviations from the mean are among 20,000 items, nine of them.
    """
    rows, widest = len(sizes), sizes.max(axis=1)
    step = widest / _NODES
    # One node more on either side: what lies below 0 is folded back.
    width = _NODES + 3
    places = sizes * (1.0 / step)[:, None]
    places += (width * np.arange(rows) + 1.5)[:, None]
    index = places.astype(np.int64)
    places -= index
    places -= 0.5
    flat, off, size = index.ravel(), places.ravel(), rows * width
    often, first = np.bincount(flat, None, size).astype(np.float64), np.bincount(flat, off, size)
    off *= off
    second = np.bincount(flat, off, size)
    weights = often - second
    weights[1:] += (second + first)[:-1] / 2.0
    weights[:-1] += (second - first)[1:] / 2.0
    folded = weights.reshape(rows, width)
    folded[:, 2] += folded[:, 0]
    return (step[:, None] * np.arange(_NODES + 2), np.ascontiguousarray(folded[:, 1:])), widest


def _central(law: tuple[FloatArray, ...], x: FloatArray, a: FloatArray) -> Saddle:
    sizes, *counts = law
    squares = sizes * sizes
    return central_saddle(*_moments(squares * counts[0] if counts else squares, squares), x, a)


def central_saddle(fourth: FloatArray, sixth: FloatArray, eighth: FloatArray, x: FloatArray, a: FloatArray) -> Saddle:
    """Give the tails near the centre, from sums of powers of the sizes, by Edgeworth's series."""
    tail, _ = edgeworth(x, a, fourth, sixth)
    point = _central_point(x + a, 2.0 * a, -2.0 * fourth, 16.0 * sixth)
    error = left_out(np.zeros_like(x), fourth, sixth, eighth)
    return Saddle(np.log(tail), point, error, np.maximum(x, 0.0), np.ones_like(x))


def edgeworth(x: FloatArray, a: FloatArray, fourth: FloatArray, sixth: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give P(T >= x + a) by Edgeworth's series, and the size of its correction to the normal tail, as a part of that.

    The cumulants are 1, 0, -2 sum u^4, 0, 16 sum u^6, corrected for the lattice of step 2a (Sheppard).
    """
    from scipy.special import ndtr

    deviation = np.sqrt(np.maximum(1.0 - a**2 / 3.0, 0.1))
    k4 = (-2.0 * fourth + (2.0 * a) ** 4 / 120.0) / deviation**4
    k6 = (16.0 * sixth - (2.0 * a) ** 6 / 252.0) / deviation**6
    z = np.clip(x / deviation, -8.0, 8.0)
    density = np.exp(-z * z / 2.0) / math.sqrt(2.0 * math.pi)
    h3, h5 = z**3 - 3.0 * z, z**5 - 10.0 * z**3 + 15.0 * z
    h7 = z**7 - 21.0 * z**5 + 105.0 * z**3 - 105.0 * z
    series = density * (k4 / 24.0 * h3 + k6 / 720.0 * h5 + k4 * k4 / 1152.0 * h7)
    normal = ndtr(-z)
    return np.clip(normal + series, 1e-300, 1.0), np.abs(series) / normal


def _central_point(z: FloatArray, step: FloatArray, k4: FloatArray, k6: FloatArray) -> FloatArray:
    """Edgeworth's density times the step."""
    y = z * z
    h4, h6 = y * y - 6.0 * y + 3.0, y**3 - 15.0 * y * y + 45.0 * y - 15.0
    h8 = y**4 - 28.0 * y**3 + 210.0 * y * y - 420.0 * y + 105.0
    series = 1.0 + k4 / 24.0 * h4 + k6 / 720.0 * h6 + k4 * k4 / 1152.0 * h8
    density: FloatArray = step * np.exp(-y / 2.0) / math.sqrt(2.0 * math.pi) * series
    return density


def _outer(law: tuple[FloatArray, ...], x: FloatArray, a: FloatArray) -> Saddle:
    s = solve_rows(x, law, flip_slopes)
    (cumulant, k2, k3, k4), higher = flip_cumulants(s, *law)
    sizes, *counts = law
    if counts:
        # A count would repeat the rounding of log cosh, which 1/w^3 magnifies near the centre; less of it is lost here.
        y = sizes * s[:, None]
        cumulant = np.einsum("ij,ij->i", counts[0], y + np.log1p(np.expm1(-2.0 * y) / 2.0))
    log_tail, point = lugannani_rice(x, a, s, (cumulant, k2, k3, k4))
    error = left_out(k3 / k2**1.5, *(moment / k2**order for order, moment in enumerate(higher, start=2)))
    return Saddle(log_tail, point, error, s, k2)


def flip_slopes(s: FloatArray, sizes: FloatArray, counts: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
    """Give K'(s) and K''(s) = sum u^2 (1 - tanh^2) of rows with sum u^2 = 1; `counts` repeat the sizes."""
    tilted = _tanh(sizes * s[:, None])
    tilted *= sizes
    weighted = tilted if counts is None else counts * tilted
    return weighted.sum(axis=1), np.maximum(1.0 - np.einsum("ij,ij->i", weighted, tilted), 1e-12)


def _tanh(y: FloatArray) -> FloatArray:
    """Give tanh of y >= 0 in place, by the exponential, which is twice as fast; errors are below 1e-15 absolutely."""
    y *= -2.0
    np.exp(y, out=y)
    numerator = 1.0 - y
    y += 1.0
    numerator /= y
    return numerator


def left_out(skew: FloatArray, fourth: FloatArray, sixth: FloatArray, eighth: FloatArray) -> FloatArray:
    """Size the third-order terms by the standardised cumulants -2, 16 and -272 times the moments."""
    estimate: FloatArray = sixth / 3.0 + eighth * (272.0 / 384.0) + (fourth / 4.0 + 5.0 / 24.0 * skew**2) ** 2
    return estimate


def _moments(weight: FloatArray, squares: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give the sums of weight u^2, weight u^4 and weight u^6."""
    powers = weight * squares
    fourth = powers.sum(axis=1)
    powers *= squares
    sixth = powers.sum(axis=1)
    powers *= squares
    return fourth, sixth, powers.sum(axis=1)


def flip_cumulants(
    s: FloatArray, sizes: FloatArray, counts: FloatArray | None = None
) -> tuple[Cumulants, tuple[FloatArray, FloatArray, FloatArray]]:
    """Give K and its derivatives, and the moments; 1 - tanh^2 = 4e/(1 + e)^2, e = e^(-2su), is stable."""
    y = sizes * s[:, None]
    shrunk = np.exp(-2.0 * y)
    plus = 1.0 + shrunk
    halves = plus / 2.0
    y += np.log(halves, out=halves)
    cumulant = y.sum(axis=1) if counts is None else np.einsum("ij,ij->i", counts, y)
    tanh = (1.0 - shrunk) / plus
    weight = shrunk
    weight *= 4.0
    weight /= plus
    weight /= plus
    squares = sizes * sizes
    weight *= squares
    if counts is not None:
        weight *= counts
    k2 = np.maximum(weight.sum(axis=1), 1e-300)
    tanh *= sizes
    k3 = -2.0 * np.einsum("ij,ij->i", weight, tanh)
    tanh *= tanh
    moments = _moments(weight, squares)
    k4 = 6.0 * np.einsum("ij,ij->i", weight, tanh) - 2.0 * moments[0]
    return (cumulant, k2, k3, k4), moments


def invert_lobe(
    sizes: FloatArray,
    threshold: FloatArray,
    half_step: FloatArray,
    tilt: FloatArray,
    counts: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give log P(T >= threshold), the relative size of what was left out, and the last frequency, as in flip_saddle.

    P = e^(K(s) - s x) (D / pi) sum' Re[psi(t_k) e^(-i t_k x) g(s + i t_k)], t_k = k D, the first term halved, with
    psi(t) = prod (cos(t u) + i tanh(s u) sin(t u)) and g(c) = a / sinh(a c), x half a step a below the threshold.
    """
    s, x = np.maximum(tilt, _LEAST_TILT), threshold - half_step
    scaled = sizes * s[:, None]
    shrunk = np.exp(-2.0 * scaled)
    logs = scaled + np.log((1.0 + shrunk) / 2.0)
    log_prefactor = (logs if counts is None else counts * logs).sum(axis=1) - s * x
    tanh = (1.0 - shrunk) / (1.0 + shrunk)
    node = 2.0 * math.pi * s / (_EXPONENT - log_prefactor + np.log1p(s))
    # On a lattice the integrand repeats itself: an odd number of nodes tiles its period, and half of them are all.
    last = np.ceil((math.pi / half_step / node - 1.0) / 2.0)
    node = np.where(last < _MOST_NODES, math.pi / half_step / (2.0 * last + 1.0), node)
    total, size, reached = np.zeros(s.size), np.ones(s.size), np.zeros(s.size)
    rows, part, part_tanh, part_counts = np.arange(s.size), sizes, tanh, counts
    for k in range(_MOST_NODES):
        t = k * node[rows]
        angle = part * t[:, None]
        factors = np.cos(angle) + 1j * part_tanh * np.sin(angle)
        psi = np.multiply.reduce(factors if part_counts is None else factors**part_counts, axis=1)
        term = psi * np.exp(-1j * t * x[rows]) * _kernel(s[rows] + 1j * t, half_step[rows])
        total[rows] += np.where(k <= last[rows], term.real, 0.0) * (0.5 if k == 0 else 1.0)
        size[rows], reached[rows] = np.maximum(np.abs(psi), 0.3 * size[rows]), t
        size[rows[k >= last[rows]]] = 0.0
        going = size[rows] >= _QUIET
        if not going.any():
            break
        if going.sum() < 0.8 * rows.size:
            rows, part, part_tanh = rows[going], part[going], part_tanh[going]
            part_counts = None if part_counts is None else part_counts[going]
    total = np.maximum(total * node / math.pi, 1e-300)
    left_out = size * np.abs(_kernel(s + 1j * reached, half_step)) / total
    return np.minimum(log_prefactor + np.log(total), 0.0), np.maximum(left_out, 1e-10), reached


def _kernel(c: ComplexArray, a: FloatArray) -> ComplexArray:
    """Give a / sinh(a c), or 1 / c where the lattice is too fine to matter."""
    fine = np.abs(a * c) < 1e-5
    kernel: ComplexArray = np.where(fine, 1.0 / c, a / np.sinh(np.where(fine, 1.0, a * c)))
    return kernel
