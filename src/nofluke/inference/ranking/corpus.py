"""Corpus metrics for all pairs: swaps of whole outputs, exact where the metric lets them be.

Ratios with shared denominators (UAS, WER) are sums of differences. Other ratios (F1, AER) are divided by their standard
error after every swap, from one set of draws that serves all pairs. Smooth metrics (BLEU, chrF) are straight lines with
a correction.
"""

from __future__ import annotations

import numpy as np

from nofluke.engine.flips import flip_tail
from nofluke.engine.pairs.flips import Exactness, all_pairs_flips
from nofluke.inference.ranking.panel import PairTable, Settings, all_exact, by_cluster, exactly
from nofluke.inference.ranking.ratio_swaps import studentized_swaps
from nofluke.inference.ranking.smooth_swaps import smooth_swaps
from nofluke.types import IntArray, Sample

VALIDITY = "exact under exchangeable outputs; asymptotic for equal metrics"
_BLOCK = 1 << 19


def swaps(sample: Sample, settings: Settings) -> PairTable:
    """Choose the path by the class of the metric."""
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
    return table if sign == 1 else PairTable(
        table.log_p.T.copy(),
        table.computed.T.copy(),
        table.bound.T.copy(),
        table.validity,
        table.notes,
        resamples=table.resamples,
        seed=table.seed,
    )  # fmt: skip


def _shared(numerators: IntArray, settings: Settings) -> PairTable:
    """All systems have the same denominators, so only the numerators differ: sign flips of sums."""
    how: Exactness = "all" if all_exact(settings, *numerators.shape) else "none"
    tails = all_pairs_flips(numerators, exact=how, progress=settings.progress)

    def exact(i: int, j: int) -> tuple[float, float, str]:
        differences = numerators[:, i] - numerators[:, j]
        tail = flip_tail(differences, int(differences.sum()))
        return tail.log_p, tail.bound, exactly(tail.bound)

    return PairTable(tails.log_p, tails.computed, tails.bound, VALIDITY, exact=exact)
