"""Tails of sums of random signs for many test sets at once, given as counts over groups of equal items.

Edgeworth's series for all, and Lugannani and Rice's saddlepoint, to second order and corrected for the lattice, for
those whose p-value lies anywhere near the level. Scores that outweigh all others are counted out.
"""

from __future__ import annotations

import math

import numpy as np

from nofluke.align.exact_sums import largest
from nofluke.engine.pairs.sign_tails import edgeworth, flip_cumulants, flip_saddle, flip_slopes
from nofluke.engine.saddlepoint import lugannani_rice, solve_rows
from nofluke.inference.power.curves.outweighed import (
    all_ways,
    by_signs,
    falling,
    in_blocks,
    may_be_heavy,
    mixed,
    near_level,
    on_lattice,
    row_sums,
)
from nofluke.types import FloatArray, IntArray


def flip_log_tails(
    sizes: FloatArray, counts: FloatArray, observed: FloatArray, half_step: FloatArray, level: float
) -> FloatArray:
    """Give log P(sum of randomly signed sizes >= observed), row by row, for observed >= 0.

    `sizes` is (groups,) or (rows, groups), `counts` how often each is there, `half_step` half the step of the lattice
    that the sum lies on. `level` is the tail probability around which precision is wanted.
    """
    squares = sizes * sizes
    second, fourth, sixth = _power_sums(counts, squares)
    flat = second <= 0
    deviation = np.sqrt(np.where(flat, 1.0, second))
    fourth, sixth = fourth / deviation**4, sixth / deviation**6
    x, a = observed / deviation, half_step / deviation
    tails, correction = edgeworth(x - a, a, fourth, sixth)
    logs = np.log(tails)
    # All signs equal: one pattern of 2^m.
    ends = ~flat & (observed >= row_sums(counts, sizes) * (1 - 1e-12))
    if ends.any():
        there = counts[ends] * (sizes > 0 if sizes.ndim == 1 else sizes[ends] > 0)
        logs[ends] = -there.sum(axis=1) * math.log(2)
    rows = np.flatnonzero(~flat & ~ends & near_level(logs, correction, level) & (x - a > 0.3))
    if rows.size:
        chosen = sizes if sizes.ndim == 1 else sizes[rows]
        law = chosen / deviation[rows, None], counts[rows]
        tilt = solve_rows((x - a)[rows], law, flip_slopes)
        cumulants, _ = flip_cumulants(tilt, *law)
        logs[rows], _ = lugannani_rice((x - a)[rows], a[rows], tilt, cumulants)
    logs[flat] = 0.0
    return logs


def signed_log_tails(values: IntArray, counts: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Give the sums of the counted values, and the log tails of the same values with random signs beyond them.

    `values` are whole numbers, of any size: where one outweighs all others, its signs are counted out.
    """
    # A power of two: no digit changes.
    scale = 2.0 ** max(int(largest(values)), 1).bit_length()
    numbers = (values / scale).astype(np.float64)
    step = float(np.gcd.reduce(values)) / scale if values.any() else 1.0
    total = counts @ numbers
    # Sums of doubles: what is 0 in whole numbers must not lean to a side.
    total[np.abs(total) < 1e-9 * step] = 0.0
    logs = flip_log_tails(np.abs(numbers), counts, np.abs(total), np.full(len(counts), step), level)
    sizes, where = np.unique(np.abs(values), return_inverse=True)
    rows = may_be_heavy(numbers * numbers, counts) if len(sizes) > 1 else np.empty(0, np.int64)
    if rows.size:
        held, leaning = np.zeros((2, rows.size, len(sizes)))
        for group, place in enumerate(where.ravel().tolist()):
            held[:, place] += counts[rows, group]
            leaning[:, place] += counts[rows, group] * np.sign(numbers[group])
        steps = (np.gcd.accumulate(sizes) / scale).astype(np.float64)
        leaning *= np.where(total[rows] < 0, -1.0, 1.0)[:, None]
        logs[rows] = _outweighed((sizes / scale).astype(np.float64), steps, held, leaning, level)
    return total, logs


def _outweighed(
    sizes: FloatArray, steps: FloatArray, counts: FloatArray, leaning: FloatArray, level: float
) -> FloatArray:
    """Give the log tails of rows in which few of the rising sizes outweigh all others.

    `steps` has the largest number that each size and all smaller ones are multiples of.
    """
    order, held, fallen, heavy, light = falling(sizes, counts)
    lean = np.take_along_axis(leaning, order, 1)
    ways = all_ways(np.zeros(len(counts)))
    for place in range(int(heavy.max(initial=0))):
        columns = held[:, place], lean[:, place], fallen[:, place]
        ways = by_signs(ways, heavy > place, *columns, level)
    squares = fallen * fallen
    second = np.einsum("ij,ij->i", light, squares)
    deviation = np.sqrt(second)
    fourth, sixth = (np.einsum("ij,ij->i", light, squares**k) / second**k for k in (2, 3))
    step = steps[np.take_along_axis(order, np.minimum(heavy, len(sizes) - 1)[:, None], 1)[:, 0]]
    row = ways.row
    step, deviation, support = step[row], deviation[row], np.einsum("ij,ij->i", light, fallen)[row]
    need = np.einsum("ij,ij->i", np.where(light > 0, lean, 0.0), fallen)[row] + on_lattice(ways.owed, 2.0 * step)
    # By symmetry, on a lattice of two steps: P(T >= x) = 1 - P(T >= 2 steps - x).
    threshold = np.where(need > 0, need, 2.0 * step - need)

    def turned(which: IntArray, tails: FloatArray) -> FloatArray:
        tails = np.where(threshold[which] > support[which] * (1 + 1e-12), 0.0, np.minimum(tails, 0.5))
        return np.where(need[which] > 0, tails, 1.0 - tails)

    def series(which: IntArray) -> tuple[FloatArray, FloatArray]:
        a = step[which] / deviation[which]
        tails, correction = edgeworth(threshold[which] / deviation[which] - a, a, fourth[row[which]], sixth[row[which]])
        return turned(which, tails), correction

    def saddlepoint(which: IntArray) -> FloatArray:
        tails = np.empty(which.size)
        for place in in_blocks(np.arange(which.size), len(sizes)):
            part, mine = which[place], row[which[place]]
            # Where all signs must be the same, a little before the end is near enough.
            x = np.minimum(threshold[part], support[part] * (1 - 1e-9)) / deviation[part]
            scaled = fallen[mine] / deviation[part, None]
            tails[place] = np.exp(flip_saddle(scaled, x, step[part] / deviation[part], light[mine]).log_tail)
        return turned(which, tails)

    return mixed(ways, len(counts), need, deviation, series, saddlepoint, level)


def _power_sums(counts: FloatArray, squares: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give the sums of counts times squares, their second and their third powers."""
    if squares.ndim == 1:
        return counts @ squares, counts @ squares**2, counts @ squares**3
    weighted = counts * squares
    second, fourth = weighted.sum(axis=1), np.einsum("ij,ij->i", weighted, squares)
    weighted *= squares
    return second, fourth, np.einsum("ij,ij->i", weighted, squares)
