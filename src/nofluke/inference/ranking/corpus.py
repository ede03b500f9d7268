"""Corpus metrics for all pairs: swaps of whole outputs, exact where the metric lets them be.

Ratios with shared denominators (UAS, WER) are sums of differences. Other ratios (F1, AER) are divided by their standard
error after every swap, from one set of draws that serves all pairs. Smooth metrics (BLEU, chrF) are straight lines with
a correction.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nofluke.engine.flips import flip_tail
from nofluke.engine.pairs.flips import Exactness, all_pairs_flips
from nofluke.inference.ranking.panel import PairTable, Settings, all_exact, by_cluster, exactly
from nofluke.inference.ranking.ratio_swaps import studentized_swaps
from nofluke.inference.ranking.smooth_swaps import smooth_swaps
from nofluke.inference.resampling.corpus import in_whole_numbers
from nofluke.inference.tests.ratio_swaps import support_notes, units_behind
from nofluke.types import IntArray, Sample, frozen

_NAMED = 5


def swaps(sample: Sample, settings: Settings) -> PairTable:
    """Choose the path by the class of the metric."""
    whole, aggregate = in_whole_numbers(sample.statistics, sample.aggregate)
    sample = replace(sample, statistics=frozen(whole), aggregate=aggregate)
    statistics = np.asarray(by_cluster(sample.statistics, sample.clusters))
    ratio = sample.aggregate.ratio
    sign = 1 if sample.higher_is_better else -1
    if ratio is None:
        return smooth_swaps(sample, statistics, settings)
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
