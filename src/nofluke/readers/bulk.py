"""Large text tables through DuckDB, only where it provably reads what the line-by-line reader reads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nofluke.align.decimals import TEXT_DIGITS
from nofluke.readers.decode import decode_head, without_frame
from nofluke.readers.formats.delimited import column_names, in_pandas
from nofluke.readers.given import Given
from nofluke.readers.sniff import DELIMITERS, sniff_dialect, split_line
from nofluke.readers.sql import TextInSql, connect, filled, literal, trimmed
from nofluke.readers.table import Place, Table, Unclean
from nofluke.types import sealed

# Below this size plain Python is faster than importing DuckDB.
SMALLEST_BYTES = 1 << 20
_LONGEST_LINE = 1 << 17
# DuckDB takes time for every column; where there are many, this only pays if they are long.
_FEW_COLUMNS = 32
_BYTES_PER_COLUMN = 1 << 15


def read_bulk(given: Given, delimiter: str | None = None) -> Table:
    """Read a large delimited file; Unclean when anything about it asks for a careful look."""
    import duckdb

    if given.path is None or any(character in given.name for character in "*?[]{}"):
        raise Unclean
    head = given.head()
    if without_frame(look := decode_head(head)) != look:
        raise Unclean
    dialect = sniff_dialect(head, delimiter)
    if dialect.delimiter not in DELIMITERS:
        raise Unclean
    first, end, _ = head.removeprefix(b"\xef\xbb\xbf").partition(b"\n")
    header = split_line(first.rstrip(b"\r").decode("utf-8", errors="replace"), dialect.delimiter)
    if not end or (len(header) > _FEW_COLUMNS and given.size < _BYTES_PER_COLUMN * len(header)):
        raise Unclean
    lines, blank = _count_plain_lines(given, b" " if dialect.delimiter == "\t" else b" \t")
    names, unnamed = column_names(header if dialect.headed else None, len(header), f"{given.name} line 1")
    rows = lines - dialect.headed
    connection = connect()
    columns = ", ".join(f"c{position}: 'VARCHAR'" for position in range(len(names)))
    # Trimming takes twice as long as reading, and most files hold no blanks.
    text = trimmed if blank else filled
    cells = ", ".join(f"{text(f'c{position}')} AS c{position}" for position in range(len(names)))
    try:
        connection.execute(
            f"CREATE TEMP TABLE cells AS SELECT {cells} FROM read_csv({literal(str(given.path))}, auto_detect = false, "
            f"header = {str(dialect.headed).lower()}, delim = {literal(dialect.delimiter)}, quote = '', escape = '', "
            f"columns = {{{columns}}}, strict_mode = true, null_padding = false, max_line_size = {_LONGEST_LINE}, "
            f"hive_partitioning = false, compression = '{'gzip' if given.is_packed() else 'none'}')"
        )
        stored = connection.execute("SELECT count(*) FROM cells").fetchall()[0][0]
    except duckdb.Error:
        raise Unclean from None
    if stored != rows or not rows:
        raise Unclean
    place = Place(given.name, sealed(np.arange(1 + dialect.headed, rows + 1 + dialect.headed)))
    table = {
        name: TextInSql(connection, "cells", f"c{position}", "rowid", name, place, rows)
        for position, name in enumerate(names)
    }
    made = Table(dialect.format, table, rows, place, TEXT_DIGITS, dialect.headed, unnamed)
    return replace(made, pandas=in_pandas(dialect.delimiter))


def _count_plain_lines(given: Given, blanks: bytes) -> tuple[int, bool]:
    """Count lines, and say whether any holds a blank; quotation marks, lone carriage returns and NUL bytes are left to
    the careful reader."""
    lines, last, blank = 0, b"\n", False
    for block in given.blocks():
        # A block may end between the two halves of a line end.
        if b'"' in block or b"\0" in block or (last == b"\r" and not block.startswith(b"\n")):
            raise Unclean
        if block.count(b"\r") - block.endswith(b"\r") != block.count(b"\r\n"):
            raise Unclean
        lines += block.count(b"\n")
        blank = blank or any(bytes((byte,)) in block for byte in blanks)
        last = block[-1:]
    if last == b"\r":
        raise Unclean
    return lines + (last != b"\n"), blank
