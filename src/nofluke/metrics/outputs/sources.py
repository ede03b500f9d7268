"""Files of outputs and gold: opened once each, as a table or as lines."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nofluke.errors import InputError, unknown
from nofluke.metrics.texts import Lines, decoded_lines
from nofluke.readers.columns import with_inner
from nofluke.readers.frame import is_frame, read_frame
from nofluke.readers.given import Given, is_file, opened
from nofluke.readers.outputs import output_roles, table_of
from nofluke.readers.roles import Roles, find_column, parts_of
from nofluke.readers.table import Table

# What the files of a task hold: one text per line unless said otherwise.
_KINDS = {
    "classification": "labels",
    "correlation with human scores": "numbers",
    "sequence labelling": "tags",
    "dependency parsing": "trees of words",
    "morphology": "trees of words",
    "question answering": "answers",
}


def kind_of(task: str) -> str:
    """Say what the files of a metric's task hold."""
    return _KINDS.get(task, "texts")


@dataclass(slots=True)
class Reading:
    """How files are to be read, whether outputs come `alone`, without gold, and what was read: stdin only once."""

    kind: str
    format: str
    columns: Mapping[str, Any]
    wanted: frozenset[str]
    alone: bool
    known: dict[str, tuple[Given | None, Table | None]] = field(default_factory=dict)

    def table(self, source: Any, role: str) -> Table | None:
        """Give the table a source is, or None: lines of text, or something that is neither file nor frame."""
        if not is_file(source) and not is_frame(source):
            return None
        key = key_of(source)
        if key not in self.known:
            if is_frame(source):
                self.known[key] = None, with_inner(read_frame(source), self.columns)
            else:
                given = opened(source)
                table = table_of(given, self.format, self.kind, self.wanted, role)
                self.known[key] = given, None if table is None else with_inner(table, self.columns)
        return self.known[key][1]

    def lines(self, source: Any) -> Any:
        """Give what the metric reads: a file of lines by its path, what can be read only once by its lines."""
        given = self.known.get(key_of(source), (None, None))[0]
        if given is None or given.path is not None:
            return source
        return Lines(given.name, tuple(decoded_lines(given.load(), given.name)))

    def refuse_absent_columns(self) -> None:
        """Refuse a column that was named and is in none of the tables."""
        tables = [table for _, table in self.known.values() if table is not None]
        for role, wanted in self.columns.items():
            if tables and any(_has(table, wanted) for table in tables):
                continue
            if not tables:
                raise InputError(
                    f"{role} is to be the column {wanted!r}, and the files have no columns: they hold lines.",
                    fix="leave it out, or give a table whose first line names the columns.",
                )
            names = list(dict.fromkeys(name for table in tables for name in table.columns))
            raise unknown("column", str(wanted), names, where=tables[0].name)

    def roles(self, table: Table) -> Roles:
        """Find the roles of a table's columns by the user's words that speak of it: gold may lie in another file."""
        mine = {role: wanted for role, wanted in self.columns.items() if _has(table, wanted)}
        return output_roles(table, mine, self.kind, alone=self.alone)


def _has(table: Table, wanted: Any) -> bool:
    return any(find_column(table, part) is not None for part in parts_of(wanted, table.columns))


def key_of(source: Any) -> str:
    """Name a source, so that the same one is opened once."""
    return os.fspath(source) if isinstance(source, str | os.PathLike) else str(id(source))


def refuse_reading_twice(outputs: Sequence[Any], gold: Any) -> None:
    """Refuse standard input in two places."""
    several = isinstance(gold, list | tuple) and any(isinstance(one, os.PathLike) for one in gold)
    members = list(gold) if several else [gold]
    if sum(isinstance(source, str | os.PathLike) and key_of(source) == "-" for source in (*outputs, *members)) > 1:
        raise InputError(
            "standard input (-) was given more than once, and can be read only once.",
            fix="give files for all but one of them.",
        )
