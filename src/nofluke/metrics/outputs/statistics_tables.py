"""Tables of statistics to be scored by a formula: one per system, or one with a column of systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from nofluke.errors import InputError
from nofluke.metrics.common_items import in_order
from nofluke.metrics.custom import table_statistics
from nofluke.metrics.formula import names_in
from nofluke.metrics.outputs.rows import Key, Rows, keys_of, rows_by_system
from nofluke.metrics.outputs.sources import key_of
from nofluke.metrics.statistics import ItemStatistics
from nofluke.readers.columns import table_of_columns
from nofluke.readers.frame import is_frame, read_frame
from nofluke.readers.given import is_file, named_sources, opened
from nofluke.readers.layouts import refuse_crossed_names
from nofluke.readers.roles import Roles, Search, check_roles
from nofluke.readers.scores import read_carefully
from nofluke.readers.sniff import check_format
from nofluke.readers.table import Table
from nofluke.types import Source, note

_ROLES = ("system", "dataset", "run", "item", "cluster")


@dataclass(frozen=True, slots=True)
class StatisticsTables:
    """Statistics by system on the same items, and what is known of these."""

    statistics: dict[str, ItemStatistics]
    places: dict[str, str]
    datasets: tuple[str, ...] | None
    runs: tuple[str, ...] | None
    sources: tuple[Source, ...]


def read_statistics(tables: Any, formula: str, asked: Mapping[str, Any], format: str) -> StatisticsTables:
    """Read all tables, and put their systems on the same items."""
    check_format(format)
    asked = check_roles(asked, (*_ROLES, "ignore"))
    wanted = names_in(formula)
    parts: dict[str, Rows] = {}
    for name, part in _parts(tables, frozenset(wanted), asked, format):
        if name in parts:
            raise InputError(f"two systems are called {name!r}.", fix="name them: A=counts_a.csv B=counts_b.csv.")
        part.refuse_twice()
        parts[name] = part
    found = {name: _statistics(part, formula, wanted) for name, part in parts.items()}
    first = next(iter(parts.values()))
    datasets, runs = first.labels("dataset"), first.labels("run")
    if all(part.keys for part in parts.values()) and any(len(part.keys[0]) > 1 for part in parts.values() if part.keys):
        found, keys = _on_the_same_items(parts, found)
        end = -2 if runs is not None else -1
        datasets = None if datasets is None else tuple(" / ".join(key[:end]) for key in keys)
        runs = None if runs is None else tuple(key[-2] for key in keys)
    places = {name: part.table.name for name, part in parts.items() if part.table.format not in ("mapping", "frame")}
    sources = {part.table.name: part.roles.source(part.table, *_ROLES) for part in parts.values()}
    return StatisticsTables(found, places, datasets, runs, tuple(sources.values()))


def _roles(table: Table, wanted: frozenset[str], asked: Mapping[str, Any]) -> Roles:
    """Find the columns that say what a row is; those of the formula are statistics, whatever they are called."""
    search = Search(table, asked, but=wanted)
    for role in ("system", "dataset", "run"):
        search.settle(role, take="all" if role == "dataset" else "only")
    search.settle_item()
    search.settle("cluster")
    refuse_crossed_names(search)
    search.note_groups()
    if search.free:
        search.notes.append(note("read.columns_unused", columns=search.free))
    return search.roles()


def _parts(tables: Any, wanted: frozenset[str], asked: Mapping[str, Any], format: str) -> Iterator[tuple[str, Rows]]:
    for name, own, table in _opened(tables, format):
        roles = _roles(table, wanted, asked)
        column = roles.one("system")
        systems = {own: range(table.rows)} if column is None else rows_by_system(table, column, name)
        for system, rows in systems.items():
            yield system, Rows(table, roles, tuple(rows), keys_of(table, roles, rows))


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
    return read_frame(source) if is_frame(source) else table_of_columns(dict(source), "mapping", "the table")


def _statistics(part: Rows, formula: str, wanted: Sequence[str]) -> ItemStatistics:
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
    parts: Mapping[str, Rows], found: Mapping[str, ItemStatistics]
) -> tuple[dict[str, ItemStatistics], tuple[Key, ...]]:
    """Put all systems on the items of all; what a system lacks is a row of nan."""
    keys = tuple(dict.fromkeys(key for part in parts.values() for key in part.keys or ()))
    ids = tuple(key[-1] for key in keys)
    known: dict[Key, str] = {}
    for part in parts.values():
        known |= dict(zip(part.keys or (), part.labels("cluster") or (), strict=False))
    clusters = tuple(known[key] for key in keys) if len(known) == len(keys) else None
    same = {
        name: replace(in_order(found[name], part.keys or (), keys), ids=ids, clusters=clusters)
        for name, part in parts.items()
    }
    return same, keys
