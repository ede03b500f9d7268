"""Columns held in memory: text cells, values of any kind (JSON, frames), and numeric arrays."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from nofluke.align.decimals import FLOAT_DIGITS, TEXT_DIGITS
from nofluke.align.exact_sums import EXACT_DOUBLES
from nofluke.errors import Fix, InputError, named_as
from nofluke.readers.numbers import (
    BLANKS,
    complaint_about,
    has_decimal_comma,
    loses_digits,
    meant_as_number,
    parse_number,
    shown,
)
from nofluke.readers.table import Column, Place, Table, Tally, empty_label, how_many
from nofluke.types import Axis, FloatArray, frozen
from nofluke.types.bounds import refuse_columns


class _Absent:
    """A key that a JSON object does not have."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT = _Absent()


@dataclass(eq=False)
class TextColumn:
    """Cells of a text file."""

    cells: Sequence[str]
    name: str
    place: Place

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(self.cells)

    def tally(self) -> Tally:
        """Count by distinct cell, of which score files have few."""
        filled = numbers = 0
        for cell, count in self._counts.items():
            if cell.strip(BLANKS):
                filled += count
                numbers += count * meant_as_number(cell)
        return Tally(filled, numbers)

    def labels(self) -> Axis:
        """Labels are trimmed of spaces and tabs."""
        return factorise([cell.strip(BLANKS) for cell in self.cells], self.name, self.place)

    def numbers(self) -> FloatArray:
        """Numbers are parsed once for each distinct cell."""
        values = {cell: parse_number(cell) for cell in self._counts}
        wrong = {cell for cell, value in values.items() if value is None}
        if wrong:
            _refuse_cells(self.cells, wrong, self.name, self.place)
        parsed: FloatArray = np.fromiter(map(values.__getitem__, self.cells), np.float64, len(self.cells))
        return parsed

    def texts(self) -> list[str | None]:
        """Give the cells as they are written; a text file has no other word for a missing one than an empty cell."""
        return list(self.cells)

    def values_as_given(self) -> Sequence[str]:
        """The cells themselves."""
        return self.cells


@dataclass(eq=False)
class ValueColumn:
    """Values that carry their own type: numbers are numbers, text is never one."""

    values: Sequence[Any]
    name: str
    place: Place

    def tally(self) -> Tally:
        """Count values that are there, and the numbers among them."""
        there = [value for value in self.values if not _is_missing(value)]
        return Tally(len(there), sum(1 for value in there if _is_numeric(value)))

    def labels(self) -> Axis:
        """Whole numbers, however stored, are labels without a decimal point."""
        nested = [row for row, value in enumerate(self.values) if isinstance(value, dict | list)]
        if nested:
            raise InputError(
                f"{shown(self.values[nested[0]])} is not a label.{how_many(len(nested), len(self.values))}",
                where=self.place.of(nested[0], self.name),
                fix="a label is text or a number; take another column for this role.",
            )
        return factorise([_label_of(value) for value in self.values], self.name, self.place)

    def numbers(self) -> FloatArray:
        """Truth values are 1 and 0; missing values are nan."""
        parsed = [_number_of(value) for value in self.values]
        wrong = [row for row, number in enumerate(parsed) if number is None]
        if not wrong:
            return np.array(parsed, dtype=np.float64)
        first = self.values[wrong[0]]
        fix: str | Fix
        if first is ABSENT:
            message, fix = f"there is no {self.name!r} in this object.", "write null where a score is missing."
        elif isinstance(first, dict) and (inner := _names_within(self.name, first, (int, float))):
            message, fix = f"{shown(first)} is not a number.", Fix("name one: ", named_as(score=inner[0]), ".")
        elif isinstance(first, list):
            key = json.dumps(self.name)
            message = f"{shown(first)} is a list, not a number."
            fix = (
                "give every number a row of its own; if they are runs of the item: jq -c '. as $row | "
                f".[{key}] | to_entries[] | $row + {{run: .key, {key}: .value}}' FILE > NEW.jsonl."
            )
        else:
            message, fix = complaint_about(first)
            if isinstance(first, str) and parse_number(first) is not None:
                message, fix = f"{shown(first)} is text, not a number.", "write numbers without quotes."
        raise InputError(message + how_many(len(wrong), len(parsed)), where=self.place.of(wrong[0], self.name), fix=fix)

    def texts(self) -> list[str | None]:
        """Give texts as they are, lists and objects as JSON, and None where there is nothing."""
        return [_text_of(value) for value in self.values]

    def values_as_given(self) -> Sequence[Any]:
        """The values themselves."""
        return self.values


@dataclass(eq=False)
class ArrayColumn:
    """A numeric array; `missing` marks cells without a value, nan counts as missing too."""

    array: np.ndarray
    missing: np.ndarray | None
    name: str
    place: Place

    def numbers(self) -> FloatArray:
        """A float32 means its own shortest decimal: 0.1 is 0.1, not 0.10000000149."""
        short = self.array.dtype in (np.float16, np.float32)
        values = self.array.astype(str).astype(np.float64) if short else self.array.astype(np.float64)
        if self.missing is not None:
            values[self.missing] = np.nan
        wrong = np.flatnonzero(np.isinf(values))
        if self.array.dtype.kind in "iu":
            large = np.flatnonzero(np.abs(values) >= EXACT_DOUBLES).tolist()
            wrong = np.array([row for row in large if loses_digits(int(self.array[row]), float(values[row]))])
        if wrong.size:
            row = int(wrong[0])
            message, fix = complaint_about(self.array[row].item())
            message += how_many(wrong.size, len(values))
            raise InputError(message, where=self.place.of(row, self.name), fix=fix)
        return values

    def tally(self) -> Tally:
        """Everything that is there is a number."""
        gone = np.zeros(len(self.array), bool) if self.missing is None else self.missing
        if self.array.dtype.kind == "f":
            gone = gone | np.isnan(self.array)
        there = len(self.array) - int(gone.sum())
        return Tally(there, there)

    def labels(self) -> Axis:
        """As for values of any kind."""
        return ValueColumn(self._with_gaps(), self.name, self.place).labels()

    def texts(self) -> list[str | None]:
        """As labels."""
        return [_text_of(value) for value in self._with_gaps()]

    def values_as_given(self) -> Any:
        """The array where it has no gaps; numbers with gaps have nan there, truth values None."""
        if self.missing is None:
            return self.array
        return self.numbers() if self.array.dtype.kind != "b" else self._with_gaps()

    def _with_gaps(self) -> list[Any]:
        values: list[Any] = self.array.tolist()
        if self.missing is None:
            return values
        return [None if gone else value for value, gone in zip(values, self.missing.tolist(), strict=True)]


def table_of_columns(columns: Mapping[str, Sequence[Any]], format: str, name: str) -> Table:
    """Make a table of columns that are known; they must be equally long."""
    refuse_columns(len(columns), name)
    cells = {str(column): list(values) for column, values in columns.items()}
    sizes = {len(values) for values in cells.values()}
    if len(sizes) != 1 or sizes == {0}:
        message = "its columns have no rows, or different numbers of them."
        raise InputError(message, where=name, fix="give every column one value for each item.")
    place = Place(name, None)
    made: dict[str, Column] = {
        column: (
            TextColumn if format == "mapping" and all(isinstance(value, str) for value in values) else ValueColumn
        )(values, column, place)
        for column, values in cells.items()
    }
    return Table(format, made, sizes.pop(), place, FLOAT_DIGITS if format == "mapping" else TEXT_DIGITS)


def with_inner(table: Table, asked: Mapping[str, Any]) -> Table:
    """Add the columns within objects that the user names: judge.score of {"judge": {"score": 5}}."""
    inner: dict[str, Column] = {}
    several = [wanted.split(",") if isinstance(wanted, str) else wanted for wanted in asked.values()]
    for name in (str(part).strip() for parts in several if isinstance(parts, list | tuple) for part in parts):
        outer, _, key = name.partition(".")
        values = objects_of(table.columns.get(outer)) if key and name not in table.columns else ()
        if values:
            cells = [_within(value, key.split(".")) for value in values]
            if any(cell is not ABSENT for cell in cells):
                inner[name] = ValueColumn(cells, name, table.place)
    return replace(table, columns={**table.columns, **inner}) if inner else table


def inner_names(table: Table, kinds: tuple[type, ...] = (int, float)) -> list[str]:
    """Name the numbers (or what else) within the objects of columns as the user can: judge.score."""
    found = {name: objects_of(column) for name, column in table.columns.items()}
    return [inner for name, values in found.items() if values for inner in _names_within(name, values[0], kinds)]


def objects_of(column: Column | None) -> Sequence[Any]:
    """Give the objects that a column of JSON or Parquet holds; none where it holds anything else."""
    values = column.values if isinstance(column, ValueColumn) else getattr(column, "objects", tuple)()
    return values if values and isinstance(values[0], dict) else ()


def _names_within(name: str, cell: Mapping[str, Any], kinds: tuple[type, ...]) -> list[str]:
    return [f"{name}.{key}" for key, value in cell.items() if isinstance(value, kinds)]


def _within(value: Any, keys: Sequence[str]) -> Any:
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return ABSENT
        value = value[key]
    return value


def factorise(labels: Sequence[str], column: str, place: Place) -> Axis:
    """Give labels as codes in the order of first appearance; an empty label is refused."""
    known: dict[str, int] = {}
    codes = np.fromiter((known.setdefault(label, len(known)) for label in labels), np.int64, len(labels))
    if "" in known:
        empty = np.flatnonzero(codes == known[""])
        raise empty_label(place, int(empty[0]), column, empty.size, len(labels))
    return Axis(tuple(known), frozen(codes, np.int64))


def _refuse_cells(cells: Iterable[str], wrong: set[str], column: str, place: Place) -> None:
    rows = [(row, cell) for row, cell in enumerate(cells) if cell in wrong]
    # Where one cell can only have a decimal comma, 1.234,5 or 0,5, no other has thousands: 1,000 is told like it.
    rows.sort(key=lambda one: (not re.search(r"\.\d{3},", one[1]), not has_decimal_comma(one[1])))
    message, fix = complaint_about(rows[0][1])
    total = len(place.lines) if place.lines is not None else len(rows)
    if rows[0][1].rstrip().endswith("%") and len(rows) < total:
        # Without the sign, 64.9% would stand among shares such as 0.55.
        fix = "write all scores on one scale, without percent signs: some cells have one, and others have none."
    if rows[0][1].strip() == column.strip():
        fix = "the header comes again, as in files put one below the other: delete this line."
    raise InputError(message + how_many(len(rows), total), where=place.of(rows[0][0], column), fix=fix)


def _is_missing(value: Any) -> bool:
    # pandas' own markers are recognised by name, so that pandas need not be imported.
    if value is None or value is ABSENT or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and math.isnan(value)


def _is_numeric(value: Any) -> bool:
    return hasattr(value, "__float__") and not isinstance(value, str)


def _number_of(value: Any) -> float | None:
    if value is ABSENT:
        return None
    if _is_missing(value):
        return math.nan
    if not _is_numeric(value):
        return None
    try:
        number = float(value)
    except (OverflowError, TypeError, ValueError):
        return None
    if isinstance(value, int | np.integer) and loses_digits(int(value), number):
        return None
    return None if math.isinf(number) else number


def _text_of(value: Any) -> str | None:
    if _is_missing(value):
        return None
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else _label_of(value)


def _label_of(value: Hashable) -> str:
    if _is_missing(value):
        return ""
    if isinstance(value, bool | np.bool_):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2.0**53:
        return str(int(value))
    return str(value).strip(BLANKS)
