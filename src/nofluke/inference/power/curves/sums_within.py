"""The pilot of an average whose datasets are scored by sums: corpus metrics, and means of items in clusters."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from nofluke.align import cluster_totals, differences, in_steps
from nofluke.align.exact_sums import largest, products, shifted_by, summable
from nofluke.align.strata import averaged, multipliers_of, unblocked
from nofluke.engine.flips import flip_tail
from nofluke.errors import Fix, MethodError, Option
from nofluke.inference.power.curves.rule import TANGENT, Rule, Setting
from nofluke.inference.power.curves.tilting import tilted
from nofluke.inference.power.curves.within_datasets import AveragePilot
from nofluke.inference.resampling.tangents import Moments, Tangent, gradients
from nofluke.inference.resampling.within_datasets import units_within
from nofluke.types import Aggregate, FloatArray, IntArray, Sample, Strata, frozen

# Flips of fewer clusters are counted where their p-value may be on either side of the level: within so much of its
# logarithm. A normal law is good enough for those of more.
_FEW, _NEAR = 60, 2.5


@dataclass(frozen=True, slots=True, eq=False)
class SumsPilot(AveragePilot):
    """Items, or clusters, of one dataset each, which `each` scores by the sums of their `statistics`."""

    each: Aggregate

    def _sums(self, weights: FloatArray) -> list[tuple[FloatArray, IntArray, float]]:
        """For every dataset its sums, (2, k), under the weights, where its units are, and their number."""
        found = []
        for place in range(len(self.strata.names)):
            here = np.flatnonzero(self.home == place)
            found.append((np.tensordot(weights[here], self._own[here], axes=1) * self.units, here, float(len(here))))
        return found

    @property
    def _own(self) -> FloatArray:
        if self.statistics is None:
            raise TypeError("an average of sums has statistics")
        return self.statistics

    def shown(self, weights: FloatArray) -> float:
        """The average difference that units with these weights show."""
        parts = [self.each(sums[0], n) - self.each(sums[1], n) for sums, _, n in self._sums(weights)]
        return math.fsum(weight * float(part) for weight, part in zip(self.strata.weights, parts, strict=True))

    def influence(self, weights: FloatArray) -> FloatArray:
        """How far one unit pulls the average, times the number of units; its mean in every dataset is 0."""
        pull = np.zeros(len(weights))
        for weight, (sums, here, n) in zip(self.strata.weights, self._sums(weights), strict=True):
            for system, sign in ((0, 1.0), (1, -1.0)):
                slope = gradients(self.each, sums[system], n)
                pull[here] += sign * weight * (self._own[here, system] @ slope)
            share = float(weights[here].sum())
            pull[here] -= float(weights[here] @ pull[here]) / share if share else 0.0
        return pull * self.units

    def weights_for(self, difference: float) -> FloatArray:
        """Reweight the units of every dataset so that they show this difference on average."""
        return tilted(self.influence(self.equal_weights), self.multiplicity, self.shown, difference, self.home)


def sums_pilot(sample: Sample, strata: Strata) -> SumsPilot:
    """Take the items, or clusters, of several datasets, one by one."""
    within = units_within(sample, strata)
    if within is None:
        raise MethodError(
            "some clusters, or items with one id, are in several datasets, and cannot be drawn within one.",
            fix=Fix("choose one dataset: ", Option("dataset", strata.names[0]), "."),
        )
    d = differences(sample) if sample.aggregate.linear else None
    totals, sizes = cluster_totals(np.zeros(sample.n, np.int64) if d is None else d.snapped, within.units)
    # Datasets side by side: each is drawn from units of its own.
    order = np.argsort(within.home, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return SumsPilot(
        sample,
        place,
        np.ones(len(order)),
        totals[order],
        sizes[order],
        1.0 if d is None else d.step,
        within.statistics[order],
        within.home[order],
        np.zeros(len(order)),
        strata,
        within.each,
    )


def tangent_of(statistics: FloatArray, aggregate: Aggregate) -> Callable[[FloatArray], tuple[Moments, float]]:
    """Give the function from counts of units, (test sets, units), to what their metric's tangent says; and how many."""
    scale = np.maximum(np.abs(statistics.reshape(len(statistics), -1)).max(axis=0), 1e-300)
    tangent = Tangent(statistics, aggregate, scale)

    def moments(counts: FloatArray) -> tuple[Moments, float]:
        n = float(counts[0].sum())
        return tangent.moments(counts @ tangent.columns, n), n

    return moments


def normal_log_p(difference: FloatArray, variance: FloatArray, setting: Setting) -> FloatArray:
    """Give log p-values of differences that vary normally; none without a spread."""
    from scipy.special import log_ndtr

    excess, deviation = difference - setting.delta, np.sqrt(variance)
    solid = deviation > 1e-12 * np.maximum(np.abs(difference), 1e-300)
    z = np.where(solid, excess / np.where(solid, deviation, 1.0), 0.0)
    return setting.log_p(excess, log_ndtr(-np.abs(z)))


def average_sums_rule(pilot: SumsPilot, setting: Setting) -> Rule:
    """Swaps within datasets: a normal law of the tangents of all; flips of few clusters near the level are counted."""
    places = [np.flatnonzero(pilot.home == place) for place in range(len(pilot.strata.names))]
    parts = [tangent_of(pilot._own[here], pilot.each) for here in places]
    means = pilot.sample.aggregate.linear

    def block(counts: FloatArray) -> FloatArray:
        difference, variance = np.zeros(len(counts)), np.zeros(len(counts))
        for weight, here, moments in zip(pilot.strata.weights, places, parts, strict=True):
            found, n = moments(counts[:, here])
            difference += weight * found.difference
            # A swap turns the sign of a pull, and does not take out its mean.
            variance += weight**2 * (found.centred + found.difference**2 / n)
        logs = normal_log_p(difference, variance, setting)
        if means and counts[0].sum() <= _FEW:
            for row in np.flatnonzero(np.abs(logs - math.log(setting.level)) < _NEAR):
                logs[row] = _flipped(pilot, counts[row], setting)
        return logs

    return Rule(block, TANGENT)


def _flipped(pilot: SumsPilot, row: FloatArray, setting: Setting) -> float:
    """The exact log p-value of flips of cluster totals; what an item counts follows from the sizes that were drawn."""
    steps = Fraction(in_steps(setting.delta, pilot.sample.grid)).limit_denominator(1_000_000)
    values, counts = shifted_by(pilot.totals, pilot.sizes, steps), row.astype(np.int64)
    drawn = np.bincount(pilot.home, weights=counts * pilot.sizes, minlength=len(pilot.strata.names))
    shares = [Fraction(weight) / int(size) for weight, size in zip(pilot.strata.weights, drawn, strict=True)]
    multipliers, _ = multipliers_of(shares, float(largest(values)) * float(drawn.sum()))
    numbers = np.repeat(products(values, summable(np.array(multipliers, dtype=object))[pilot.home]), counts)
    total = int(summable(numbers).sum())
    tail = flip_tail(numbers, total) if total >= 0 else flip_tail(-numbers, -total)
    return float(setting.log_p(np.array([total]), np.array([tail.log_p]))[0])


def drawn_sums(pilot: SumsPilot, counts: IntArray) -> Sample:
    """Make the sample that holds each unit so many times, its average weighted as before."""
    sample, strata = pilot.sample, pilot.strata
    units = pilot.group if sample.clusters is None else pilot.group[np.unique(sample.clusters, return_inverse=True)[1]]
    members = np.split(np.argsort(units, kind="stable"), np.cumsum(np.bincount(units, minlength=pilot.units))[:-1])
    chosen = np.repeat(np.arange(pilot.units), counts)
    items = np.concatenate([members[unit] for unit in chosen])
    labels = np.repeat(np.arange(len(chosen)), [len(members[unit]) for unit in chosen])
    plain = unblocked(sample)
    clustered = sample.clusters is not None
    drawn = replace(
        plain,
        statistics=frozen(plain.statistics[items]),
        ids=None,
        lengths=(len(items), len(items)),
        clusters=frozen(labels, np.int64) if clustered else None,
        cluster_labels=tuple(map(str, range(len(chosen)))) if clustered else (),
    )
    weights = dict(zip(strata.names, strata.weights, strict=True))
    return averaged(drawn, strata.names, strata.codes[items], weights, 0)
