"""Many systems and many datasets: the Ranking and the Replication."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nofluke.types.base import FloatArray, Value
from nofluke.types.results import Interval, TestResult


@dataclass(frozen=True, slots=True, eq=False)
class Ranking(Value):
    """All systems on one or several datasets, best first; nothing here claims an order the data do not support.

    Matrices are systems x systems in that order: `p_values[i, j]` is the one-sided p-value for "i is better than j",
    `adjusted` the same after the correction over the whole family, `better` whether it is shown at alpha.
    `differences[i, j]` is score i - score j, oriented so that positive means i is better. `computed` says of each pair
    how its number was obtained. A group is a maximal run in score order with no separated pair inside; separated pairs
    inside a run of score order that point the other way are listed in `out_of_order`.
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
    headline: str
    sentences: tuple[str, ...]
    notes: tuple[str, ...]
    signature: str

    def rank_range(self, system: str) -> tuple[int, int]:
        """Give the ranks that the data leave open for one system."""
        return self.rank_ranges[self.systems.index(system)]

    def p_value(self, a: str, b: str, *, adjusted: bool = True) -> float:
        """Give the one-sided p-value for "a is better than b"."""
        matrix = self.adjusted if adjusted else self.p_values
        return float(matrix[self.systems.index(a), self.systems.index(b)])

    def __str__(self) -> str:
        return "\n".join([self.headline, *self.sentences, self.signature])


@dataclass(frozen=True, slots=True, eq=False)
class Replication(Value):
    """On how many datasets is A better, and on which?

    `p_values` are one-sided for the claim. `partial_conjunction[name][u - 1]` is the p-value against "fewer than u
    datasets" (running maximum; `partial_conjunction_raw` without it). `counts` holds k-hat by every method, `count` the
    one valid under the stated dependence, `reasons` why each other one is not the answer. `identified` comes from the
    same closed test as `count`. With alternative "two-sided" this is the claim "A is better" at `level` = alpha / 2 and
    `opposite` the claim "B is better" at the same level. `against` names the datasets whose effect points the other
    way.
    """

    systems: tuple[str, str]
    metric: str
    claim: str
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
    reasons: Mapping[str, str]
    identified: tuple[str, ...]
    identified_by: Mapping[str, tuple[str, ...]]
    adjusted: Mapping[str, FloatArray]
    partial_conjunction: Mapping[str, FloatArray]
    partial_conjunction_raw: Mapping[str, FloatArray]
    against: tuple[str, ...]
    wins: int
    ties: int
    losses: int
    tests: tuple[TestResult, ...]
    opposite: Replication | None
    headline: str
    sentences: tuple[str, ...]
    notes: tuple[str, ...]
    signature: str

    def __str__(self) -> str:
        return "\n".join([self.headline, *self.sentences, self.signature])


@dataclass(frozen=True, slots=True, eq=False)
class MetricsReplication(Value):
    """Several metrics on many datasets, in both readings.

    `count_each`: on at least so many datasets for every single metric (the datasets may differ from metric to metric).
    `together`: the datasets on which all metrics agree.
    """

    by_metric: Mapping[str, Replication]
    count_each: int
    together: Replication
    headline: str
    sentences: tuple[str, ...]
    notes: tuple[str, ...]
    signature: str

    def __str__(self) -> str:
        return "\n".join([self.headline, *self.sentences, self.signature])
