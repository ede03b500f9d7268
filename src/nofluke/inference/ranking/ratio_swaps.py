"""Studentised swaps of ratios for all pairs: one set of random swaps serves them all, and few items need none.

The draws are those of the single test with the same seed, so every p-value is the one that compare gives.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.engine.corrected.draws import exact_table, swapped_sums
from nofluke.engine.patterns import MOST_UNITS
from nofluke.engine.randomness import SWAP, chunks
from nofluke.engine.ratio_swaps.draws import ratio_swap_patterns
from nofluke.inference.ranking.panel import PairTable, Settings
from nofluke.inference.significance.ratio_support import least_log_p, units_behind
from nofluke.types import FloatArray, IntArray

# As in the single test; more where the family asks for smaller p-values.
LEAST_DRAWS = 29_999
# The smallest possible p-value, times the number of claims, is at most alpha over this.
_HEADROOM = 4
_TIE = 1e-11
_NO_SPREAD = 1e-13
_MOMENTS = 5


def draws_needed(settings: Settings) -> int:
    """Give how many draws let a family of claims be shown: the smallest p-value is 1 / (1 + draws)."""
    needed = math.ceil(_HEADROOM * settings.claims / settings.alpha)
    return max(LEAST_DRAWS, 10_000 * math.ceil(needed / 10_000) - 1)


def studentized_swaps(numerators: IntArray, denominators: IntArray, settings: Settings) -> PairTable:
    """Swap the outputs of i and j at random and give how often (F_i - F_j) / se is at least (at most) the observed."""
    size = numerators.shape[1]
    first, second = np.triu_indices(size, 1)
    moving = (numerators[:, first] != numerators[:, second]) | (denominators[:, first] != denominators[:, second])
    few = moving.sum(axis=0) <= MOST_UNITS
    draws = 0 if few.all() else draws_needed(settings)
    counts = np.zeros((2, first.size), np.int64) if few.all() else _drawn_counts(numerators, denominators, settings)
    log_p, bound, computed = np.zeros((size, size)), np.zeros((size, size)), np.full((size, size), "exact", "<U11")
    for rows, columns, hits in ((first, second, counts[0]), (second, first, counts[1])):
        p = (1.0 + hits) / (1.0 + draws)
        log_p[rows, columns] = np.log(p)
        bound[rows, columns] = np.where(few, 0.0, np.sqrt(p * (1.0 - p) / max(draws, 1)) / p)
        computed[rows, columns] = np.where(few, "exact", "monte-carlo")
    for i, j in zip(first[few].tolist(), second[few].tolist(), strict=True):
        every = ratio_swap_patterns(*numerators[:, [i, j]].T, *denominators[:, [i, j]].T, empty=None)
        if every is not None:
            log_p[i, j], log_p[j, i] = np.log(np.array([every.at_least, every.at_most]) / every.resamples)
    behind = units_behind(denominators)
    least = np.array([[least_log_p(int(min(x, y))) for y in behind] for x in behind])
    return PairTable(
        np.maximum(log_p, least),
        computed,
        bound,
        "exact under exchangeable outputs; asymptotic for equal metrics",
        resamples=draws,
        seed=settings.seed if draws else None,
    )


def _drawn_counts(numerators: IntArray, denominators: IntArray, settings: Settings) -> IntArray:
    """Count for every pair the draws at least and at most as large as what was observed; no score counts as both."""
    plan = _plan(numerators, denominators)
    observed = plan.studentized(np.zeros((1, plan.columns)))[0]
    slack = np.where(np.isfinite(observed), _TIE * np.abs(observed), 0.0)
    counts, draws, done = np.zeros((2, observed.size), np.int64), draws_needed(settings), 0
    for chunk, number in chunks(draws):
        t = plan.studentized(swapped_sums(plan.table, chunk, number, seed=settings.seed, stage=SWAP))
        counts[0] += number - np.count_nonzero(t < observed - slack, axis=0)
        counts[1] += number - np.count_nonzero(t > observed + slack, axis=0)
        done += number
        if settings.progress is not None:
            settings.progress(done, draws)
    return counts


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """Sums of c, y, c^2, c y, y^2 of every system and of c_i y_j - c_j y_i of every pair; c over y is the ratio."""

    table: np.ndarray
    sums: FloatArray
    first: IntArray
    second: IntArray
    both_c: FloatArray
    both_y: FloatArray
    cross: tuple[FloatArray, FloatArray]

    @property
    def columns(self) -> int:
        """The number of sums kept."""
        return int(self.table.shape[1])

    def studentized(self, swapped: FloatArray) -> FloatArray:
        """Give (draws, pairs) quotients after the rows behind `swapped` have changed sides."""
        size = self.sums.shape[0]
        by_system = swapped[:, : _MOMENTS * size].reshape(len(swapped), size, _MOMENTS)
        moved = by_system[:, self.second] - by_system[:, self.first]
        crossed = swapped[:, _MOMENTS * size :]
        c_a, y_a, cc_a, cy_a, yy_a = np.moveaxis(self.sums[self.first] + moved, 2, 0)
        c_b, y_b, cc_b, cy_b, yy_b = np.moveaxis(self.sums[self.second] - moved, 2, 0)
        a_b, b_a = self.cross[0] + crossed, self.cross[1] - crossed
        some_a, some_b = y_a > 0, y_b > 0
        full_a, full_b = np.where(some_a, y_a, 1.0), np.where(some_b, y_b, 1.0)
        f_a, f_b = np.where(some_a, c_a / full_a, np.nan), np.where(some_b, c_b / full_b, np.nan)
        own_a = np.where(some_a, cc_a - 2 * f_a * cy_a + f_a * f_a * yy_a, 0.0) / full_a**2
        own_b = np.where(some_b, cc_b - 2 * f_b * cy_b + f_b * f_b * yy_b, 0.0) / full_b**2
        # Grouped so that exchanging A and B gives the same bits.
        both = (self.both_c + f_a * f_b * self.both_y) - (f_b * a_b + f_a * b_a)
        variance = (own_a + own_b) - 2 * np.where(some_a & some_b, both, 0.0) / (full_a * full_b)
        terms = (cc_a + f_a * f_a * yy_a) / full_a**2 + (cc_b + f_b * f_b * yy_b) / full_b**2
        error = np.sqrt(np.where(variance > _NO_SPREAD * terms, variance, 0.0))
        difference = f_a - f_b
        with np.errstate(divide="ignore", invalid="ignore"):
            t: FloatArray = np.where(difference == 0.0, 0.0, difference / error)
        return t


def _plan(numerators: IntArray, denominators: IntArray) -> _Plan:
    c, y = numerators.astype(np.float64), denominators.astype(np.float64)
    n, size = c.shape
    first, second = np.triu_indices(size, 1)
    moments = np.stack((c, y, c * c, c * y, y * y), axis=2)
    a_b, b_a = c[:, first] * y[:, second], c[:, second] * y[:, first]
    table = exact_table(np.concatenate((moments.reshape(n, -1), b_a - a_b), axis=1), n)
    return _Plan(
        table,
        moments.sum(axis=0),
        first,
        second,
        (c.T @ c)[first, second],
        (y.T @ y)[first, second],
        (a_b.sum(axis=0), b_a.sum(axis=0)),
    )
