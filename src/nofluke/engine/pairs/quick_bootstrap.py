"""Bootstrap tails of all pairs for pictures of many: without draws, to an absolute error near 1e-9, whatever the size.

all_pairs_bootstrap vouches for twelve digits and computes one by one what its shared nodes do not suit, which for few
items is nearly everything. Here every pair has its own nodes: P(D* > 2t) = 1/2 + (1/L) sum_k g / sin(t_k g / 2)
Im[psi(t_k) e^(-i t_k x)], t_k = (2k + 1) pi / L, where L is an even number of steps g of the lattice of D*, at least
z + 12 deviations of D* long, and x lies half a step below the least value above 2t. The sum ends where psi has died
away, or at the end of the period, where it is complete.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from nofluke.engine.draws import draw_tail
from nofluke.engine.draws.period import whole_power
from nofluke.engine.pairs.binary import two_valued
from nofluke.engine.pairs.draws import DrawnPairs, describe
from nofluke.engine.pairs.resonance import draw_resonance
from nofluke.engine.pairs.table import BoolArray, Progress, checked
from nofluke.engine.pairs.trinomial import two_valued_bootstrap
from nofluke.engine.tail import EXACT_BOUND
from nofluke.types import FloatArray, IntArray, frozen

# Leads of more deviations than this have p-values below about 1e-9 in a normal law: a bound is given where it is tiny.
_FARTHEST = 6.2
_TINY = 1e-9
_MARGIN = 12.0
_QUIET = 1e-11
_QUIET_NODES = 6
_RESONANCE = 1e-9
# Nodes of the first and of a second try, and how much may be left after the last, by the terms of its octave. The
# second takes half a second, however few pairs are left; so many are computed one by one in less.
_FIRST_TRY, _SECOND_TRY = (2048, 1e-4), (16384, 2e-4)
_FEW_LEFT = 24
# Up to so many items all pairs are counted, up to a few more those that the first try leaves.
_ALL_COUNTED = 11
_BLOCK = 1 << 18
# Of 11 items 5 draws have 3,003 sums and 6 draws 8,008: half a millisecond a pair; of 12 items two. n^n fits 64 bits.
MOST_ITEMS = 12
_MOST_SUM = 1 << 62
_PAIRS = 64


@dataclass(frozen=True, slots=True, eq=False)
class QuickTails:
    """Every pair once, `ahead` leading `behind` by t: p = P(D* > 2t), D* the lead when items are drawn again.

    `computed` is "inversion" (absolute error near 1e-9), "exact", or "bound" (at most this, below 1e-9). Pairs that
    are the `same` agree on every item and have p = 1; p is nan where no resample could exceed twice the lead. Scores
    that nearly, but not quite, lie on a coarse grid (reciprocal ranks), and a dozen items, may be off by 1e-4.
    """

    ahead: IntArray
    behind: IntArray
    p: FloatArray
    computed: npt.NDArray[np.str_]
    same: BoolArray


def quick_bootstrap(scores: IntArray, *, progress: Progress | None = None) -> QuickTails:
    """How likely is a lead of more than twice the observed one when items are drawn again, for all pairs at once?

    `scores` is (n, S), whole multiples of one step, higher = better.

    >>> tails = quick_bootstrap(np.array([[1, 0], [0, 0], [0, 0]]))
    >>> round(float(tails.p[0]), 12)  # P(Bin(3, 1/3) > 2)
    0.037037037037
    """
    systems = checked(scores)
    if two_valued(systems):
        return _two_valued(systems)
    pairs = describe(systems)
    p, computed = np.ones(pairs.size), np.full(pairs.size, "exact", "<U11")
    unreachable = pairs.beyond | (~pairs.same & (pairs.exceed > _largest_sums(systems, pairs)))
    p[unreachable] = np.nan
    open_pairs = ~pairs.same & ~unreachable
    if systems.shape[1] <= _ALL_COUNTED and _count(systems, pairs, p, np.flatnonzero(open_pairs)):
        return QuickTails(pairs.ahead, pairs.behind, p, computed, pairs.same)
    far = np.flatnonzero(open_pairs & (pairs.lead > _FARTHEST * pairs.deviation))
    p[far], computed[far] = _chernoff(systems, pairs, far), "bound"
    # Skewed differences may come far more often than a normal law has it, and then the bound says nothing.
    open_pairs[far] = p[far] > _TINY
    near = np.flatnonzero(open_pairs)
    computed[near] = "inversion"
    rough = _resonant(systems, pairs)

    def report_waiting(waiting: int) -> None:
        if progress is not None:
            progress(near.size - waiting, near.size)

    left = _tried(systems, pairs, p, near, rough, _FIRST_TRY, report_waiting)
    if left.size and _count(systems, pairs, p, left):
        computed[left], left = "exact", left[:0]
    if left.size > _FEW_LEFT:
        left = _tried(systems, pairs, p, left, rough, _SECOND_TRY, report_waiting)
    for done, row in enumerate(left.tolist()):
        report_waiting(left.size - done)
        differences = systems[pairs.ahead[row]] - systems[pairs.behind[row]]
        tail = draw_tail(differences, 2 * pairs.leads[row], strict=True)
        p[row], computed[row] = math.exp(tail.log_p), "exact" if tail.bound <= EXACT_BOUND else "inversion"
    report_waiting(0)
    return QuickTails(pairs.ahead, pairs.behind, p, computed, pairs.same)


def _tried(
    systems: IntArray,
    pairs: DrawnPairs,
    p: FloatArray,
    rows: IntArray,
    rough: BoolArray,
    how: tuple[int, float],
    report_waiting: Callable[[int], None],
) -> IntArray:
    """Put in the tails of some pairs by inversion with so many nodes; give those that take more.

    `report_waiting` is told how many pairs are waiting.
    """
    size, again = max(1, _BLOCK // systems.shape[1]), [rows[:0]]
    for start in range(0, rows.size, size):
        part = rows[start : start + size]
        p[part], finished = _inverted(systems, pairs, part, rough[part], *how)
        again.append(part[~finished])
        report_waiting(rows.size - start - part.size + sum(map(len, again)))
    return np.concatenate(again)


def _count(systems: IntArray, pairs: DrawnPairs, p: FloatArray, rows: IntArray) -> bool:
    """Put in the tails of few items by counting all resamples; False where their sums do not fit."""
    differences = systems[pairs.ahead[rows]] - systems[pairs.behind[rows]]
    if not countable(differences):
        return False
    p[rows] = counted_draws(differences, 2 * differences.sum(axis=1))
    return True


def _two_valued(systems: IntArray) -> QuickTails:
    tails = two_valued_bootstrap(systems)
    sums = systems.sum(axis=1)
    first, second = np.triu_indices(len(systems), 1)
    leads = sums[first] >= sums[second]
    ahead, behind = np.where(leads, first, second), np.where(leads, second, first)
    upper, lower = tails.log_p[ahead, behind], tails.log_p[behind, ahead]
    same = (systems[ahead] == systems[behind]).all(axis=1)
    # P(D* > 2t) is what P(D* <= 2t) leaves; far out only the larger P(D* >= 2t) keeps its digits. Where the latter is
    # large and the former nothing, 2t is the largest total there is.
    strict = -np.expm1(lower)
    p = np.where(strict > 1e-9, strict, np.where((upper < math.log(1e-6)) & (upper > -np.inf), np.exp(upper), np.nan))
    p = np.where(same, 1.0, np.where(p > 0, p, np.nan))
    computed = np.where(same | (strict > 1e-9), "exact", "bound").astype("<U11")
    return QuickTails(ahead, behind, p, computed, same)


def _largest_sums(systems: IntArray, pairs: DrawnPairs) -> FloatArray:
    """Give the largest total that n draws of each pair's differences can have."""
    largest = np.empty(pairs.size)
    size = max(1, _BLOCK // systems.shape[1])
    for start in range(0, pairs.size, size):
        part = slice(start, start + size)
        differences = systems[pairs.ahead[part]] - systems[pairs.behind[part]]
        largest[part] = differences.max(axis=1) * float(systems.shape[1])
    return largest


def _resonant(systems: IntArray, pairs: DrawnPairs) -> BoolArray:
    """Say whose sums may crowd on a coarser grid than their own, so that psi may come back after dying away."""
    shape = (pairs.systems, pairs.systems)
    deviation, step = np.zeros(shape), np.zeros(shape, np.int64)
    deviation[pairs.first, pairs.second], step[pairs.first, pairs.second] = pairs.deviation, pairs.step
    found: BoolArray = draw_resonance(systems, deviation, step)[pairs.first, pairs.second] > _RESONANCE
    return found


def _centred(systems: IntArray, pairs: DrawnPairs, rows: IntArray) -> FloatArray:
    """Give the differences of some pairs, less their mean, in units of the deviation of D*."""
    n = systems.shape[1]
    values = (systems[pairs.ahead[rows]] - systems[pairs.behind[rows]]).astype(np.float64)
    values -= (pairs.lead[rows] / n)[:, None]
    values /= pairs.deviation[rows][:, None]
    return values


def _chernoff(systems: IntArray, pairs: DrawnPairs, rows: IntArray) -> FloatArray:
    """Bound P(D* - mean >= lead) by e^(n log mean e^(sy) - s z), s the one that suits a normal sum, at most 20."""
    bounds = np.empty(rows.size)
    n = systems.shape[1]
    size = max(1, _BLOCK // n)
    for start in range(0, rows.size, size):
        part = rows[start : start + size]
        values = _centred(systems, pairs, part)
        z = pairs.lead[part] / pairs.deviation[part]
        s = np.minimum(z, 20.0)
        top = values.max(axis=1) * s
        log_mean = np.log(np.exp(values * s[:, None] - top[:, None]).mean(axis=1)) + top
        bounds[start : start + size] = np.exp(np.minimum(n * log_mean - s * z, 0.0))
    return np.maximum(bounds, 1e-300)


def _inverted(
    systems: IntArray, pairs: DrawnPairs, rows: IntArray, rough: BoolArray, most: int, tolerance: float
) -> tuple[FloatArray, BoolArray]:
    """Give the tails of some pairs, and which of them are finished: quiet for good, or summed over the whole period."""
    n = systems.shape[1]
    unit = pairs.deviation[rows]
    step = pairs.step[rows] / unit
    z = (pairs.exceed[rows] - pairs.lead[rows]) / unit - step / 2.0
    points = 2 * np.ceil((z + _MARGIN) / step / 2.0)
    length, nodes = points * step, points / 2.0
    values = _centred(systems, pairs, rows)
    # One column a pair: sums over items are then sums of long rows.
    turn = np.exp(1j * (math.pi / length) * values.T)
    wave, turn = turn.copy(), turn * turn
    place = np.exp(-1j * (math.pi / length) * z)
    place, onward = place.copy(), place * place
    sums, quiet = np.full(rows.size, 0.5), np.zeros(rows.size, np.int64)
    octave, finished, active = np.zeros(rows.size), np.zeros(rows.size, dtype=bool), np.arange(rows.size)
    for k in range(most):
        psi = whole_power(wave.sum(axis=0) / n, n)
        size = np.abs(psi)
        t = (2 * k + 1) * math.pi / length[active]
        kernel = step[active] / np.sin(np.minimum(t * step[active] / 2.0, math.pi / 2)) / length[active]
        sums[active] += np.where(k < nodes[active], kernel * (psi * place).imag, 0.0)
        if 2 * k >= most:
            octave[active] += (kernel * size) ** 2
        quiet[active] = np.where(size < _QUIET, quiet[active] + 1, 0)
        finished[active] |= (k + 1 >= nodes[active]) | ((quiet[active] >= _QUIET_NODES) & ~rough[active])
        keep = ~finished[active]
        if not keep.any():
            break
        if keep.sum() < 0.7 * active.size:
            active, wave, turn, place, onward = active[keep], wave[:, keep], turn[:, keep], place[keep], onward[keep]
        wave *= turn
        place *= onward
    # Later octaves have twice as many terms of half the size, of either sign: together no more than a few of the last.
    finished |= 3.0 * np.sqrt(octave) < tolerance
    return np.clip(sums, 1e-12, 1.0), finished


def countable(differences: IntArray) -> bool:
    """Whether resamples of (pairs, n) differences can be counted: few items, and sums that fit."""
    n = differences.shape[1]
    return n <= MOST_ITEMS and (not differences.size or int(np.abs(differences).max()) < _MOST_SUM // n)


def counted_draws(differences: IntArray, thresholds: IntArray) -> FloatArray:
    """Give P(D* > threshold) for every row of (pairs, n) differences, D* the sum of n of them drawn with replacement.

    All resamples are counted, in whole numbers. n draws are two lots of about n / 2. The sums of either lot are listed
    once for each way to fill it (which items, how often), the ways being the same for all pairs; the pairs of sums
    above a threshold are then found by one search.

    >>> round(float(counted_draws(np.array([[1, 0, 0]]), np.array([2]))[0]), 12)  # P(Bin(3, 1/3) > 2)
    0.037037037037
    """
    size, n = differences.shape
    (few, few_ways), (many, many_ways) = _lots(n, n // 2), _lots(n, n - n // 2)
    found = np.empty(size)
    for start in range(0, size, _PAIRS):
        rows = slice(start, min(start + _PAIRS, size))
        listed, searched = differences[rows] @ few.T, thresholds[rows, None] - differences[rows] @ many.T
        order = np.argsort(listed, axis=1, kind="stable")
        listed = np.take_along_axis(listed, order, axis=1)
        for place in range(rows.stop - start):
            up_to = np.concatenate(([0], np.cumsum(few_ways[order[place]])))
            within = up_to[np.searchsorted(listed[place], searched[place], side="right")]
            found[start + place] = float(int(np.dot(up_to[-1] - within, many_ways))) / float(n**n)
    return found


@lru_cache(maxsize=4)
def _lots(items: int, draws: int) -> tuple[IntArray, IntArray]:
    """Give every way to draw so many times, as counts of the items, and in how many orders it comes."""
    chosen = np.array(list(combinations_with_replacement(range(items), draws)), np.int64).reshape(-1, draws)
    counts = (chosen[:, :, None] == np.arange(items)).sum(axis=1)
    factorials = np.concatenate(([1], np.cumprod(np.arange(1, items + 1))))
    ways = factorials[draws] // factorials[counts].prod(axis=1)
    return frozen(counts, np.int64), frozen(ways, np.int64)
