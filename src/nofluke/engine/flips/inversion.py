"""The tail of a sum of random signs by Fourier inversion along a shifted contour, with a bound on its error.

P(T >= x) = e^(K(s) - s x) (1 - e^(-sL)) / M * sum_k psi(t_k) e^(-i t_k x) / (1 - e^(-2(s + i t_k))), t_k = pi k / M,
L = 2M, exact up to aliasing (bounded in flip_tilt) when all M nodes of the period are summed. Nodes are left out only
where the certificate of flip_scan or, failing that, the search of flip_comb says that they cannot matter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.engine.flips.certificate import CUTOFF, live_node_ranges
from nofluke.engine.flips.hidden_grid import Coarse, on_hidden_grid
from nofluke.engine.flips.nodes import BLOCK, ComplexArray, NodeSums
from nofluke.engine.flips.peaks import Peaks, climb, in_phase
from nofluke.engine.flips.resonances import kernel_integral, log_mean_modulus, resonances
from nofluke.engine.flips.tilt import GENTLE_TILT, Tilt, tilt_to
from nofluke.engine.tail import Tail, between
from nofluke.types import FloatArray, IntArray

# The whole period (or all of it that is not proved negligible) is summed when that takes less than this.
_AFFORDABLE_SECONDS = 1.0
_WINDOW_SECONDS = 0.1
_FEW_ITEMS = 200
# The main lobe ends where two steps of nodes stay below this.
_LOBE_END = 1e-13
_MOST_LOBE_SECONDS = 0.5
_FEW_TERMS = 25_000
_LOBE_STEP = 8


@dataclass(slots=True)
class _Sum:
    """A running sum over nodes, of the terms and of their moduli."""

    value: float = 0.0
    modulus: float = 0.0
    nodes: int = 0


def invert(values: IntArray, counts: IntArray, total: int, threshold: int, scale: int) -> Tail:
    """Give log P(T >= threshold), a bound on its relative error, and the path; 0 < threshold < total, same parity."""
    tilted = tilt_to(values, counts, total, threshold)
    sums = NodeSums(tilted)
    every = (0, tilted.nodes // 2)
    running, path = _Sum(), "lattice"
    ranges: list[tuple[int, int]] | None = [every]
    if every[1] > 2 * BLOCK:
        ranges = live_node_ranges(tilted)
    if ranges is None or _seconds(ranges, sums) > _AFFORDABLE_SECONDS:
        ranges = [every] if _seconds([every], sums) < _AFFORDABLE_SECONDS else None
    if ranges is not None:
        for first, last in ranges:
            _add(running, sums, first, last)
        left_out = 0.0 if ranges == [every] else math.exp(-CUTOFF) * kernel_integral(tilted, math.pi / tilted.nodes)
    else:
        path = "inversion"
        if int(counts.sum()) < _FEW_ITEMS:
            tilted = tilt_to(values, counts, total, threshold, GENTLE_TILT)
            sums = NodeSums(tilted)
        low = in_phase(tilted.values.astype(np.float64), tilted.counts * tilted.curvature, modulus=False)
        coarse = _on_hidden_grid(tilted, low[0])
        if coarse is not None:
            return _on_coarse(coarse)
        left_out = _sum_with_search(running, sums, scale, low)
    return _finish(tilted, running, left_out, path)


def _on_coarse(coarse: Coarse) -> Tail:
    upper = invert(coarse.values, coarse.counts, coarse.total, coarse.may, 1)
    if coarse.may == coarse.must:
        return upper
    return between(upper, invert(coarse.values, coarse.counts, coarse.total, coarse.must, 1))


def _on_hidden_grid(tilted: Tilt, low: FloatArray) -> Coarse | None:
    """Look whether the values are multiples of the step that the first place in phase tells of."""
    if not low.size:
        return None
    values: FloatArray = tilted.values.astype(np.float64)
    first = climb(low[:1], values, tilted.counts.astype(np.float64), modulus=False)
    return on_hidden_grid(tilted.values, tilted.counts, tilted.threshold, 1.0 / float(first[0]))


def _seconds(ranges: list[tuple[int, int]], sums: NodeSums) -> float:
    return sum(last - first + 1 for first, last in ranges) * sums.seconds_per_node


def _finish(tilted: Tilt, running: _Sum, left_out: float, path: str) -> Tail:
    if not running.value > 0.0:
        return Tail(tilted.log_prefactor, math.inf, path)
    log_p = tilted.log_prefactor + math.log(running.value)
    log_p += math.log(-math.expm1(-2.0 * tilted.tilt * tilted.nodes)) - math.log(tilted.nodes)
    # Every node is a product of N rounded factors whose errors are independent: sqrt(N) units in the last place.
    roundings = 8.0 + 2.0 * math.sqrt(float(tilted.counts.sum()))
    rounding = math.ulp(1.0) * roundings * running.modulus / running.value + tilted.log_prefactor_error
    truncation = left_out * tilted.nodes / running.value
    return Tail(min(log_p, 0.0), rounding + truncation + tilted.alias_bound(log_p), path)


def _add(running: _Sum, sums: NodeSums, first: int, last: int) -> None:
    """Add nodes first .. last; a node k > 0 stands for itself and its mirror image, but the last of an even period."""
    nodes = sums.tilted.nodes
    for start in range(first, last + 1, 8 * BLOCK):
        number = min(8 * BLOCK, last + 1 - start)
        _accumulate(running, sums, start, sums.at(start, number), nodes)


def _accumulate(running: _Sum, sums: NodeSums, start: int, psi: ComplexArray, nodes: int) -> None:
    k = np.arange(start, start + psi.size, dtype=np.float64)
    kernel = -1.0 / np.expm1(-2.0 * (sums.tilted.tilt + 1j * (math.pi / nodes) * k))
    weights = np.full(psi.size, 2.0)
    if start == 0:
        weights[0] = 1.0
    if nodes % 2 == 0 and start + psi.size - 1 == nodes // 2:
        weights[-1] = 1.0
    terms = weights * psi * kernel
    running.value += float(terms.real.sum())
    running.modulus += float(np.abs(terms).sum())
    running.nodes += psi.size


def _sum_with_search(running: _Sum, sums: NodeSums, scale: int, low: Peaks) -> float:
    """Sum the main lobe and the windows around resonances; give a bound on what is left out (times M)."""
    tilted = sums.tilted
    typical = log_mean_modulus(tilted)
    lobe = _sum_lobe(running, sums, max(_LOBE_END, math.exp(typical)))
    start = math.pi / tilted.nodes * lobe
    # Resonances not above a thousand times the typical modulus are part of what the typical modulus bounds.
    held, left_out = resonances(sums, scale, start, typical + math.log(1e3), low)
    seen = lobe - 1
    half_width = min(lobe, math.ceil(9.0 / tilted.deviation * tilted.nodes / math.pi))
    allowed = _WINDOW_SECONDS / sums.seconds_per_node
    for centre in sorted(held):
        first, last = max(centre - half_width, seen + 1), min(centre + half_width, tilted.nodes // 2)
        if last < first:
            continue
        allowed -= last - first + 1
        if allowed < 0:
            left_out += held[centre]
            continue
        _add(running, sums, first, last)
        seen = last
    return left_out + math.exp(typical) * kernel_integral(tilted, start)


def _sum_lobe(running: _Sum, sums: NodeSums, floor: float) -> int:
    """Sum nodes from 0 on until the terms have died out; give how many."""
    tilted = sums.tilted
    most = min(int(_MOST_LOBE_SECONDS / sums.seconds_per_node) + 2 * BLOCK, tilted.nodes // 2 + 1)
    # Of few items the terms do not die out for good at once; more of them cost little.
    least = min(_FEW_TERMS // int(tilted.counts.sum()), most)
    done, quiet = 0, 0
    while done < most and (quiet < 2 or done < least):
        number = min(_LOBE_STEP, most - done)
        psi = sums.at(done, number)
        _accumulate(running, sums, done, psi, tilted.nodes)
        quiet = quiet + 1 if float(np.abs(psi).max()) < floor else 0
        done += number
    return done
