"""A table as every format gives it: named columns that can be counted, read as labels, or read as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from nofluke.errors import Fix, InputError
from nofluke.types import Axis, FloatArray, IntArray, Note, frozen


class Unclean(Exception):  # noqa: N818 (not an error: the slower reader takes over, and says what is wrong)
    """A fast reader met a cell it does not vouch for."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many cells of a column are filled, and how many of them were meant as numbers."""

    filled: int
    numbers: int

    @property
    def is_numeric(self) -> bool:
        """A column holds scores when at least half of its cells were meant as numbers; the others are mistakes."""
        return self.filled > 0 and 2 * self.numbers >= self.filled


class Column(Protocol):
    """One column of a table."""

    def tally(self) -> Tally:
        """Count the cells that are filled and those meant as numbers."""
        ...

    def labels(self) -> Axis:
        """Read the cells as labels, in the order of first appearance; an empty cell is refused."""
        ...

    def numbers(self) -> FloatArray:
        """Read the cells as numbers, nan where missing; anything else is refused."""
        ...

    def texts(self) -> list[str | None]:
        """Read the cells as texts, as they are; None where a format knows that there is none."""
        ...

    def values_as_given(self) -> Any:
        """The cells as they are: a sequence of anything, or an array of numbers with nan for gaps."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where the rows of a table are, for messages."""

    file: str
    lines: IntArray | None

    def of(self, row: int, column: str | None = None) -> str:
        """Name a row (and column) as the user would look it up."""
        spot = f"row {row + 1}" if self.lines is None else f"line {self.lines[row]}"
        return f"{self.file} {spot}" + (f", column {column!r}" if column is not None else "")


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Columns of equal length with their origin; `unnamed` are columns that the file gives no name.

    `higher_is_better` is what the format says of all its scores; None where it says nothing. `pandas` is how pandas
    reads the file again, for advice; empty where it cannot.
    """

    format: str
    columns: Mapping[str, Column]
    rows: int
    place: Place
    digits: int
    headed: bool = True
    unnamed: frozenset[str] = frozenset()
    notes: tuple[Note, ...] = ()
    higher_is_better: bool | None = None
    pandas: str = "read_csv(FILE)"

    @property
    def name(self) -> str:
        """The file as the user gave it."""
        return self.place.file

    def error(self, message: str, *, row: int | None = None, fix: str | Fix = "") -> InputError:
        """The error of this table, or of one of its rows."""
        return InputError(message, where=self.name if row is None else self.place.of(row), fix=fix)

    def texts(self, name: str) -> list[str | None]:
        """Read the cells of a column just as they are."""
        return self.columns[name].texts()

    def labels(self, *names: str) -> list[str]:
        """Read the labels of a column, or of several as one, row by row."""
        axis = self.joined(names)
        return [axis.labels[code] for code in axis.codes.tolist()]

    def differ(self, names: Sequence[str]) -> bool:
        """Whether no two rows have the same labels in all of these columns."""
        axes = [self.columns[name].labels() for name in names]
        return len(axes[0].labels if len(axes) == 1 else np.unique(_numbered(axes))) == self.rows

    def joined(self, names: Sequence[str]) -> Axis:
        """Read the labels of several columns as one, such as task and language as "xnli / de"."""
        axes = [self.columns[name].labels() for name in names]
        if len(axes) == 1:
            return axes[0]
        _, first, codes = np.unique(_numbered(axes), return_index=True, return_inverse=True)
        order = np.argsort(first, kind="stable")
        labels = tuple(" / ".join(axis.labels[axis.codes[row]] for axis in axes) for row in first[order])
        return Axis(labels, frozen(np.argsort(order, kind="stable")[codes], np.int64))


def _numbered(axes: Sequence[Axis]) -> IntArray:
    """Number the rows so that two have the same number where they have the same labels."""
    combined = np.zeros(len(axes[0].codes), np.int64)
    for axis in axes:
        # Renumbering after every column keeps the numbers small, however many columns there are.
        combined = np.unique(combined * len(axis.labels) + axis.codes, return_inverse=True)[1]
    return combined


def how_many(count: int, rows: int) -> str:
    """Say how many rows share a problem, nothing when it is one row."""
    return "" if count == 1 else f" {count:,} of {rows:,} rows are like this."


def empty_label(place: Place, row: int, column: str, count: int, rows: int) -> InputError:
    """The error for a label that is not there."""
    return InputError(
        f"the label is empty.{how_many(count, rows)}",
        where=place.of(row, column),
        fix="fill it in: it says what the score belongs to.",
    )
