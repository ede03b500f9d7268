"""Files and frames of scores: each is opened as a table, its roles are settled, and all become one Scores."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from nofluke.errors import InputError
from nofluke.option_groups import Reading
from nofluke.readers import bulk
from nofluke.readers.aliases import is_known_name
from nofluke.readers.assemble import Part, combine, make_part, with_runs
from nofluke.readers.columns import with_inner
from nofluke.readers.decode import tables_in_words
from nofluke.readers.direction import is_metric_name
from nofluke.readers.formats.jsonl import turned
from nofluke.readers.frame import is_frame, read_frame
from nofluke.readers.given import Given, given_from, held, opened, refuse_missing
from nofluke.readers.logs.gather import Manner
from nofluke.readers.logs.scores import read_logs
from nofluke.readers.naming import Naming
from nofluke.readers.parts import joined, keys_of, with_keys
from nofluke.readers.roles import Roles
from nofluke.readers.score_columns import score_roles
from nofluke.readers.sniff import check_format
from nofluke.readers.table import Table, Unclean
from nofluke.readers.unscored import refuse_markup, refuse_trees
from nofluke.registry import FORMATS
from nofluke.types import Scores

_AS_USUAL = Reading()
_ALONE = Manner()


def read_scores(
    source: Any, how: Reading = _AS_USUAL, asked: Mapping[str, Any] | None = None, manner: Manner = _ALONE
) -> Scores:
    """Read a source and give its scores; `asked` holds the columns the user names, by role."""
    check_format(how.format)
    asked = asked or {}
    source = held(source)
    refuse_missing(source)
    of_logs = read_logs(source, how, asked, manner)
    if of_logs is not None:
        return of_logs
    if is_frame(source):
        table = read_frame(source)
        naming = Naming(None, "frame", shared=True, alone=True)
        return combine([make_part(table, score_roles(table, asked), naming)], how.higher_is_better)
    files = _each_a_system(given_from(source, parts=True), how.format, asked)
    alone = len(files) == 1 and files[0].system is None
    tables = [_read_table(given, how.format, asked, alone) for given in files]
    shared = len({roles.all("score") for _, roles in tables if not roles.all("system")}) <= 1
    parts = []
    for given, (table, roles) in zip(files, tables, strict=True):
        naming = Naming(given.system, given.own, shared, alone=len(files) == 1)
        if naming.alone and len(table.columns) == 1:
            raise _one_column(table)
        parts.append(_part(given, how.format, asked, table, roles, naming))
    higher_is_better = how.higher_is_better
    if higher_is_better is None and len({table.higher_is_better for table, _ in tables}) == 1:
        higher_is_better = tables[0][0].higher_is_better
    return combine(with_runs(files, parts), higher_is_better)


def read_carefully(given: Given, format: str = "auto", question: str = "scores") -> Table:
    """Read a table line by line, its roles left open: every cell can be read as it is written."""
    chosen = FORMATS[given.format(question) if format == "auto" else format]
    if chosen.facts["gives"] == "logs":
        raise InputError(
            f"this is a log ({chosen.label}), and a table is needed here.",
            where=given.name,
            fix=f"give {tables_in_words()}.",
        )
    table: Table = chosen.function(given)
    return table


def open_table(source: Any, format: str = "auto", question: str = "scores") -> Table:
    """Read one file as a table, its roles left open; a large one by the faster reader, where that vouches for it."""
    given = source if isinstance(source, Given) else opened(source)
    chosen = given.format(question) if format == "auto" else format
    if format == "auto" and FORMATS[chosen].facts["told_by"] == "text":
        refuse_trees(given, question)
        refuse_markup(given, question)
    fast = FORMATS[chosen].facts["fast"]
    if fast is not None and given.size >= bulk.SMALLEST_BYTES:
        with suppress(Unclean):
            table: Table = fast(given)
            return table
    return read_carefully(given, chosen)


def _each_a_system(files: list[Given], format: str, asked: Mapping[str, Any]) -> list[Given]:
    """Take the files of a folder apart where each holds the scores of one system: nothing in them names it."""
    if len(files) != 1 or not files[0].parts or files[0].system is not None:
        return files
    folder = files[0]
    if "system" in keys_of(folder.parts[0], folder.name):
        return files
    roles = score_roles(_part_of(folder, folder.parts[0], format, asked), asked)
    one_system = not roles.all("system") and len(roles.all("score")) == 1
    if not one_system:
        return files
    names = ["/".join(keys_of(path, folder.name).values()) for path in folder.parts]
    told = all(names) and len(set(names)) == len(names)
    # Files that folders of their own tell apart, team=a/part-0.parquet, are called after these.
    return given_from(dict(zip(names, folder.parts, strict=True)) if told else [str(path) for path in folder.parts])


def _part_of(folder: Given, path: Path, format: str, asked: Mapping[str, Any]) -> Table:
    """One of the tables of a folder, with the columns that its folders stand for."""
    return with_keys(with_inner(open_table(opened(path), format), asked), keys_of(path, folder.name))


def _table_of(given: Given, format: str, asked: Mapping[str, Any]) -> Table:
    if not given.parts:
        return with_inner(open_table(given, format), asked)
    return joined(given.name, [_part_of(given, path, format, asked) for path in given.parts])


def _carefully(given: Given, format: str, asked: Mapping[str, Any]) -> Table:
    if not given.parts:
        return with_inner(read_carefully(given, format), asked)
    parts = [with_inner(read_carefully(opened(path), format), asked) for path in given.parts]
    keys = [keys_of(path, given.name) for path in given.parts]
    return joined(given.name, [with_keys(part, key) for part, key in zip(parts, keys, strict=True)])


def _read_table(given: Given, format: str, asked: Mapping[str, Any], alone: bool) -> tuple[Table, Roles]:
    table = _table_of(given, format, asked)
    if not alone and not any(is_known_name(name) or is_metric_name(name) for name in table.columns):
        # A file of one system that is names with numbers holds its items: {"q1": 0.5, "q2": 0.25}.
        table = turned(table)
    try:
        return table, score_roles(table, asked)
    except Unclean:
        table = _carefully(given, format, asked)
        return table, score_roles(table, asked)


def _part(given: Given, format: str, asked: Mapping[str, Any], table: Table, roles: Roles, naming: Naming) -> Part:
    try:
        return make_part(table, roles, naming)
    except Unclean:
        # The careful reader gives the same table, or says which line is wrong.
        table = _carefully(given, format, asked)
        return make_part(table, score_roles(table, asked), naming)


def _one_column(table: Table) -> InputError:
    return table.error(
        "the file has one column, and two systems are compared.",
        fix="give a second file with the scores of the other system, or a file with a column for each system.",
    )
