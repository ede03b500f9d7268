"""Many systems and many datasets: the Ranking and the Replication."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nofluke.errors import unknown
from nofluke.types.base import Drawable, FloatArray, Value
from nofluke.types.call import Call
from nofluke.types.data import Alignment
from nofluke.types.notes import Note
from nofluke.types.results import Detectable, Interval, TestResult


@dataclass(frozen=True, slots=True, eq=False)
class Ranking(Drawable):
    """All systems on one or several datasets, best first; nothing here claims an order the data do not support.

    Matrices are systems x systems in that order: `p_values[i, j]` is the one-sided p-value for "i is better than j",
    `adjusted` the same after the correction over the whole family, `better` whether it is shown at alpha; nan where
    that is not a claim of the family (the diagonal; all but the baseline's pairs). With family "pairs" and two sides
    the p-values are two-sided, the same in both cells. `differences[i, j]` is score i - score j, oriented so that
    positive means i is better; `low` and `high` bound all of them at once (max_t only). `computed` is, for each pair,
    the code of how its number was obtained (exact, saddlepoint, inversion, normal, monte-carlo, linear, ...), `errors`
    by how much it may be off, as a part of the p-value (nan where nothing bounds it: draws, a normal law), and
    `validity` the code of what the p-values promise. A group is a maximal run in score order with no separated pair
    inside; separated pairs against the score order are listed in `out_of_order`, the better one first. `claims` is the
    size of the family. `pair_sizes` are the numbers of items of single pairs, where each was tested on its own;
    `lengths` are the numbers of scores where systems were not scored on the same items. `detectable` is the true
    difference of a pair of typical spread that would be shown most of the time, whatever the other pairs show.
    `alignment` says how items were matched and what was left out, where the notes do not. Of two systems `interval` is
    that of their difference, at the level 1 - alpha, where the test has one.

    With several `datasets` the scores are their average: `weighting` says how (equal, items or given; "" where every
    dataset is one observation), `weights` what each of them counts, `effective_n` how many items of one dataset would
    say as much. `by_dataset` is systems x datasets, the score of each system on each of them; `noun` is what the user
    calls a dataset.
    """

    systems: tuple[str, ...]
    scores: tuple[float, ...]
    intervals: tuple[Interval | None, ...]
    rank_ranges: tuple[tuple[int, int], ...]
    groups: tuple[tuple[str, ...], ...]
    out_of_order: tuple[tuple[str, str], ...]
    differences: FloatArray
    p_values: FloatArray
    adjusted: FloatArray
    better: npt.NDArray[np.bool_]
    computed: npt.NDArray[np.str_]
    metric: str
    datasets: tuple[str, ...]
    higher_is_better: bool
    n: int
    unit_size: int
    clusters: int
    method: str
    label: str
    adjust: str
    family: str
    alternative: str
    alpha: float
    baseline: str
    mean_ranks: tuple[float, ...]
    omnibus: tuple[TestResult, ...]
    critical_difference: float
    notes: tuple[Note, ...]
    signature: str
    claims: int = 0
    null: str = ""
    about: str = "mean"
    validity: str = ""
    resamples: int = 0
    seed: int | None = None
    low: FloatArray | None = None
    high: FloatArray | None = None
    lengths: tuple[int, ...] = ()
    detectable: Detectable | None = None
    pair_sizes: FloatArray | None = None
    alignment: Alignment | None = None
    interval: Interval | None = None
    errors: FloatArray | None = None
    scored_by: str = ""
    weighting: str = ""
    weights: tuple[float, ...] = ()
    effective_n: float = math.nan
    by_dataset: FloatArray | None = None
    noun: str = "dataset"
    call: Call | None = None

    @property
    def over_datasets(self) -> bool:
        """Whether every dataset was one observation: then the result speaks of datasets like these."""
        return len(self.datasets) > 1 and not self.weighting

    @property
    def pairs(self) -> int:
        """How many pairs of systems were tested."""
        tested = ~np.isnan(self.p_values)
        return int(np.triu(tested | tested.T, 1).sum())

    @property
    def separated(self) -> int:
        """How many pairs are separated: it is shown which of the two is better."""
        return int(self.better.sum())

    @property
    def open_outside_groups(self) -> int:
        """How many pairs are not separated although no group holds both: groups are runs of neighbours."""
        together = np.eye(len(self.systems), dtype=bool)
        for group in self.groups:
            places = [self.systems.index(name) for name in group]
            together[np.ix_(places, places)] = True
        return int(np.triu(~(self.better | self.better.T | together), 1).sum())

    def rank_range(self, system: str) -> tuple[int, int]:
        """Give the ranks that the data leave open for one system."""
        return self.rank_ranges[self._place(system)]

    def p_value(self, a: str, b: str, *, adjusted: bool = True) -> float:
        """Give the one-sided p-value for "a is better than b"."""
        matrix = self.adjusted if adjusted else self.p_values
        return float(matrix[self._place(a), self._place(b)])

    def _place(self, system: str) -> int:
        if system not in self.systems:
            raise unknown("system", str(system), self.systems)
        return self.systems.index(system)


@dataclass(frozen=True, slots=True, eq=False)
class Replication(Drawable):
    """On how many datasets is A better, and on which?

    `p_values` are one-sided for the claim. `partial_conjunction[name][u - 1]` is the p-value against "fewer than u
    datasets" (running maximum; `partial_conjunction_raw` without it). `counts` holds k-hat by every method, `count` the
    one valid under the stated dependence, `reasons` why each other one is not the answer. `identified` comes from the
    same closed test as `count`. With alternative "two-sided" this is the claim "A is better" at `level` = alpha / 2 and
    `opposite` the claim "B is better" at the same level. `against` names the datasets whose effect points the other
    way. `scores` is datasets x (A, B) and `estimates` A - B, turned so that positive means A is better (nan where
    unknown). `wins`, `ties` and `losses` of A count scores, not evidence; None where the scores are unknown.
    `subset_count` is how many of `subset` are true at least. `detectable` is, for each dataset, the true difference
    that would be shown there most of the time, whatever the other datasets show (nan where that cannot be said).
    `signs` is 1 where A scores better, -1 where B does, 0 where their scores are equal, nan where that is unknown.
    `contradicted` names the datasets whose p-value, as given, speaks for the claim while the scores speak against it;
    then `turned_count` and `turned` are the count and the list when the p-values are read as two-sided ones.
    """

    systems: tuple[str, str]
    metric: str
    datasets: tuple[str, ...]
    sizes: tuple[int, ...]
    estimates: FloatArray
    p_values: FloatArray
    alternative: str
    alpha: float
    level: float
    dependence: str
    method: str
    count: int
    counts: Mapping[str, int]
    reasons: Mapping[str, Note]
    identified: tuple[str, ...]
    identified_by: Mapping[str, tuple[str, ...]]
    adjusted: Mapping[str, FloatArray]
    partial_conjunction: Mapping[str, FloatArray]
    partial_conjunction_raw: Mapping[str, FloatArray]
    against: tuple[str, ...]
    wins: int | None
    ties: int | None
    losses: int | None
    tests: tuple[TestResult, ...]
    opposite: Replication | None
    notes: tuple[Note, ...]
    signature: str
    scores: FloatArray
    log_p_values: FloatArray
    higher_is_better: bool = True
    fdr: bool = False
    subset: tuple[str, ...] = ()
    subset_count: int | None = None
    detectable: tuple[float, ...] = ()
    signs: tuple[float, ...] = ()
    contradicted: tuple[str, ...] = ()
    turned: tuple[str, ...] = ()
    turned_count: int | None = None
    call: Call | None = None

    @property
    def winner(self) -> str:
        """The system that is claimed to be better."""
        return self.systems[1] if self.alternative == "less" else self.systems[0]

    @property
    def loser(self) -> str:
        """The system that is claimed to be worse."""
        return self.systems[0] if self.alternative == "less" else self.systems[1]


@dataclass(frozen=True, slots=True, eq=False)
class MetricsReplication(Value):
    """Several metrics on many datasets, in both readings.

    `count_each`: on at least so many datasets for every single metric (the datasets may differ from metric to metric).
    `together`: the datasets on which all metrics agree.
    """

    by_metric: Mapping[str, Replication]
    count_each: int
    together: Replication
    notes: tuple[Note, ...]
    signature: str
    call: Call | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PValues(Value):
    """One p-value per dataset, as a table of a paper gives them; what the table does not say is nan or empty.

    `scores` is datasets x (A, B), as printed; `signs` is 1 where A is better, -1 where B is, 0 where they are equal and
    nan where that is unknown. `dependence` is what the source says of its datasets, `shared` why they are known to
    depend on each other.
    """

    datasets: tuple[str, ...]
    p_values: FloatArray
    log_p_values: FloatArray
    systems: tuple[str, str]
    scores: FloatArray
    signs: FloatArray
    metric: str = ""
    higher_is_better: bool = True
    dependence: str = "unknown"
    shared: Note | None = None
    source: str = ""
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Corrected(Value):
    """P-values after a correction for their number, in the caller's order."""

    names: tuple[str, ...]
    p_values: FloatArray
    adjusted: FloatArray
    method: str
    label: str
    controls: str
    under: str
    alpha: float
    standing: tuple[str, ...]
    notes: tuple[Note, ...]
    signature: str
    call: Call | None = None
