"""What a log holds, whichever harness wrote it: of one system on one dataset, a row per item and run.

A record is item, check, run, cluster and, for every metric, its value or parts with a status. Records of one log
stand in columns: a million of them are a few arrays.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from nofluke.align.datasets import are_shares
from nofluke.errors import Fix, InputError, Option
from nofluke.types import STATUSES, FloatArray, Group, IntArray, Note, frozen

# Only what is scored is a number; the others are counted, and missing unless the user says that they count 0.
SCORED, UNSCORED, ERROR, SKIPPED, INVALID = range(len(STATUSES))


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """One metric of a log: (rows, k) parts, nan where a row is not scored, and the status of every row.

    `kind` says how sums of parts become the score (readers/logs/corpus.py); `labels` are what the parts of a
    correlation of labels number. `reported` is the score that the harness itself computed, nan where it gives none.
    `reported_error` is its standard error there. `silent` counts rows that are scored 0 because there was no answer.
    """

    parts: FloatArray
    status: IntArray
    kind: str = "mean"
    higher_is_better: bool | None = None
    labels: tuple[str, ...] = ()
    reported: float = math.nan
    reported_error: float = math.nan
    silent: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Log:
    """The records of one system on one dataset.

    `system` is settled where scores were kept by nofluke, and so are `signatures` (how a metric was made), `ids_given`
    and what the scores were `made_of`: formats with their versions. `settings` are what else tells systems of one model
    apart (arguments of the task, solver, prompt); `differing` is worth a word where it differs between systems.
    `commit` is that of the code which was run, where the log says so.
    `expected` is the number of items that the dataset has, 0 where the log does not say; `ended` how the run ended, ""
    where all went well. `primary` is the metric that the dataset is judged by unless another is named, "" where the
    user must choose. `beside` are other files of the same run, which were looked at or have nothing to add.
    `part` names what this log alone holds of a dataset, where a harness writes its metrics or items
    to files of their own. `rounded` says that the numbers were printed, with fewer digits than were computed; `places`
    that ids are no more than places in a file, so that items which ask different things there are matched by content.
    `shard` is the folder of one of several workers who share the items of a run, and write logs of their own.
    `after_file` says that nothing but the file names the system: files of a folder may hold the parts of one run.
    """

    format: str
    version: str
    file: str
    model: str
    dataset: str
    items: tuple[str, ...]
    measured: Mapping[str, Measured]
    primary: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    differing: Mapping[str, str] = field(default_factory=dict)
    date: str = ""
    commit: str = ""
    task_id: str = ""
    expected: int = 0
    ended: str = ""
    checks: IntArray | None = None
    runs: tuple[str, ...] | None = None
    clusters: tuple[str, ...] | None = None
    groups: tuple[Group, ...] = ()
    notes: tuple[Note, ...] = ()
    beside: tuple[str, ...] = ()
    system: str = ""
    digits: int = 15
    signatures: Mapping[str, str] = field(default_factory=dict)
    ids_given: bool = True
    made_of: tuple[tuple[str, str], ...] = ()
    part: str = ""
    rounded: bool = False
    places: bool = False
    shard: str = ""
    after_file: bool = False

    @property
    def n_items(self) -> int:
        """How many different items there are."""
        return len(set(self.items))

    @property
    def written_by(self) -> tuple[tuple[str, str], ...]:
        """The formats with their versions of what a harness wrote."""
        return self.made_of or ((self.format, self.version),)

    @property
    def status(self) -> IntArray:
        """What became of every row, by the metric that the log is judged by, else by the first that it lacks."""
        if self.primary in self.measured:
            return self.measured[self.primary].status
        # A metric that scored nothing says nothing of the rows, unless there is no other.
        columns = [column.status for column in self.measured.values() if (column.status == SCORED).any()]
        every = np.stack(columns or [column.status for column in self.measured.values()])
        found: IntArray = every[(every != SCORED).argmax(axis=0), np.arange(every.shape[1])]
        return found

    @property
    def complete(self) -> bool:
        """Whether the run ended well and looked at all items of the dataset."""
        return not self.ended and self.n_items >= self.expected

    @property
    def rank(self) -> tuple[bool, int, str]:
        """Which of several logs counts is the last by this: one that ended well, has most items, is newest."""
        return not self.ended, self.n_items, self.date


def item_name(check: int) -> str:
    """Give an item a name by what it asks."""
    return f"{check & (2**64 - 1):016x}"


def names_of_items(checks: Sequence[int], names: Sequence[str]) -> dict[int, str]:
    """Name items by the names they were given, where each has its own; else by what they ask."""
    given: dict[int, set[str]] = {}
    for check, name in zip(checks, names, strict=True):
        given.setdefault(check, set()).add(name)
    alone = [next(iter(own)) for own in given.values() if len(own) == 1]
    if len(set(alone) - {""}) == len(given):
        return dict(zip(given, alone, strict=True))
    return {check: item_name(check) for check in given}


def numbered_runs(items: Sequence[Any]) -> tuple[str, ...] | None:
    """Number the rows of every item in their order; None where each has one."""
    seen: Counter[Any] = Counter()
    runs = []
    for item in items:
        seen[item] += 1
        runs.append(str(seen[item]))
    return tuple(runs) if len(seen) < len(runs) else None


def by_content(log: Log) -> Log:
    """Give items names by what they ask; those that ask the same are told apart by their order."""
    if log.checks is None or not log.checks.all():
        raise InputError(
            "the log does not say what its items ask.", where=log.file, fix=Fix("leave out ", Option("match_by"), ".")
        )
    seen: Counter[tuple[int, str]] = Counter()
    names = []
    for check, run in zip(log.checks.tolist(), log.runs or [""] * len(log.items), strict=True):
        seen[check, run] += 1
        names.append(item_name(check) + (f"-{seen[check, run]}" if seen[check, run] > 1 else ""))
    return replace(log, items=tuple(names))


class PassedOverError(InputError):
    """A file without scores of items, where another one beside it may hold them: averages, or a poorer form."""


def measured(
    rows: Sequence[Any], others: Sequence[int] | None = None, *, kind: str = "mean", width: int = 1, **facts: Any
) -> Measured:
    """Make a column of the parts of every row: a number, several, or None where the row is not scored.

    `others` are statuses by row: a row with another one than SCORED has no score, whatever stands there.
    """
    nothing = (math.nan,) * width
    if width == 1:
        parts = [math.nan if row is None else row for row in rows]
    else:
        parts = [nothing if row is None else row for row in rows]
    table = np.array(parts, np.float64).reshape(len(rows), width)
    own = np.full(len(rows), SCORED) if others is None else np.asarray(others)
    table[own != SCORED] = math.nan
    status = np.where((own == SCORED) & np.isnan(table).any(axis=1), UNSCORED, own)
    return Measured(frozen(table), frozen(status, np.int8), kind, **facts)


def judged_by(found: Mapping[str, Measured]) -> str:
    """The first metric, where all are shares or there is one; "" where scales differ, so that the user must choose."""
    return next(iter(found), "") if len(found) == 1 or all(map(is_share, found.values())) else ""


def first_share(found: Mapping[str, Measured], order: Sequence[str] = ()) -> str:
    """The first metric that is a share, higher being better, else the first: as the task declares them in `order`."""
    place = {name: at for at, name in reversed(list(enumerate(order)))}
    ordered = sorted(found, key=lambda name: place.get(name, len(order)))
    shares = [name for name in ordered if is_share(found[name])]
    return next(iter(shares or ordered), "")


def is_share(column: Measured) -> bool:
    """Whether all scores lie between 0 and 1, and higher is better as far as the log says."""
    return column.kind == "mean" and column.higher_is_better is not False and are_shares(column.parts)


def setting(value: Any) -> str:
    """Write a setting as JSON does, but text as it is."""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def check_of(*texts: str) -> int:
    """Give a number for what an item asks; never 0."""
    joined = "\0".join(texts).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(joined, digest_size=8).digest(), "big", signed=True) or 1
