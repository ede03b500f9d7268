"""The pilot: its items (or clusters) in groups of equal ones, what they show under any weights, and how they spread."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from nofluke.align import cluster_totals, differences, in_steps
from nofluke.align.exact_sums import fitting, shifted_by
from nofluke.inference.power.curves.tilting import tilted
from nofluke.inference.resampling.corpus import corpus_of, not_drawn
from nofluke.inference.resampling.tangents import gradients
from nofluke.types import FloatArray, IntArray, Sample


@dataclass(frozen=True, slots=True, eq=False)
class Pilot:
    """Groups of equal units. `group` is the group of every unit, `multiplicity` how many units each group has.

    For means: `totals` (whole grid steps) and `sizes` (items) of a unit of each group. For corpus metrics:
    `statistics` (groups, 2, k), ordered so that the first score minus the second is positive when A is better.
    """

    sample: Sample
    group: IntArray
    multiplicity: FloatArray
    totals: IntArray
    sizes: IntArray
    step: float
    statistics: FloatArray | None

    @property
    def units(self) -> int:
        """The number of items, or clusters."""
        return len(self.group)

    @property
    def unit(self) -> str:
        """What is counted by n."""
        return f"{self.sample.unit}s"

    @property
    def equal_weights(self) -> FloatArray:
        """The weights of the pilot as it is."""
        weights: FloatArray = self.multiplicity / self.multiplicity.sum()
        return weights

    @property
    def varies(self) -> bool:
        """Whether any two units differ in what they say about A and B."""
        if self.statistics is not None:
            return bool(np.any(self.statistics[:, 0] != self.statistics[:, 1]))
        return self.spread(self.equal_weights) > 0

    def shown(self, weights: FloatArray) -> float:
        """The difference that units with these weights show, in score units, positive when A is better."""
        if self.statistics is not None:
            sums = np.tensordot(weights, self.statistics, axes=1) * self.units
            aggregate = self.sample.aggregate
            return float(aggregate(sums[0], float(self.units)) - aggregate(sums[1], float(self.units)))
        return float(weights @ self.totals) / float(weights @ self.sizes) * self.step

    def influence(self, weights: FloatArray) -> FloatArray:
        """How far one unit of each group pulls the difference, times the number of units; mean 0 under the weights."""
        if self.statistics is None:
            mean = float(weights @ self.totals) / float(weights @ self.sizes)
            return np.asarray((self.totals - mean * self.sizes) / float(weights @ self.sizes) * self.step)
        sums = np.tensordot(weights, self.statistics, axes=1) * self.units
        pull = np.zeros(len(weights))
        for system, sign in ((0, 1.0), (1, -1.0)):
            slope = gradients(self.sample.aggregate, sums[system], float(self.units))
            pull += sign * (self.statistics[:, system] - sums[system] / self.units) @ slope
        return pull * self.units

    def spread(self, weights: FloatArray) -> float:
        """The standard deviation of one unit: the difference shown by n units has that over the root of n."""
        pull = self.influence(weights)
        square = float(weights @ (pull - weights @ pull) ** 2) * self.units / max(self.units - 1, 1)
        return math.sqrt(square) if square > 1e-24 * max(self.step, 1e-300) ** 2 else 0.0

    def weights_for(self, difference: float) -> FloatArray:
        """Reweight the units so that they show this difference."""
        score = self.influence(self.equal_weights)
        if self.statistics is None:
            # Tilting along T - target S gives the wanted ratio of means; without clusters S is 1.
            score = (self.totals - difference / self.step * self.sizes).astype(np.float64)
        return tilted(score, self.multiplicity, self.shown, difference)

    def shifted(self, delta: float) -> tuple[IntArray, float]:
        """The totals minus delta for every item, in whole numbers of a finer step; and that step."""
        steps = Fraction(in_steps(delta, self.sample.grid)).limit_denominator(1_000_000)
        return shifted_by(self.totals, self.sizes, steps), self.step / steps.denominator


def pilot_of(sample: Sample, *, grouped: bool) -> Pilot:
    """Take the units of a paired sample; `grouped` puts those with the same difference (and size) together."""
    if not sample.aggregate.linear:
        corpus = corpus_of(sample)
        if corpus.corpora is not None:
            raise not_drawn(sample)
        statistics, units = corpus.statistics, corpus.units
        ones = np.ones(units, np.int64)
        return Pilot(sample, np.arange(units), np.ones(units), ones * 0, ones, 1.0, statistics)
    d = differences(sample)
    totals, sizes = cluster_totals(d.snapped, sample.clusters)
    totals = fitting(totals)
    if not grouped:
        return Pilot(sample, np.arange(len(totals)), np.ones(len(totals)), totals, sizes, d.step, None)
    # A number for every total and size, in their order; Python's integers, which wide totals are, have no rows to sort.
    codes = np.unique(totals, return_inverse=True)[1].ravel() * (int(sizes.max()) + 1) + sizes
    _, first, group, counts = np.unique(codes, return_index=True, return_inverse=True, return_counts=True)
    # In the order of their size, in which signed ranks need them.
    order = np.argsort(np.abs(totals[first]), kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    chosen = first[order]
    often = counts[order].astype(np.float64)
    return Pilot(sample, place[group.ravel()], often, totals[chosen], sizes[chosen], d.step, None)
