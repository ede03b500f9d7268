"""The tail of a sum of draws by Fourier inversion along a shifted contour, with a bound on its error.

P(Y >= k) = e^kappa(s) (1 - e^(-sM)) / M * sum_j psi(t_j) e^(-i t_j k) / (1 - e^(-(s + i t_j))), t_j = 2 pi j / M, exact
up to aliasing (bounded in tilt.py) when all M nodes of the period are summed. Nodes are left out only where the
certificates of gaps.py and certificate.py or, failing those, the search of resonances.py says that they cannot matter.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from nofluke.engine.draws.certificate import CUTOFF, LONGEST_FFT, live_node_ranges
from nofluke.engine.draws.gaps import quick_node_ranges
from nofluke.engine.draws.law import DrawLaw, multiset, on_lattice
from nofluke.engine.draws.nodes import DrawNodes, NodeSum, Terms, residues
from nofluke.engine.draws.period import fft_nodes, sum_whole_period
from nofluke.engine.draws.resonances import kernel_integral, log_mean_modulus, resonances
from nofluke.engine.draws.tilt import DrawTilt, tilt_to
from nofluke.engine.flips.certificate import Range
from nofluke.engine.flips.hidden_grid import NARROW, first_multiples, multiples_of
from nofluke.engine.flips.peaks import Peaks, climb, in_phase
from nofluke.engine.tail import Tail, between
from nofluke.types import FloatArray

_AFFORDABLE_SECONDS = 0.5
_FEW_NODES = 512
_WINDOW_SECONDS = 0.1
# The whole period by FFT takes about 30 ns a node; phases of an N-fold power keep nine digits up to this N.
_LONGEST_PERIOD = 1 << 25
_MOST_DRAWS_BY_FFT = 20_000
# The main lobe ends where a run of nodes stays below this.
_LOBE_END = 1e-13
_LOBE_STEP = 32
_GOOD = 1e-10
# What turning a term by a rounded angle, and adding the difference, may cost.
_TURN_ERROR = 12.0 * math.ulp(1.0)
# From the quick certificate to the patient one.
_CERTIFICATES: tuple[Callable[[DrawTilt], list[Range] | None], ...] = (
    quick_node_ranges,
    partial(live_node_ranges, longest=LONGEST_FFT),
)
# Weights that the tilt has changed by less than this factor show the same resonances as those without a tilt.
_MILD = 2.0


def invert(law: DrawLaw, threshold: int) -> Tail:
    """Give log P(Y >= threshold), a bound on its relative error, and the path; 0 < threshold < top."""
    contour = contour_of(law, threshold)
    coarse = _on_hidden_grid(contour)
    if coarse is not None:
        on_grid, may, must = coarse
        upper = invert(on_grid, may)
        return upper if may == must else between(upper, invert(on_grid, must))
    found, tilted = contour.tail(threshold), contour.tilted
    if found.bound > _GOOD and tilted.nodes <= _LONGEST_PERIOD and law.draws <= _MOST_DRAWS_BY_FFT:
        whole = replace(tilted, nodes=fft_nodes(tilted.nodes))
        return min(_finish(whole, sum_whole_period(whole), 0.0, "lattice"), found, key=lambda one: one.bound)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Contour:
    """One tilt and all nodes that count: the tail at any threshold near the one it was made for, in microseconds.

    Neither the moduli of the nodes nor what is known about those left out depends on the threshold; the terms only
    turn by e^(-i t (k' - k)). Far from its own threshold the terms cancel, and the bound says so.
    """

    tilted: DrawTilt
    terms: list[Terms]
    left_out: float
    path: str
    in_phase: FloatArray

    def tail(self, threshold: int) -> Tail:
        """Give log P(Y >= threshold), a bound on its relative error, and the path."""
        by, period, running = threshold - self.tilted.threshold, self.tilted.nodes, NodeSum()
        for terms in self.terms:
            running.add(terms)
            if by:
                turns = (2.0 * math.pi / period) * residues(terms.first, terms.sizes.size, by, period)
                turned = terms.values.real * (np.cos(turns) - 1.0) + terms.values.imag * np.sin(turns)
                running.value += float(turned.sum())
                running.rounding += _TURN_ERROR * terms.total_size
        return _finish(self.tilted.moved_to(threshold) if by else self.tilted, running, self.left_out, self.path)


def contour_of(law: DrawLaw, threshold: int) -> Contour:
    """Give the contour through the saddlepoint of a threshold, 0 < threshold < top, with the best proof there is."""
    tilted = tilt_to(law, threshold)
    nodes, every = DrawNodes(tilted), (0, tilted.nodes // 2)
    if every[1] <= _FEW_NODES:
        return _proved(nodes, [every], 0.0)
    for certificate in _CERTIFICATES if _density(law) < LONGEST_FFT else ():
        ranges = certificate(tilted)
        if ranges is not None and sum(nodes.seconds(last - first + 1) for first, last in ranges) < _AFFORDABLE_SECONDS:
            return _proved(
                nodes, ranges, math.exp(-CUTOFF) * kernel_integral(tilted.tilt, 2.0 * math.pi / tilted.nodes)
            )
    if nodes.seconds(every[1]) < _AFFORDABLE_SECONDS / 10:
        return _proved(nodes, [every], 0.0)
    terms: list[Terms] = []
    low = _in_phase(tilted)
    left_out = _search(terms, nodes, low)
    return Contour(tilted, terms, left_out, "inversion", low[0])


def _density(law: DrawLaw) -> float:
    """Give the typical gap between values: certificates work with gaps, and need an FFT that resolves them."""
    middle = law.values[law.values.size // 4 :: max(law.values.size // 2, 1)]
    return float(middle[-1] - middle[0]) / max(law.values.size // 2, 1)


def _in_phase(tilted: DrawTilt) -> Peaks:
    """Search the low frequencies; thresholds of one law, and of its mirror image, share the search where they can."""
    law = tilted.law
    plain = law.counts / law.items
    changed = tilted.weights / plain
    weights = plain if float(changed.min()) > 1.0 / _MILD and float(changed.max()) < _MILD else tilted.weights
    values = law.values
    if int(values[1]) > int(values[-1]) - int(values[-2]):
        values, weights = law.largest - values[::-1], weights[::-1]
    return in_phase(values.astype(np.float64), weights, modulus=True)


def _on_hidden_grid(contour: Contour) -> tuple[DrawLaw, int, int] | None:
    """Give the law in multiples of the step that the first place in phase tells of, and the sums that may and must do.

    None where the values are not on that grid.
    """
    law, threshold = contour.tilted.law, contour.tilted.threshold
    if not contour.in_phase.size:
        return None
    first = climb(contour.in_phase[:1], law.values.astype(np.float64), contour.tilted.weights, modulus=True)
    found = multiples_of(law.values, law.counts, 1.0 / float(first[0]))
    if found is None:
        return None
    step, multiples, errors = found
    band = law.draws * float(errors.max())
    coarse = on_lattice(*multiset(multiples, law.counts), law.draws)
    if band > NARROW * step or coarse is None or coarse.values.size < 3:
        return None
    may, must = (-(-least // coarse.scale) for least in first_multiples(threshold, step, band))
    return (coarse, may, must) if 0 < may <= must < coarse.top else None


def _proved(nodes: DrawNodes, ranges: list[Range], left_out: float) -> Contour:
    nodes.expand(ranges[0][1])
    terms = [block for first, last in ranges for block in nodes.terms(first, last)]
    return Contour(nodes.tilted, terms, left_out, "lattice", np.zeros(0))


def _finish(tilted: DrawTilt, running: NodeSum, left_out: float, path: str) -> Tail:
    """Turn the node sum into log p, and its errors, added up, into a relative bound."""
    if not running.value > 0.0:
        return Tail(min(tilted.log_prefactor, 0.0), math.inf, path)
    log_p = tilted.log_prefactor + math.log(running.value)
    log_p += math.log(-math.expm1(-tilted.tilt * tilted.nodes)) - math.log(tilted.nodes)
    rounding = running.rounding / running.value + tilted.log_prefactor_error
    truncation = left_out * tilted.nodes / running.value
    return Tail(min(log_p, 0.0), rounding + truncation + tilted.alias_bound(log_p), path)


def _search(terms: list[Terms], nodes: DrawNodes, low: Peaks) -> float:
    """Collect the main lobe and the windows around resonances; give a bound on what is left out (over M)."""
    tilted = nodes.tilted
    typical = log_mean_modulus(tilted)
    lobe = _lobe(terms, nodes, typical)
    start = 2.0 * math.pi / tilted.nodes * lobe
    # Resonances not above a thousand times the typical modulus are part of what the typical modulus bounds.
    held, left_out = resonances(nodes, start, typical + math.log(1e3), low)
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
        terms += nodes.terms(first, last)
        seen = last
    return left_out + math.exp(typical) * kernel_integral(tilted.tilt, start)


def _lobe(terms: list[Terms], nodes: DrawNodes, typical: float) -> int:
    """Collect nodes from 0 on until the terms have died out; give how many."""
    most = nodes.tilted.nodes // 2 + 1
    floor = max(_LOBE_END, math.exp(typical))
    done, spent = 0, 0.0
    while done < most and spent < _AFFORDABLE_SECONDS:
        # In larger and larger strides, where it is long.
        number = min(max(_LOBE_STEP, done // 2), most - done)
        terms += nodes.terms(done, done + number - 1)
        done, spent = done + number, spent + nodes.seconds(number)
        # The first term is the largest, and the lobe only falls.
        if terms[-1].largest < floor or float(terms[-1].sizes[-4:].max()) < floor / 10.0 * float(terms[0].sizes[0]):
            break
    return done
