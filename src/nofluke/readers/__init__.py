"""Files and frames to Scores: one module per format; sniff.py chooses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from nofluke.errors import InputError, unknown
from nofluke.readers import bulk
from nofluke.readers.aliases import is_known_name
from nofluke.readers.assemble import Part, combine, make_part
from nofluke.readers.delimited import read_delimited
from nofluke.readers.direction import is_metric_name
from nofluke.readers.frame import is_frame, read_frame
from nofluke.readers.given import Given, given_from, opened
from nofluke.readers.inspect_logs import read_inspect
from nofluke.readers.jsonl import read_json, read_jsonl, turned
from nofluke.readers.naming import Naming
from nofluke.readers.parquet import read_parquet
from nofluke.readers.roles import Roles
from nofluke.readers.run_files import with_runs
from nofluke.readers.score_columns import score_roles
from nofluke.readers.sniff import WHITE_SPACE, sniff_format
from nofluke.readers.table import Table, Unclean
from nofluke.readers.trec import read_trec
from nofluke.types import Scores

__all__ = ["FORMATS", "open_table", "read_carefully", "read_scores"]

# A new format is one module, one line here and its name in types/file_kinds.py (and, to be found by itself, one line in
# sniff_format).
FORMATS: dict[str, Callable[[Given], Table]] = {
    "csv": read_delimited,
    "tsv": partial(read_delimited, delimiter="\t"),
    "text": partial(read_delimited, delimiter=WHITE_SPACE),
    "jsonl": read_jsonl,
    "json": read_json,
    "parquet": read_parquet,
    "trec": read_trec,
    "inspect": read_inspect,
}
# Formats with a faster reader for large files, with the delimiter it is told.
_BULK: dict[str, str | None] = {"csv": None, "tsv": "\t"}


def read_scores(
    source: Any, format: str = "auto", asked: Mapping[str, Any] | None = None, higher_is_better: bool | None = None
) -> Scores:
    """Read a source and give its scores; `asked` holds the columns the user names, by role."""
    if format != "auto" and format not in FORMATS:
        raise unknown("format", str(format), ("auto", *FORMATS))
    asked = asked or {}
    if is_frame(source):
        table = read_frame(source)
        naming = Naming(None, "frame", shared=True, alone=True)
        return combine([make_part(table, score_roles(table, asked), naming)], higher_is_better)
    files = given_from(source)
    alone = len(files) == 1 and files[0].system is None
    tables = [_read_table(given, format, asked, alone) for given in files]
    shared = len({roles.all("score") for _, roles in tables if not roles.all("system")}) <= 1
    parts = []
    for given, (table, roles) in zip(files, tables, strict=True):
        naming = Naming(given.system, given.own, shared, alone=len(files) == 1)
        if naming.alone and len(table.columns) == 1:
            raise _one_column(table)
        parts.append(_part(given, format, asked, table, roles, naming))
    if higher_is_better is None and all(table.format == "trec" for table, _ in tables):
        # Retrieval measures are all better when higher; ERR is no error rate there.
        higher_is_better = True
    return combine(with_runs(files, parts), higher_is_better)


def read_carefully(given: Given, format: str = "auto") -> Table:
    """Read a table line by line, its roles left open: every cell can be read as it is written."""
    return FORMATS[sniff_format(given.head()) if format == "auto" else format](given)


def open_table(source: Any, format: str = "auto") -> Table:
    """Read one file as a table, its roles left open; a large one by the faster reader, where that vouches for it."""
    given = source if isinstance(source, Given) else opened(source)
    chosen = sniff_format(given.head()) if format == "auto" else format
    if chosen in _BULK and given.size >= bulk.SMALLEST_BYTES:
        try:
            return bulk.read_bulk(given, _BULK[chosen])
        except Unclean:
            pass
    return read_carefully(given, chosen)


def _read_table(given: Given, format: str, asked: Mapping[str, Any], alone: bool) -> tuple[Table, Roles]:
    table = open_table(given, format)
    if not alone and not any(is_known_name(name) or is_metric_name(name) for name in table.columns):
        # A file of one system that is names with numbers holds its items: {"q1": 0.5, "q2": 0.25}.
        table = turned(table)
    try:
        return table, score_roles(table, asked)
    except Unclean:
        table = read_carefully(given, format)
        return table, score_roles(table, asked)


def _part(given: Given, format: str, asked: Mapping[str, Any], table: Table, roles: Roles, naming: Naming) -> Part:
    try:
        return make_part(table, roles, naming)
    except Unclean:
        # The careful reader gives the same table, or says which line is wrong.
        table = read_carefully(given, format)
        return make_part(table, score_roles(table, asked), naming)


def _one_column(table: Table) -> InputError:
    return InputError(
        "the file has one column, and two systems are compared.",
        where=table.name,
        fix="give a second file with the scores of the other system, or a file with a column for each system.",
    )
