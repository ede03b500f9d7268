"""The rows of systems and of gold in tables: whose they are, which items they belong to, and their texts."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from nofluke.errors import Fix, InputError, listing, named_as
from nofluke.metrics.formats.labels import label_key
from nofluke.metrics.outputs.sources import Reading
from nofluke.metrics.outputs.tagged_tables import by_sentence
from nofluke.metrics.texts import Lines
from nofluke.readers.naming import other_systems
from nofluke.readers.not_scores import refuse_objects
from nofluke.readers.outputs import first_line, gold_columns, lone_column, outputs_in, which_column
from nofluke.readers.roles import Roles
from nofluke.readers.table import Table
from nofluke.readers.unscored import by_metric, metric_for

# What names an item: its datasets and its run, if the table has them, and its id.
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows of a table, with the names of their items and, of a system or of gold, the texts of a column."""

    table: Table
    roles: Roles
    rows: tuple[int, ...]
    keys: tuple[Key, ...] | None
    column: str = ""
    cells: tuple[str | None, ...] = ()

    def spot(self, position: int) -> str:
        """Name the place of a row."""
        return self.where(position)[len(self.table.name) + 1 :]

    def where(self, position: int) -> str:
        """Name file and place of a row."""
        return self.table.place.of(self.rows[position])

    def labels(self, role: str) -> tuple[str, ...] | None:
        """What the columns of a role say of every row; None where there are none."""
        parts = [self.table.labels(name) for name in self.roles.all(role)]
        return tuple(" / ".join(part[row] for part in parts) for row in self.rows) if parts else None

    def refuse_twice(self, keys: Sequence[Key] | None = None) -> None:
        """Refuse two rows of one item."""
        first: dict[Key, int] = {}
        named = self.keys or () if keys is None else keys
        for position, key in enumerate(named):
            if first.setdefault(key, position) != position:
                raise InputError(
                    f"item {key[-1]!r} was already given on {self.spot(first[key])}.",
                    where=self.where(position),
                    fix=Fix("give every item once; ", self._what_tells_apart(named), "."),
                )

    def _what_tells_apart(self, keys: Sequence[Key]) -> Fix:
        """Name the option that makes every item one of its own, where a column without a role does."""
        taken = {name for role, names in self.roles.columns.items() if role != "candidate" for name in names}
        taken.add(self.column)
        gold = {cell for name in self.roles.all("gold") for cell in self.table.texts(name)}
        for name in [column for column in self.table.columns if column not in taken][:50]:
            labels = self.table.texts(name)
            if gold.intersection(labels):
                # The output of another system.
                continue
            told = {(labels[row], key) for row, key in zip(self.rows, keys, strict=True)}
            if len(told) == len(keys) and len({labels[row] for row in self.rows}) < len(keys):
                every = ",".join((*self.roles.all("dataset"), name))
                return Fix(f"{name!r} tells them apart: ", named_as(dataset=every))
        if self.roles.all("words"):
            spans = any(metric_for(self.table.texts(name)) == "span_f1" for name in self.roles.all("gold"))
            return Fix("if rows are tokens, score sentences: ", by_metric("token_accuracy"), " (or span_f1)" * spans)
        return Fix("name a column that tells them apart: ", named_as(dataset="NAME"), " (or run, or system)")

    def lines(self, order: Sequence[int | None], ids: tuple[str, ...] | None) -> Lines:
        """Give the cells in an order; None is an item that has none."""
        cells = [None if position is None else self.cells[position] for position in order]
        spots = tuple("" if position is None else self.spot(position) for position in order)
        missing = frozenset(place for place, cell in enumerate(cells) if cell is None)
        return Lines(self.table.name, tuple(cell or "" for cell in cells), spots, ids, missing)


def keys_of(table: Table, roles: Roles, rows: Sequence[int]) -> tuple[Key, ...] | None:
    """Name the items of rows; None where the table has no ids."""
    if roles.one("item") is None:
        return None
    parts = [table.labels(name) for role in ("dataset", "run") for name in roles.all(role)]
    parts.append(table.labels(*roles.all("item")))
    return tuple(tuple(part[row] for part in parts) for row in rows)


def rows_by_system(table: Table, column: str, name: str | None) -> dict[str, list[int]]:
    """Give the rows of every system, or of the one that the file was named for; a lone system may be renamed."""
    by_row = table.labels(column)
    systems = tuple(dict.fromkeys(by_row))
    if name is not None and len(systems) == 1:
        return {name: list(range(table.rows))}
    if name is not None and name not in systems:
        raise other_systems(name, systems, table.name)
    found: dict[str, list[int]] = {system: [] for system in (systems if name is None else [name])}
    for row, system in enumerate(by_row):
        if system in found:
            found[system].append(row)
    return found


def gold_of(gold: Any, tables: Sequence[Table], reading: Reading) -> tuple[Any, list[Rows]]:
    """Give gold as it is, or its columns in tables; without gold a column of the outputs' own table is it."""
    if gold is None:
        own = next((table for table in tables if reading.roles(table).all("gold")), None)
        return None, [] if own is None else list(_gold_sides(own, reading))
    several = isinstance(gold, list | tuple) and any(isinstance(one, os.PathLike) for one in gold)
    members = list(gold) if several else [gold]
    found = [reading.table(member, "gold") for member in members]
    if not any(table is not None for table in found):
        lines = [reading.lines(member) for member in members]
        return lines if several else lines[0], []
    sides: list[Rows] = []
    for member, table in zip(members, found, strict=True):
        if table is None:
            raise InputError(
                "of several gold files some are tables and others lines.",
                where=str(member),
                fix="give all of them in the same form.",
            )
        sides += _gold_sides(table, reading)
    return None, sides


def _gold_sides(table: Table, reading: Reading) -> Iterator[Rows]:
    """Give gold of a table, once for every item: a long table repeats it for every system."""
    roles = reading.roles(table)
    for column in gold_columns(roles, table):
        system = roles.one("system")
        if system is None:
            yield texts_of(table, roles, column, reading.kind)
            continue
        rows = next(iter(rows_by_system(table, system, None).values()))
        if roles.one("item") is not None and reading.kind != "tags":
            rows = list(_first_of_each(texts_of(table, roles, column, reading.kind)))
        yield texts_of(table, roles, column, reading.kind, rows)


def _first_of_each(side: Rows) -> Iterator[int]:
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


def texts_of(table: Table, roles: Roles, column: str, kind: str, rows: Sequence[int] | None = None) -> Rows:
    """Give the cells of a column, of some rows or all; tags of tokens are put together by sentence."""
    chosen = tuple(range(table.rows)) if rows is None else tuple(rows)
    if not roles.asked.intersection(("gold", "output")):
        refuse_objects(table, "gold" if column in roles.all("gold") else "output", [column])
    texts = table.texts(column)
    if kind == "tags":
        chosen, texts = by_sentence(table, roles, column, chosen)
    # An empty label is none, whatever the format; an empty text may be what a system gave.
    gap = "" if kind in ("labels", "numbers") else None
    cells = tuple(None if (text := texts[row]) is None or text.strip() == gap else text for row in chosen)
    return Rows(table, roles, chosen, keys_of(table, roles, chosen), column, cells)


def systems_of(
    named: Sequence[tuple[str | None, str, Any]],
    tables: Sequence[Table | None],
    golds: Sequence[Rows],
    reading: Reading,
) -> list[tuple[str, Any]]:
    """Give the systems of all files by name: what the metric reads of lines, or Rows of a table."""
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
    table: Table, name: str | None, own: str, golds: Sequence[Rows], reading: Reading
) -> Iterator[tuple[str, Rows]]:
    """Give the systems of a table: the one it was named for, those of its system column, or a column for each."""
    roles = reading.roles(table)
    like = [column for column in table.columns if name is not None and column.casefold() == name.casefold()]
    if like and "output" not in reading.columns:
        yield own, texts_of(table, roles, like[0], reading.kind)
        return
    named, by_system = bool(roles.all("output")), roles.one("system")
    outputs = outputs_in(roles) if named else _alike_gold(table, outputs_in(roles), golds, reading.kind)
    outputs = outputs or lone_column(roles, table)
    if by_system is not None and len(outputs) == 1:
        for system, rows in rows_by_system(table, by_system, name).items():
            yield system, texts_of(table, roles, outputs[0], reading.kind, rows)
    elif len(outputs) == 1 and (named or name is not None or not golds or golds[0].table is not table):
        yield own, texts_of(table, roles, outputs[0], reading.kind)
    elif name is None and outputs and (not named or "output" in reading.columns):
        for column in outputs:
            yield column, texts_of(table, roles, column, reading.kind)
    elif not outputs and golds and (others := outputs_in(roles)):
        raise _unlike_gold(table, others, golds[0])
    else:
        raise which_column(tuple(table.columns), "output", first_line(table))


def _unlike_gold(table: Table, others: Sequence[str], gold: Rows) -> InputError:
    """The error of outputs that hold none of gold's labels, such as Pos and pos, or within objects."""
    refuse_objects(table, "output", others)
    own, known = (
        listing(map(repr, sorted({cell.strip() for cell in cells if cell})), 3)
        for cells in (table.texts(others[0]), gold.cells)
    )
    return table.error(
        f"no column holds the labels of gold ({known}); {others[0]!r} holds {own}.",
        fix=Fix("write them alike; to score them as they are: ", named_as(output=",".join(others)), "."),
    )


def _alike_gold(table: Table, outputs: Sequence[str], golds: Sequence[Rows], kind: str) -> tuple[str, ...]:
    """Keep the columns that hold what gold holds: its labels, or texts where gold has texts."""
    if not golds or len(outputs) < 2:
        return tuple(outputs)
    gold = [cell.strip() for cell in golds[0].cells if cell]
    known = set(gold)
    spelled = {label_key(label) for label in known}

    def alike(name: str) -> bool:
        cells = [cell.strip() for cell in table.texts(name) if cell]
        if kind == "labels":
            return 2 * sum(label_key(cell) in spelled for cell in cells) >= len(cells)
        if kind in ("texts", "answers"):
            # Languages, domains and the like repeat where texts do not.
            return len(set(cells)) * 5 >= min(len(known), len(cells))
        return True

    return tuple(name for name in outputs if alike(name))
