"""The pilot of an average of datasets: its items are drawn within each, and all datasets grow in proportion."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

import numpy as np

from nofluke.align import differences, in_steps
from nofluke.align.exact_sums import largest, products, shifted_by, summable
from nofluke.align.strata import averaged, multipliers_of
from nofluke.engine.flips import flip_tail
from nofluke.inference.power.curves.draws import Alias, drawn_within
from nofluke.inference.power.curves.flip_tails import signed_log_tails
from nofluke.inference.power.curves.pilot import Pilot
from nofluke.inference.power.curves.rule import SADDLEPOINT, Rule, Setting
from nofluke.inference.power.curves.tilting import tilted
from nofluke.types import FloatArray, IntArray, Sample, Strata, frozen

# Sums of fewer differing items (by how evenly they count) are lumpy where these have few sizes, and saddlepoints too
# rough where p may be on either side of the level: within so much of its logarithm. Other sums are smooth, but for
# those of very few items.
_FEW, _COARSE, _NEAR, _SMALL = 60.0, 50, 2.5, 24


@dataclass(frozen=True, slots=True, eq=False)
class AveragePilot(Pilot):
    """Groups of equal items of one dataset each: `home` is the dataset of every group.

    `values` is the difference of a group times what an item counts, with mean 1 over all items: the difference shown is
    their mean, and its variance that of the average.
    """

    home: IntArray
    values: FloatArray
    strata: Strata

    def shown(self, weights: FloatArray) -> float:
        """The average difference that items with these weights show."""
        return float(weights @ self.values)

    def influence(self, weights: FloatArray) -> FloatArray:
        """How far one item of each group pulls the average, from the mean of its dataset."""
        shares = np.bincount(self.home, weights=weights)
        means = np.bincount(self.home, weights=weights * self.values) / np.where(shares > 0, shares, 1.0)
        return np.asarray(self.values - means[self.home])

    def weights_for(self, difference: float) -> FloatArray:
        """Reweight the items of every dataset so that they show this difference on average."""
        return tilted(self.values, self.multiplicity, self.shown, difference, self.home)

    def sizes_at(self, size: int) -> list[int]:
        """How many of `size` items every dataset has: in proportion, by largest remainders, at least one."""
        exact = np.bincount(self.home, weights=self.multiplicity) * (size / self.units)
        whole = np.maximum(np.floor(exact), 1).astype(np.int64)
        rest = exact - whole
        for place in np.argsort(-rest, kind="stable")[: max(0, size - int(whole.sum()))]:
            whole[place] += 1
        return [int(one) for one in whole]

    def drawn(self, weights: FloatArray, size: int, iterations: int, seed: int) -> Iterator[FloatArray]:
        """Give blocks of test sets of about this size, as counts of the groups."""
        tables = [Alias(weights[self.home == place]) for place in range(len(self.strata.names))]
        return drawn_within(tables, self.sizes_at(size), iterations, seed)


def average_pilot(sample: Sample, strata: Strata, *, grouped: bool) -> AveragePilot:
    """Take the items of several datasets; `grouped` puts those of one dataset with the same difference together."""
    d = differences(sample)
    counts = strata.shares * sample.n
    if grouped:
        codes = np.unique(d.snapped, return_inverse=True)[1].ravel() * len(strata.names) + strata.codes
    else:
        codes = np.arange(sample.n)
    _, first, group, often = np.unique(codes, return_index=True, return_inverse=True, return_counts=True)
    # Datasets side by side: each is drawn from groups of its own.
    order = np.lexsort((first, strata.codes[first]))
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    chosen = first[order]
    return AveragePilot(
        sample,
        place[group.ravel()],
        often[order].astype(np.float64),
        d.snapped[chosen],
        np.ones(len(chosen), np.int64),
        d.step,
        None,
        strata.codes[chosen],
        (d.values * counts)[chosen],
        strata,
    )


def average_flip_rule(pilot: AveragePilot, setting: Setting) -> Rule:
    """Sign flips of the weighted average; what an item counts follows from the sizes that were drawn."""
    steps = Fraction(in_steps(setting.delta, pilot.sample.grid)).limit_denominator(1_000_000)
    values = shifted_by(pilot.totals, 1, steps)

    @cache
    def weighed(sizes: tuple[int, ...]) -> IntArray:
        shares = [Fraction(weight) / size for weight, size in zip(pilot.strata.weights, sizes, strict=True)]
        multipliers, _ = multipliers_of(shares, float(largest(values)) * sum(sizes))
        return products(values, summable(np.array(multipliers, dtype=object))[pilot.home])

    def numbers_of(counts: FloatArray) -> IntArray:
        sizes = np.bincount(pilot.home, weights=counts[0], minlength=len(pilot.strata.names))
        return weighed(tuple(int(size) for size in sizes))

    def exact(row: FloatArray) -> float:
        items = np.repeat(numbers_of(row[None, :]), row.astype(np.int64))
        total = int(summable(items).sum())
        tail = flip_tail(items, total) if total >= 0 else flip_tail(-items, -total)
        return float(setting.log_p(np.array([total]), np.array([tail.log_p]))[0])

    def block(counts: FloatArray) -> FloatArray:
        whole = numbers_of(counts)
        logs = setting.log_p(*signed_log_tails(whole, counts, setting.tail))
        numbers = (whole / max(largest(whole), 1)).astype(np.float64)
        squares = numbers * numbers
        few = (counts @ squares) ** 2 < _FEW * (counts @ squares**2)
        if len(np.unique(np.abs(whole))) > _COARSE:
            few &= counts.sum(axis=1) <= _SMALL
        for row in np.flatnonzero(few & (np.abs(logs - math.log(setting.level)) < _NEAR)):
            logs[row] = exact(counts[row])
        return logs

    return Rule(block, SADDLEPOINT, exact)


def drawn_average(pilot: AveragePilot, counts: IntArray) -> Sample:
    """Make the sample that holds each item of an ungrouped pilot so many times, its average weighted as before."""
    items = np.empty(pilot.units, np.int64)
    items[pilot.group] = np.arange(pilot.units)
    taken = np.repeat(items, counts)
    plain = replace(
        pilot.sample,
        statistics=frozen(pilot.sample.statistics[taken]),
        ids=None,
        lengths=(len(taken), len(taken)),
        strata=None,
    )
    strata = pilot.strata
    weights = dict(zip(strata.names, strata.weights, strict=True))
    return averaged(plain, strata.names, strata.codes[taken], weights, 0)
