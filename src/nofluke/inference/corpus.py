"""Two systems on a corpus metric: oriented whole-number statistics, their difference and its standard error."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.align import cluster_totals
from nofluke.errors import MethodError
from nofluke.types import Aggregate, FloatArray, IntArray, Sample


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Statistics (units, 2, k), ordered so that the first minus the second score is positive when A is better.

    Units are items, or clusters whose items' statistics are added up.
    """

    statistics: FloatArray
    aggregate: Aggregate

    @property
    def difference(self) -> float:
        """The difference of the two scores, positive when A is better."""
        sums, n = self.statistics.sum(axis=0), float(len(self.statistics))
        return float(self.aggregate(sums[0], n) - self.aggregate(sums[1], n))

    def columns(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Numerators of both and denominators of both, for a ratio metric."""
        ratio = self.aggregate.ratio
        if ratio is None:
            raise MethodError(f"{self.aggregate.name} is not a ratio of sums.", fix="use form 'raw' for other metrics.")
        over, under = np.array(ratio.numerator, np.float64), np.array(ratio.denominator, np.float64)
        num, den = np.rint(self.statistics @ over), np.rint(self.statistics @ under)
        parts = (num[:, 0], num[:, 1], den[:, 0], den[:, 1])
        first, second, third, fourth = (part.astype(np.int64) for part in parts)
        return first, second, third, fourth

    def standard_error(self) -> float:
        """The delta-method standard error of the difference, from influences by central differences."""
        n = len(self.statistics)
        sums = self.statistics.sum(axis=0)
        influence = np.zeros(n)
        for system, sign in ((0, 1.0), (1, -1.0)):
            gradient = _gradient(self.aggregate, sums[system], float(n))
            influence += sign * (self.statistics[:, system] - sums[system] / n) @ gradient
        return math.sqrt(n / (n - 1) * float(influence @ influence)) if n > 1 else math.nan


def corpus_of(sample: Sample) -> Corpus:
    """Give the statistics of A and B, cluster by cluster where there are clusters, in the order that A better is up."""
    if len(sample.systems) != 2 or not sample.paired:
        raise MethodError("two systems on the same items are compared.", fix="choose two with scores.pair(a, b).")
    # Where lower is better B stands first, so that a positive difference always means that A is better.
    statistics = sample.statistics if sample.higher_is_better else sample.statistics[:, ::-1]
    if sample.clusters is not None:
        flat = statistics.reshape(len(statistics), -1)
        sums = [cluster_totals(np.ascontiguousarray(flat[:, j]), sample.clusters)[0] for j in range(flat.shape[1])]
        statistics = np.stack(sums, axis=1).reshape(-1, 2, statistics.shape[2])
    return Corpus(statistics, sample.aggregate)


def _gradient(aggregate: Aggregate, sums: FloatArray, n: float) -> FloatArray:
    step = np.maximum(np.abs(sums), 1.0) * 1e-5
    moves = np.diag(step)
    rise = aggregate(sums + moves, n) - aggregate(sums - moves, n)
    gradient: FloatArray = rise / (2 * step)
    return gradient
