"""Tables with their roles become one Scores: systems named, files joined, directions settled."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.errors import By, Fix, InputError, Option, listing, named_as
from nofluke.readers.direction import orient, range_by_name
from nofluke.readers.file_names import names_of
from nofluke.readers.given import Given
from nofluke.readers.naming import Naming, constant, repeat, systems_and_metrics
from nofluke.readers.roles import Roles
from nofluke.readers.summary_rows import all_sum_up, axis_of_rows, last_row_sums_up, without_summaries
from nofluke.readers.table import Table, how_many
from nofluke.types import MEAN, Axis, FloatArray, IntArray, Scores, Source, frozen, note, sealed

_OPTIONAL = ("run", "cluster")


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The scores of one file."""

    statistics: FloatArray
    axes: Mapping[str, Axis]
    lines: IntArray | None
    ids_given: bool
    digits: int
    source: Source


def make_part(table: Table, roles: Roles, naming: Naming) -> Part:
    """Make the rows of one file: item by item, and column by column within an item."""
    numbers = np.stack([table.columns[name].numbers() for name in roles.all("score")], axis=1)
    width = numbers.shape[1]
    axes: dict[str, Axis] = {}
    notes = [*table.notes, *roles.notes]
    item, datasets = roles.all("item"), roles.all("dataset")
    axes["item"] = repeat(table.joined(item) if item else _row_numbers(table.rows), width)
    axes["dataset"] = repeat(table.joined(datasets) if datasets else constant("", table.rows), width)
    for role in _OPTIONAL:
        for column in roles.all(role):
            axes[role] = repeat(table.columns[column].labels(), width)
    axes["system"], axes["metric"] = systems_and_metrics(table, roles, naming, notes)
    cluster = roles.one("cluster")
    if cluster is not None and len(item) == 1 and "item" not in roles.asked and _surely_repeat(axes):
        axes["item"] = repeat(table.joined([cluster, *item]), width)
        notes.append(note("read.items_within", item=item[0], cluster=cluster))
    guessed = "cluster" in axes and "cluster" not in roles.asked
    if guessed and _says_nothing(axes["cluster"], axes["item"], axes["dataset"]):
        del axes["cluster"]
        notes.append(note("read.clusters_all_different", column=cluster))
    lines = None if table.place.lines is None else np.repeat(table.place.lines, width)
    mapping = _mapping(roles, axes)
    source = Source(table.name, table.format, table.rows, mapping, tuple(notes))
    part = Part(numbers.ravel(), axes, lines, bool(item), table.digits, source)
    return _without_summaries(part, width)


def _surely_repeat(axes: Mapping[str, Axis]) -> bool:
    """Whether ids must come twice, as there are more scores than they can tell apart: so do ids within documents."""
    others = [len(axis.labels) for role, axis in axes.items() if role != "cluster"]
    return math.prod(others) < len(axes["item"].codes)


def _without_summaries(part: Part, width: int) -> Part:
    """Leave out rows that sum up the others; without ids, datasets name the rows."""
    for role in ("item", "dataset"):
        if all_sum_up(part.axes[role].labels):
            raise InputError(
                f"the rows are figures of other scores ({listing(part.axes[role].labels, 4)}), and no items.",
                where=part.source.name,
                fix="give the scores that they were computed from, one row per item.",
            )
    keep, notes = without_summaries(part.statistics, part.axes, "item" if part.ids_given else "dataset")
    nameless = not part.ids_given and part.axes["dataset"].labels == ("",)
    if nameless and (how := last_row_sums_up(part.statistics.reshape(-1, width))):
        keep, notes = np.arange(len(part.statistics)) < len(part.statistics) - width, [note("read.last_row", how=how)]
    source = replace(part.source, notes=(*part.source.notes, *notes))
    if keep is None:
        return replace(part, source=source)
    return replace(
        part,
        statistics=part.statistics[keep],
        axes={role: axis_of_rows(axis, keep) for role, axis in part.axes.items()},
        lines=None if part.lines is None else part.lines[keep],
        source=replace(source, rows=int(keep.sum()) // width),
    )


def combine(parts: Sequence[Part], higher_is_better: bool | None) -> Scores:
    """Put the files together; without ids all files must have the same rows."""
    _refuse_what_does_not_fit(parts)
    axes = {role: _merge([part.axes[role] for part in parts]) for role in ("item", "system", "dataset", "metric")}
    for role in _OPTIONAL:
        if all(role in part.axes for part in parts):
            axes[role] = _merge([part.axes[role] for part in parts])
    metrics = axes["metric"].labels
    if higher_is_better is None:
        for part in parts:
            _refuse_impossible(part)
    directions, notes = orient(metrics, higher_is_better)
    if any("cluster" in part.axes for part in parts) and "cluster" not in axes:
        notes = (*notes, note("read.clusters_of_some_files"))
    lines = [part.lines for part in parts if part.lines is not None]
    return Scores(
        statistics=sealed(_end_to_end([part.statistics for part in parts])[:, None]),
        item=axes["item"],
        system=axes["system"],
        dataset=axes["dataset"],
        metric=axes["metric"],
        run=axes.get("run"),
        cluster=axes.get("cluster"),
        higher_is_better=directions,
        aggregates=dict.fromkeys(metrics, MEAN),
        ids_given=parts[0].ids_given,
        digits=min(part.digits for part in parts),
        lines=sealed(_end_to_end(lines)) if len(lines) == len(parts) else None,
        sources=tuple(part.source for part in parts),
        notes=notes,
    )


def _refuse_impossible(part: Part) -> None:
    """Refuse values that a metric of this name cannot have: then it is another, and maybe better when higher."""
    metric, item = part.axes["metric"], part.axes["item"]
    for code, name in enumerate(metric.labels):
        facts = range_by_name(name)
        if facts is None:
            continue
        values = part.statistics
        below = (values < facts.lowest) & (metric.codes == code)
        wrong = np.flatnonzero(below | ((values > facts.highest) & (metric.codes == code)))
        if not wrong.size:
            continue
        row = int(wrong[0])
        limit = f"below {facts.lowest:g}" if below[row] else f"above {facts.highest:g}"
        count = how_many(wrong.size, int((metric.codes == code).sum()))
        logs = Fix("if they are log-likelihoods, say so: ", Option("higher_is_better", "True"), "; ")
        may_be_logs = facts.lowest in (0, 1) and not facts.higher_is_better
        raise InputError(
            f"{name} is never {limit}, and item {item.labels[item.codes[row]]!r} has {values[row]:g}.{count}",
            where=part.source.name if part.lines is None else f"{part.source.name} line {part.lines[row]}",
            fix=Fix(
                *(logs if may_be_logs else ()),
                "check the column; if the scores are right as they are, say which way is better: ",
                Option("higher_is_better"),
                ".",
            ),
        )


def _row_numbers(rows: int) -> Axis:
    return Axis(tuple(map(str, range(1, rows + 1))), frozen(np.arange(rows), np.int64))


def _says_nothing(cluster: Axis, item: Axis, dataset: Axis) -> bool:
    """Whether every item has a cluster of its own; items of two datasets are two, and one cluster may hold both."""
    if len(dataset.labels) > 1:
        items = len(np.unique(dataset.codes * len(item.labels) + item.codes))
        return len(cluster.labels) >= items > 1
    return len(cluster.labels) >= len(item.labels) > 1


def _end_to_end(arrays: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """Join arrays; a single one, as of a large file, is not copied."""
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def _merge(axes: Sequence[Axis]) -> Axis:
    if len(axes) == 1:
        return axes[0]
    known: dict[str, int] = {}
    codes = [np.array([known.setdefault(label, len(known)) for label in axis.labels])[axis.codes] for axis in axes]
    return Axis(tuple(known), frozen(np.concatenate(codes), np.int64))


def _refuse_what_does_not_fit(parts: Sequence[Part]) -> None:
    first = parts[0]
    for part in parts[1:]:
        files = f"{first.source.name} and {part.source.name}"
        if part.ids_given != first.ids_given:
            raise InputError(
                "one file has an item column and the other has none, so their items cannot be matched.",
                where=files,
                fix=Fix(
                    "name the item column of both: ", named_as(item="NAME"), "; or give both without ids, in one order."
                ),
            )
        if not part.ids_given and part.source.rows != first.source.rows:
            raise InputError(
                f"{first.source.rows:,} rows and {part.source.rows:,} rows: without item ids, row i of one file is "
                "matched with row i of the other.",
                where=files,
                fix="give files of the same length, or with an item column.",
            )
        lacking = "run" if ("run" in part.axes) != ("run" in first.axes) else None
        if (part.axes["dataset"].labels == ("",)) != (first.axes["dataset"].labels == ("",)):
            lacking = "dataset"
        if lacking:
            raise InputError(
                f"one file has a {lacking} column and the other has none.",
                where=files,
                fix="give both files the same columns.",
            )


def _mapping(roles: Roles, axes: Mapping[str, Axis]) -> dict[str, str]:
    mapping = {"item": "row number"} | roles.columns_of("item", "system")
    named = roles.one("system") is None and axes["system"].labels == roles.all("score")
    mapping["system" if named else "score"] = listing(roles.all("score"))
    return mapping | roles.columns_of("dataset", "metric", *(role for role in _OPTIONAL if role in axes))


def with_runs(files: Sequence[Given], parts: list[Part]) -> list[Part]:
    """Name the run of every file where a system was given several: new=seed1.csv new=seed2.csv old=seed1.csv ...

    Files of one name by chance are refused.
    """
    numbers = Counter(given.own for given in files)
    several = [name for name, number in numbers.items() if number > 1]
    if not several:
        return parts
    if any(given.system is None for given in files if given.own in several):
        raise InputError(
            f"two files would both be the system {several[0]!r}.",
            where=" and ".join(given.name for given in files[:2]) + (" ..." if len(files) > 2 else ""),
            fix=Fix("name the systems", By(": {name: path, ...}", ": NAME=FILE for each file"), "."),
        )
    if any("run" in part.axes for part in parts):
        raise InputError(
            f"the system {several[0]!r} has several files, and their runs have a column too.",
            where=files[0].name,
            fix=Fix("put the runs into one file for each system, or skip the column: ", named_as(ignore="NAME"), "."),
        )
    named: dict[int, str] = {}
    for name in numbers:
        own = [at for at, given in enumerate(files) if given.own == name]
        named |= dict(zip(own, names_of([files[at].name for at in own]), strict=True))
    return [
        replace(part, axes={**part.axes, "run": constant(named[at], len(part.statistics))})
        for at, part in enumerate(parts)
    ]
