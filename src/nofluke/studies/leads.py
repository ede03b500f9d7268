"""Who leads whom: the scores of all systems with higher = better, and the lead in every pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nofluke.align.exact_sums import summable
from nofluke.inference.ranking.panel import oriented
from nofluke.types import FloatArray, IntArray, Sample

# Scores of corpus metrics that agree to so many digits are equal: their sums are rounded in the last bits.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Leads:
    """Every pair of systems: `better` is ahead of `worse` by `gain`, which is exactly 0 where both score the same."""

    better: IntArray
    worse: IntArray
    gain: FloatArray

    def only(self, chosen: npt.NDArray[np.bool_]) -> Leads:
        """Give some of the pairs."""
        return Leads(self.better[chosen], self.worse[chosen], self.gain[chosen])


def oriented_scores(sample: Sample) -> FloatArray:
    """Give every system's score, higher = better; sums of grid steps where there is a grid, so that ties are ties."""
    if sample.aggregate.linear and sample.grid.exact:
        sums = summable(oriented(sample)).sum(axis=0)
        exact: FloatArray = (sums / (sample.n * sample.grid.per_unit)).astype(np.float64)
        return exact
    values = np.array([sample.score(index) for index in range(len(sample.systems))])
    return values if sample.higher_is_better else -values


def leads(scores: FloatArray) -> Leads:
    """Give the lead in every pair of systems, from their oriented scores.

    >>> found = leads(np.array([0.2, 0.5, 0.5]))
    >>> found.better.tolist(), found.worse.tolist(), found.gain.round(1).tolist()
    ([1, 2, 1], [0, 0, 2], [0.3, 0.3, 0.0])
    """
    first, second = np.triu_indices(len(scores), 1)
    ahead = scores[first] >= scores[second]
    better, worse = np.where(ahead, first, second), np.where(ahead, second, first)
    return Leads(better, worse, lead(scores[better] - scores[worse], scores))


def lead(difference: FloatArray, scores: FloatArray) -> FloatArray:
    """Give differences of scores, with 0 where they are a matter of rounding."""
    even = np.abs(difference) <= _ROUNDING * float(np.abs(scores).max(initial=0.0))
    return np.where(even, 0.0, difference)
