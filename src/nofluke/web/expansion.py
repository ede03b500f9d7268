"""How much a file holds, found out before anything reads it: rows, and what it unpacks to."""

from __future__ import annotations

from pathlib import Path

from nofluke.errors import InputError
from nofluke.types.bounds import BeyondBoundsError, Bounds, blocks
from nofluke.web.safety import Limits


def check_expansion(path: Path, limits: Limits) -> None:
    """Refuse a file with more rows than the server takes, or a small packed one that holds a huge table."""
    bounds = Bounds(total=limits.expanded_bytes, line=limits.line_bytes, rows=limits.rows)
    with path.open("rb") as file:
        start = file.read(4)
    try:
        if start == b"PAR1":
            from nofluke.readers.parquet import refuse_declared

            refuse_declared(path, str(path), bounds)
        elif start == b"PK\x03\x04":
            from nofluke.readers.inspect_logs import refuse_declared as refuse_declared_log

            refuse_declared_log(path.read_bytes(), str(path), bounds)
        else:
            _check_lines(path, bounds)
    except BeyondBoundsError as error:
        fix = f"{error.advice('page').removesuffix('.')}; the command line takes more."
        raise InputError(error.message, where=error.where, fix=fix) from None


def _check_lines(path: Path, bounds: Bounds) -> None:
    """Count as far as the limits go; a header and a last line without its end are no rows too many."""
    feeds = returns = 0
    with path.open("rb") as file:
        for block in blocks(file, str(path), bounds):
            feeds += block.count(b"\n")
            returns += block.count(b"\r")  # what ends the lines of some old files
            if max(feeds, returns) > bounds.rows + 1:
                raise BeyondBoundsError(
                    f"the file has over {bounds.rows:,} lines, more than this server takes.",
                    where=str(path),
                    fix="leave out rows that are not needed.",
                )
