"""Tables of statistics to be scored by a formula: one per system, or one with a column of systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nofluke.align.decimals import FLOAT_DIGITS
from nofluke.errors import InputError, listing, unknown
from nofluke.metrics.custom import table_statistics
from nofluke.metrics.formula_syntax import names_in
from nofluke.metrics.statistics import ItemStatistics
from nofluke.readers import FORMATS, read_carefully
from nofluke.readers.aliases import matches
from nofluke.readers.asked import check_roles, columns_asked
from nofluke.readers.columns import TextColumn, ValueColumn
from nofluke.readers.frame import is_frame, read_frame
from nofluke.readers.table import Column, Place, Table
from nofluke.types import Source, frozen
from nofluke.verbs.scoring.sides import labels_of
from nofluke.verbs.scoring.sources import is_file, key_of, named_sources, opened

_ROLES = ("item", "system", "dataset", "cluster")
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StatisticsTables:
    """Statistics by system on the same items, and what is known of these."""

    statistics: dict[str, ItemStatistics]
    places: dict[str, str]
    datasets: tuple[str, ...] | None
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """The rows of one system in a table."""

    table: Table
    columns: Mapping[str, tuple[str, ...]]
    rows: tuple[int, ...]
    keys: tuple[Key, ...] | None

    def labels(self, role: str) -> tuple[str, ...] | None:
        if not self.columns[role]:
            return None
        parts = [labels_of(self.table, name) for name in self.columns[role]]
        return tuple(" / ".join(part[row] for part in parts) for row in self.rows)


def read_statistics(tables: Any, formula: str, asked: Mapping[str, Any], format: str) -> StatisticsTables:
    """Read all tables, and put their systems on the same items."""
    if format != "auto" and format not in FORMATS:
        raise unknown("format", format, ("auto", *FORMATS))
    asked = check_roles(asked, _ROLES)
    wanted = names_in(formula)
    parts: dict[str, _Part] = {}
    for name, part in _parts(tables, frozenset(wanted), asked, format):
        if name in parts:
            raise InputError(f"two systems are called {name!r}.", fix="name them: A=counts_a.csv B=counts_b.csv.")
        parts[name] = part
    found = {name: _statistics(part, formula, wanted) for name, part in parts.items()}
    first = next(iter(parts.values()))
    with_datasets = any(part.columns["dataset"] for part in parts.values())
    if with_datasets and all(part.keys is not None for part in parts.values()):
        found, keys = _on_the_same_items(parts, found)
        return StatisticsTables(found, _places(parts), tuple(" / ".join(key[:-1]) for key in keys), _sources(parts))
    return StatisticsTables(found, _places(parts), first.labels("dataset"), _sources(parts))


def _parts(tables: Any, wanted: frozenset[str], asked: Mapping[str, Any], format: str) -> Iterator[tuple[str, _Part]]:
    for name, own, table in _opened(tables, format):
        columns = _columns(table, wanted, asked)
        if not columns["system"]:
            yield own, _part(table, columns, range(table.rows))
            continue
        by_row = labels_of(table, columns["system"][0])
        systems = tuple(dict.fromkeys(by_row))
        if name is not None and len(systems) > 1 and name not in systems:
            raise InputError(
                f"the file is named as the system {name!r}, and it holds {len(systems)}: {listing(systems)}.",
                where=table.name,
                fix="give the file without a system name.",
            )
        for system in systems if name is None else [name]:
            rows = [row for row, one in enumerate(by_row) if len(systems) == 1 or one == system]
            yield system, _part(table, columns, rows)


def _opened(tables: Any, format: str) -> Iterator[tuple[str | None, str, Table]]:
    """Give every table with the name it was given and the name it has after its file."""
    if isinstance(tables, Mapping) and not tables:
        raise InputError("no tables were given.", fix="name at least one: {'A': 'counts_a.csv'}.")
    lone = is_frame(tables) or (isinstance(tables, Mapping) and not any(map(_is_table, tables.values())))
    named = [(None, "table", tables)] if lone else named_sources(tables)
    known: dict[str, Table] = {}
    for name, own, source in named:
        key = key_of(source)
        if key not in known:
            known[key] = _table(source, format)
        yield name, own, known[key]


def _is_table(source: Any) -> bool:
    return is_file(source) or is_frame(source) or isinstance(source, Mapping)


def _table(source: Any, format: str) -> Table:
    if is_file(source):
        return read_carefully(opened(source), format)
    if is_frame(source):
        return read_frame(source)
    columns = {str(name): list(cells) for name, cells in dict(source).items()}
    sizes = {len(cells) for cells in columns.values()}
    if len(sizes) != 1 or sizes == {0}:
        raise InputError(
            "its columns have no rows, or different numbers of them.", where="the table", fix="mend the table."
        )
    place = Place("the table", None)
    values: dict[str, Column] = {
        name: (TextColumn if all(isinstance(cell, str) for cell in cells) else ValueColumn)(cells, name, place)
        for name, cells in columns.items()
    }
    return Table("mapping", values, sizes.pop(), place, FLOAT_DIGITS)


def _columns(table: Table, wanted: frozenset[str], asked: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Find the columns that say what a row is; those of the formula are statistics, whatever they are called."""
    found = {role: tuple(columns_asked(table, role, names)) for role, names in asked.items()}
    taken = {name for names in found.values() for name in names} | wanted
    for role in ("system", "dataset", "item", "cluster"):
        if role not in found:
            by_name = matches(role, [name for name in table.columns if name not in taken])
            found[role] = tuple(by_name if role == "dataset" else by_name[:1])
            taken.update(found[role])
    return found


def _part(table: Table, columns: Mapping[str, tuple[str, ...]], rows: Sequence[int]) -> _Part:
    chosen = tuple(rows)
    keys: tuple[Key, ...] | None = None
    if columns["item"]:
        labels = [labels_of(table, name) for name in (*columns["dataset"], *columns["item"])]
        keys = tuple(tuple(part[row] for part in labels) for row in chosen)
        first: dict[Key, int] = {}
        for row, key in zip(chosen, keys, strict=True):
            if key in first:
                raise InputError(
                    f"item {key[-1]!r} was already given on {table.place.of(first[key])[len(table.name) + 1 :]}.",
                    where=table.place.of(row),
                    fix="give every item once; --columns system=NAME or dataset=NAME names a column that tells them "
                    "apart.",
                )
            first[key] = row
    return _Part(table, columns, chosen, keys)


def _statistics(part: _Part, formula: str, wanted: Sequence[str]) -> ItemStatistics:
    table, rows = part.table, list(part.rows)
    numbers = {name: table.columns[name].numbers()[rows] for name in wanted if name in table.columns}
    ids = None if part.keys is None else tuple(key[-1] for key in part.keys)
    try:
        return table_statistics(numbers, formula, len(rows), tuple(table.columns), ids, part.labels("cluster"))
    except InputError as error:
        if error.where:
            raise
        raise InputError(error.message, where=table.name, fix=error.fix) from None


def _on_the_same_items(
    parts: Mapping[str, _Part], found: Mapping[str, ItemStatistics]
) -> tuple[dict[str, ItemStatistics], tuple[Key, ...]]:
    """Put all systems on the items of all; what a system lacks is a row of nan."""
    keys = tuple(dict.fromkeys(key for part in parts.values() for key in part.keys or ()))
    clusters: dict[Key, str] = {}
    for part in parts.values():
        clusters |= dict(zip(part.keys or (), part.labels("cluster") or (), strict=False))
    same = {}
    for name, part in parts.items():
        place = {key: row for row, key in enumerate(part.keys or ())}
        values = np.full((len(keys), found[name].values.shape[1]), np.nan)
        here = np.array([key in place for key in keys])
        values[here] = found[name].values[[place[key] for key in keys if key in place]]
        labels = tuple(clusters[key] for key in keys) if len(clusters) == len(keys) else None
        same[name] = replace(found[name], values=frozen(values), ids=tuple(key[-1] for key in keys), clusters=labels)
    return same, keys


def _places(parts: Mapping[str, _Part]) -> dict[str, str]:
    return {name: part.table.name for name, part in parts.items() if part.table.format not in ("mapping", "frame")}


def _sources(parts: Mapping[str, _Part]) -> tuple[Source, ...]:
    """Say of every table which columns tell its rows apart."""
    found: dict[str, Source] = {}
    for part in parts.values():
        taken = {role: ", ".join(names) for role, names in part.columns.items() if names}
        table = part.table
        found[table.name] = Source(table.name, table.format, table.rows, taken, table.notes)
    return tuple(found.values())
