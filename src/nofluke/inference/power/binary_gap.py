"""The gap between two systems with 0/1 scores that a test set of this size reveals, by the exact test that is run."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.align import differences
from nofluke.errors import InputError
from nofluke.inference.power.designs import sawtooth_width
from nofluke.inference.power.effect import Effect
from nofluke.inference.power.paired_binary import critical_wins, mcnemar_power
from nofluke.inference.power.search import smallest_effect, smallest_lasting
from nofluke.types import FloatArray, Sample

# The share of disagreements is taken from the upper end of what these data allow at this level, one-sided.
_SURE = 0.8


@dataclass(frozen=True, slots=True)
class BinaryDifferences:
    """Items with 0/1 scores, on how many of them the systems differ, and what a right answer counts (1 or 100).

    Swapping right and wrong answers is McNemar's exact test, so its power is binomial. It depends on the gap and on how
    often the systems differ, which limit each other: a gap needs at least as many items that differ. So a gap is never
    assumed together with fewer, and the observed gap plays no part.
    """

    items: int
    differing: int
    full: float = 1.0

    @property
    def disagreement(self) -> float:
        """The upper limit of the share of items on which the systems differ (Clopper and Pearson)."""
        from scipy.special import betaincinv

        if self.differing == self.items:
            return 1.0
        return float(betaincinv(self.differing + 1, self.items - self.differing, _SURE))

    def shift(self, level: float, alternative: str, power: float) -> float:
        """Give the gap found with this power, in either direction; nan where too few items are there for any."""

        def power_of(gap: float) -> float:
            return float(self._powers(np.array([float(self.items)]), gap, level, alternative)[0])

        scale = 2 * math.sqrt(self.disagreement / self.items)
        return self.full * smallest_effect(power_of, power, min(1.0, scale), 1.0)

    def threshold(self, level: float, alternative: str) -> float:
        """Give the least significant difference where as many items differ as here; nan where there is none."""
        tail = level / (2 if alternative == "two-sided" else 1)
        wins = int(critical_wins(np.array([self.differing]), tail)[0])
        return self.full * (2 * wins - self.differing) / self.items if wins <= self.differing else math.nan

    def needed(self, gap: float, level: float, alternative: str, power: float) -> float:
        """Give the number of items from which this gap is found with this power, with the same disagreement."""
        share = gap / self.full

        def powers(sizes: FloatArray) -> FloatArray:
            return self._powers(sizes, share, level, alternative)

        try:
            # The last bits of a gap that was itself found for this power must not cost an item.
            return float(smallest_lasting(powers, power * (1 - 1e-9), sawtooth_width(self._truth(share))))
        except InputError:
            return math.inf

    def _truth(self, gap: float) -> Effect:
        return Effect(gap, disagreement=max(gap, self.disagreement))

    def _powers(self, sizes: FloatArray, gap: float, level: float, alternative: str) -> FloatArray:
        sides = "two-sided" if alternative == "two-sided" else "greater"
        return mcnemar_power(sizes, self._truth(gap), level, sides)


def binary_differences(sample: Sample) -> BinaryDifferences | None:
    """Give the counts of 0/1 scores where every item is swapped by itself and counts the same; None elsewhere."""
    full = full_score(sample)
    if full is None or sample.clusters is not None or not (sample.strata is None or sample.strata.pooled):
        return None
    return BinaryDifferences(sample.n, int(np.count_nonzero(differences(sample).signs)), full)


def full_score(sample: Sample) -> float | None:
    """What a right answer counts where answers are right or wrong: 1 or 100; None for other scores."""
    if not sample.aggregate.linear:
        return None
    return next((full for full in (1.0, 100.0) if np.isin(sample.statistics, (0.0, full)).all()), None)
