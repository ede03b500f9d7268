"""Long tables larger than the memory they may take: columns are told by the first rows, the rest stays on disk."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nofluke.align.decimals import TEXT_DIGITS
from nofluke.errors import Fix, InputError, Option, named_as
from nofluke.option_groups import LargeReading
from nofluke.readers.assemble import Part, combine, make_part
from nofluke.readers.direction import orient
from nofluke.readers.formats.parquet import as_pattern, table_of_cells, told_if_damaged
from nofluke.readers.given import Given
from nofluke.readers.logs.find import candidates, logs_among
from nofluke.readers.naming import Naming
from nofluke.readers.numbers import NUMBER_PATTERN
from nofluke.readers.parts import keys_of, parts_of, refuse_unlike
from nofluke.readers.roles import Roles
from nofluke.readers.score_columns import score_roles
from nofluke.readers.sniff import sniff_dialect, split_line
from nofluke.readers.spread import Cells, spread_out
from nofluke.readers.sql import TextInSql, connect, literal, quoted, trimmed
from nofluke.readers.table import Place, Table, Unclean
from nofluke.types import Scores, Stored, Wanted
from nofluke.types.stored import BYTES_A_ROW

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# What a byte of CSV takes in memory.
_BYTES_A_BYTE = 4
# Rows that tell what the columns are.
_LOOKED_AT = 20_000
_LEAST = 256 * 2**20
_SIZE = re.compile(r"\s*([\d.]+)\s*([kmgt]?)i?b?\s*", re.IGNORECASE)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


def bytes_of(text: str | int) -> int:
    """Read an amount of memory.

    >>> bytes_of("2GB"), bytes_of("512 MB")
    (2147483648, 536870912)
    """
    found = _SIZE.fullmatch(str(text))
    size = int(float(found[1]) * 1024 ** _POWERS[found[2].lower()]) if found and found[1].count(".") < 2 else 0
    if size < _LEAST:
        least = f"give at least {_LEAST // 2**20} MB, such as 2GB."
        raise InputError(f"{text!r} is no amount of memory to work with.", fix=Fix(Option("memory"), ": ", least))
    return size


def stored_scores(source: Any, how: LargeReading, asked: Mapping[str, Any]) -> Stored | None:
    """Look at a table that is larger than the memory it may take; None for all that is read as usual."""
    memory = None if how.memory is None else bytes_of(how.memory)
    one = source[0] if isinstance(source, list | tuple) and len(source) == 1 else source
    if not isinstance(one, str | os.PathLike) or os.fsdecode(one) == "-" or how.reduce != "mean":
        return None
    path = os.fsdecode(one)
    parts = parts_of(path)
    given = Given(path, path=Path(path), own=Path(path).stem, parts=parts)
    if not (parts or os.path.isfile(path)) or not is_too_large(given, memory):
        return None
    if not (parts or _is_parquet(Path(path)) or given.format() == "csv") or logs_among(candidates(one), how.format):
        return None
    limit = memory if memory is not None else _half_of_free()
    found = None if limit is None else read_stored(given, how, asked, limit)
    if found is None and memory is not None:
        raise InputError(
            f"reading this takes more memory than {how.memory}, and only long tables (item, system, score) can stay on "
            "disk.",
            where=path,
            fix=Fix("name the columns: ", named_as(item="NAME", system="NAME", score="NAME"), ", or allow more."),
        )
    return found


def is_too_large(given: Given, memory: int | None) -> bool:
    """Whether reading a file, or a folder of them, would take more memory; unasked, folders may take half of what is
    free."""
    limit = _half_of_free() if memory is None and given.parts else memory
    if limit is None or given.path is None or given._data is not None:
        return False
    paths = given.parts or (given.path,)
    if not all(path.is_file() for path in paths):
        return False
    size = sum(path.stat().st_size for path in paths)
    if _is_parquet(paths[0]):
        # A row of Parquet takes next to nothing on disk: it is counted where there may be too many.
        return size > limit // (50 * BYTES_A_ROW) and BYTES_A_ROW * _rows(paths) > limit
    return _BYTES_A_BYTE * size * (5 if paths[0].suffix == ".gz" else 1) > limit


def _half_of_free() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES") // 2
    except (ValueError, OSError, AttributeError):  # pragma: no cover - Windows
        return None


def _is_parquet(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"PAR1"


def _rows(paths: Sequence[Path]) -> int:
    with told_if_damaged(str(paths[0])):
        found = connect().execute(f"SELECT coalesce(sum(num_rows), 0) FROM parquet_file_metadata({_list_of(paths)})")
        return int(found.fetchall()[0][0])


def _list_of(paths: Sequence[Path]) -> str:
    return f"[{', '.join(literal(as_pattern(path)) for path in paths)}]"


@dataclass(frozen=True)
class _Source:
    """The files, how DuckDB reads them, and what their columns are."""

    given: Given
    paths: tuple[Path, ...]
    scan: str
    parquet: bool
    roles: Roles
    naming: Naming
    how: LargeReading
    memory: int

    def open(self, folder: str = "") -> DuckDBPyConnection:
        """A database whose view `rows` is the whole table; it may write what it cannot hold into a folder."""
        connection = connect(self.memory // 3, folder)
        connection.execute("SET preserve_insertion_order = false" if folder else "SET preserve_insertion_order = true")
        connection.execute(f"CREATE TEMP VIEW rows AS {self.scan}")
        return connection

    def label(self, role: str) -> str:
        """The expression of the label of a row."""
        kinds = self._kinds if self.parquet else {}
        parts = []
        for name in self.roles.all(role):
            column = quoted(name)
            text = f"{column}::VARCHAR"
            if kinds.get(name) in ("FLOAT", "DOUBLE"):
                # Floating-point labels are written as whole numbers where they are whole.
                text = f"CASE WHEN {column} = floor({column}) THEN {column}::HUGEINT::VARCHAR ELSE {text} END"
            parts.append(trimmed(text))
        return " || ' / ' || ".join(parts) if parts else "''"

    @property
    def _kinds(self) -> Mapping[str, str]:
        return {name: kind for name, kind, *_ in connect().execute(f"DESCRIBE {self.scan}").fetchall()}

    def score(self) -> str:
        """The expression of the score: null where there is none, and 'broken' cells are counted apart."""
        (name,) = self.roles.all("score")
        if self.parquet:
            return f"nullif({quoted(name)}::DOUBLE, 'nan'::DOUBLE)"
        text = trimmed(quoted(name))
        return (
            f"CASE WHEN regexp_full_match({text}, {literal(NUMBER_PATTERN)}) THEN try_cast({text} AS DOUBLE) "
            f"WHEN lower({text}) = 'true' THEN 1.0 WHEN lower({text}) = 'false' THEN 0.0 END"
        )

    def broken(self) -> str:
        """The condition of a cell that should be a score and is none."""
        if self.parquet:
            return "false"
        (name,) = self.roles.all("score")
        return f"({trimmed(quoted(name))} <> '' AND ({self.score()}) IS NULL)"


def read_stored(given: Given, how: LargeReading, asked: Mapping[str, Any], memory: int) -> Stored | None:
    """Look at a table that is too large to be read; None where it is not a long one, of which parts can be taken."""
    paths = given.parts or (given.path,) if given.path is not None else ()
    parquet = _is_parquet(paths[0])
    keys = keys_of(paths[0], given.name) if given.parts else {}
    scan = _scan(given, paths, keys, parquet=parquet)
    if scan is None:
        return None
    with told_if_damaged(given.name):
        head = _head(scan, given.name, parquet=parquet)
        roles = score_roles(head, asked)
        if not roles.all("system") or not roles.all("item") or len(roles.all("score")) != 1:
            return None
        naming = Naming(None, given.own, shared=True, alone=True)
        source = _Source(given, tuple(paths), scan, parquet, roles, naming, how, memory)
        return _stored(source, _counted(source), _part(head, source))


def _part(table: Table, source: _Source) -> Part:
    try:
        return make_part(table, source.roles, source.naming)
    except Unclean:
        raise InputError(
            "scores of so many digits are read exactly only where all of them fit into memory.",
            where=source.given.name,
            fix=Fix("round them to 15 digits, or allow more: ", Option("memory"), "."),
        ) from None


def _counted(source: _Source) -> list[tuple[str, str, str, int]]:
    """Give systems, datasets and metrics with their rows; what is no score, or has no label, is refused."""
    connection = source.open()
    found = connection.execute(
        f"SELECT {source.label('system')} AS system, {source.label('dataset')} AS dataset, "
        f"{source.label('metric')} AS metric, count(*), count(*) FILTER ({source.broken()}), "
        f"any_value({quoted(source.roles.all('score')[0])}) FILTER ({source.broken()}) "
        "FROM rows GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    broken = [(count, example) for *_, count, example in found if count]
    if broken:
        raise InputError(
            f"{broken[0][1]!r} is not a number; {sum(n for n, _ in broken):,} cells of the scores are like this.",
            where=source.given.name,
            fix="write a number, or leave the cell empty where a score is missing.",
        )
    for place, role in enumerate(("system", "dataset", "metric")):
        if source.roles.all(role) and any(not row[place] for row in found):
            raise InputError(f"the {role} is empty in some rows.", where=source.given.name, fix="fill it in.")
    return [row[:4] for row in found]


def _stored(source: _Source, found: list[tuple[str, str, str, int]], part: Part) -> Stored:
    has = {role: bool(source.roles.all(role)) for role in ("dataset", "metric", "run")}
    metrics = tuple(dict.fromkeys(row[2] for row in found)) if has["metric"] else tuple(part.axes["metric"].labels)
    directions, notes = orient(metrics, source.how.higher_is_better)
    rows = sum(row[3] for row in found)
    kept = replace(part.source, name=source.given.name, rows=rows)
    cells = Cells(
        {role: source.label(role) for role in ("item", "system", "dataset", "metric")}, source.score(), source.parquet
    )
    return Stored(
        systems=tuple(dict.fromkeys(row[0] for row in found)),
        datasets=tuple(dict.fromkeys(row[1] for row in found)) if has["dataset"] else ("",),
        metrics=metrics,
        higher_is_better=directions,
        rows=rows,
        memory=source.memory,
        clustered="cluster" in part.axes,
        several_runs=has["run"],
        sources=(kept,),
        notes=notes,
        load=partial(_load, source),
        spread=partial(spread_out, source.open, cells, source.memory, rows, has, (directions, notes, metrics)),
    )


def _load(source: _Source, wanted: Wanted) -> Scores:
    """Read the rows that are wanted as any table is read."""
    connection = source.open()
    conditions = ["true"]
    if wanted.systems is not None:
        conditions.append(f"{source.label('system')} IN ({', '.join(map(literal, wanted.systems))})")
    for role, value in (("dataset", wanted.dataset), ("metric", wanted.metric)):
        if value is not None and source.roles.all(role):
            conditions.append(f"{source.label(role)} = {literal(value)}")
    where = " AND ".join(f"({one})" for one in conditions)
    number = int(connection.execute(f"SELECT count(*) FROM rows WHERE {where}").fetchall()[0][0])
    if number * BYTES_A_ROW > source.memory:
        need = math.ceil(number * BYTES_A_ROW / 2**30)
        raise InputError(
            f"this needs {number:,} rows in memory, about {need} GB; {source.memory / 2**30:.3g} GB are allowed.",
            where=source.given.name,
            fix=Fix("ask about fewer systems or one dataset, or allow more: ", Option("memory", f"{need}GB"), "."),
        )
    used = ", ".join(quoted(name) for names in source.roles.columns.values() for name in names)
    with told_if_damaged(source.given.name):
        connection.execute(f"CREATE TEMP TABLE held AS SELECT {used} FROM rows WHERE {where}")
        connection.execute("CREATE TEMP VIEW cells AS SELECT *, rowid AS file_row_number FROM held")
        table = _table(connection, source.given.name, parquet=source.parquet)
        return combine([_part(table, source)], source.how.higher_is_better)


def _table(connection: DuckDBPyConnection, name: str, *, parquet: bool) -> Table:
    if parquet:
        return table_of_cells(connection, name)
    names = [one for one, *_ in connection.execute("DESCRIBE cells").fetchall() if one != "file_row_number"]
    rows = int(connection.execute("SELECT count(*) FROM cells").fetchall()[0][0])
    place = Place(name, None)
    columns = {
        one: TextInSql(connection, "cells", trimmed(quoted(one)), "file_row_number", one, place, rows) for one in names
    }
    return Table("csv", columns, rows, place, TEXT_DIGITS)


def _head(scan: str, name: str, *, parquet: bool) -> Table:
    """The first rows."""
    connection = connect()
    connection.execute(f"CREATE TEMP TABLE held AS {scan} LIMIT {_LOOKED_AT}")
    connection.execute("CREATE TEMP VIEW cells AS SELECT *, rowid AS file_row_number FROM held")
    return _table(connection, name, parquet=parquet)


def _scan(given: Given, paths: Sequence[Path], keys: Mapping[str, str], *, parquet: bool) -> str | None:
    """The query of all rows; None for text that names no columns."""
    if parquet:
        columns = [_columns_of_parquet(path) for path in paths]
        read_as = f"read_parquet({_list_of(paths)}"
    else:
        head = Given(str(paths[0]), path=paths[0]).head()
        dialect = sniff_dialect(head)
        if not dialect.headed or len(dialect.delimiter) != 1:
            return None
        columns = [_columns_of_text(path, dialect.delimiter) for path in paths]
        typed = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in columns[0])
        read_as = (
            f"read_csv({_list_of(paths)}, auto_detect = false, header = true, delim = {literal(dialect.delimiter)}, "
            f"quote = '\"', escape = '\"', columns = {{{typed}}}"
        )
    for path, names in zip(paths[1:], columns[1:], strict=True):
        # Columns of text are told by their place.
        refuse_unlike(str(paths[0]), columns[0], str(path), names)
        if not parquet and names != columns[0]:
            return None
        if keys.keys() != keys_of(path, given.name).keys():
            refuse_unlike(str(paths[0]), list(keys), str(path), list(keys_of(path, given.name)))
    own = [name for name in keys if name not in columns[0]]
    of_folders = "true, hive_types_autocast = false" if own else "false"
    chosen = ", ".join(map(quoted, [*own, *columns[0]]))
    return f"SELECT {chosen} FROM {read_as}, hive_partitioning = {of_folders})"


def _columns_of_parquet(path: Path) -> list[str]:
    with told_if_damaged(str(path)):
        described = connect().execute(
            f"DESCRIBE SELECT * FROM read_parquet({literal(as_pattern(path))}, hive_partitioning = false)"
        )
        return [name for name, *_ in described.fetchall()]


def _columns_of_text(path: Path, delimiter: str) -> list[str]:
    first = Given(str(path), path=path).head().removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0]
    return [cell.strip() for cell in split_line(first.rstrip(b"\r").decode("utf-8", "replace"), delimiter)]
