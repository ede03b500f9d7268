"""Columns that stay inside DuckDB until they are asked for; labels become codes there, in row order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nofluke.align.whole import EXACT_DOUBLES
from nofluke.readers.numbers import BLANKS, MEANT_PATTERN, NUMBER_PATTERN
from nofluke.readers.table import Place, Tally, Unclean, empty_label
from nofluke.types import Axis, FloatArray, IntArray, frozen

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_MOST_THREADS = 4
# An estimate of so many different labels a row (it is off by a few percent) makes a closer look worth while.
_MOSTLY = 0.8


def connect() -> DuckDBPyConnection:
    """Open a database in memory that writes no files and fetches no extensions."""
    import os

    import duckdb

    threads = min(_MOST_THREADS, os.cpu_count() or 1)
    connection = duckdb.connect(":memory:", config={"threads": threads})
    for setting in (
        "temp_directory = ''",
        "autoinstall_known_extensions = false",
        "autoload_known_extensions = false",
        "enable_progress_bar = false",
    ):
        connection.execute(f"SET {setting}")
    return connection


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
        if self._all_different():
            # The usual case of one id a row needs no grouping.
            names = fetch(self.connection, f"SELECT {self.text} AS label FROM {self.table} ORDER BY {self.order}")[
                "label"
            ].tolist()
            codes: IntArray = np.arange(self.rows)
        else:
            names, codes = self._grouped()
        if "" in names:
            empty = np.flatnonzero(codes == names.index(""))
            raise empty_label(self.place, int(empty[0]), self.name, empty.size, self.rows)
        return Axis(tuple(names), frozen(codes, np.int64))

    def _all_different(self) -> bool:
        """Whether no label comes twice: their hashes differ, so they do. Equal hashes are left to the grouping."""
        estimate = self.connection.execute(f"SELECT approx_count_distinct({self.text}) FROM {self.table}").fetchall()
        if estimate[0][0] < _MOSTLY * self.rows:
            return False
        hashes = fetch(self.connection, f"SELECT hash({self.text}) AS hash FROM {self.table}")["hash"]
        hashes.sort()
        return bool((hashes[1:] != hashes[:-1]).all())

    def _grouped(self) -> tuple[list[str], IntArray]:
        """Group equal labels in DuckDB, and put the number of each back into its row."""
        self.connection.execute(
            f"CREATE OR REPLACE TEMP TABLE known AS SELECT {self.text} AS label, min({self.order}) AS first "
            f"FROM {self.table} GROUP BY label ORDER BY first"
        )
        names = fetch(self.connection, "SELECT label FROM known ORDER BY rowid")["label"].tolist()
        found = fetch(
            self.connection,
            f"SELECT {self.table}.{self.order} AS row, known.rowid AS code FROM {self.table} "
            f"JOIN known ON {self.text} = label",
        )
        codes = np.empty(self.rows, np.int64)
        codes[found["row"]] = found["code"]
        self.connection.execute("DROP TABLE known")
        return names, codes


@dataclass(eq=False)
class TextInSql(SqlColumn):
    """Cells of a large text file."""

    def tally(self) -> Tally:
        """Count as TextColumn does: the patterns are the same."""
        filled, numbers = self.connection.execute(
            f"SELECT count(*) FILTER (text <> ''), count(*) FILTER (regexp_full_match(text, {literal(MEANT_PATTERN)})) "
            f"FROM (SELECT {self.text} AS text FROM {self.table})"
        ).fetchall()[0]
        return Tally(int(filled), int(numbers))

    def numbers(self) -> FloatArray:
        """Cast strictly; a cell that is not plainly a number hands the file to the line-by-line reader."""
        pattern = literal(NUMBER_PATTERN)
        found = fetch(
            self.connection,
            "SELECT CASE WHEN text = '' THEN 'nan'::DOUBLE WHEN lower(text) = 'true' THEN 1.0 "
            "WHEN lower(text) = 'false' THEN 0.0 "
            f"WHEN regexp_full_match(text, {pattern}) THEN try_cast(text AS DOUBLE) END AS value, "
            f"FROM (SELECT {self.text} AS text FROM {self.table})",
        )["value"]
        if np.ma.is_masked(found) or np.any(np.abs(found) >= EXACT_DOUBLES):
            raise Unclean
        values: FloatArray = np.asarray(found, dtype=np.float64)
        return values


def trimmed(column: str) -> str:
    """The expression of a cell's text without blanks around it, '' when empty."""
    return f"coalesce(trim({column}, {literal(BLANKS)}), '')"
