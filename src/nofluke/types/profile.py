"""What a look at the data says: what files hold, summaries, ties, normality, and the choices to follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from nofluke.types.base import Value
from nofluke.types.call import Call
from nofluke.types.notes import Note

if TYPE_CHECKING:
    from nofluke.types.results import Interval


@dataclass(frozen=True, slots=True)
class Histogram(Value):
    """Counts between consecutive edges; the last bin includes its upper edge."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Summary(Value):
    """The usual figures of one column; sd has n - 1 in the denominator and is nan for a single value."""

    name: str
    n: int
    mean: float
    median: float
    sd: float
    minimum: float
    maximum: float
    histogram: Histogram


@dataclass(frozen=True, slots=True)
class Normality(Value):
    """The Shapiro-Wilk test of the differences; nan where it does not apply.

    `conclusion` is normal (they may be), not normal, constant (all differences are equal), few or many: fewer or more
    values than the test is calibrated for.
    """

    statistic: float
    p_value: float
    alpha: float
    conclusion: str


@dataclass(frozen=True, slots=True)
class Profile(Value):
    """What the paired data look like before any test is run; differences are oriented, positive = A better.

    `quantiles` are 101 of the differences from the smallest to the largest, for a picture of all of them.
    """

    n: int
    kind: str
    a: Summary
    b: Summary
    difference: Summary
    wins: int
    losses: int
    ties: int
    distinct_differences: int
    skewness: float
    skewness_adjusted: float
    skewness_b1: float
    normality: Normality
    recommended_statistic: str
    clusters: int
    correlation: float
    quantiles: tuple[float, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice(Value):
    """One row of the recommendation: a method, how it is judged here, why, and who says so."""

    method: str
    verdict: str
    reason: Note
    citation: str


@dataclass(frozen=True, slots=True)
class Choices(Value):
    """The recommendation: all methods judged for these data by one set of rules, the preferred first."""

    rules: str
    rows: tuple[Choice, ...]
    notes: tuple[Note, ...] = ()

    @property
    def preferred(self) -> str:
        """The name of the method to take."""
        return self.rows[0].method

    def verdict(self, method: str) -> str:
        """How a method is judged; empty when the rules do not speak of it."""
        return next((row.verdict for row in self.rows if row.method == method), "")

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> Choice:
        return self.rows[index]


@dataclass(frozen=True, slots=True)
class Scored(Value):
    """The score of every system over the same `n` items, as the metric has it; `signature` says how it was scored.

    `intervals` has that of each, where it was asked for. Where there are several datasets (`n_datasets`), the score is
    their average; `weighting` is equal, items or given.
    """

    metric: str
    higher_is_better: bool
    n: int
    scores: Mapping[str, float]
    dataset: str = ""
    notes: tuple[Note, ...] = ()
    signature: str = ""
    call: Call | None = None
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    n_datasets: int = 0
    weighting: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Give a JSON-safe dictionary; intervals and datasets are spoken of where there are any."""
        found = Value.to_dict(self)
        for name in ("intervals", "n_datasets", "weighting"):
            if not getattr(self, name):
                del found[name]
        return found


@dataclass(frozen=True, slots=True)
class Contents(Value):
    """How many of what there are: `metrics` counts the datasets of each, `primary` is what a dataset is judged by.

    `made_by` are the harnesses that wrote logs, as formats with their versions.

    `items` are those of all datasets together, `fewest` and `most` those of one. `runs` are those that a system has of
    an item at most; they and `clusters` are 0 where there are none. `not_scored` counts by system what is missing, and
    why; `missing` by dataset and system the items that others have there, and that this one has no record of;
    `superseded` are logs that do not count; `mismatched` are by dataset the items that have one id and ask
    different things, and how many systems share. Tables, unlike logs (`of_logs`), know of neither.
    """

    sources: tuple[str, ...]
    formats: tuple[str, ...]
    systems: tuple[str, ...]
    datasets: tuple[str, ...]
    metrics: Mapping[str, int]
    primary: Mapping[str, str]
    items: int
    fewest: int
    most: int
    runs: int = 0
    clusters: int = 0
    not_scored: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    superseded: tuple[str, ...] = ()
    mismatched: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    missing: Mapping[str, Mapping[str, tuple[int, int]]] = field(default_factory=dict)
    noun: str = "dataset"
    of_logs: bool = False
    made_by: tuple[tuple[str, str], ...] = ()
    notes: tuple[Note, ...] = ()
