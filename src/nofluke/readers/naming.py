"""Who is the system, and what is the metric: by a column, by the file's name, or by the names of score columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nofluke.errors import Fix, InputError, listing, named_as
from nofluke.readers.aliases import says_only_score
from nofluke.readers.direction import is_metric_name, lower_in_all
from nofluke.readers.roles import Roles
from nofluke.readers.table import Table
from nofluke.types import Axis, Note, frozen, note, sealed


@dataclass(frozen=True, slots=True)
class Naming:
    """How a file names its system: the name the user gave, else the file's own, and whether columns are shared."""

    given: str | None
    stem: str
    shared: bool
    alone: bool


def systems_and_metrics(table: Table, roles: Roles, naming: Naming, notes: list[Note]) -> tuple[Axis, Axis]:
    """Give system and metric of every score, item by item."""
    score = roles.all("score")
    width, by_metric, by_system = len(score), roles.one("metric"), roles.one("system")
    if by_metric is not None and width > 1 and by_system is not None:
        raise table.error(
            f"there is a metric column, {by_metric!r}, and more than one score column: {listing(score)}.",
            fix="name one score column, or leave the metric column out.",
        )
    if by_system is not None:
        system = _named(table.columns[by_system].labels(), naming, table, notes)
        metric_names = [_metric_of(name) for name in score]
    elif _is_one_system(table, roles, naming):
        system = constant(naming.given or naming.stem, table.rows)
        if width > 1:
            notes.append(note("read.metrics_of_one_system", columns=score))
        trusted = naming.shared or "score" in roles.asked
        metric_names = [_metric_of(name) if trusted or is_metric_name(name) else "score" for name in score]
    elif by_metric is None and (split := split_columns(score)) is not None:
        metrics = [metric for _, metric in split]
        if len(set(metrics)) == 1:
            # The columns keep their names; what they end in says which way is better.
            whole = Axis(score, frozen(np.tile(np.arange(width), table.rows), np.int64))
            return whole, _metric_axis(table, roles, metrics)
        systems = tuple(dict.fromkeys(name for name, _ in split))
        code = {name: number for number, name in enumerate(systems)}
        notes.append(note("read.systems_and_metrics", column=score[0], system=split[0][0], metric=split[0][1]))
        columns = Axis(systems, frozen(np.tile([code[name] for name, _ in split], table.rows), np.int64))
        return columns, _metric_axis(table, roles, metrics)
    else:
        columns = Axis(score, sealed(np.tile(np.arange(width), table.rows)))
        # What all columns are called by says which way is better: wer_v1_test, wer_v2_test.
        return columns, _metric_axis(table, roles, [lower_in_all(score) or "score"] * width)
    return repeat(system, width), _metric_axis(table, roles, metric_names)


def split_columns(names: Sequence[str]) -> list[tuple[str, str]] | None:
    """Split names that are system and metric in one, where every system has every metric: sys1_bleu, sys2_bleu.

    >>> split_columns(["A:uas", "A:las", "B:uas", "B:las"])
    [('A', 'uas'), ('A', 'las'), ('B', 'uas'), ('B', 'las')]
    >>> split_columns(["base_large", "base_small"]), split_columns(["A_bleu", "B_ter"])
    (None, None)
    """
    for mark in (":", "/", "|", " ", ".", "_", "-"):
        pairs = [tuple(map(str.strip, name.rsplit(mark, 1))) for name in names if mark in name]
        if len(pairs) < len(names):
            continue
        for metric_at in (1, 0):
            split = [(pair[1 - metric_at], pair[metric_at]) for pair in pairs]
            systems, metrics = {one for one, _ in split}, {other for _, other in split}
            full = len(split) == len(set(split)) == len(systems) * len(metrics)
            if full and len(systems) > 1 and "" not in systems and all(map(is_metric_name, metrics)):
                return split
    return None


def _metric_axis(table: Table, roles: Roles, names: list[str]) -> Axis:
    if (column := roles.one("metric")) is not None:
        return repeat(table.columns[column].labels(), len(names))
    labels = tuple(dict.fromkeys(names))
    if len(labels) == 1:
        return constant(labels[0], table.rows * len(names))
    code = {label: number for number, label in enumerate(labels)}
    return Axis(labels, frozen(np.tile([code[name] for name in names], table.rows), np.int64))


def _is_one_system(table: Table, roles: Roles, naming: Naming) -> bool:
    """Without a system column: are the score columns metrics of one system, or systems side by side?"""
    names = roles.all("score")
    all_metrics = all(is_metric_name(name) or says_only_score(name) for name in names)
    if naming.given is not None and len(names) > 1 and not all_metrics:
        raise table.error(
            f"the file is named as the system {naming.given!r}, and it holds {len(names)} columns of scores: "
            f"{listing(names)}.",
            fix=Fix("name the score column: ", named_as(score="NAME"), "; or give the file without a system name."),
        )
    if naming.given is not None or all_metrics:
        return True
    if len(names) > 1:
        return False
    return "score" in roles.asked or not table.headed or (naming.shared and not naming.alone)


def _named(systems: Axis, naming: Naming, table: Table, notes: list[Note]) -> Axis:
    if naming.given is None or systems.labels == (naming.given,):
        return systems
    if len(systems.labels) > 1:
        raise other_systems(naming.given, systems.labels, table.name)
    notes.append(note("read.system_renamed", system=systems.labels[0], name=naming.given))
    return Axis((naming.given,), systems.codes)


def other_systems(name: str, systems: Sequence[str], where: str) -> InputError:
    """The error of a file that is named as one system, and that holds others."""
    return InputError(
        f"the file is named as the system {name!r}, and it holds {len(systems)}: {listing(systems)}.",
        where=where,
        fix="give the file without a system name.",
    )


def _metric_of(column: str) -> str:
    return "score" if says_only_score(column) or column.startswith("column ") else column


def constant(label: str, rows: int) -> Axis:
    """Give every row the same label; one number stands for all of them, in no memory."""
    return Axis((label,), np.broadcast_to(frozen(0, np.int64), rows))


def repeat(axis: Axis, times: int) -> Axis:
    """Give every row several times, one after the other."""
    if len(axis.labels) == 1:
        return constant(axis.labels[0], axis.codes.size * times)
    return axis if times == 1 else Axis(axis.labels, sealed(np.repeat(axis.codes, times)))
