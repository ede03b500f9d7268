"""A run whose items stand in several logs: those of workers who shared it, or files that each hold other tests."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

import numpy as np

from nofluke.errors import InputError
from nofluke.readers.file_names import stem_of
from nofluke.readers.logs.name import Named
from nofluke.readers.logs.record import UNSCORED, Log, Measured
from nofluke.types import frozen


def with_shards_joined(logs: Sequence[Named]) -> list[Named]:
    """Put one log in the place of those of workers who shared a run; of a worker's attempts the best counts.

    What the harness has merged of them stands beside them: it is chosen between the two as between any logs of a run.
    """
    best: dict[tuple[int, str], Named] = {}
    for one in logs:
        key = (one.place, one.log.shard)
        if one.log.shard and (key not in best or best[key].log.rank < one.log.rank):
            best[key] = one
    runs: dict[tuple[int, str, str, str], list[Named]] = defaultdict(list)
    for one in best.values():
        runs[one.place, str(PurePath(one.log.shard).parent), one.log.model, one.log.dataset].append(one)
    joined = [replace(own[0], log=_joined([one.log for one in own])) for own in runs.values()]
    return [*(one for one in logs if not one.log.shard), *joined]


def with_files_joined(logs: Sequence[Named]) -> list[Named]:
    """Name one system for files that only their names would tell apart, where no two of them hold the same test.

    Test runners write a file per class or module: all that was given is one run then, or else each folder in it.
    """
    by_place: dict[int, list[Named]] = defaultdict(list)
    by_folder: dict[tuple[int, str], list[Named]] = defaultdict(list)
    for one in logs:
        if one.log.after_file:
            by_place[one.place].append(one)
            by_folder[one.place, os.path.dirname(one.log.file)].append(one)
    whole = {place for place, own in by_place.items() if _are_parts(own)}
    groups = [by_place[place] for place in whole] + [own for (place, _), own in by_folder.items() if place not in whole]
    joined: dict[int, Named] = {}
    for own in groups:
        if _are_parts(own):
            folder = os.path.commonpath([os.path.abspath(os.path.dirname(one.log.file)) for one in own])
            datasets = Counter(one.log.dataset for one in own)
            for one in own:
                part = stem_of(one.log.file) if datasets[one.log.dataset] > 1 else one.log.part
                joined[id(one)] = replace(one, log=replace(one.log, model=os.path.basename(folder), part=part))
    return [joined.get(id(one), one) for one in logs]


def _are_parts(logs: Sequence[Named]) -> bool:
    """Whether there are several files, and no test stands in two of them."""
    tests = {(one.log.dataset, item) for one in logs for item in one.log.items}
    number = sum(one.log.n_items for one in logs)
    return len({one.log.file for one in logs}) > 1 and len(tests) == number


def _joined(logs: Sequence[Log]) -> Log:
    runs = tuple(run for log in logs for run in (log.runs or ("1",) * len(log.items)))
    items = tuple(item for log in logs for item in log.items)
    _refuse_twice(list(zip(items, runs, strict=True)), logs)
    last = max(logs, key=lambda log: log.date)
    names = dict.fromkeys(name for log in logs for name in log.measured)
    return replace(
        last,
        file=str(PurePath(last.shard).parent),
        items=items,
        runs=runs if len(set(runs)) > 1 else None,
        measured={name: _column([log.measured.get(name) for log in logs], logs) for name in names},
        ended=next((log.ended for log in logs if log.ended), ""),
        checks=frozen(np.concatenate([_checks(log) for log in logs]), np.int64),
        clusters=_clusters(logs),
        notes=tuple(dict.fromkeys(one for log in logs for one in log.notes)),
        # Each worker's log is a task of its own, and the run is none of them.
        task_id="",
        shard="",
    )


def _refuse_twice(rows: Sequence[tuple[str, str]], logs: Sequence[Log]) -> None:
    seen: set[tuple[str, str]] = set()
    for row in rows:
        if row in seen:
            raise InputError(
                f"two workers have run item {row[0]!r} (run {row[1]}).",
                where=str(PurePath(logs[0].shard).parent),
                fix="give the log of the whole run, or the logs of the workers that count.",
            )
        seen.add(row)


def _column(columns: Sequence[Measured | None], logs: Sequence[Log]) -> Measured:
    """One metric of all workers' items; those of a worker who has it not are not scored."""
    known = next(column for column in columns if column is not None)
    parts, status = [], []
    for column, log in zip(columns, logs, strict=True):
        empty = np.full((len(log.items), known.parts.shape[1]), np.nan)
        parts.append(empty if column is None else column.parts)
        status.append(np.full(len(log.items), UNSCORED) if column is None else column.status)
    silent = sum(column.silent for column in columns if column is not None)
    # What each worker reports is the mean of its own items.
    return replace(
        known,
        parts=frozen(np.concatenate(parts)),
        status=frozen(np.concatenate(status), np.int8),
        silent=silent,
        reported=float("nan"),
    )


def _checks(log: Log) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.zeros(len(log.items), np.int64) if log.checks is None else np.asarray(log.checks)


def _clusters(logs: Sequence[Log]) -> tuple[str, ...] | None:
    if any(log.clusters is None for log in logs):
        return None
    return tuple(cluster for log in logs for cluster in log.clusters or ())
