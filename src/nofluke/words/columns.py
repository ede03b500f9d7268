"""Tables in plain characters: columns that line up, text that wraps, names that are never cut."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from nofluke.types import Table

_GAP = 2
_NARROWEST = 24
_LONGEST_NAME = 44


def table_lines(table: Table, width: int) -> list[str]:
    """Write a table; text columns wrap at spaces to fit, figures never do, a very long name gets its own line."""
    rows = [list(row) for row in table.rows]
    for row, column, mark in table.marks:
        rows[row][column] += f" {mark}"
    headed = is_headed(table)
    cells = [list(table.columns), *rows] if headed else rows
    right = [name in table.figures for name in table.columns]
    widths = _widths(cells, right, width)
    lines = [line for row in cells for line in _row(row, widths, right)]
    return [line.rstrip() for line in lines]


def side_by_side(table: Table, width: int) -> list[Table]:
    """The table itself or, where its figures do not fit, several: each with the names and as many columns as fit."""
    if len(table.columns) < 3 or not table.rows or max(map(wide, table_lines(table, width))) <= width:
        return [table]
    parts, chosen = [], [0]
    for at in range(1, len(table.columns)):
        if len(chosen) > 1 and max(map(wide, table_lines(_only(table, [*chosen, at]), width))) > width:
            parts.append(_only(table, chosen))
            chosen = [0]
        chosen.append(at)
    return [*parts, _only(table, chosen)]


def _only(table: Table, columns: Sequence[int]) -> Table:
    """Some columns of a table."""
    return replace(
        table,
        columns=tuple(table.columns[at] for at in columns),
        rows=tuple(tuple(row[at] for at in columns) for row in table.rows),
        marks=tuple((row, columns.index(at), mark) for row, at, mark in table.marks if at in columns),
    )


def is_headed(table: Table) -> bool:
    """Whether any column has a heading to print; columns of blanks only keep their places apart."""
    return any(name.strip() for name in table.columns)


def wide(text: str) -> int:
    """Count the terminal cells of a text: East Asian characters take two, combining marks none.

    >>> wide("é"), wide("系統"), wide("e\u0301")
    (1, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


def padded(text: str, width: int, right: bool) -> str:
    """Fill a cell up to its width."""
    space = " " * max(0, width - wide(text))
    return space + text if right else text + space


def _widths(cells: Sequence[Sequence[str]], right: Sequence[bool], width: int) -> list[int]:
    natural = [max(wide(row[column]) for row in cells) for column in range(len(right))]
    if natural and not right[0] and len(natural) > 1 and natural[0] > _LONGEST_NAME:
        short = [wide(row[0]) for row in cells if wide(row[0]) <= _LONGEST_NAME]
        natural[0] = max([_NARROWEST, *short])
    excess = sum(natural) + _GAP * (len(natural) - 1) - width
    # Of the text columns the widest keeps most; the first column holds names and keeps its width.
    for column in sorted(range(1, len(natural)), key=lambda at: natural[at]):
        if excess > 0 and not right[column]:
            given = min(excess, max(0, natural[column] - _NARROWEST))
            natural[column] -= given
            excess -= given
    return natural


def _row(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> list[str]:
    """One row in lines; after a name that is too long for its column the other cells follow on the next line."""
    long = next((at for at, cell in enumerate(row) if not right[at] and _longest_word(cell, at) > widths[at]), None)
    if long is None or len(row) == 1:
        return _lines(row, widths, right)
    every = sum(widths) + _GAP * (len(widths) - 1)
    head = (
        _wrap(row[0], every) if not long else _lines([*row[: long + 1], *[""] * (len(row) - long - 1)], widths, right)
    )
    rest = _lines([*[""] * (long + 1), *row[long + 1 :]], widths, right)
    return head + (rest if any(row[long + 1 :]) else [])


def _longest_word(cell: str, column: int) -> int:
    """What cannot be broken; the first column holds names, which are never broken."""
    return wide(cell) if not column else max(map(wide, cell.split()), default=0)


def _lines(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> list[str]:
    wrapped = [_wrap(cell, widths[at]) if not right[at] and at else [cell] for at, cell in enumerate(cells)]
    height = max((len(lines) for lines in wrapped), default=0)
    return [
        (" " * _GAP).join(
            padded(lines[number] if number < len(lines) else "", widths[at], right[at])
            for at, lines in enumerate(wrapped)
        )
        for number in range(height)
    ]


def _wrap(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, max(width, 8), break_long_words=False, break_on_hyphens=False) or [""]
