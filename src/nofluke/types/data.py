"""Scores as they were read, and the aligned Sample that every method takes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from nofluke.types.aggregate import Aggregate
from nofluke.types.base import FloatArray, IntArray, Value, frozen
from nofluke.types.labels import Labels
from nofluke.types.notes import Note, note


@dataclass(frozen=True, slots=True, eq=False)
class Axis(Value):
    """One dimension of a score table: the label of every row, as a code into `labels`."""

    labels: tuple[str, ...] | Labels
    codes: IntArray

    def code_of(self, label: str) -> int:
        """Give the code of a label; ValueError when it is not there."""
        return self.labels.index(label)


@dataclass(frozen=True, slots=True)
class Source(Value):
    """Where scores came from and how its columns were understood.

    `made_by` are the harnesses whose logs these are, as formats with their versions; empty for a table. `date` is when
    the newest of these logs was made, and `commit` of what, where they say so.
    """

    name: str
    format: str
    rows: int
    mapping: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    made_by: tuple[tuple[str, str], ...] = ()
    date: str = ""
    commit: str = ""


# Where there are more possible numbers than so many times the rows, listing them takes longer than sorting.
_SPARSE = 8

# What became of an item in a log; only the first is a score.
STATUSES = ("scored", "unscored", "error", "skipped", "invalid")


@dataclass(frozen=True, slots=True)
class Group(Value):
    """Datasets that a benchmark counts as one: their mean, where every item (`by_size`) or dataset counts the same."""

    name: str
    datasets: tuple[str, ...]
    by_size: bool


@dataclass(frozen=True, slots=True, eq=False)
class Scores(Value):
    """A score table made regular: one row is one item, system, dataset, metric and run.

    `statistics` is (rows, k); a row whose score is missing holds nan. `ids_given` is False when items are bare row
    numbers. `digits` is how many significant digits the origin vouches for: 15 for text, 12 for binary floats.
    `signatures` says by metric how outputs were scored, where they were. Logs say more: `primary` is the metric that a
    dataset is judged by unless another is named, `groups` are datasets that count as one, and `checks` (0 if unknown)
    stand for what the item of a row asks: items of one id and different checks are different items. `status` says why
    a row is not scored, as a place in STATUSES.
    """

    statistics: FloatArray
    item: Axis
    system: Axis
    dataset: Axis
    metric: Axis
    run: Axis | None
    cluster: Axis | None
    higher_is_better: Mapping[str, bool]
    aggregates: Mapping[str, Aggregate]
    ids_given: bool
    digits: int
    lines: IntArray | None
    sources: tuple[Source, ...]
    notes: tuple[Note, ...] = ()
    signatures: Mapping[str, str] = field(default_factory=dict)
    primary: Mapping[str, str] = field(default_factory=dict)
    groups: tuple[Group, ...] = ()
    checks: IntArray | None = None
    status: IntArray | None = None

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems in the order in which they were named."""
        return tuple(self.system.labels)

    @property
    def datasets(self) -> tuple[str, ...]:
        """The datasets in the order in which they were named."""
        return tuple(self.dataset.labels)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics in the order in which they were named."""
        return tuple(self.metric.labels)

    def key(self, *roles: str) -> IntArray:
        """Number the rows so that two have one number where they agree in all these roles, the last varying fastest.

        A role that the scores do not have tells no rows apart.
        """
        key: IntArray = np.zeros(len(self.statistics), np.int64)
        for role in roles:
            axis: Axis | None = getattr(self, role)
            if axis is not None:
                key = key * len(axis.labels) + axis.codes
        return key

    def keys(self, *roles: str) -> IntArray:
        """Give every number of `key` once, in order."""
        key = self.key(*roles)
        axes: list[Axis | None] = [getattr(self, role) for role in roles]
        size = math.prod(len(axis.labels) for axis in axes if axis is not None)
        if size > _SPARSE * len(key):
            return np.unique(key)
        # Of few possible numbers those that occur are ticked off, which is far quicker than sorting all rows.
        there = np.zeros(size, bool)
        there[key] = True
        return np.flatnonzero(there)

    def pair(self, a: str | None = None, b: str | None = None, **options: Any) -> Sample:
        """Align two systems by item id; see nofluke.align.pair for the options."""
        from nofluke.align import pair

        return pair(self, a, b, **options)

    def unpaired(self, a: str | None = None, b: str | None = None, **options: Any) -> Sample:
        """Take two systems as independent groups, for tests that do not match items; see align.select_unpaired."""
        from nofluke.align import select_unpaired

        return select_unpaired(self, a, b, **options)


@dataclass(frozen=True, slots=True)
class Grid(Value):
    """The spacing on which scores are compared: every score is a whole multiple of 1 / (10^decimals * divisor).

    `exact` says that the scores are decimals (or means of `divisor` decimals) without rounding; otherwise differences
    are rounded to this one grid so that binary noise cannot break ties.
    """

    decimals: int
    divisor: int
    exact: bool

    @property
    def step(self) -> float:
        """The distance between neighbouring grid points, in score units."""
        return 10.0**-self.decimals / self.divisor

    @property
    def per_unit(self) -> float:
        """How many steps make one score unit; dividing by it rounds once, multiplying by the step would round twice."""
        return 10.0**self.decimals * self.divisor

    @property
    def exact_per_unit(self) -> Fraction:
        """The same without rounding, at any number of decimals."""
        return Fraction(10) ** self.decimals * self.divisor

    @property
    def exact_step(self) -> Fraction:
        """The step as an exact fraction, so that what is computed from it is rounded once."""
        return 1 / self.exact_per_unit


@dataclass(frozen=True, slots=True)
class Alignment(Value):
    """How items of the systems were matched, and what was left out."""

    matched: int
    missing: Mapping[str, int] = field(default_factory=dict)
    dropped: int = 0
    by: str = "id"
    leftover: int = 0

    def as_note(self) -> Note:
        """Give the same as a note, for whoever tells of it among others."""
        lacking = tuple((name, count) for name, count in self.missing.items() if count)
        facts = {"matched": self.matched, "missing": lacking, "dropped": self.dropped}
        return note("align.items", by=self.by, leftover=self.leftover, **facts)


@dataclass(frozen=True, slots=True, eq=False)
class Strata(Value):
    """The datasets that one average is made of: from which of them each item is, and what each of them weighs.

    The datasets are fixed, and items were sampled within each. `multipliers` are whole numbers in the proportion of
    weight to number of items: the average is the sum of multiplier times score, over the sum of multipliers of all
    items. `exact` says that they are in that very proportion, not rounded to a dozen digits. `each` scores one dataset.
    `shared` counts the items (or clusters) that occur in several datasets and are kept together; `noun` is what the
    user calls a dataset.
    """

    names: tuple[str, ...]
    codes: IntArray
    weights: tuple[float, ...]
    multipliers: tuple[int, ...]
    exact: bool
    weighting: str
    each: Aggregate
    shared: int = 0
    noun: str = "dataset"

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of items of every dataset."""
        return tuple(np.bincount(self.codes, minlength=len(self.names)).tolist())

    @property
    def pooled(self) -> bool:
        """Whether every item counts the same, so that datasets make no difference to the average.

        Of corpus scores an average is never the score of all items, unless that is asked for.
        """
        return len(set(self.multipliers)) == 1 and (self.each.linear or self.one_source)

    @property
    def one_source(self) -> bool:
        """Whether the user pooled all items: the datasets are only where they come from, and may not be kept apart."""
        return self.weighting == "items"

    @property
    def effective_n(self) -> float:
        """How many items of one dataset would say as much, were all differences equally spread."""
        return 1.0 / sum(weight**2 / size for weight, size in zip(self.weights, self.sizes, strict=True))

    @property
    def shares(self) -> FloatArray:
        """What every item counts in the average; they add up to 1."""
        each = np.array([weight / size for weight, size in zip(self.weights, self.sizes, strict=True)])
        shares: FloatArray = each[self.codes]
        return shares


@dataclass(frozen=True, slots=True, eq=False)
class Runs(Value):
    """Every run of every system on all items, where runs (training seeds) are sampled as well as items.

    `names` are the runs of each system, which have nothing to do with those of another; `statistics` holds an (n,
    runs, k) table for each system. The sample's own statistics are the means over runs.
    """

    names: tuple[tuple[str, ...], ...]
    statistics: tuple[FloatArray, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Sample(Value):
    """Two or more systems on one metric, item by item: on one dataset, or on the average of several (`strata`).

    `statistics` is (n, systems, k), as the user gave the scores (not oriented). An unpaired sample may hold systems
    of different `lengths`; the cells beyond a system's length are nan. `incomplete` holds the items that were left out
    because a score was missing (nan). `metric_signature` says how the metric was computed from outputs, if it was;
    `selected` what chose the sample from a table of scores. `runs` is there where the claim is about training.
    """

    statistics: FloatArray
    systems: tuple[str, ...]
    ids: tuple[str, ...] | Labels | None
    clusters: IntArray | None
    cluster_labels: tuple[str, ...]
    aggregate: Aggregate
    higher_is_better: bool
    metric: str
    dataset: str
    unit_size: int
    unit_statistic: str
    grid: Grid
    alignment: Alignment
    lengths: tuple[int, ...]
    paired: bool = True
    incomplete: FloatArray = field(default_factory=lambda: frozen(np.empty((0, 2, 1))))
    shuffle_seed: int | None = None
    notes: tuple[Note, ...] = ()
    metric_signature: str = ""
    selected: Mapping[str, Any] = field(default_factory=dict)
    strata: Strata | None = None
    runs: Runs | None = None

    @property
    def scored_by(self) -> str:
        """The metric's signature; "" where it says no more than the metric's name."""
        return self.metric_signature if "|" in self.metric_signature else ""

    @property
    def n(self) -> int:
        """The number of paired observations (evaluation units)."""
        return int(self.statistics.shape[0])

    @property
    def unit(self) -> str:
        """What a test swaps or draws as a whole: item, unit (of several items), cluster or dataset."""
        if self.clusters is not None:
            return "cluster"
        if self.alignment.by == "dataset":
            return "dataset"
        return "unit" if self.unit_size > 1 else "item"

    def of(self, index: int) -> FloatArray:
        """The (length, k) statistics of one system."""
        values: FloatArray = self.statistics[: self.lengths[index], index, :]
        return values

    def scores(self, index: int) -> FloatArray:
        """The per-item scores of one system; only for linear metrics, whose statistic is the score."""
        values: FloatArray = self.of(index)[:, 0]
        return values

    def score(self, index: int) -> float:
        """The score of one system over all its items; the weighted average where there are several datasets.

        Of runs that are kept apart the mean: where a score is no mean of items, that is not the score of their means.
        """
        if self.runs is not None and not self.aggregate.linear:
            return float(np.mean(self.run_scores(index)))
        if self.strata is not None and self.aggregate.linear and not self.strata.pooled:
            return math.fsum((self.scores(index) * self.strata.shares).tolist())
        if self.strata is not None and not self.strata.pooled and self.aggregate is self.strata.each:
            return math.fsum(
                weight * self.aggregate.score(self.of(index)[self.strata.codes == place])
                for place, weight in enumerate(self.strata.weights)
            )
        return self.aggregate.score(self.of(index))

    def run_scores(self, index: int) -> FloatArray:
        """The score of every run of one system; of several datasets the weighted averages. None without runs."""
        runs = () if self.runs is None else self.runs.statistics[index].swapaxes(0, 1)
        strata = self.strata
        if strata is None or strata.pooled:
            each = self.aggregate if strata is None else strata.each
            return np.array([each.score(rows) for rows in runs])
        here = [strata.codes == place for place in range(len(strata.names))]
        parts = [[strata.each.score(rows[own]) for rows in runs] for own in here]
        scores: FloatArray = np.array(strata.weights) @ np.array(parts)
        return scores
