"""The probability of {U >= f(V)} for a pair of sums of random signs, by Fourier inversion on their lattice.

The tilted law in a window of N_1 x N_2 lattice points is a sum over N_1 x N_2 nodes that tile the dual cell; for every
Y the points of the event are a half-line of X, whose weighted sum is geometric:
sum_(X = a..b) e^(l (X - b) - i t X) = (e^(-i t b) - e^(-l (b - a + 1)) e^(-i t (a - 1))) / (1 - e^(-l + i t)).
So P = e^base / (N_1 N_2) sum_Y w(Y) sum_k psi(k) e^(-i t_2 Y) (that), exact but for what lies outside the window.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.engine.flips.nodes import ComplexArray
from nofluke.engine.lattice2d.nodes import characteristic, roots
from nofluke.engine.lattice2d.relevant_nodes import Live, live_nodes, log_mean_square, resonates
from nofluke.engine.lattice2d.tilt import TiltedPair, log_chance_bound
from nofluke.types import FloatArray, IntArray

_CUTOFF = 32.0
# Values of Y that hold less than e^-36 of the answer together are passed over.
_PASSED_OVER = 36.0
# |psi|^2 this much (e^7, a thousand times) above its mean is a resonance.
_RESONANT = 7.0
_LEVELS = 1 << 13
# Nodes in one direction from which a fast Fourier transform is worth its larger table, of so many entries at most.
_MANY_NODES = 64
_MOST_WAVES = 1 << 22
# Longer windows would take minutes.
_MOST_LEVELS = 1 << 21


@dataclass(slots=True)
class _Sum:
    """A running sum over Y, of the values and of the weights."""

    value: float = 0.0
    weight: float = 0.0


def invert_pair(pair: TiltedPair) -> tuple[float, float, str]:
    """Give log P(event), a bound on its relative error, and the path: "lattice" (proved) or "inversion" (judged)."""
    _, first_y, n_1, n_2 = pair.window
    if n_1 > _MOST_LEVELS or n_2 > _MOST_LEVELS:
        return pair.log_base, math.inf, "inversion"
    steepness = 1.0 + 2.5 * pair.tilt * pair.deviation
    live = live_nodes(pair, _CUTOFF + math.log(n_2 * (2.0 + math.log(n_1)) * steepness))
    psi = characteristic(pair, live.k_1, live.k_2)
    terms = _Terms(pair, live, psi)
    running = _Sum()
    for start in range(first_y, first_y + n_2, _LEVELS):
        terms.add(running, np.arange(start, min(start + _LEVELS, first_y + n_2), dtype=np.int64))
    value = running.value / (float(n_1) * n_2)
    # Every node is a product of N rounded factors whose errors are independent: sqrt(N) units in the last place.
    # A fast Fourier transform adds one for each of its stages.
    roundings = 16.0 + 2.0 * math.sqrt(float(pair.counts.sum())) + math.log2(n_2)
    modulus = 2.0 * terms.modulus * running.weight / (float(n_1) * n_2)
    error = math.ulp(1.0) * roundings * modulus + pair.outside + terms.passed_over
    bound = pair.log_base_error
    if live.proved:
        error += terms.left_out * running.weight
    else:
        bound += _judged(pair, steepness)
    # An event without points (nothing is more extreme) gives noise: then the error itself bounds the probability.
    value = max(value, error)
    return min(pair.log_base + math.log(value), 0.0), bound + error / value, "lattice" if live.proved else "inversion"


def _judged(pair: TiltedPair, steepness: float) -> float:
    """What nodes beyond the main lobe hold if their phases are as good as random: the root of the mean |psi|^2.

    Infinite where a resonance shows that they are not, which leaves the answer to other paths.
    """
    log_mean = log_mean_square(pair)
    if resonates(pair, max(log_mean + _RESONANT, -2.0 * _CUTOFF)):
        return math.inf
    return 4.0 * steepness * math.exp(log_mean / 2.0)


class _Terms:
    """The sum over nodes for given Y."""

    def __init__(self, pair: TiltedPair, live: Live, psi: ComplexArray) -> None:
        first_x, _, n_1, n_2 = pair.window
        self._pair, self._decay = pair, 2.0 * pair.tilt * pair.basis.step_u
        self._k_1, place_1 = np.unique(live.k_1, return_inverse=True)
        self._k_2, place_2 = np.unique(live.k_2, return_inverse=True)
        kernel = self._kernel(self._k_1)
        # A node k_2 > 0 stands for itself and its mirror image, but the last of an even period.
        twice = np.where((live.k_2 == 0) | (2 * live.k_2 == n_2), 1.0, 2.0)
        self._psi = np.zeros((self._k_1.size, self._k_2.size), dtype=np.complex128)
        self._psi[place_1, place_2] = psi * twice * kernel[place_1]
        self._waves = self._over_k_2(n_2)
        self._last = roots(self._k_1, np.array([first_x - 1]), n_1).conj()[:, 0]
        self._floor = -_PASSED_OVER - math.log(n_2 * (1.0 + 2.5 * pair.tilt * pair.deviation))
        self.passed_over = n_2 * math.exp(self._floor)
        self.modulus = float(np.abs(self._psi).sum())
        every = np.abs(self._kernel(np.arange(-(n_1 // 2), n_1 - n_1 // 2)))
        cutoff = _CUTOFF + math.log(n_2 * (2.0 + math.log(n_1)) * (1.0 + 2.5 * pair.tilt * pair.deviation))
        self.left_out = 2.0 * math.exp(-cutoff) * float(every.sum()) / n_1

    def _over_k_2(self, n_2: int) -> ComplexArray | None:
        """Sum psi e^(-i t_2 Y) over k_2 for every Y at once, where many k_2 make that the shorter way and it fits."""
        if self._k_1.size * n_2 > _MOST_WAVES or self._k_2.size < _MANY_NODES:
            return None
        spread = np.zeros((self._k_1.size, n_2), dtype=np.complex128)
        spread[:, self._k_2] = self._psi
        return np.fft.fft(spread, axis=1)

    def _kernel(self, k_1: IntArray) -> ComplexArray:
        """Give 1 / (1 - e^(-l + i t)); at t = 0 it is 1, for there the sum is made without it."""
        n_1 = self._pair.window[2]
        exponents = -self._decay + 2j * math.pi / n_1 * k_1
        exponents[k_1 == 0] = 1.0
        result: ComplexArray = -1.0 / np.expm1(exponents)
        # The direct sum has at most N_1 terms of at most 1; its weight in the error bound is that of the worst case.
        result[k_1 == 0] = self._longest(np.array([n_1], dtype=np.float64))[0]
        return result

    def _longest(self, terms: FloatArray) -> FloatArray:
        if self._decay == 0.0:
            return terms
        result: FloatArray = np.expm1(-self._decay * terms) / math.expm1(-self._decay)
        return result

    def add(self, running: _Sum, y: IntArray) -> None:
        """Add the half-lines of the given Y."""
        pair, basis = self._pair, self._pair.basis
        first_x, _, n_1, n_2 = pair.window
        v = pair.start_v - 2 * basis.step_v * y
        last = (pair.start_u - pair.event.least_of(v) - 2 * basis.shear * y) // (2 * basis.step_u)
        last = np.minimum(last, first_x + n_1 - 1)
        kept = last >= first_x
        y, v, last = y[kept], v[kept], last[kept]
        if not y.size:
            return
        u = pair.start_u - 2 * (basis.step_u * last + basis.shear * y)
        log_weight = -pair.tilt * (u + pair.slope * v - pair.anchor)
        # Rounding is as large as the weight, so a Y that is too improbable to matter is better left out.
        kept = log_weight + log_chance_bound(pair, y) > self._floor
        y, last, log_weight = y[kept], last[kept], log_weight[kept]
        weight = np.exp(log_weight)
        terms = (last - first_x + 1).astype(np.float64)
        ends = roots(last, self._k_1, n_1).conj()
        ends -= np.exp(-self._decay * terms)[:, None] * self._last
        centre = np.flatnonzero(self._k_1 == 0)
        if centre.size:
            longest = self._longest(np.array([n_1], dtype=np.float64))[0]
            ends[:, centre[0]] = self._longest(terms) / longest
        if self._waves is not None:
            ends *= self._waves[:, y % n_2].T
            summed = ends
        else:
            # Not by BLAS, whose roundings depend on the number of threads.
            summed = np.einsum("yk,kl->yl", ends, self._psi)
            summed *= roots(y, self._k_2, n_2).conj()
        running.value += float(weight @ summed.real.sum(axis=1))
        running.weight += float(weight.sum())
