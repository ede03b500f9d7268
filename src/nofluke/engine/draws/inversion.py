"""The tail of a sum of draws by Fourier inversion along a shifted contour, with a bound on its error.

P(Y >= k) = e^kappa(s) (1 - e^(-sM)) / M * sum_j psi(t_j) e^(-i t_j k) / (1 - e^(-(s + i t_j))), t_j = 2 pi j / M, exact
up to aliasing (bounded in draw_tilt) when all M nodes of the period are summed. Nodes are left out only where the
certificate of draw_scan or, failing that, the search of draw_comb says that they cannot matter.
"""

from __future__ import annotations

import dataclasses
import math

from nofluke.engine.draws.comb import kernel_integral, log_mean_modulus, resonances
from nofluke.engine.draws.law import DrawLaw
from nofluke.engine.draws.nodes import DrawNodes, NodeSum
from nofluke.engine.draws.period import fft_nodes, sum_whole_period
from nofluke.engine.draws.scan import CUTOFF, LONGEST_FFT, live_node_ranges
from nofluke.engine.draws.tilt import DrawTilt, tilt_to

_AFFORDABLE_SECONDS = 0.5
_FEW_NODES = 512
_WINDOW_SECONDS = 0.1
_SHORT_FFT = 1 << 15
# The whole period by FFT takes about 30 ns a node; phases of an N-fold power keep nine digits up to this N.
_LONGEST_PERIOD = 1 << 25
_MOST_DRAWS_BY_FFT = 20_000
# The main lobe ends where a run of nodes stays below this.
_LOBE_END = 1e-13
_LOBE_STEP = 32
_GOOD = 1e-10

Inverted = tuple[float, float, str]


def invert(law: DrawLaw, threshold: int) -> Inverted:
    """Give log P(Y >= threshold), a bound on its relative error, and the path; 0 < threshold < top."""
    tilted = tilt_to(law, threshold)
    nodes = DrawNodes(tilted)
    every = (0, tilted.nodes // 2)
    if every[1] <= _FEW_NODES:
        return _sum_ranges(nodes, [every], 0.0)
    for longest in (_SHORT_FFT, LONGEST_FFT):
        ranges = live_node_ranges(tilted, longest)
        if ranges is not None and _seconds(nodes, ranges) < _AFFORDABLE_SECONDS:
            left_out = math.exp(-CUTOFF) * kernel_integral(tilted.tilt, 2.0 * math.pi / tilted.nodes)
            return _sum_ranges(nodes, ranges, left_out)
    if nodes.seconds(every[1]) < _AFFORDABLE_SECONDS / 10:
        return _sum_ranges(nodes, [every], 0.0)
    running = NodeSum()
    left_out = _sum_with_search(running, nodes)
    searched = _finish(tilted, running, left_out, "inversion")
    if searched[1] > _GOOD and tilted.nodes <= _LONGEST_PERIOD and law.draws <= _MOST_DRAWS_BY_FFT:
        whole = dataclasses.replace(tilted, nodes=fft_nodes(tilted.nodes))
        return min(_finish(whole, sum_whole_period(whole), 0.0, "lattice"), searched, key=lambda found: found[1])
    return searched


def _seconds(nodes: DrawNodes, ranges: list[tuple[int, int]]) -> float:
    return sum(nodes.seconds(last - first + 1) for first, last in ranges)


def _sum_ranges(nodes: DrawNodes, ranges: list[tuple[int, int]], left_out: float) -> Inverted:
    running = NodeSum()
    for first, last in ranges:
        nodes.add(running, first, last)
    return _finish(nodes.tilted, running, left_out, "lattice")


def _finish(tilted: DrawTilt, running: NodeSum, left_out: float, path: str) -> Inverted:
    """Turn the node sum into log p, and its errors, added up, into a relative bound."""
    if not running.value > 0.0:
        return min(tilted.log_prefactor, 0.0), math.inf, path
    log_p = tilted.log_prefactor + math.log(running.value)
    log_p += math.log(-math.expm1(-tilted.tilt * tilted.nodes)) - math.log(tilted.nodes)
    rounding = running.rounding / running.value + tilted.log_prefactor_error
    truncation = left_out * tilted.nodes / running.value
    return min(log_p, 0.0), rounding + truncation + tilted.alias_bound(log_p), path


def _sum_with_search(running: NodeSum, nodes: DrawNodes) -> float:
    """Sum the main lobe and the windows around resonances; give a bound on what is left out (times M)."""
    tilted = nodes.tilted
    typical = log_mean_modulus(tilted)
    lobe = _sum_lobe(running, nodes, typical)
    start = 2.0 * math.pi / tilted.nodes * lobe
    # Resonances not above a thousand times the typical modulus are part of what the typical modulus bounds.
    held, left_out = resonances(nodes, start, typical + math.log(1e3))
    seen = lobe - 1
    half_width = min(lobe, math.ceil(9.0 / tilted.deviation * tilted.nodes / (2.0 * math.pi)))
    allowed = _WINDOW_SECONDS
    for centre in sorted(held):
        first, last = max(centre - half_width, seen + 1), min(centre + half_width, tilted.nodes // 2)
        if last < first:
            continue
        allowed -= nodes.seconds(last - first + 1)
        if allowed < 0:
            left_out += held[centre]
            continue
        nodes.add(running, first, last)
        seen = last
    return left_out + math.exp(typical) * kernel_integral(tilted.tilt, start)


def _sum_lobe(running: NodeSum, nodes: DrawNodes, typical: float) -> int:
    """Sum nodes from 0 on until the terms have died out; give how many."""
    most = nodes.tilted.nodes // 2 + 1
    floor = max(_LOBE_END, math.exp(typical))
    done, spent = 0, 0.0
    while done < most and spent < _AFFORDABLE_SECONDS:
        # In larger and larger strides, where it is long.
        number = min(max(_LOBE_STEP, done // 2), most - done)
        largest = nodes.add(running, done, done + number - 1)
        done, spent = done + number, spent + nodes.seconds(number)
        if largest < floor:
            break
    return done
