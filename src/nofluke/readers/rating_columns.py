"""Which columns hold the items, the annotators and their labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nofluke.errors import InputError, listing
from nofluke.readers.aliases import is_alias, is_row_index, matches, normal
from nofluke.readers.asked import column_asked, columns_asked
from nofluke.readers.columns import ArrayColumn, TextColumn, ValueColumn
from nofluke.readers.parquet import ParquetColumn
from nofluke.readers.sql import SqlColumn, TextInSql, fetch
from nofluke.readers.table import Column, Table
from nofluke.types import Axis

# Columns that describe an item or hold the right answer; an annotator only if the user says so.
_DESCRIBES = frozenset({"text", "sentence", "question", "prompt", "comment", "comments", "note", "notes", "id"})
_ANSWER = frozenset({"gold", "reference", "source"})
NOT_PEOPLE = "not taken as annotators because of their names"
# A first column without a name that counts 1, 2, 3, ... for at least so many rows is no annotator.
_FEWEST_NUMBERED = 5


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns by role; without a label column the annotators are columns of a wide table."""

    item: str | None
    annotators: tuple[str, ...]
    label: str | None
    notes: tuple[str, ...] = ()

    def mapping(self) -> dict[str, str]:
        """The roles as they are shown to the user."""
        roles = {"item": self.item or "", "annotator": listing(self.annotators, 8), "label": self.label or ""}
        return {role: column for role, column in roles.items() if column}


def find_layout(
    table: Table,
    layout: str,
    item: str | None,
    annotator: str | Sequence[str] | None,
    label: str | None,
    keep: Sequence[str] = (),
) -> Layout:
    """Settle the roles: as the user says, else by the usual names; `keep` are annotators whatever their names."""
    names = list(table.columns)
    item = None if item is None else column_asked(table, item)
    wanted = () if annotator is None else tuple(columns_asked(table, "annotator", annotator))
    label = None if label is None else column_asked(table, label)
    if len({item, label, *wanted} - {None}) < (item is not None) + (label is not None) + len(wanted):
        raise InputError("one column is named twice.", where=table.name, fix="give every role its own column.")
    taken = {item, label, *wanted}
    free = [name for name in names if name not in taken]
    people = list(wanted) or [name for name in free if is_alias("annotator", name)]
    labels = [label] if label else matches("label", free)
    if label is None and layout != "long" and (len(wanted) > 1 or not (people and labels) or layout == "wide"):
        if layout == "auto" and not wanted:
            _refuse_counts(table)
        return _wide(table, item, wanted, free, keep)
    if len(people) != 1 or len(labels) != 1:
        missing = "annotator" if len(people) != 1 else "label"
        raise InputError(
            f"a long table of ratings has one {missing} column, and here it is not clear which.",
            where=table.name,
            fix=f"name it: --columns {missing}=NAME ({missing}='NAME' in Python); columns are {listing(names, 12)}.",
        )
    rest = [name for name in free if name not in (people[0], labels[0])]
    item = item or next(iter(matches("item", rest)), None)
    unused = [name for name in rest if name != item]
    notes = (f"columns left aside: {listing(unused, 8)}.",) if unused else ()
    return Layout(item, (people[0],), labels[0], notes)


def _wide(table: Table, item: str | None, wanted: tuple[str, ...], free: list[str], keep: Sequence[str]) -> Layout:
    notes: tuple[str, ...] = ()
    if item is None:
        found = matches("item", free) or [name for name in free[:1] if is_row_index(name) or _counts_rows(table, name)]
        item = found[0] if found else None
    rest = [name for name in free if name != item]
    if wanted and rest:
        notes = (f"columns left aside: {listing(rest, 8)}.",)
    annotators = wanted or _people(rest, keep)
    left = [name for name in rest if name not in annotators]
    if left and not wanted:
        notes = (
            f"{NOT_PEOPLE}: {listing(left, 8)}; name the annotators to change that "
            "(--columns annotator=A,B; annotator= in Python).",
        )
    if table.headed and len(annotators) > 1:
        _refuse_labels_as_names(table, annotators)
    return Layout(item, annotators, None, notes)


def _people(names: list[str], keep: Sequence[str]) -> tuple[str, ...]:
    """Leave out columns that describe items, and those with the right answer where two others are left."""
    for strange in (_DESCRIBES | _ANSWER, _DESCRIBES):
        people = tuple(name for name in names if normal(name) not in strange or name in keep)
        if len(people) > 1:
            return people
    return tuple(names)


def _refuse_counts(table: Table) -> None:
    """Refuse a table whose rows and columns have the same names and whose cells are whole numbers."""
    names = list(table.columns)
    if not table.headed or not 3 <= len(names) <= 101 or not table.rows <= 101:
        return
    rows = [str(cell).strip() for cell in cells_of(table.columns[names[0]])]
    # Margins may add one row and one column of their own names.
    if len(set(rows) & set(names[1:])) < max(2, len(rows) - 1, len(names) - 2):
        return
    cells = [str(cell).strip() for name in names[1:] for cell in cells_of(table.columns[name])]
    if all(cell.removesuffix(".0").isdecimal() for cell in cells):
        raise InputError(
            "this looks like a table of counts: its rows and columns have the same names.",
            where=table.name,
            fix="use --layout matrix (layout='matrix' in Python); if the columns are annotators, --layout wide or "
            "--columns annotator=A,B.",
        )


def _counts_rows(table: Table, name: str) -> bool:
    """Whether a column without a name numbers the rows."""
    if name not in table.unnamed or table.rows < _FEWEST_NUMBERED or len(table.columns) < 3:
        return False
    if not table.columns[name].tally().is_numeric:
        return False
    numbers = table.columns[name].numbers()
    return bool(np.array_equal(np.diff(numbers), np.ones(len(numbers) - 1)))


def _refuse_labels_as_names(table: Table, annotators: tuple[str, ...]) -> None:
    """Refuse a first line that holds labels: it is probably the first item of a file without a header."""
    used: set[str] = set()
    for name in annotators:
        column = table.columns[name]
        if not isinstance(column, TextColumn | TextInSql):
            return
        used |= {cell.strip() for cell in set(cells_of(column))}
    if all(name.strip() in used for name in annotators):
        raise InputError(
            f"the first line ({listing(annotators, 4)}) holds labels, not the names of annotators.",
            where=f"{table.name} line 1",
            fix="put a line with the names of the annotators on top.",
        )


def labels_of(table: Table, name: str) -> Axis:
    """Read a column as names of items or annotators."""
    return table.columns[name].labels()


def cells_of(column: Column) -> Any:
    """Give the cells of a column as they are: a list, or an array of numbers with nan for gaps."""
    if isinstance(column, TextColumn):
        return column.cells
    if isinstance(column, ValueColumn):
        return column.values
    if isinstance(column, ArrayColumn):
        if column.missing is None:
            return column.array
        return column.numbers() if column.array.dtype.kind != "b" else _with_gaps(column)
    if isinstance(column, TextInSql):
        return _texts(column)
    if isinstance(column, ParquetColumn) and not column.tally().numbers:
        return _texts(column)
    return column.numbers()


def _texts(column: SqlColumn) -> list[str]:
    query = f"SELECT {column.text} AS value FROM {column.table} ORDER BY {column.order}"
    texts: list[str] = fetch(column.connection, query)["value"].tolist()
    return texts


def _with_gaps(column: ArrayColumn) -> list[Any]:
    gone = column.missing if column.missing is not None else np.zeros(len(column.array), bool)
    return [None if lost else cell for cell, lost in zip(column.array.tolist(), gone.tolist(), strict=True)]
