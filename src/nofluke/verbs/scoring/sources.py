"""Files of outputs and gold: opened once each, as a table or as lines."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nofluke.errors import InputError, unknown
from nofluke.metrics.texts import Lines, decoded_lines
from nofluke.readers.asked import find_column, parts_of
from nofluke.readers.file_names import AfterFile, names_of
from nofluke.readers.given import Given, given_from
from nofluke.readers.outputs import OutputRoles, output_roles, table_of
from nofluke.readers.table import Table

# What the files of a task hold: one text per line unless said otherwise.
_KINDS = {
    "classification": "labels",
    "correlation with human scores": "numbers",
    "sequence labelling": "tags",
    "dependency parsing": "trees of words",
    "question answering": "answers",
}


def kind_of(task: str) -> str:
    """Say what the files of a metric's task hold."""
    return _KINDS.get(task, "texts")


@dataclass(slots=True)
class Reading:
    """How files are to be read, and those that were: standard input can be read only once."""

    kind: str
    format: str
    columns: Mapping[str, Any]
    wanted: frozenset[str]
    alone: bool = True
    known: dict[str, tuple[Given, Table | None]] = field(default_factory=dict)

    def table(self, source: Any, role: str) -> Table | None:
        """Give the table a source is, or None: lines of text, or something that is not a file."""
        if not is_file(source):
            return None
        name = os.fspath(source)
        if name not in self.known:
            given = _opened(source)
            self.known[name] = given, table_of(given, self.format, self.kind, self.wanted, role)
        return self.known[name][1]

    def lines(self, source: Any) -> Any:
        """Give what the metric reads: a file of lines by its path, standard input by its lines."""
        if is_file(source) and os.fspath(source) == "-":
            return Lines("-", tuple(decoded_lines(self.known["-"][0].load(), "-")))
        return source

    def refuse_absent_columns(self) -> None:
        """Refuse a column that was named and is in none of the tables."""
        tables = [table for _, table in self.known.values() if table is not None]
        for role, wanted in self.columns.items():
            if tables and any(_has(table, wanted) for table in tables):
                continue
            if not tables:
                raise InputError(
                    f"{role} is to be the column {wanted!r}, and the files have no columns: they hold lines.",
                    where=next(iter(self.known), ""),
                    fix="leave it out, or give a table whose first line names the columns.",
                )
            if role != "output" or not self.alone:
                names = list(dict.fromkeys(name for table in tables for name in table.columns))
                raise unknown("column", str(wanted), names, where=tables[0].name)

    def roles(self, table: Table) -> OutputRoles:
        """Find the roles of a table's columns by the user's words that speak of it: gold may lie in another file."""
        mine = {role: wanted for role, wanted in self.columns.items() if _has(table, wanted)}
        if self.columns.get("output") is not None and "output" not in mine and self.alone:
            mine["output"] = self.columns["output"]  # refused, with the names there are
        return output_roles(table, mine, self.kind)


def _has(table: Table, wanted: Any) -> bool:
    return any(find_column(table, part) is not None for part in parts_of(wanted, table.columns))


def named_sources(outputs: Any) -> list[tuple[str | None, str, Any]]:
    """Give the sources, each with the name it was given (None if it was given none) and what it is called else."""
    if isinstance(outputs, Mapping):
        return [
            (None if isinstance(name, AfterFile) else str(name), str(name), source) for name, source in outputs.items()
        ]
    lone = isinstance(outputs, str | os.PathLike) or hasattr(outputs, "read")
    sources = [outputs] if lone else list(outputs)
    if not sources:
        raise InputError("no files were given.", fix="name at least one: {'A': 'hyp.txt'}.")
    pairs = [_split_name(source) for source in sources]
    after = iter(names_of([_file_name(source) for name, source in pairs if name is None]))
    return [(name, next(after) if name is None else name, source) for name, source in pairs]


def _split_name(source: Any) -> tuple[str | None, Any]:
    """Read NAME=FILE; a file that has this very name stands for itself."""
    if not isinstance(source, str) or "=" not in source or os.path.exists(source):
        return None, source
    name, _, path = source.partition("=")
    if not name:
        raise InputError(f"{source!r} names no system before the =.", fix="write NAME=FILE, or FILE alone.")
    return name, path


def _file_name(source: Any) -> str:
    return os.fspath(source) if is_file(source) and os.fspath(source) != "-" else "stdin"


def is_file(source: Any) -> bool:
    """Whether a source is a path, or - for standard input."""
    return isinstance(source, str | os.PathLike)


def _opened(source: Any) -> Given:
    name = os.fspath(source)
    # A name with = in it is a file here: systems were told apart before.
    return given_from({"": source})[0] if name != "-" else Given("-")


def refuse_reading_twice(outputs: Sequence[Any], gold: Any) -> None:
    """Refuse standard input in two places."""
    members = (
        list(gold) if isinstance(gold, list | tuple) and any(isinstance(one, os.PathLike) for one in gold) else [gold]
    )
    times = sum(is_file(source) and os.fspath(source) == "-" for source in (*outputs, *members))
    if times > 1:
        raise InputError(
            "standard input (-) was given more than once, and can be read only once.",
            fix="give files for all but one of them.",
        )
