"""A table of single scores, from a format that says what everything is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from nofluke.align.decimals import TEXT_DIGITS
from nofluke.readers.columns import TextColumn, ValueColumn
from nofluke.readers.table import Column, Place, Table
from nofluke.types import Note, frozen


class Record(NamedTuple):
    """The score of one item, and whatever else is known of it; `line` is where it stands, 0 where that says nothing.

    A value is a number, None where it is missing, or a text that is read as a number with its decimals.
    """

    item: Any
    value: Any
    system: Any = None
    dataset: Any = None
    metric: Any = None
    run: Any = None
    cluster: Any = None
    line: int = 0


# The columns of records, in the order in which tables have them.
_COLUMNS = ("item", "run", "dataset", "system", "cluster", "metric", "value")


def long_table(
    records: Iterable[Record],
    format: str,
    name: str,
    *,
    called: Mapping[str, str] = MappingProxyType({}),
    higher_is_better: bool | None = None,
    notes: tuple[Note, ...] = (),
) -> Table:
    """Make a table of records; `called` has the names that the format itself gives to what they hold.

    What no record knows has no column.
    """
    rows = list(records)
    lines = frozen([row.line for row in rows], np.int64) if all(row.line for row in rows) else None
    place = Place(name, lines)
    columns: dict[str, Column] = {}
    for part in _COLUMNS:
        cells = [getattr(row, part) for row in rows]
        column = called.get(part, "score" if part == "value" else part)
        if part in ("item", "value") or any(cell is not None for cell in cells):
            kind = TextColumn if all(isinstance(cell, str) for cell in cells) else ValueColumn
            columns[column] = kind(cells, column, place)
    return Table(format, columns, len(rows), place, TEXT_DIGITS, notes=notes, higher_is_better=higher_is_better)
