"""Which Fourier nodes can matter: a search that proves the others negligible, cell by cell.

|psi|^2 = prod (1 - c_j sin^2(pi a_j))^m_j with a_j = k_1 x_j / N_1 + k_2 y_j / N_2. In a cell of nodes a_j moves by at
most r_j, so |sin| is at least that of the distance of a_j from the whole numbers, less r_j. Cells that cannot be ruled
out are cut in four, down to single nodes; resonances far from the origin are found like this too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.engine.lattice2d.basis import Basis, hermite_basis
from nofluke.engine.lattice2d.tilt import TiltedPair
from nofluke.types import FloatArray, IntArray

# Cells are tried on this many items first: leaving out factors, none above 1, keeps the bound a bound.
_FIRST_TRY = 96
# Cell-item pairs in all (about 10 ns each) and at a time.
_BUDGET = 40_000_000
_BLOCK = 1 << 18
# Node-item pairs worth summing: about a second.
_MOST_SUMMED = 60_000_000
_SMALL = 3
_GUARD = 1e-9
_ONE = 1.0 - 1e-15
_TRIPLES = 48


@dataclass(frozen=True, slots=True, eq=False)
class Live:
    """Nodes that must be summed, with k_2 >= 0 only, and whether all others are proved to be below the cut-off."""

    k_1: IntArray
    k_2: IntArray
    proved: bool


def live_nodes(pair: TiltedPair, cutoff: float) -> Live:
    """Give the nodes where log |psi| may exceed -cutoff; only the main lobe when the search would be too long."""
    scan = _Scan(pair, cutoff)
    _, _, n_1, n_2 = pair.window
    cells = np.array([[-(n_1 // 2), n_1 - n_1 // 2, 0, n_2 // 2 + 1]], dtype=np.int64)
    done: list[IntArray] = []
    while cells.size:
        wide_1, wide_2 = cells[:, 1] - cells[:, 0] > _SMALL, cells[:, 3] - cells[:, 2] > _SMALL
        small = ~(wide_1 | wide_2)
        done.append(cells[small])
        cells = _cut(_cut(cells[~small], 0), 2)
        if scan.spent + cells.shape[0] * scan.width > _BUDGET:
            return _main_lobe(pair, cutoff)
        cells = cells[scan.undecided(cells)]
    k_1, k_2 = _nodes_of(np.concatenate(done))
    singles = np.stack((k_1, k_1 + 1, k_2, k_2 + 1), axis=1)
    if singles.shape[0] * scan.width > 2 * _MOST_SUMMED:
        return _main_lobe(pair, cutoff)
    kept = scan.undecided(singles)
    if kept.size * int(np.minimum(pair.counts, 4).sum()) > _MOST_SUMMED:
        return _main_lobe(pair, cutoff)
    return Live(k_1[kept], k_2[kept], proved=True)


class _Scan:
    def __init__(self, pair: TiltedPair, cutoff: float) -> None:
        _, _, n_1, n_2 = pair.window
        # Items that dampen most, counted with their multiplicity, come first.
        order = np.argsort(-(pair.curvature * np.minimum(pair.counts, 8)), kind="stable")
        self._turns = np.stack((pair.x[order] / n_1, pair.y[order] / n_2))
        self._counts = pair.counts[order].astype(np.float64)
        self._curvature = np.minimum(pair.curvature[order], _ONE)
        self._limit = -2.0 * cutoff
        self.width = order.size
        self.spent = 0

    def undecided(self, cells: IntArray) -> IntArray:
        """Give the indices of the cells in which some node may exceed the cut-off."""
        centre = np.stack((cells[:, 0] + cells[:, 1] - 1, cells[:, 2] + cells[:, 3] - 1), axis=1) / 2.0
        reach = np.stack((cells[:, 1] - cells[:, 0] - 1, cells[:, 3] - cells[:, 2] - 1), axis=1) / 2.0
        left: IntArray = np.arange(cells.shape[0])
        log_square = np.zeros(cells.shape[0])
        for items in (slice(0, _FIRST_TRY), slice(_FIRST_TRY, self.width)):
            if items.start < self.width and left.size:
                log_square[left] += self._log_square(centre[left], reach[left], items)
                left = left[log_square[left] > self._limit]
        return left

    def _log_square(self, centre: FloatArray, reach: FloatArray, items: slice) -> FloatArray:
        turns, counts, curvature = self._turns[:, items], self._counts[items], self._curvature[items]
        result = np.empty(centre.shape[0])
        rows = max(1, _BLOCK // counts.size)
        self.spent += centre.shape[0] * counts.size
        for start in range(0, centre.shape[0], rows):
            part = slice(start, start + rows)
            angle = centre[part] @ turns
            angle -= np.rint(angle)
            distance = np.maximum(np.abs(angle) - reach[part] @ np.abs(turns) - _GUARD, 0.0)
            # sin(pi d) >= 3 d - 4 d^3 for 0 <= d <= 1/2
            sine = distance * (3.0 - 4.0 * distance * distance)
            result[part] = np.log1p(-curvature * sine * sine) @ counts
        return result


def _cut(cells: IntArray, axis: int) -> IntArray:
    """Cut the cells that are wide along an axis (0 or 2) in two."""
    wide = cells[:, axis + 1] - cells[:, axis] > _SMALL
    lower, upper = cells[wide].copy(), cells[wide].copy()
    middle = (lower[:, axis] + lower[:, axis + 1]) // 2
    lower[:, axis + 1], upper[:, axis] = middle, middle
    return np.concatenate((cells[~wide], lower, upper))


def _nodes_of(cells: IntArray) -> tuple[IntArray, IntArray]:
    offsets = np.stack(np.meshgrid(np.arange(_SMALL), np.arange(_SMALL), indexing="ij"), axis=-1).reshape(-1, 2)
    k_1 = cells[:, 0, None] + offsets[:, 0]
    k_2 = cells[:, 2, None] + offsets[:, 1]
    inside = (k_1 < cells[:, 1, None]) & (k_2 < cells[:, 3, None])
    return k_1[inside], k_2[inside]


def _main_lobe(pair: TiltedPair, cutoff: float) -> Live:
    """Give the nodes with tau' Sigma tau / 2 <= cutoff, where |psi| is about e^(-tau' Sigma tau / 2)."""
    _, _, n_1, n_2 = pair.window
    weights = pair.counts * pair.curvature / 4.0
    xx, yy, xy = (float(np.dot(weights, a * b)) for a, b in ((pair.x, pair.x), (pair.y, pair.y), (pair.x, pair.y)))
    free = max(1.0 - xy * xy / (xx * yy), 1e-12)
    reach_1 = math.sqrt(2.4 * cutoff / (xx * free)) * n_1 / (2.0 * math.pi)
    reach_2 = math.sqrt(2.4 * cutoff / (yy * free)) * n_2 / (2.0 * math.pi)
    first = np.arange(max(-(n_1 // 2), -math.ceil(reach_1)), min(n_1 - n_1 // 2, math.ceil(reach_1) + 1))
    second = np.arange(min(n_2 // 2 + 1, math.ceil(reach_2) + 1))
    k_1, k_2 = (k.ravel() for k in np.meshgrid(first, second, indexing="ij"))
    t_1, t_2 = 2.0 * math.pi / n_1 * k_1, 2.0 * math.pi / n_2 * k_2
    inside = xx * t_1 * t_1 + 2.0 * xy * t_1 * t_2 + yy * t_2 * t_2 <= 2.4 * cutoff
    return Live(k_1[inside], k_2[inside], proved=False)


def log_mean_square(pair: TiltedPair) -> float:
    """Give log of the mean of |psi|^2 over the whole cell, if the phases of distinct items were independent."""
    return float(np.dot(pair.counts, np.log1p(-pair.curvature / 2.0)))


def resonates(pair: TiltedPair, floor: float) -> bool:
    """Whether log |psi|^2 exceeds the floor where some items, three at a time, are all in step again.

    Most items on a coarse lattice and a few off it make such resonances. This is a search, not a proof.
    """
    number = pair.x.size
    seen: set[Basis] = set()
    for first in range(min(_TRIPLES, number)):
        triple = np.array([first, first + number // 3, first + 2 * number // 3]) % number
        basis = hermite_basis(pair.x[triple], pair.y[triple])
        if basis.step_u * basis.step_v > 1:
            seen.add(basis)
    for basis in seen:
        for a, b in ((1, 0), (0, 1), (1, 1)):
            # A frequency that turns both basis vectors by whole turns: f_1 step_u = a, f_1 shear + f_2 step_v = b.
            f_1 = a / basis.step_u
            f_2 = (b - basis.shear * f_1) / basis.step_v
            if max(abs(f_1 - round(f_1)), abs(f_2 - round(f_2))) < 1e-9:
                continue
            sine = np.sin(math.pi * (f_1 * pair.x + f_2 * pair.y))
            if float(np.dot(pair.counts, np.log1p(-np.minimum(pair.curvature, _ONE) * sine * sine))) > floor:
                return True
    return False
