"""Counts of the labels of two annotators (a confusion matrix) to Ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nofluke.errors import InputError
from nofluke.readers.numbers import BLANKS, parse_number
from nofluke.readers.rating_labels import code_labels, in_a_row
from nofluke.readers.table import Table
from nofluke.types import Note, Ratings, Source, note
from nofluke.types.base import counted

_MOST_ITEMS = 20_000_000
_FIX = "give a square table: rows are the labels of one annotator, columns those of the other, cells count items."


def ratings_from_matrix(
    counts: Any,
    labels: Sequence[Any] | None = None,
    *,
    annotators: tuple[str, str] = ("rows", "columns"),
) -> Ratings:
    """Which ratings does a table of counts stand for?

    `counts[i][j]` items got label i from the first annotator and label j from the second; `labels` names both rows
    and columns, and is 1, 2, ... where it is not given.

    >>> ratings_from_matrix([[20, 5], [10, 15]], ["no", "yes"]).codes.shape
    (50, 2)
    """
    table = np.array([list(row) for row in counts], dtype=object)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or not table.size:
        raise InputError("the counts are no square table.", fix=_FIX)
    names = list(range(1, len(table) + 1)) if labels is None else list(labels)
    if len(names) != len(table):
        raise InputError(f"{len(names)} labels for {counted(len(table), 'row')} of counts.", fix="name every row once.")
    return _expanded(table, names, names, annotators)


def from_matrix(table: Table) -> Ratings:
    """Read a table of counts; the first row and column name the labels where they are no counts."""
    grid = [
        list(row) for row in zip(*(_texts(column.values_as_given()) for column in table.columns.values()), strict=True)
    ]
    header = ["" if name in table.unnamed else name for name in table.columns] if table.headed else grid.pop(0)
    if not table.headed and _is_count(header[0]):
        grid, header = [header, *grid], []
    # A corner that is empty or a word belongs to a column of names.
    named = (bool(header) and len(grid[0]) == len(grid) + 1) or not all(_is_count(row[0]) for row in grid)
    rows = [row[0] for row in grid] if named else []
    cells = np.array([row[1:] if named else row for row in grid], dtype=object)
    columns = header[1:] if named else header
    if not columns and cells.shape[0] == cells.shape[1]:
        columns = rows or [str(number) for number in range(1, cells.shape[1] + 1)]
    rows = rows or columns
    if cells.ndim != 2 or len(rows) != cells.shape[0] or len(columns) != cells.shape[1]:
        raise table.error("the table of counts is not square.", fix=_FIX)
    source = Source(table.name, table.format, table.rows, {"counts of": "rows x columns"}, table.notes)
    return _expanded(cells, rows, columns, ("rows", "columns"), source)


def _without_totals(counts: np.ndarray) -> tuple[np.ndarray, tuple[Note, ...]]:
    """Leave out a last row and column that add up all others, as margins of a cross table do."""
    if min(counts.shape) < 3:
        return counts, ()
    inner = counts[:-1, :-1]
    sums = (counts[-1, :-1] == inner.sum(axis=0)).all() and (counts[:-1, -1] == inner.sum(axis=1)).all()
    if not sums or counts[-1, -1] != inner.sum() or not inner.any():
        return counts, ()
    return inner, (note("read.totals_left_out"),)


def _expanded(
    cells: np.ndarray,
    rows: Sequence[Any],
    columns: Sequence[Any],
    annotators: tuple[str, str],
    source: Source | None = None,
) -> Ratings:
    """Write every counted item out; labels that one of the two never used need no row or column."""
    where = source.name if source else ""
    counts, gone = _without_totals(_whole(cells, where or "counts"))
    rows, columns = rows[: len(counts)], columns[: counts.shape[1]]
    total = int(counts.sum())
    if not total:
        raise InputError("the counts are all 0.", where=where, fix=_FIX)
    if total > _MOST_ITEMS:
        raise InputError(f"{total:,} items are too many to write out.", fix=f"give at most {_MOST_ITEMS:,}.")
    for names, what in ((rows, "rows"), (columns, "columns")):
        if len(set(map(str, names))) < len(names):
            raise InputError(f"two {what} have the same label.", where=where, fix=_FIX)
    coded = code_labels([*rows, *columns])
    if (coded.codes < 0).any():
        raise InputError("a row or column has no label.", where=where, fix=_FIX)
    first, second = np.divmod(np.repeat(np.arange(counts.size), counts.ravel()), counts.shape[1])
    labels = np.column_stack([coded.codes[first], coded.codes[len(rows) + second]]).ravel()
    notes = (*(source.notes if source else ()), *gone)
    if source is not None:
        source = replace(source, notes=notes)
    items = tuple(map(str, range(1, total + 1)))
    return replace(coded, codes=labels).ratings(items, annotators, in_a_row(total, 2), source, notes)


def _whole(cells: np.ndarray, where: str) -> np.ndarray:
    counts = np.empty(cells.shape, dtype=np.int64)
    for place, cell in np.ndenumerate(cells):
        text = str(cell).strip(BLANKS)
        number = parse_number(text) if not text.isalpha() else None
        if number is None or not number >= 0 or not number.is_integer():
            raise InputError(f"{text!r} is not a number of items.", where=where, fix=_FIX)
        counts[place] = int(number)
    return counts


def _texts(cells: Any) -> list[str]:
    listed = cells.tolist() if isinstance(cells, np.ndarray) else list(cells)
    return [
        "" if cell is None else f"{cell:g}" if isinstance(cell, float) else str(cell).strip(BLANKS) for cell in listed
    ]


def _is_count(text: str) -> bool:
    return text.isdecimal()
