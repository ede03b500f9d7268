"""The texts of systems and of gold in tables: which columns and rows are whose."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from nofluke.errors import InputError, unknown
from nofluke.metrics.formats.labels import canonical_label
from nofluke.metrics.texts import Lines
from nofluke.readers.outputs import OutputRoles, first_line, gold_columns, lone_column, which_column
from nofluke.readers.table import Table
from nofluke.verbs.scoring.sources import Reading
from nofluke.verbs.scoring.tagged_tables import by_sentence

# What names an item: its datasets, if the table has them, and its id.
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """The texts of a system or of gold in a table: cell by cell, with places and the names of the rows."""

    table: Table
    roles: OutputRoles
    column: str
    rows: tuple[int, ...]
    cells: tuple[str | None, ...]
    keys: tuple[Key, ...] | None

    def spot(self, position: int) -> str:
        """Name the place of a cell."""
        return self.table.place.of(self.rows[position])[len(self.table.name) + 1 :]

    def where(self, position: int) -> str:
        """Name file and place of a cell."""
        return self.table.place.of(self.rows[position])

    def lines(self, order: Sequence[int | None], ids: tuple[str, ...] | None) -> Lines:
        """Give the cells in an order; None is an item that has none."""
        cells = [None if position is None else self.cells[position] for position in order]
        spots = tuple("" if position is None else self.spot(position) for position in order)
        missing = frozenset(place for place, cell in enumerate(cells) if cell is None)
        return Lines(self.table.name, tuple(cell or "" for cell in cells), spots, ids, missing)


def gold_of(gold: Any, tables: Sequence[Table], reading: Reading) -> tuple[Any, list[Side]]:
    """Give gold as it is, or its columns in tables; without gold a column of the outputs' own table is it."""
    if gold is None:
        own = next((table for table in tables if reading.roles(table).gold), None)
        return None, [] if own is None else list(_gold_sides(own, reading))
    several = isinstance(gold, list | tuple) and any(isinstance(one, os.PathLike) for one in gold)
    members = list(gold) if several else [gold]
    found = [reading.table(member, "gold") for member in members]
    if not any(table is not None for table in found):
        lines = [reading.lines(member) for member in members]
        return lines if several else lines[0], []
    sides: list[Side] = []
    for member, table in zip(members, found, strict=True):
        if table is None:
            raise InputError(
                "of several gold files some are tables and others lines.",
                where=str(member),
                fix="give all of them in the same form.",
            )
        sides += _gold_sides(table, reading)
    return None, sides


def _gold_sides(table: Table, reading: Reading) -> Iterator[Side]:
    """Give gold of a table, once for every item: a long table repeats it for every system."""
    roles = reading.roles(table)
    for column in gold_columns(roles, table, asked="gold" in reading.columns):
        if roles.system is None:
            yield side_of(table, roles, column, reading.kind)
            continue
        systems = labels_of(table, roles.system)
        rows = [row for row, system in enumerate(systems) if system == systems[0]]
        if roles.item is not None and reading.kind != "tags":
            rows = list(_first_of_each(side_of(table, roles, column, reading.kind)))
        yield side_of(table, roles, column, reading.kind, rows)


def _first_of_each(side: Side) -> Iterator[int]:
    """Give the first row of every item; gold that changes from system to system is refused."""
    first: dict[Key, int] = {}
    for position, key in enumerate(side.keys or ()):
        before = first.setdefault(key, position)
        if before == position:
            yield side.rows[position]
        elif side.cells[before] != side.cells[position]:
            raise InputError(
                f"item {key[-1]!r} has another gold on {side.spot(before)}.",
                where=side.where(position),
                fix="give every item one gold, the same for all systems.",
            )


def side_of(table: Table, roles: OutputRoles, column: str, kind: str, rows: Sequence[int] | None = None) -> Side:
    """Give the cells of a column, of some rows or all; tags of tokens are put together by sentence."""
    chosen = tuple(range(table.rows)) if rows is None else tuple(rows)
    texts = table.texts(column)
    if kind == "tags":
        chosen, texts = by_sentence(table, roles, column, chosen)
    keys: tuple[Key, ...] | None = None
    if roles.item is not None:
        parts = [labels_of(table, name) for name in (*roles.dataset, roles.item)]
        keys = tuple(tuple(part[row] for part in parts) for row in chosen)
    return Side(table, roles, column, chosen, tuple(texts[row] for row in chosen), keys)


def labels_of(table: Table, name: str) -> list[str]:
    """Give the labels of a column row by row."""
    axis = table.columns[name].labels()
    return [axis.labels[code] for code in axis.codes.tolist()]


def systems_of(
    named: Sequence[tuple[str | None, str, Any]],
    tables: Sequence[Table | None],
    golds: Sequence[Side],
    reading: Reading,
) -> list[tuple[str, Any]]:
    """Give the systems of all files by name: what the metric reads of lines, or a Side of a table."""
    found: list[tuple[str, Any]] = []
    for (name, own, source), table in zip(named, tables, strict=True):
        if table is None:
            found.append((own, reading.lines(source)))
        else:
            found += _of_one_table(table, name, own, golds, reading)
    twice = next((name for name, count in Counter(name for name, _ in found).items() if count > 1), None)
    if twice is not None:
        raise InputError(f"two systems are called {twice!r}.", fix="name them: A=hyp1.txt B=hyp2.txt.")
    return found


def _of_one_table(
    table: Table, name: str | None, own: str, golds: Sequence[Side], reading: Reading
) -> Iterator[tuple[str, Side]]:
    """Give the systems of a table: the one it was named for, those of its system column, or a column for each."""
    roles = reading.roles(table)
    like = [column for column in table.columns if name is not None and column.casefold() == name.casefold()]
    if like and "output" not in reading.columns:
        yield own, side_of(table, roles, like[0], reading.kind)
        return
    outputs = roles.outputs if roles.named else _alike_gold(table, roles.outputs, golds, reading.kind)
    outputs = outputs or lone_column(roles, table)
    if roles.system is not None and len(outputs) == 1:
        by_system = labels_of(table, roles.system)
        for system in dict.fromkeys(by_system) if name is None else [name]:
            rows = [row for row, one in enumerate(by_system) if one == system] if len(set(by_system)) > 1 else None
            if rows == []:
                raise unknown("system", system, tuple(dict.fromkeys(by_system)), where=table.name)
            yield system, side_of(table, roles, outputs[0], reading.kind, rows)
    elif len(outputs) == 1 and (roles.named or name is not None or not golds or golds[0].table is not table):
        yield own, side_of(table, roles, outputs[0], reading.kind)
    elif name is None and outputs and (not roles.named or "output" in reading.columns):
        for column in outputs:
            yield column, side_of(table, roles, column, reading.kind)
    else:
        raise which_column(tuple(table.columns), "output", first_line(table))


def _alike_gold(table: Table, outputs: Sequence[str], golds: Sequence[Side], kind: str) -> tuple[str, ...]:
    """Keep the columns that hold what gold holds: its labels, or texts where gold has texts."""
    if not golds or len(outputs) < 2:
        return tuple(outputs)
    gold = [cell.strip() for cell in golds[0].cells if cell]
    known = set(gold)
    spelled = {canonical_label(label) for label in known}

    def alike(name: str) -> bool:
        cells = [cell.strip() for cell in table.texts(name) if cell]
        if kind == "labels":
            return 2 * sum(canonical_label(cell) in spelled for cell in cells) >= len(cells)
        if kind in ("texts", "answers"):
            # Languages, domains and the like repeat where texts do not.
            return len(set(cells)) * 5 >= min(len(known), len(cells))
        return True

    return tuple(name for name in outputs if alike(name))
