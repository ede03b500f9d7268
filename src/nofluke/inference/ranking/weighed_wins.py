"""Right and wrong answers on several datasets, each of which counts differently: flips of all pairs from counts.

The difference of two systems on an item is 0 or plus or minus what its dataset counts. So all that matters of a pair is
on how many items of each dataset one of them wins, which products of matrices count. Sums over items become sums over
datasets: K(s) = sum N_j log cosh(s m_j), N_j the items of dataset j on which the two differ.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from nofluke.engine.pairs.binary import BINOMIAL_BOUND, fair_binomial_tails
from nofluke.engine.pairs.resonance import LOBE
from nofluke.engine.pairs.sign_tails import CENTRE, central_saddle, left_out
from nofluke.engine.pairs.table import PairTails
from nofluke.engine.saddlepoint import lugannani_rice
from nofluke.engine.tail import EXACT_BOUND
from nofluke.inference.ranking.flip_rows import by_flips
from nofluke.types import FloatArray, IntArray

BoolArray = npt.NDArray[np.bool_]

_LOG2 = math.log(2.0)
# Above this estimated relative error the tail is computed by the engine of single tests, unless it has no digits.
_POOR = 1e-3
_NO_DIGITS = math.log(5e-324)
_MOST_STEPS = 60
# Frequencies are seen up to this, in units of 1 / deviation: a lobe there holds at most 2 s / t of the main one.
_FURTHEST = 12_000.0
# sqrt(H) may fall by at most half of this, or of this part of a typical value, between points that are looked at.
_SPACING, _SHARE_LOST, _FINE = 1.5, 0.2, 0.25
_NOTHING, _MOST_CELLS = 1e-6, 64
# With a few coarse datasets errors were up to twice what is estimated.
_SAFETY = 4.0
# Rows are looked at on one grid of frequencies if theirs are alike by this factor; so many numbers at a time.
_ALIKE, _BLOCK = 1.3, 1 << 21


def weighed_wins(scores: IntArray, datasets: IntArray, counts: tuple[int, ...], *, exact: bool) -> PairTails:
    """Give the flip tails of all pairs of (n, S) scores of two values; an item of dataset j counts counts[j].

    >>> tails = weighed_wins(np.array([[1, 0], [1, 0], [1, 0], [0, 1]]), np.array([0, 0, 0, 1]), (1, 2), exact=True)
    >>> [round(float(p), 12) for p in np.exp(tails.log_p[[0, 1], [1, 0]])]
    [0.5, 0.75]
    """
    size = scores.shape[1]
    first, second = np.triu_indices(size, 1)
    ahead, behind = _wins(scores, datasets, len(counts), first, second)
    pairs = _Pairs(ahead, behind, np.array(counts, dtype=np.int64))
    log_upper, log_lower, error, other, known = pairs.tails()
    wanted = ~known & (exact | ((error > _POOR) & (log_upper > _NO_DIGITS)))
    for row in np.flatnonzero(wanted).tolist():
        tails = by_flips(pairs.sizes_of(row), abs(int(pairs.lead[row])))
        log_upper[row], log_lower[row] = tails.ahead, tails.behind
        error[row] = other[row] = tails.bound
    known |= wanted
    leads = pairs.lead >= 0
    better, worse = np.where(leads, first, second), np.where(leads, second, first)
    log_p, bound, how = np.zeros((size, size)), np.zeros((size, size)), np.full((size, size), "exact", "<U11")
    for rows, columns, values, errors in ((better, worse, log_upper, error), (worse, better, log_lower, other)):
        log_p[rows, columns], bound[rows, columns] = values, errors
        proved = np.where(errors <= EXACT_BOUND, "exact", "inversion")
        how[rows, columns] = np.where(known, proved, "saddlepoint")
    return PairTails(log_p, how, bound)


def _wins(
    scores: IntArray, datasets: IntArray, number: int, first: IntArray, second: IntArray
) -> tuple[IntArray, IntArray]:
    """Count on how many items of each dataset the first of a pair wins, and the second: (pairs, datasets) each."""
    high = scores == scores.max()
    ahead, behind = (np.zeros((len(first), number), np.int64) for _ in range(2))
    for place in range(number):
        here = high[datasets == place].astype(np.float64)
        both = (here.T @ here).astype(np.int64)
        alone = both.diagonal()[:, None] - both
        ahead[:, place], behind[:, place] = alone[first, second], alone[second, first]
    return ahead, behind


class _Pairs:
    """The pairs as rows: what they differ on, in units of their standard deviation under random signs."""

    def __init__(self, ahead: IntArray, behind: IntArray, counts: IntArray) -> None:
        self.counts, self.differing = counts, ahead + behind
        self.lead: IntArray = (ahead - behind) @ counts
        self.items: IntArray = self.differing.sum(axis=1)
        self._wins = np.where(self.lead[:, None] >= 0, ahead, behind)
        self._number = self.differing.astype(np.float64)
        heights = counts.astype(np.float64)
        self._deviation = np.sqrt(np.maximum(self._number @ heights**2, 1e-300))
        self._step = np.gcd.reduce(np.where(self.differing > 0, counts, 0), axis=1)

    def sizes_of(self, row: int) -> IntArray:
        """The sizes of the differences of one pair, which have random signs."""
        return np.repeat(self.counts, self.differing[row])

    def tails(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, BoolArray]:
        """Logs of P(T >= |t|) and P(T <= |t|), their relative errors, and which of them are exact."""
        upper, lower, error, other = (np.zeros(len(self.lead)) for _ in range(4))
        wins = self._wins.sum(axis=1)
        one_size = np.count_nonzero(self.differing, axis=1) == 1
        known: BoolArray = (self.items == 0) | (wins == self.items) | one_size
        rows = np.flatnonzero(known)
        if rows.size:
            # One dataset is a binomial; where one system wins everywhere there is the observed pattern alone.
            single = one_size[rows]
            upper[rows] = np.where(single, fair_binomial_tails(self.items[rows], wins[rows]), -self.items[rows] * _LOG2)
            losses = fair_binomial_tails(self.items[rows], self.items[rows] - wins[rows])
            lower[rows] = np.where(single, losses, 0.0)
            error[rows] = other[rows] = np.where(single, BINOMIAL_BOUND, 0.0)
        rows = np.flatnonzero(~known)
        if rows.size:
            upper[rows], lower[rows], error[rows], other[rows] = self._approximate(rows)
        return upper, lower, error, other, known

    def _approximate(self, rows: IntArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        number, items, deviation = self._number[rows], self.items[rows], self._deviation[rows]
        unit = self.counts / deviation[:, None]
        a = self._step[rows] / deviation
        x = np.abs(self.lead[rows]) / deviation - a
        s = _solve(number, unit, np.maximum(x, CENTRE))
        upper, point, error, curvature = _outer(number, unit, x, a, s)
        near = np.flatnonzero(x < CENTRE)
        if near.size:
            moments = [(number[near] * unit[near] ** power).sum(axis=1) for power in (4, 6, 8)]
            central = central_saddle(moments[0], moments[1], moments[2], x[near], a[near])
            upper[near], point[near], error[near] = central.log_tail, central.point, central.error
        s = np.where(x < CENTRE, np.maximum(x, 0.0), s)
        # Never below one pattern of signs, the observed one; sums of few items are separate atoms.
        upper = np.clip(upper, -items * _LOG2, -1e-300)
        atoms = np.exp(np.minimum(-0.5 * (upper + items * _LOG2), 0.0))
        point = np.minimum(point, np.exp(upper))
        lower = np.log1p(-np.minimum(np.exp(upper) - point, 0.5))
        missed = _resonance(number, unit, s, LOBE / np.sqrt(np.minimum(curvature, 1.0)), math.pi / 2.0 / a)
        error, missed = _SAFETY * error, _SAFETY * missed
        other = error * np.exp(upper - lower) + error * np.minimum(2.0 * point, 1.0)
        other = np.maximum(other, missed * np.exp(upper - lower))
        return upper, lower, np.maximum(error, np.maximum(atoms, missed)), other


def _solve(number: FloatArray, unit: FloatArray, x: FloatArray) -> FloatArray:
    """Newton's method for K'(s) = x, from the left, where it never oversteps."""
    s = x.copy()
    for _ in range(_MOST_STEPS):
        tilted = np.tanh(s[:, None] * unit)
        miss = x - (number * unit * tilted).sum(axis=1)
        slope = np.maximum((number * unit**2 * (1.0 - tilted**2)).sum(axis=1), 1e-12)
        moved = np.maximum(s + miss / slope, x)
        going = np.abs(moved - s) > 1e-9 * moved
        s = moved
        if not going.any():
            break
    return s


def _outer(
    number: FloatArray, unit: FloatArray, x: FloatArray, a: FloatArray, s: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """The saddlepoint's log tail and point, the size of what it leaves out, and the curvature."""
    y = s[:, None] * unit
    shrunk = np.exp(-2.0 * y)
    tanh, sech = (1.0 - shrunk) / (1.0 + shrunk), 4.0 * shrunk / (1.0 + shrunk) ** 2
    cumulant = (number * (y + np.log1p(shrunk) - _LOG2)).sum(axis=1)
    weight = number * sech * unit**2
    k2 = np.maximum(weight.sum(axis=1), 1e-300)
    k3 = -2.0 * (weight * unit * tanh).sum(axis=1)
    moments = [(weight * unit**power).sum(axis=1) for power in (2, 4, 6)]
    k4 = 4.0 * (weight * unit**2 * tanh**2).sum(axis=1) - 2.0 * (weight * unit**2 * sech).sum(axis=1)
    log_tail, point = lugannani_rice(x, a, s, (cumulant, k2, k3, k4))
    scaled = [moment / k2**order for order, moment in enumerate(moments, start=2)]
    return log_tail, point, left_out(k3 / k2**1.5, scaled[0], scaled[1], scaled[2]), k2


def _resonance(
    number: FloatArray, unit: FloatArray, tilt: FloatArray, start: FloatArray, end: FloatArray
) -> FloatArray:
    """Estimate the share of every tail that is steps: |psi(t)|^2 <= e^-H, H = sum N sech^2(s u) sin^2(t u).

    sqrt(H) cannot fall by more than sqrt(sum N sech^2 u^2) per unit of t, so that a grid of frequencies sees all; its
    sines are shared by rows of the same deviation, and H is a product of matrices. Cells of the grid that may hold
    something are looked at closely.
    """
    curved = number / np.cosh(np.minimum(tilt[:, None] * unit, 300.0)) ** 2
    steep = np.sqrt(np.maximum((curved * unit**2).sum(axis=1), 1e-12))
    spacing = np.maximum(_SPACING, _SHARE_LOST * np.sqrt(2.0 * curved.sum(axis=1)))
    found, cells = np.zeros(len(tilt)), spacing / steep
    # What the largest dataset turns by in one cell: rows that agree in it share a grid, as all units are proportional.
    turns = cells * unit[:, 0]
    order = np.argsort(turns)
    begin = 0
    while begin < len(order):
        widest = int(np.searchsorted(turns[order], turns[order[begin]] * _ALIKE, side="right"))
        points = int(_FURTHEST / float(cells[order[begin:widest]].min())) + 2
        rows = order[begin : min(widest, begin + max(1, _BLOCK // points))]
        begin += len(rows)
        shared = unit[rows[0]] * cells[rows[0]]
        sines = np.sin(np.outer(shared, np.arange(points))) ** 2
        heights = curved[rows] @ sines
        for row, height in zip(rows.tolist(), heights, strict=True):
            cell = float(shared[0] / unit[row, 0])
            t: FloatArray = np.arange(points, dtype=np.float64) * cell
            inside = (t > start[row] - cell) & (t < min(_FURTHEST, float(end[row])))
            lobes = 2.0 * max(float(tilt[row]), 1.0) / np.maximum(t, float(start[row]))
            low = np.maximum(np.sqrt(height) - spacing[row] / 2.0, 0.0)
            held = np.where(inside, np.exp(-low * low / 2.0) * lobes, 0.0)
            places = np.flatnonzero(held > _NOTHING)
            places = places[np.argsort(-held[places], kind="stable")[:_MOST_CELLS]]
            if places.size:
                ends = float(start[row]), float(end[row])
                held[places] = lobes[places] * _highest(number[row], unit[row], tilt[row], t[places], cell, ends)
            found[row] = held.sum()
    return found


def _highest(
    number: FloatArray, unit: FloatArray, tilt: float, places: FloatArray, cell: float, ends: tuple[float, float]
) -> FloatArray:
    """Give the largest modulus in the cells around these frequencies, within the ends."""
    steep = math.sqrt(float((number * unit**2).sum()))
    offsets = np.linspace(-0.5, 0.5, 2 * math.ceil(cell * steep / _FINE / 2.0) + 1) * cell
    t = places[:, None] + offsets
    sines = (np.sin(t[..., None] * unit) / np.cosh(np.minimum(tilt * unit, 300.0))) ** 2
    moduli = np.exp(0.5 * (np.log1p(-sines * (1.0 - 1e-12)) @ number))
    inside = (t > ends[0]) & (t < ends[1])
    highest: FloatArray = np.where(inside, moduli, 0.0).max(axis=1)
    return highest
