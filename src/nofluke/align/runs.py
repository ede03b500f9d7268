"""Runs of a system: averaged on every item, or kept apart where the claim is about training."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nofluke.align.choose import where
from nofluke.align.tabulate import Table
from nofluke.errors import Fix, InputError, Option, listing, named_as, unknown, without_effect
from nofluke.types import IntArray, Runs, Scores, frozen
from nofluke.types.base import counted

WAYS = ("nested", "crossed")


def check_runs(scores: Scores, runs: str, run: str | None, unit: int) -> bool:
    """Whether runs are kept apart; refuse that where there are none, or where something else was asked for."""
    if runs not in WAYS:
        raise unknown("value of runs", str(runs), WAYS)
    if runs == "nested":
        return False
    if run is not None:
        raise without_effect(["runs"], "one run is looked at", Fix("leave out ", Option("run"), " or it."))
    if scores.run is None:
        raise InputError(
            "no runs are known, and a claim about training needs several of each system.",
            where=where(scores),
            fix=Fix("name their column: ", named_as(run="NAME"), ", or leave ", Option("runs"), " at nested."),
        )
    if unit != 1:
        raise InputError(
            "evaluation units and training runs were both asked for.",
            fix=Fix("leave ", Option("unit"), " out, or average the runs: ", Option("runs", "nested"), "."),
        )
    return True


def most_runs(scores: Scores) -> int:
    """How many runs of an item a system has at most; names of runs may differ from system to system."""
    if scores.run is None:
        return 1
    each = scores.keys("system", "dataset", "item", "run") // len(scores.run.labels)
    return int(np.diff(np.flatnonzero(np.r_[True, each[1:] != each[:-1], True])).max())


def no_runs_of_datasets() -> InputError:
    """The error for runs kept apart where every dataset is one observation."""
    return InputError(
        "every dataset is one observation, which is a mean over runs.",
        fix=Fix("leave out ", Option("over"), ", or average the runs: ", Option("runs", "nested"), "."),
    )


def every_run(scores: Scores, table: Table, systems: Sequence[str]) -> Runs:
    """Give the scores of all runs of every system on the items of a table; nan where a run lacks an item."""
    if scores.run is None:
        raise TypeError("scores without runs have no table of them")
    place = np.full(len(scores.item.labels), -1)
    place[table.items] = np.arange(len(table.items))
    names, tables = [], []
    for name in systems:
        rows = table.rows[scores.system.codes[table.rows] == scores.system.code_of(name)]
        codes, columns = np.unique(scores.run.codes[rows], return_inverse=True)
        values = np.full((len(table.items), len(codes), scores.statistics.shape[1]), np.nan)
        values[place[scores.item.codes[rows]], columns] = scores.statistics[rows]
        names.append(tuple(scores.run.labels[code] for code in codes.tolist()))
        tables.append(frozen(values))
    _refuse_single_runs(names, systems, where(scores))
    return Runs(tuple(names), tuple(tables))


def _refuse_single_runs(names: list[tuple[str, ...]], systems: Sequence[str], place: str) -> None:
    alone = [name for name, runs in zip(systems, names, strict=True) if len(runs) == 1]
    if alone:
        raise InputError(
            f"there is one run of {listing(alone)}: the claim is then about this checkpoint, not about training.",
            where=place,
            fix=Fix(
                "train it 3 times or more, with other seeds, or make the claim about these checkpoints: ",
                Option("runs", "nested"),
                ".",
            ),
        )


def in_all_runs(runs: Runs) -> npt.NDArray[np.bool_]:
    """Whether every item was scored in all runs of each system: (items, systems)."""
    return np.stack([~np.isnan(one).any(axis=(1, 2)) for one in runs.statistics], axis=1)


def refuse_gaps(scores: Scores, runs: Runs, items: IntArray, systems: Sequence[str]) -> None:
    """Refuse items that some runs of a system have and others lack: their averages would be of other items."""
    for name, whole in zip(systems, in_all_runs(runs).T, strict=True):
        if not whole.all():
            examples = [scores.item.labels[code] for code in items[~whole][:3].tolist()]
            raise InputError(
                f"{counted(lost := int((~whole).sum()), 'item')} {'was' if lost == 1 else 'were'} not scored in every "
                f"run of {name!r} (for example {listing(examples)}), so its runs would be averaged over different "
                "items.",
                where=where(scores),
                fix=Fix(
                    "score them, leave them out for all: ",
                    Option("missing", "drop"),
                    "; or average the runs of each item: ",
                    Option("runs", "nested"),
                    ".",
                ),
            )


def of_rows(runs: Runs | None, rows: IntArray) -> Runs | None:
    """Keep these items."""
    if runs is None:
        return None
    return Runs(runs.names, tuple(frozen(one[rows]) for one in runs.statistics))
