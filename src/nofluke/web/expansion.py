"""How much a file holds, found out before anything reads it: rows, and what it unpacks to."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import IO

from nofluke.errors import InputError
from nofluke.web.safety import Limits

_BLOCK = 2**20
_NO_SUCH_LIMIT = "use the command line, which has no such limit."


def check_expansion(path: Path, limits: Limits) -> None:
    """Refuse a file with more rows than the server takes, or a small packed one that holds a huge table."""
    with path.open("rb") as file:
        head = file.read(4)
    if head == b"PAR1":
        _check_parquet(path, limits)
    elif head[:2] == b"\x1f\x8b":
        try:
            with gzip.open(path, "rb") as packed:
                _check_lines(packed, path, limits)
        except (OSError, EOFError, zlib.error):
            raise InputError("the gzip file is damaged or cut off.", where=str(path), fix="pack it again.") from None
    else:
        with path.open("rb") as file:
            _check_lines(file, path, limits)


def _check_lines(file: IO[bytes] | gzip.GzipFile, path: Path, limits: Limits) -> None:
    """Count as far as the limits go; a header and a last line without its end are no rows too many."""
    total = feeds = returns = 0
    while block := file.read(_BLOCK):
        total += len(block)
        feeds += block.count(b"\n")
        returns += block.count(b"\r")  # what ends the lines of some old files
        if total > limits.expanded_bytes:
            raise _unpacks(path, limits)
        if max(feeds, returns) > limits.rows + 1:
            raise _too_many(path, f"over {limits.rows:,} lines, more than this server takes")


def _check_parquet(path: Path, limits: Limits) -> None:
    """The end of a Parquet file says how many rows and bytes it holds; what cannot be read is for the reader to say."""
    import duckdb

    try:
        size = duckdb.execute(
            "SELECT coalesce(sum(total_uncompressed_size), 0) FROM parquet_metadata(?)", [str(path)]
        ).fetchall()[0][0]
        rows = duckdb.execute(
            "SELECT coalesce(sum(num_rows), 0) FROM parquet_file_metadata(?)", [str(path)]
        ).fetchall()[0][0]
    except duckdb.Error:
        return
    if size > limits.expanded_bytes:
        raise _unpacks(path, limits)
    if rows > limits.rows:
        raise _too_many(path, f"{rows:,} rows, more than this server takes ({limits.rows:,})")


def _too_many(path: Path, found: str) -> InputError:
    return InputError(f"the file has {found}.", where=str(path), fix=_NO_SUCH_LIMIT)


def _unpacks(path: Path, limits: Limits) -> InputError:
    return InputError(
        f"the file unpacks to more than {limits.expanded_bytes // 2**20:,} MB.",
        where=str(path),
        fix=f"send a smaller file, or {_NO_SUCH_LIMIT}",
    )
