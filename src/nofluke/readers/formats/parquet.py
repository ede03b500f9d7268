"""Parquet files, read by DuckDB; only the columns that are used are loaded."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nofluke.align.decimals import FLOAT_DIGITS
from nofluke.errors import InputError
from nofluke.readers.columns import ArrayColumn, ValueColumn
from nofluke.readers.given import Given
from nofluke.readers.sql import SqlColumn, connect, fetch, literal, quoted, trimmed
from nofluke.readers.table import Column, Place, Table, Tally
from nofluke.registry import FORMATS
from nofluke.types import Axis, FloatArray
from nofluke.types.bounds import BOUNDS, BeyondBoundsError, Bounds, refuse_columns

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_NUMERIC = re.compile(r"U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|BOOLEAN|DECIMAL\(.*\)")
_ORDER = "file_row_number"


def refuse_declared(path: Path, name: str, bounds: Bounds = BOUNDS) -> None:
    """Refuse a file that says it holds more than the bounds; one that says nothing readable is left to its reader."""
    import duckdb

    pattern = as_pattern(path)
    try:
        found = duckdb.execute(
            "SELECT coalesce(sum(num_rows), 0) FROM parquet_file_metadata($1) UNION ALL "
            "SELECT count(*) FROM parquet_schema($1) WHERE type IS NOT NULL",
            [pattern],
        ).fetchall()
        (rows,), (columns,) = found
        refuse_columns(int(columns), name, bounds)
        size = duckdb.execute(
            "SELECT coalesce(sum(total_uncompressed_size), 0) FROM parquet_metadata(?)", [pattern]
        ).fetchall()[0][0]
    except duckdb.Error:
        return
    fix = "leave out columns and rows that are not needed."
    if rows > bounds.rows:
        raise BeyondBoundsError(f"the file has {rows:,} rows; at most {bounds.rows:,} are read.", where=name, fix=fix)
    if size > bounds.total:
        raise BeyondBoundsError(f"the file unpacks to more than {bounds.total // 2**20:,} MB.", where=name, fix=fix)


@FORMATS.register(
    "parquet",
    label="Parquet",
    cite="Apache Parquet: file format",
    sniff=lambda head: head.startswith(b"PAR1"),
    begins=("PAR1",),
    told_by="mark",
    holds=("scores", "ratings", "outputs", "p_values"),
    measure=refuse_declared,
)
def read_parquet(given: Given) -> Table:
    """Read a Parquet file."""
    connection = connect()
    with told_if_damaged(given.name):
        if given.path is None or given.is_packed():
            _copy_of_a_stream(connection, given)
        else:
            refuse_declared(given.path, given.name)
            connection.execute(f"CREATE TEMP VIEW cells AS {_select(given.path)}")
        return table_of_cells(connection, given.name)


def table_of_cells(connection: DuckDBPyConnection, file: str) -> Table:
    """Give what a database calls cells as a table, with the columns that its types declare."""
    described = connection.execute("DESCRIBE cells").fetchall()
    rows = int(connection.execute("SELECT count(*) FROM cells").fetchall()[0][0])
    if not rows:
        raise InputError("the file has columns, and no rows.", where=file, fix="give a file with scores.")
    place = Place(file, None)
    columns: dict[str, Column] = {}
    for name, kind, *_ in described:
        if name != _ORDER:
            column = ParquetColumn(connection, "cells", trimmed(f"{quoted(name)}::VARCHAR"), _ORDER, name, place, rows)
            column.kind = str(kind)
            columns[name] = column
    return Table("parquet", columns, rows, place, FLOAT_DIGITS, pandas="read_parquet(FILE)")


def _copy_of_a_stream(connection: DuckDBPyConnection, given: Given) -> None:
    """DuckDB reads Parquet from files only: what is packed or piped goes through one, and then lies in memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "cells")
        path.write_bytes(given.load())
        refuse_declared(path, given.name)
        connection.execute(f"CREATE TEMP TABLE cells AS {_select(path)}")


def _select(path: Path) -> str:
    return f"SELECT * FROM read_parquet({literal(as_pattern(path))}, {_ORDER} = true, hive_partitioning = false)"


def as_pattern(path: Path) -> str:
    """DuckDB expands wildcards in paths; in brackets they stand for themselves."""
    return "".join(f"[{character}]" if character in "*?[" else character for character in str(path))


@dataclass(eq=False)
class ParquetColumn(SqlColumn):
    """A column of a Parquet file, with its declared type."""

    kind: str = ""

    def tally(self) -> Tally:
        """Numbers are what the file declares to be numbers; text is never one."""
        return self._array().tally() if self._is_number else Tally(self._filled(), 0)

    def numbers(self) -> FloatArray:
        """Give the values, or say what else the column holds."""
        if self._is_number:
            return self._array().numbers()
        values = self._fetch(f"{quoted(self.name)}::VARCHAR")
        return ValueColumn(values.tolist(), self.name, self.place).numbers()

    def labels(self) -> Axis:
        """Floating-point labels are written as whole numbers where they are whole."""
        if self.kind in ("FLOAT", "DOUBLE"):
            return self._array().labels()
        with told_if_damaged(self.place.file):
            return super().labels()

    def texts(self) -> list[str | None]:
        """Lists and texts as they are stored."""
        with told_if_damaged(self.place.file):
            rows = self.connection.execute(f"SELECT {quoted(self.name)} FROM cells ORDER BY {_ORDER}").fetchall()
        return ValueColumn([value for (value,) in rows], self.name, self.place).texts()

    def objects(self) -> Sequence[Any]:
        """The objects of a column that holds them."""
        if not self.kind.startswith("STRUCT"):
            return ()
        with told_if_damaged(self.place.file):
            rows = self.connection.execute(f"SELECT {quoted(self.name)} FROM cells ORDER BY {_ORDER}").fetchall()
        return [value for (value,) in rows]

    def values_as_given(self) -> Any:
        """Numbers as numbers, all else as texts."""
        return self.numbers() if self.tally().numbers else super().values_as_given()

    @property
    def _is_number(self) -> bool:
        return _NUMERIC.fullmatch(self.kind) is not None

    def _array(self) -> ArrayColumn:
        # 64-bit numbers are kept as they are, so that those no double holds are seen.
        wide = self.kind not in ("FLOAT", "BOOLEAN", "BIGINT", "UBIGINT")
        values = self._fetch(f"{quoted(self.name)}::DOUBLE" if wide else quoted(self.name))
        missing = np.ma.getmaskarray(values) if np.ma.isMaskedArray(values) else None
        return ArrayColumn(np.asarray(np.ma.getdata(values)), missing, self.name, self.place)

    def _filled(self) -> int:
        query = f"SELECT count({quoted(self.name)}) AS filled FROM cells"
        return int(fetch(self.connection, query)["filled"][0])

    def _fetch(self, expression: str) -> np.ndarray:
        with told_if_damaged(self.place.file):
            columns = fetch(self.connection, f"SELECT {expression} AS value FROM cells ORDER BY {_ORDER}")
        values: np.ndarray = columns["value"]
        return values


@contextmanager
def told_if_damaged(name: str) -> Iterator[None]:
    """Say in words what DuckDB stumbles over in a file."""
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException:
        fix = "leave out columns and rows that are not needed."
        raise InputError("there is not enough memory to read the file.", where=name, fix=fix) from None
    except duckdb.Error as error:
        reason = (str(error).partition("\n")[0].partition(": ")[2] or str(error))[:120].rstrip(".")
        message = f"the Parquet file cannot be read ({reason})."
        raise InputError(message, where=name, fix="write or copy the file again.") from None
