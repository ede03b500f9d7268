"""Tails of resampled means for many test sets at once: the bootstrap of a power curve without an inner loop."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.engine.pairs.draw_saddlepoint import one_draw
from nofluke.engine.saddlepoint import corrected_normal, solve_rows
from nofluke.inference.power.curves.outweighed import (
    all_ways,
    by_draws,
    falling,
    in_blocks,
    may_be_heavy,
    mixed,
    near_level,
    on_lattice,
    row_sums,
)
from nofluke.types import FloatArray, IntArray

# Beyond the largest value no resample can be.
_NEVER = -700.0


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """Values that are `origin` plus whole multiples of `gap`; `gaps` has that of each value and all that are nearer."""

    origin: float
    gap: float
    gaps: FloatArray


def lattice_of(values: IntArray, multiplicity: FloatArray) -> Lattice:
    """Find the lattice of whole numbers, seen from the one in their middle."""
    rising = np.argsort(values, kind="stable")
    middle = int(np.searchsorted(np.cumsum(multiplicity[rising]), multiplicity.sum() / 2))
    origin = values[rising[middle]]
    away = np.abs(values - origin)
    order = np.argsort(away, kind="stable")
    gaps = np.empty(len(values))
    gaps[order] = np.gcd.accumulate(away[order]).astype(np.float64)
    return Lattice(float(origin), float(gaps[order[-1]]), gaps)


@dataclass(frozen=True, slots=True, eq=False)
class _Draw:
    """One draw from each row: its mean and central moments."""

    mean: FloatArray
    variance: FloatArray
    third: FloatArray
    fourth: FloatArray

    def series(self, rows: IntArray, z: FloatArray, draws: FloatArray, side: FloatArray) -> tuple[FloatArray, ...]:
        """Give the tails of sums beyond z standard deviations, by Edgeworth's series; the size of its correction."""
        variance = self.variance[rows]
        skew = side * self.third[rows] / variance**1.5 / np.sqrt(draws)
        return _edgeworth(z, skew, (self.fourth[rows] / variance**2 - 3.0) / draws)

    def saddlepoint(
        self, rows: IntArray, values: FloatArray, counts: FloatArray, z: FloatArray, draws: FloatArray, side: FloatArray
    ) -> FloatArray:
        """Give their logarithms by Lugannani and Rice's formula."""
        scaled = (values - self.mean[rows, None]) * (side / np.sqrt(self.variance[rows]))[:, None]
        return _saddlepoint(scaled, counts / counts.sum(axis=1, keepdims=True), draws, z / np.sqrt(draws))


def _one_draw(values: FloatArray, counts: FloatArray, number: FloatArray) -> _Draw:
    squares = values * values
    m1, m2 = row_sums(counts, values) / number, row_sums(counts, squares) / number
    m3, m4 = row_sums(counts, squares * values) / number, row_sums(counts, squares * squares) / number
    variance = m2 - m1**2
    variance[variance <= 1e-14 * np.maximum(m2, 1e-300)] = 0.0
    return _Draw(m1, variance, m3 - 3 * m1 * m2 + 2 * m1**3, m4 - 4 * m1 * m3 + 6 * m1**2 * m2 - 3 * m1**4)


def resample_log_tails(
    values: FloatArray,
    counts: FloatArray,
    factor: float,
    beyond: FloatArray,
    level: float,
    *,
    lattice: Lattice | None = None,
    strict: bool = False,
) -> FloatArray:
    """Give log P(S* >= factor S + beyond), S* the sum of as many draws from each row as it holds items.

    `values` is (groups,) or (rows, groups); the threshold is S or more; `strict` asks for more than the threshold.
    Edgeworth's series first; the saddlepoint where the p-value is anywhere near the level; values that outweigh all
    others are counted out. Rows whose values do not vary give nan, for no resample differs; and so do rows whose
    resamples cannot get that far: there the test has no p-value.
    """
    number = counts.sum(axis=1)
    mean = row_sums(counts, values) / number
    # Central moments by the moments about the overall centre, which keeps the digits.
    about = values - float(np.average(mean))
    draw = _one_draw(about, counts, number)
    distance = (factor - 1.0) * mean * number + beyond
    flat = draw.variance <= 0
    deviation = np.sqrt(np.where(flat, 1.0, draw.variance) * number)
    edge = distance
    if lattice is not None:
        ahead, gap = number * (mean - lattice.origin), np.full(len(number), lattice.gap)
        edge = on_lattice(distance + ahead, gap, strict=strict) - gap / 2 - ahead
    z = edge / deviation
    some, up = np.flatnonzero(~flat), np.ones(len(number))
    logs = np.zeros(len(number))
    tails, correction = draw.series(some, z[some], number[some], up[some])
    logs[some] = np.log(tails)
    rows = some[near_level(logs[some], correction, level) & (z[some] > 0.1)]
    if rows.size:
        chosen = np.broadcast_to(about, counts.shape)[rows]
        logs[rows] = draw.saddlepoint(rows, chosen, counts[rows], z[rows], number[rows], up[rows])
    middle = np.median(values, axis=-1, keepdims=True) if lattice is None else lattice.origin
    rows = may_be_heavy((values - middle) ** 2, counts)
    if rows.size:
        own = np.broadcast_to(values - middle, counts.shape)[rows]
        more = beyond + (factor - 1.0) * number * np.broadcast_to(middle, (len(number), 1))[:, 0]
        gaps = None if lattice is None else lattice.gaps
        logs[rows] = _outweighed(own, counts[rows], factor, more[rows], level, gaps, strict)
    most = np.where(counts > 0, values, -np.inf).max(axis=1) - mean
    over, slack = distance / number - most, 1e-9 * deviation / np.sqrt(number)
    logs[flat | (over > -slack if strict else over > slack)] = np.nan
    return logs


def _outweighed(
    values: FloatArray,
    counts: FloatArray,
    factor: float,
    beyond: FloatArray,
    level: float,
    gaps: FloatArray | None,
    strict: bool,
) -> FloatArray:
    """Give the same for rows in which few of the values, seen from their middle, may outweigh all others."""
    order, held, fallen, heavy, light = falling(values, counts)
    items = held.sum(axis=1)
    ways = all_ways(items)
    for place in range(int(heavy.max(initial=0))):
        ways = by_draws(ways, heavy > place, held[:, place], items, fallen[:, place], factor, level)
        items -= np.where(heavy > place, held[:, place], 0.0)
    draw = _one_draw(fallen, light, items)
    farthest = np.take_along_axis(order, heavy[:, None], 1)[:, 0]
    row, draws = ways.row, ways.draws
    gap = np.zeros(len(row)) if gaps is None else gaps[farthest][row]
    need = (factor * np.einsum("ij,ij->i", light, fallen) + beyond)[row] + ways.owed
    distance = on_lattice(need, gap, strict=strict) - gap / 2 - draws * draw.mean[row]
    deviation = np.sqrt(draws * draw.variance[row])
    side = np.where(distance < 0, -1.0, 1.0)

    def series(which: IntArray) -> tuple[FloatArray, FloatArray]:
        z = np.abs(distance[which]) / deviation[which]
        tails, correction = draw.series(row[which], z, draws[which], side[which])
        return np.where(side[which] > 0, tails, 1.0 - tails), correction

    def saddlepoint(which: IntArray) -> FloatArray:
        # At the mean itself the formula cancels.
        z = np.abs(distance[which]) / deviation[which]
        tails = series(which)[0]
        for place in in_blocks(np.flatnonzero(z > 0.1), held.shape[1]):
            part, mine = which[place], row[which[place]]
            logs = draw.saddlepoint(mine, fallen[mine], light[mine], z[place], draws[part], side[part])
            tails[place] = np.where(side[part] > 0, np.exp(logs), -np.expm1(logs))
        return tails

    return mixed(ways, len(counts), distance, deviation, series, saddlepoint, level)


def _edgeworth(z: FloatArray, skew: FloatArray, kurtosis: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the tail to second order, and the size of the correction to the normal one, as a part of that."""
    from scipy.special import ndtr

    z = np.clip(z, -8.0, 8.0)
    density = np.exp(-z * z / 2.0) / math.sqrt(2.0 * math.pi)
    h2, h3, h5 = z * z - 1.0, z**3 - 3.0 * z, z**5 - 10.0 * z**3 + 15.0 * z
    series = density * (skew / 6.0 * h2 + kurtosis / 24.0 * h3 + skew**2 / 72.0 * h5)
    normal = ndtr(-z)
    return np.clip(normal + series, 1e-300, 1.0), np.abs(series) / normal


def _saddlepoint(x: FloatArray, weights: FloatArray, number: FloatArray, target: FloatArray) -> FloatArray:
    """Lugannani and Rice, to first order, for the mean of `number` draws at least `target` > 0.

    Rows have mean 0 and variance 1.
    """
    logs = np.full(len(x), _NEVER)
    rows = np.flatnonzero(np.where(weights > 0, x, -np.inf).max(axis=1) > target * (1 + 1e-12))
    x, weights, number, target = x[rows], weights[rows], number[rows], target[rows]
    s = solve_rows(target, (x, weights), lambda tilt, *law: one_draw(tilt, *law)[1:])
    cumulant, _, variance = one_draw(s, x, weights)
    w = np.sqrt(np.maximum(2.0 * number * (s * target - cumulant), 1e-12))
    u = s * np.sqrt(number * variance)
    logs[rows] = np.minimum(corrected_normal(w, 1.0 / u - 1.0 / w, least=-1.0 + 1e-12), 0.0)
    return logs
