"""Corpus metrics for all pairs: swaps of whole outputs, exact where the metric lets them be.

Ratios with shared denominators (UAS, WER) are sums of differences. Other ratios (F1, AER) are divided by their standard
error after every swap, from one set of draws that serves all pairs and is that of the single test with the same seed.
Smooth metrics (BLEU, chrF) are straight lines with a correction.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from nofluke.engine.flips import flip_tail
from nofluke.engine.pairs.flips import Exactness, all_pairs_flips
from nofluke.engine.ratio_swaps.all_pairs import all_pairs_swap_counts
from nofluke.engine.ratio_swaps.draws import MOST_UNITS, ratio_swap_patterns
from nofluke.forms import OF_CORPUS_PAIRS
from nofluke.inference.ranking.panel import PairTable, Settings, all_exact, by_cluster, exactly
from nofluke.inference.ranking.smooth_swaps import smooth_swaps
from nofluke.inference.resampling.corpus import in_whole_numbers
from nofluke.inference.tests.ratio_swaps import least_log_p, support_notes, units_behind
from nofluke.types import IntArray, Sample, frozen

_NAMED = 5
# As in the single test; more where the family asks for smaller p-values.
LEAST_DRAWS = 29_999
# The smallest possible p-value, times the number of claims, is at most alpha over this.
_HEADROOM = 4


@OF_CORPUS_PAIRS.register(
    "permutation", knows={"form": ("studentized",), "stop": ("never",)}, clusters=True, averages=True, approximates=True
)
def swaps(sample: Sample, settings: Settings) -> PairTable:
    """Choose the path by the class of the metric."""
    whole, aggregate = in_whole_numbers(sample.statistics, sample.aggregate)
    strata = sample.strata
    if strata is not None and not strata.pooled:
        # Even of ratios the average over datasets is none.
        sample = replace(sample, strata=replace(strata, each=aggregate))
        return smooth_swaps(replace(sample, statistics=frozen(whole), aggregate=aggregate), settings)
    sample = replace(sample, statistics=frozen(whole), aggregate=aggregate)
    ratio = sample.aggregate.ratio
    sign = 1 if sample.higher_is_better else -1
    if ratio is None:
        return smooth_swaps(sample, settings)
    statistics = np.asarray(by_cluster(sample.statistics, sample.clusters))
    numerators = np.rint(statistics @ np.array(ratio.numerator, np.float64)).astype(np.int64)
    denominators = np.rint(statistics @ np.array(ratio.denominator, np.float64)).astype(np.int64)
    if (denominators == denominators[:, :1]).all():
        return _shared(sign * numerators, settings)
    table = studentized_swaps(numerators, denominators, settings)
    behind = units_behind(denominators).tolist()
    notes = support_notes(sample.systems, behind, len(statistics), sample.metric, sample.unit, held=True)
    table = replace(table, notes=notes[:_NAMED])
    if sign == 1:
        return table
    turned = {name: getattr(table, name).T.copy() for name in ("log_p", "computed", "bound")}
    return replace(table, **turned)


def _shared(numerators: IntArray, settings: Settings) -> PairTable:
    """All systems have the same denominators, so only the numerators differ: sign flips of sums."""
    how: Exactness = "all" if all_exact(settings, *numerators.shape) else "near"
    tails = all_pairs_flips(numerators, exact=how, progress=settings.progress)

    def exact(i: int, j: int) -> tuple[float, float, str]:
        differences = numerators[:, i] - numerators[:, j]
        tail = flip_tail(differences, int(differences.sum()), enough=0.0)
        return tail.log_p, tail.bound, exactly(tail.bound)

    return PairTable(tails.log_p, tails.computed, tails.bound, "exact_if_swappable_metric", exact=exact)


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
