"""Outputs and gold as a user gives them, in files of lines or in tables, become one text per item for each system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nofluke.errors import InputError, listing, unknown
from nofluke.metrics.statistics import ItemStatistics
from nofluke.metrics.texts import Lines, read_lines
from nofluke.readers.outputs import FORMATS, ROLES, lone_column
from nofluke.readers.table import Table
from nofluke.types import frozen
from nofluke.types.base import counted
from nofluke.verbs.scoring.sides import Key, Side, gold_of, labels_of, systems_of
from nofluke.verbs.scoring.sources import Reading, is_file, named_sources, refuse_reading_twice
from nofluke.verbs.scoring.tagged_tables import tag_lines


@dataclass(frozen=True, slots=True)
class Resolved:
    """What the metric is given, and what is known of the items: ids, datasets and clusters by item."""

    outputs: dict[str, Any]
    gold: Any
    ids: tuple[str, ...] | None = None
    datasets: tuple[str, ...] | None = None
    clusters: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()

    def told(self, system: str, found: ItemStatistics) -> ItemStatistics:
        """Give statistics with what the tables say of the items: an item without an output has none."""
        output = self.outputs[system]
        values, missing = found.values, output.missing if isinstance(output, Lines) else frozenset[int]()
        if missing:
            values = values.copy()
            values[sorted(missing)] = np.nan
            values = frozen(values)
        fits = self.ids is not None and len(self.ids) == len(values)
        return replace(
            found,
            values=values,
            ids=self.ids if fits else found.ids,
            clusters=self.clusters if self.clusters is not None else found.clusters,
        )


def resolve(outputs: Any, gold: Any, kind: str, columns: Mapping[str, Any] | None, format: str) -> Resolved:
    """Find the texts of every system and of gold; files that are no tables stay as they are."""
    if format not in FORMATS:
        raise unknown("format", format, FORMATS)
    columns = dict(columns or {})
    for role in columns:
        if role not in ROLES:
            raise unknown("role of a column", role, ROLES)
    named = named_sources(outputs)
    asked = [str(name) for names in columns.values() for name in ([names] if isinstance(names, str) else names)]
    wanted = {form for names in asked for name in (names, *names.split(",")) for form in (name, name.casefold())}
    wanted |= {name for name, _, _ in named if name is not None}
    reading = Reading(kind, format, columns, frozenset(wanted))
    refuse_reading_twice([source for _, _, source in named], gold)
    tables = [reading.table(source, "output") for _, _, source in named]
    golds, gold_sides = gold_of(gold, [table for table in tables if table is not None], reading)
    systems = systems_of(named, tables, gold_sides, reading)
    if not gold_sides and not any(isinstance(side, Side) for _, side in systems):
        return Resolved(dict(systems), golds)
    return _aligned(systems, golds, gold_sides, kind)


def _aligned(systems: Sequence[tuple[str, Any]], golds: Any, sides: Sequence[Side], kind: str) -> Resolved:
    """Put every system's texts into the order of gold, by id where both have ids."""
    reference = sides[0] if sides else next(side for _, side in systems if isinstance(side, Side))
    # Where gold is lines, or made already, the items are those of the outputs.
    size = len(reference.cells) if sides else _size_of(golds, reference)
    for side in sides:
        _refuse_twice(side)
    keys = reference.keys
    ids = None if keys is None else tuple(key[-1] for key in keys)
    outputs: dict[str, Any] = {}
    for name, side in systems:
        if isinstance(side, Side):
            outputs[name] = side.lines(_order(side, sides, golds, size, kind), ids)
        else:
            lines = read_lines(side, "output")
            if sides and len(lines) == size:
                _require_running(reference)
            outputs[name] = lines
    truths = [side.lines(_order(side, sides, golds, size, kind), ids) for side in sides]
    _refuse_empty_gold(truths, kind)
    shown = _notes(systems, sides)
    rows = reference.table, reference.rows
    datasets = _joined(rows, reference.roles.dataset)
    clusters = _joined(rows, (reference.roles.cluster,) if reference.roles.cluster else ())
    if kind == "tags":
        filled = truths[0] if truths else None
        outputs = {name: tag_lines(one, filled) if isinstance(one, Lines) else one for name, one in outputs.items()}
        truths = [tag_lines(truth, None) for truth in truths]
    gold = golds if not truths else truths[0] if len(truths) == 1 else truths
    return Resolved(outputs, gold, ids, datasets, clusters, shown)


def _size_of(golds: Any, reference: Side) -> int:
    several = isinstance(golds, list | tuple) and not all(isinstance(one, str) for one in golds)
    if golds is None or several:
        return len(reference.cells)
    try:
        return len(read_lines(golds, "gold"))
    except TypeError:
        return len(reference.cells)


def _order(side: Side, golds: Sequence[Side], gold: Any, size: int, kind: str) -> list[int | None]:
    _refuse_twice(side)
    if golds and golds[0].keys is not None and side.keys is not None:
        wanted = golds[0].keys
        # A table of outputs may lack the dataset that gold names, and the other way round.
        known = set(wanted)
        strange = [position for position, key in enumerate(side.keys) if key not in known]
        if strange:
            raise InputError(
                f"item {side.keys[strange[0]][-1]!r} is not in {golds[0].table.name} "
                f"({counted(len(strange), 'such item')}).",
                where=side.where(strange[0]),
                fix="give outputs for items of the gold file only.",
            )
        place = {key: position for position, key in enumerate(side.keys)}
        return [place.get(key) for key in wanted]
    if len(side.cells) != size:
        name = golds[0].table.name if golds else str(gold) if is_file(gold) else "gold"
        what = "label" if kind == "labels" else "output"
        raise InputError(
            f"{counted(len(side.cells), what)}, and {name} has {size:,}.",
            where=side.table.name,
            fix=f"give one {what} for every item of the gold file.",
        )
    if not golds or golds[0].table is not side.table:
        for one in (side, *golds[:1]):
            _require_running(one)
    return list(range(size))


def _refuse_twice(side: Side) -> None:
    first: dict[Key, int] = {}
    for position, key in enumerate(side.keys or ()):
        if key in first:
            raise InputError(
                f"item {key[-1]!r} was already given on {side.spot(first[key])}.",
                where=side.where(position),
                fix="give every item once; --columns dataset=NAME or system=NAME names a column that tells them apart.",
            )
        first[key] = position


def _require_running(side: Side) -> None:
    """Where only one side has ids, items can be paired by position only if the ids count up one by one."""
    ids = [key[-1] for key in side.keys or ()]
    if not ids or (ids[0] in ("0", "1") and ids == [str(int(ids[0]) + place) for place in range(len(ids))]):
        return
    raise InputError(
        "the items have ids that do not simply count up, and the other file has none.",
        where=side.where(0),
        fix="give ids on both sides, so that items can be matched.",
    )


def _refuse_empty_gold(golds: Sequence[Lines], kind: str) -> None:
    for gold in golds:
        if gold.missing and kind != "numbers":
            raise InputError(
                "gold is missing.", where=gold.where(min(gold.missing)), fix="give every item a gold answer."
            )


def _joined(rows: tuple[Table, Sequence[int]], columns: Sequence[str]) -> tuple[str, ...] | None:
    table, chosen = rows
    if not columns:
        return None
    parts = [labels_of(table, name) for name in columns]
    return tuple(" / ".join(part[row] for part in parts) for row in chosen)


def _notes(systems: Sequence[tuple[str, Any]], golds: Sequence[Side]) -> tuple[str, ...]:
    """Say which columns were taken, where there was a choice."""
    notes = list(dict.fromkeys(note for _, side in systems if isinstance(side, Side) for note in side.table.notes))
    for name, side in systems:
        if isinstance(side, Side) and not lone_column(side.roles, side.table):
            notes.append(f"{name}: the output is the column {side.column!r} of {side.table.name}.")
    if golds and not lone_column(golds[0].roles, golds[0].table):
        column = listing(repr(side.column) for side in golds)
        notes.append(f"gold is the column {column} of {golds[0].table.name}.")
    return tuple(notes)
