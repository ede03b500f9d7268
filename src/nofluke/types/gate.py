"""Whether a candidate may take the place of a baseline, and whether the baseline's own runs agree with each other."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from nofluke.types.base import Value
from nofluke.types.call import Call
from nofluke.types.notes import Note
from nofluke.types.results import Interval

# What a gate, or one of its rows, may find; only the first lets the candidate through.
OUTCOMES = ("passed", "worse", "not shown", "blind")


@dataclass(frozen=True, slots=True)
class Coverage(Value):
    """How many items of the baseline a row rests on, and what became of the others.

    `matched` of the `expected` items of the baseline have a score on both sides. Of the rest the candidate lacks some
    (`missing`), failed on some (`failed`: errors, and answers that nothing scored), and some have no score of the
    baseline itself (`unscored`). `new` items of the candidate are not in the baseline, and not judged.
    """

    expected: int
    matched: int
    missing: int = 0
    failed: int = 0
    unscored: int = 0
    new: int = 0

    @property
    def lost(self) -> float:
        """The share of the baseline's items that could not be judged."""
        return (self.expected - self.matched) / self.expected if self.expected else 1.0


@dataclass(frozen=True, slots=True)
class GateRow(Value):
    """One metric on one task, or on the average of tasks (`averaged` of them; then `task` is ""): is the loss too much?

    `scores` are those of baseline and candidate; `difference` is positive where the candidate is better. `rule` is
    forbid (fails where a loss is shown) or require (fails unless a loss of `margin` or more is ruled out). `p_value` is
    one-sided: of "worse" under forbid, of "not worse by the margin" under require (nan where no test could be made);
    `adjusted` is corrected over all forbidden losses (Holm), or the same under require. `interval` has level 1 - 2
    alpha, so that each of its ends is a limit at alpha. `verdict` is one of OUTCOMES. `caught` is the true loss that
    the row finds in 80 of 100 test sets whatever the others show (nan with a `reason` where that cannot be said);
    `chance` is how often a candidate as good as the baseline passes the margin. `lost` and `won` count items that the
    candidate does worse and better.
    """

    task: str
    metric: str
    n: int
    scores: tuple[float, float]
    difference: float
    standard_error: float
    interval: Interval | None
    rule: str
    margin: float | None
    p_value: float
    adjusted: float
    verdict: str
    method: str
    coverage: Coverage
    caught: float = math.nan
    reason: Note | None = None
    chance: float = math.nan
    lost: int = 0
    won: int = 0
    clusters: int = 0
    averaged: int = 0
    higher_is_better: bool = True


@dataclass(frozen=True, slots=True)
class Flip(Value):
    """An item on which the candidate's score is not the baseline's; `text` is there where it was asked for."""

    task: str
    metric: str
    item: str
    baseline: float
    candidate: float
    difference: float
    text: str = ""


@dataclass(frozen=True, slots=True)
class Look(Value):
    """When a gate was asked, at which commit, and which look at it this is; `first` is the outcome of the first one."""

    time: str
    commit: str = ""
    number: int = 1
    first: str = ""


@dataclass(frozen=True, slots=True)
class Gate(Value):
    """May the candidate take the place of the baseline? `outcome` is one of OUTCOMES.

    `rows` are the tasks by their metrics, in the order of the baseline; `averages` are those of tasks, where a margin
    on them was stated. `chance` is how often a candidate as good as the baseline passes all margins (nan without any).
    `must_catch` is the loss that every row must be able to find, `max_errors` the share of items that may be lost.
    `flips` are the items that differ most, of `flipped` in all. `new_tasks` are only in the candidate and not judged,
    `other_tasks` are in the baseline and not asked for. `date` and `commit` are the baseline's own, where its logs say.
    """

    outcome: str
    rows: tuple[GateRow, ...]
    averages: tuple[GateRow, ...]
    alpha: float
    chance: float
    must_catch: float | None
    max_errors: float
    flips: tuple[Flip, ...]
    flipped: int
    new_tasks: tuple[str, ...]
    other_tasks: tuple[str, ...]
    noun: str
    name: str
    notes: tuple[Note, ...]
    signature: str
    runs: tuple[int, int] = (1, 1)
    crossed: bool = False
    date: str = ""
    commit: str = ""
    look: Look | None = None
    call: Call | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give a JSON-safe dictionary; of looks it is spoken only where one was recorded."""
        found = Value.to_dict(self)
        if self.look is None:
            del found["look"]
        return found

    @property
    def passed(self) -> bool:
        """Whether the candidate may go through."""
        return self.outcome == "passed"

    @property
    def every(self) -> tuple[GateRow, ...]:
        """All rows, those of averages last."""
        return (*self.rows, *self.averages)

    @property
    def forbidden(self) -> tuple[GateRow, ...]:
        """The rows that fail only where a loss is shown."""
        return tuple(row for row in self.rows if row.rule == "forbid")

    @property
    def required(self) -> tuple[GateRow, ...]:
        """The rows, averages among them, that fail unless the margin is kept."""
        return tuple(row for row in self.every if row.rule == "require")


@dataclass(frozen=True, slots=True)
class SelfTask(Value):
    """One task of a baseline, of which some runs are compared with the others; `p_value` is two-sided."""

    task: str
    metric: str
    n: int
    runs: tuple[int, int]
    scores: tuple[float, float]
    p_value: float
    alarm: bool


@dataclass(frozen=True, slots=True)
class SelfCheck(Value):
    """Do the runs of one system differ more than chance allows? `outcome` is alarm or nothing found.

    The first half of the runs of every task is compared with the second, at `alpha`; `alarms` counts the tasks that
    differ, and `p_value` is the chance of so many or more among tasks that do not (binomial).
    """

    outcome: str
    tasks: tuple[SelfTask, ...]
    alarms: int
    p_value: float
    alpha: float
    noun: str
    notes: tuple[Note, ...]
    signature: str
    left_out: tuple[str, ...] = field(default_factory=tuple)
    call: Call | None = None
