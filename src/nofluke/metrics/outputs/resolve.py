"""Outputs and gold as a user gives them, in files of lines or in tables, become one text per item for each system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nofluke.errors import Fix, InputError, Option, listing
from nofluke.metrics.outputs.rows import Rows, gold_of, systems_of
from nofluke.metrics.outputs.sources import Reading, refuse_reading_twice
from nofluke.metrics.outputs.tagged_tables import tag_lines
from nofluke.metrics.statistics import ItemStatistics
from nofluke.metrics.texts import Lines, read_lines
from nofluke.readers.aliases import OUTPUT_ROLES
from nofluke.readers.given import is_file, named_sources
from nofluke.readers.numbers import shown
from nofluke.readers.outputs import LINES, lone_column, outputs_in
from nofluke.readers.roles import check_roles
from nofluke.readers.sniff import check_format
from nofluke.readers.table import Table
from nofluke.types import Note, Source, frozen, note
from nofluke.types.base import counted


@dataclass(frozen=True, slots=True)
class Resolved:
    """What the metric is given, and what is known of the items: ids, datasets, runs and clusters by item."""

    outputs: dict[str, Any]
    gold: Any
    ids: tuple[str, ...] | None = None
    datasets: tuple[str, ...] | None = None
    runs: tuple[str, ...] | None = None
    clusters: tuple[str, ...] | None = None
    notes: tuple[Note, ...] = ()
    sources: tuple[Source, ...] = ()

    def with_items(self, system: str, found: ItemStatistics) -> ItemStatistics:
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
    check_format(format, "outputs", LINES)
    columns = check_roles(columns or {}, OUTPUT_ROLES)
    named = named_sources(outputs)
    asked = [str(name) for names in columns.values() for name in ([names] if isinstance(names, str) else names)]
    wanted = {form for names in asked for name in (names, *names.split(",")) for form in (name, name.casefold())}
    wanted |= {name for name, _, _ in named if name is not None}
    reading = Reading(kind, format, columns, frozenset(wanted), alone=gold is None)
    refuse_reading_twice([source for _, _, source in named], gold)
    tables = [reading.table(source, "output") for _, _, source in named]
    golds, gold_sides = gold_of(gold, [table for table in tables if table is not None], reading)
    reading.refuse_absent_columns()
    systems = systems_of(named, tables, gold_sides, reading)
    if not gold_sides and not any(isinstance(side, Rows) for _, side in systems):
        return Resolved(dict(systems), golds)
    return _aligned(systems, golds, gold_sides, kind)


def _aligned(systems: Sequence[tuple[str, Any]], golds: Any, sides: Sequence[Rows], kind: str) -> Resolved:
    """Put every system's texts into the order of gold, by id where both have ids."""
    tables = [side for _, side in systems if isinstance(side, Rows)]
    sides = _for_every_run(sides, tables)
    reference = sides[0] if sides else tables[0]
    # Where gold is lines, or made already, the items are those of the outputs.
    size = len(reference.cells) if sides or kind == "tags" else _size_of(golds, reference)
    keys = reference.keys
    ids = None if keys is None else tuple(key[-1] for key in keys)
    outputs: dict[str, Any] = {}
    orders: dict[str, list[int | None]] = {}
    for name, side in systems:
        if isinstance(side, Rows):
            orders[name] = _order(side, sides, golds, size, kind)
            outputs[name] = side.lines(orders[name], ids)
        else:
            if sides and kind != "tags" and len(read_lines(side, "output")) == size:
                _require_running(reference)
            outputs[name] = side
    truths = [side.lines(_order(side, sides, golds, size, kind), ids) for side in sides]
    _refuse_empty_gold(truths, kind)
    _refuse_other_gold([(side, orders[name]) for name, side in systems if isinstance(side, Rows)], sides, truths)
    in_order: list[int | None] = list(range(size))
    known = [(side, in_order) for side in sides]
    known += [(side, orders[name]) for name, side in systems if isinstance(side, Rows)]
    datasets, runs, clusters = (_labels_of_items(known, role) for role in ("dataset", "run", "cluster"))
    if kind == "tags":
        filled = truths[0] if truths else None
        outputs |= {name: tag_lines(outputs[name], filled) for name in orders}
        truths = [tag_lines(truth, None) for truth in truths]
    gold = golds if not truths else truths[0] if len(truths) == 1 else truths
    return Resolved(outputs, gold, ids, datasets, runs, clusters, _notes(systems, sides), _sources(known, len(sides)))


def _for_every_run(golds: Sequence[Rows], systems: Sequence[Rows]) -> list[Rows]:
    """Give gold that knows no runs once for every run of the outputs."""
    runs = next((side for side in systems if side.keys and side.roles.one("run")), None)
    if runs is None or not golds or not golds[0].keys or golds[0].roles.one("run"):
        return list(golds)
    wanted = tuple(dict.fromkeys(key for side in systems if side.roles.one("run") for key in side.keys or ()))
    width = len(golds[0].keys[0]) - 1
    place = {key: position for position, key in enumerate(golds[0].keys)}
    # An item that gold does not have is named where outputs are put into its order.
    found = [(key, place[own]) for key in wanted if (own := (*key[:width], key[-1])) in place]
    keys, order = tuple(key for key, _ in found), [position for _, position in found]
    return [
        replace(
            gold,
            keys=keys,
            rows=tuple(gold.rows[position] for position in order),
            cells=tuple(gold.cells[position] for position in order),
        )
        for gold in golds
    ]


def _refuse_other_gold(
    systems: Sequence[tuple[Rows, Sequence[int | None]]], golds: Sequence[Rows], truths: Sequence[Lines]
) -> None:
    """Refuse tables whose own column of gold says something else than the gold that is used."""
    for side, order in systems:
        if not golds or side.table is golds[0].table or golds[0].column not in side.roles.all("gold"):
            continue
        cells = side.table.texts(golds[0].column)
        for item, position in enumerate(order):
            if position is None:
                continue
            own = cells[side.rows[position]]
            if own is not None and own.strip() != truths[0].lines[item].strip() and "\n" not in truths[0].lines[item]:
                raise InputError(
                    f"its gold is {shown(own)} here, and {shown(truths[0].lines[item])} in {golds[0].where(item)}.",
                    where=side.where(position),
                    fix=Fix(
                        "give outputs for the same items in the same order, or ids; or say which gold holds: ",
                        Option("gold", "FILE"),
                        ".",
                    ),
                )


def _labels_of_items(sides: Sequence[tuple[Rows, Sequence[int | None]]], role: str) -> tuple[str, ...] | None:
    """Give every item's dataset, run or cluster, from the first table that says it of all items."""
    keys = sides[0][0].keys
    if role == "run" and keys and any(side.roles.one("run") for side, _ in sides):
        return tuple(key[-2] for key in keys)
    for side, order in sides:
        labels = side.labels(role)
        if labels is not None and None not in order:
            return tuple(labels[position] for position in order if position is not None)
    return None


def _sources(sides: Sequence[tuple[Rows, Sequence[int | None]]], golds: int) -> tuple[Source, ...]:
    """Say of every table which column was taken for what; the first `golds` are gold."""
    found: dict[str, dict[str, list[str]]] = {}
    tables: dict[str, Table] = {}
    for number, (side, _) in enumerate(sides):
        table, roles = side.table, side.roles
        tables[table.name] = table
        taken = found.setdefault(table.name, {})
        mine = [(role, roles.all(role)) for role in ("item", "system", "run", "cluster", "dataset")]
        for role, names in (*mine, ("gold" if number < golds else "output", [side.column])):
            taken[role] = list(dict.fromkeys([*taken.get(role, ()), *names]))
    return tuple(
        Source(
            name,
            tables[name].format,
            tables[name].rows,
            {role: listing(names) for role, names in taken.items() if names},
            tuple(_notes_on([side for side, _ in sides if side.table is tables[name]], taken)),
        )
        for name, taken in found.items()
    )


def _notes_on(sides: Sequence[Rows], mapping: Mapping[str, Sequence[str]]) -> Iterator[Note]:
    """What there is to tell of a table; columns that could be outputs and are not taken have cells unlike gold's."""
    table, roles = sides[0].table, sides[0].roles
    yield from (*table.notes, *roles.notes)
    taken = [side.column for side in sides if side.column in outputs_in(side.roles)]
    aside = [name for name in roles.all("candidate") if name not in taken]
    told = aside if taken and roles.one("system") is None else []
    if told:
        yield note("read.not_like_gold", columns=told, taken=taken)
    known = {*told, *(name for role in ("words", "ignore", "gold") for name in roles.all(role))}
    known.update(*mapping.values())
    unused = [name for name in table.columns if name not in known and name not in table.unnamed]
    if unused:
        yield note("read.columns_unused", columns=unused)


def _size_of(golds: Any, reference: Rows) -> int:
    several = isinstance(golds, list | tuple) and not all(isinstance(one, str) for one in golds)
    if golds is None or several:
        return len(reference.cells)
    try:
        return len(read_lines(golds, "gold"))
    except TypeError:
        return len(reference.cells)


def _order(side: Rows, golds: Sequence[Rows], gold: Any, size: int, kind: str) -> list[int | None]:
    side.refuse_twice()
    if golds and golds[0].keys is not None and side.keys is not None:
        wanted, own = golds[0].keys, side.keys
        if len(wanted[0]) != len(own[0]):
            # Only one of the two names the datasets: then ids must tell all items apart.
            wanted, own = tuple(key[-1:] for key in wanted), tuple(key[-1:] for key in own)
            for one, keys in ((golds[0], wanted), (side, own)):
                one.refuse_twice(keys)
        known = set(wanted)
        strange = [position for position, key in enumerate(own) if key not in known]
        if strange:
            raise InputError(
                f"item {own[strange[0]][-1]!r} is not in {golds[0].table.name} ({counted(len(strange), 'such item')}).",
                where=side.where(strange[0]),
                fix="give outputs for items of the gold file only.",
            )
        place = {key: position for position, key in enumerate(own)}
        return [place.get(key) for key in wanted]
    if len(side.cells) != size:
        name = golds[0].table.name if golds else str(gold) if is_file(gold) else "gold"
        what = "label" if kind == "labels" else "output"
        raise InputError(
            f"{counted(len(side.cells), what)}, and {name} has {size:,}.",
            where=side.table.name,
            fix=f"give one {what} for every item of the gold file.",
        )
    # Without gold there is no other file; who needs gold says so.
    if gold is not None or (golds and golds[0].table is not side.table):
        for one in (side, *golds[:1]):
            _require_running(one)
    return list(range(size))


def _require_running(side: Rows) -> None:
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


def _notes(systems: Sequence[tuple[str, Any]], golds: Sequence[Rows]) -> tuple[Note, ...]:
    """Say which columns were taken, where there was a choice."""
    notes = list(dict.fromkeys(one for _, side in systems if isinstance(side, Rows) for one in side.table.notes))
    for name, side in systems:
        if isinstance(side, Rows) and not lone_column(side.roles, side.table):
            notes.append(note("read.output_column", system=name, column=side.column, file=side.table.name))
    if golds and not lone_column(golds[0].roles, golds[0].table):
        columns = tuple(side.column for side in golds)
        notes.append(note("read.gold_column", columns=columns, file=golds[0].table.name))
    return tuple(notes)
