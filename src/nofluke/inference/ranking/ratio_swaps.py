"""Studentised swaps of ratios for all pairs: one set of random swaps serves them all, and few items need none.

The draws are those of the single test with the same seed, so every p-value is the one that compare gives.
"""

from __future__ import annotations

import math

import numpy as np

from nofluke.engine.patterns import MOST_UNITS
from nofluke.engine.ratio_swaps.all_pairs import all_pairs_swap_counts
from nofluke.engine.ratio_swaps.draws import ratio_swap_patterns
from nofluke.inference.ranking.panel import PairTable, Settings
from nofluke.inference.tests.ratio_swaps import least_log_p, units_behind
from nofluke.types import IntArray

# As in the single test; more where the family asks for smaller p-values.
LEAST_DRAWS = 29_999
# The smallest possible p-value, times the number of claims, is at most alpha over this.
_HEADROOM = 4


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
    counts = np.zeros((2, first.size), np.int64)
    if draws:
        counts[:, ~few] = all_pairs_swap_counts(
            numerators,
            denominators,
            (first[~few], second[~few]),
            resamples=draws,
            seed=settings.seed,
            progress=settings.progress,
        )
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
        "exact_if_swappable_metric",
        resamples=draws,
        seed=settings.seed if draws else None,
    )
