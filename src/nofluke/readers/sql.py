"""Columns that stay inside DuckDB until they are asked for; labels become codes there, in row order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nofluke.align.exact_sums import EXACT_DOUBLES
from nofluke.readers.numbers import BLANKS, MEANT_PATTERN, NUMBER_PATTERN, meant_as_number
from nofluke.readers.table import Place, Tally, Unclean, empty_label
from nofluke.types import Axis, FloatArray, IntArray, Labels, sealed

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_MOST_THREADS = 4
# With less DuckDB does not work.
_LEAST_MEMORY = 1 << 26
# An estimate of so many different labels a row (it is off by a few percent) makes a closer look worth while.
_MOSTLY = 0.8
_AT_ONCE = 1 << 18
# So many cells at the start tell whether a column is worth reading as numbers at once.
_LOOKED_AT = 100


def connect(memory: int | None = None, folder: str = "") -> DuckDBPyConnection:
    """Open a database in memory that fetches no extensions, and writes files only into a folder that is named."""
    import os

    import duckdb

    config: dict[str, Any] = {"threads": min(_MOST_THREADS, os.cpu_count() or 1)}
    allowed = _allowed_memory()
    wanted = None if memory is None else max(memory, _LEAST_MEMORY)
    known = [one for one in (wanted, None if allowed is None else allowed // 2) if one is not None]
    if known:
        config["memory_limit"] = f"{min(known)}B"
    connection = duckdb.connect(":memory:", config=config)
    for setting in (
        f"temp_directory = {literal(folder)}",
        "autoinstall_known_extensions = false",
        "autoload_known_extensions = false",
        "enable_progress_bar = false",
    ):
        connection.execute(f"SET {setting}")
    return connection


def _allowed_memory() -> int | None:
    """The bytes this process may take; None without a limit. DuckDB only looks at what the machine has."""
    try:
        import resource
    except ImportError:  # pragma: no cover - Windows
        return None
    allowed = resource.getrlimit(resource.RLIMIT_DATA)[0]
    return None if allowed == resource.RLIM_INFINITY else allowed


def fetch(connection: DuckDBPyConnection, query: str) -> dict[str, Any]:
    """Run a query and give its columns as arrays."""
    columns: dict[str, Any] = connection.execute(query).fetchnumpy()
    return columns


def quoted(name: str) -> str:
    """Quote an identifier."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Quote a text."""
    return "'" + text.replace("'", "''") + "'"


class _Irregular(Exception):  # noqa: N818 (not an error: the labels are grouped instead)
    """Labels are not laid out as the first of them is."""


@dataclass(eq=False)
class SqlColumn:
    """A column of a table in DuckDB; `text` is the expression of its trimmed text, `order` that of the row number."""

    connection: DuckDBPyConnection
    table: str
    text: str
    order: str
    name: str
    place: Place
    rows: int

    def labels(self) -> Axis:
        """Number the labels by the first row that holds them."""
        # One id a row, or the same ids of every system in the same order: these need no grouping.
        layout = self._layout()
        names: tuple[str, ...] | Labels
        names, codes = self._grouped() if layout is None else layout
        if "" in names:
            empty = np.flatnonzero(codes == names.index(""))
            raise empty_label(self.place, int(empty[0]), self.name, empty.size, self.rows)
        return Axis(names, sealed(codes))

    def texts(self) -> list[str | None]:
        """Give the trimmed texts; an empty one where there is nothing."""
        return list(self._part(0, self.rows))

    def values_as_given(self) -> Any:
        """The texts."""
        return self._part(0, self.rows)

    def _layout(self) -> tuple[Labels, IntArray] | None:
        """Give labels that all come equally often, in a row or in blocks that are the same; None for all others."""
        same = f"{self.text} = (SELECT {self.text} FROM {self.table} WHERE {self.order} = 0)"
        times = int(self.connection.execute(f"SELECT count(*) FROM {self.table} WHERE {same}").fetchall()[0][0])
        if not times or times * times > self.rows or self.rows % times:
            return None
        number = self.rows // times
        rows = np.sort(fetch(self.connection, f"SELECT {self.order} AS row FROM {self.table} WHERE {same}")["row"])
        in_a_row = np.array_equal(rows, np.arange(times))
        if not in_a_row and not np.array_equal(rows, np.arange(times) * number):
            return None
        once = f"{self.order} % {times} = 0" if in_a_row else f"{self.order} < {number}"
        if not self._all_different(once, number):
            return None
        try:
            labels = Labels(self._in_a_row(times) if in_a_row else self._in_blocks(number))
        except _Irregular:
            return None
        return labels, np.repeat(np.arange(number), times) if in_a_row else np.tile(np.arange(number), times)

    def _all_different(self, rows: str, number: int) -> bool:
        """Whether no label comes twice: their hashes differ, so they do. Equal hashes are left to the grouping."""
        source = f"FROM {self.table} WHERE {rows}"
        estimate = self.connection.execute(f"SELECT approx_count_distinct({self.text}) {source}").fetchall()
        if estimate[0][0] < _MOSTLY * number:
            return False
        hashes = fetch(self.connection, f"SELECT hash({self.text}) AS hash {source}")["hash"]
        hashes.sort()
        return bool((hashes[1:] != hashes[:-1]).all())

    def _part(self, first: int, end: int) -> list[str]:
        """Fetch a part of the labels: all at once, as strings of Python, would take ten times the memory."""
        query = f"SELECT {self.text} AS label FROM {self.table} WHERE {self.order} >= {first} AND {self.order} < {end}"
        part: list[str] = fetch(self.connection, f"{query} ORDER BY {self.order}")["label"].tolist()
        return part

    def _in_a_row(self, times: int) -> Iterator[list[str]]:
        for first in range(0, self.rows, _AT_ONCE * times):
            part = self._part(first, first + _AT_ONCE * times)
            labels = part[::times]
            if any(part[place::times] != labels for place in range(1, times)):
                raise _Irregular
            yield labels

    def _in_blocks(self, number: int) -> Iterator[list[str]]:
        for first in range(0, number, _AT_ONCE):
            end = min(first + _AT_ONCE, number)
            labels = self._part(first, end)
            if any(self._part(first + block, end + block) != labels for block in range(number, self.rows, number)):
                raise _Irregular
            yield labels

    def _grouped(self) -> tuple[tuple[str, ...], IntArray]:
        """Group equal labels in DuckDB, and put the number of each back into its row."""
        # In a table of their own, cells have names that no column of the file can be mistaken for.
        cells = f"(SELECT {self.text} AS label, {self.order} AS place FROM {self.table}) AS cells"
        self.connection.execute(
            f"CREATE OR REPLACE TEMP TABLE known AS SELECT label, min(place) AS first FROM {cells} "
            "GROUP BY label ORDER BY first"
        )
        names = fetch(self.connection, "SELECT label FROM known ORDER BY rowid")["label"].tolist()
        found = fetch(
            self.connection,
            f"SELECT cells.place AS row, known.rowid AS code FROM {cells} JOIN known ON cells.label = known.label",
        )
        codes = np.empty(self.rows, np.int64)
        codes[found["row"]] = found["code"]
        self.connection.execute("DROP TABLE known")
        return tuple(names), codes


@dataclass(eq=False)
class TextInSql(SqlColumn):
    """Cells of a large text file."""

    _read: FloatArray | None = None

    def tally(self) -> Tally:
        """Count as TextColumn does: the patterns are the same."""
        if self._begins_with_numbers():
            with suppress(Unclean):
                # They are wanted next, and what is read as a number was meant as one.
                self._read = self._numbers()
                numbers = self.rows - int(np.count_nonzero(np.isnan(self._read)))
                return Tally(numbers, numbers)
        meant = self.connection.execute(
            f"SELECT count(*) FILTER (text <> ''), count(*) FILTER (regexp_full_match(text, {literal(MEANT_PATTERN)})) "
            f"FROM (SELECT {self.text} AS text FROM {self.table})"
        ).fetchall()[0]
        return Tally(int(meant[0]), int(meant[1]))

    def _begins_with_numbers(self) -> bool:
        cells = self.connection.execute(f"SELECT {self.text} FROM {self.table} LIMIT {_LOOKED_AT}").fetchall()
        return all(meant_as_number(cell) for (cell,) in cells)

    def numbers(self) -> FloatArray:
        """Cast strictly; a cell that is not plainly a number hands the file to the line-by-line reader."""
        values, self._read = self._numbers() if self._read is None else self._read, None
        return values

    def _numbers(self) -> FloatArray:
        pattern = literal(NUMBER_PATTERN)
        found = fetch(
            self.connection,
            f"SELECT CASE WHEN regexp_full_match(text, {pattern}) THEN try_cast(text AS DOUBLE) "
            "WHEN text = '' THEN 'nan'::DOUBLE WHEN lower(text) = 'true' THEN 1.0 "
            "WHEN lower(text) = 'false' THEN 0.0 END AS value, "
            f"FROM (SELECT {self.text} AS text FROM {self.table})",
        )["value"]
        if np.ma.is_masked(found) or np.any(np.abs(found) >= EXACT_DOUBLES):
            raise Unclean
        values: FloatArray = np.asarray(found, dtype=np.float64)
        return values


def filled(column: str) -> str:
    """The expression of a cell's text that has no blanks around it, '' when empty."""
    return f"coalesce({column}, '')"


def trimmed(column: str) -> str:
    """The expression of a cell's text without blanks around it, '' when empty."""
    return f"coalesce(trim({column}, {literal(BLANKS)}), '')"
