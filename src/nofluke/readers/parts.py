"""Tables in many files: a folder or a glob of Parquet or CSV is one table, and folders named key=value are columns."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from nofluke.errors import InputError, listing
from nofluke.readers.table import Column, Place, Table, Tally
from nofluke.types import Axis, FloatArray, frozen
from nofluke.types.bounds import BeyondBoundsError

_SUFFIXES = (".parquet", ".pq", ".csv", ".tsv", ".csv.gz", ".tsv.gz")
_MARKS = ("*", "?", "[")
_MOST_FILES = 100_000
# What Hive and Spark write where a key has no value.
_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"


def is_glob(name: str) -> bool:
    """Whether a name is a pattern that matches something, and not itself a file."""
    return any(mark in name for mark in _MARKS) and not os.path.lexists(name) and bool(glob.glob(name, recursive=True))


def parts_of(name: str) -> tuple[Path, ...]:
    """Give the tables of a folder, with all that is below it, or of a glob, in the order of their names.

    What is hidden, or begins with _ (as notes that programs leave beside their tables do), is no table.
    """
    if os.path.isdir(name):
        found = sorted(_below(name))
    elif is_glob(name):
        matched = sorted(glob.glob(name, recursive=True))
        # A pattern may match folders of tables (system=*/), and what is in them as well.
        inside = [path for one in matched if os.path.isdir(one) for path in sorted(_below(one))]
        found = list(dict.fromkeys([*(one for one in matched if os.path.isfile(one)), *inside]))
    else:
        return ()
    # A pipe of that name would be waited for.
    found = [path for path in found if path.lower().endswith(_SUFFIXES) and os.path.isfile(path)]
    if len(found) > _MOST_FILES:
        raise BeyondBoundsError(
            f"there are more than {_MOST_FILES:,} files.", where=name, fix="write fewer and larger ones."
        )
    return tuple(map(Path, found))


def _below(folder: str) -> list[str]:
    found = []
    for where, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name[:1] not in "._"]
        found += [os.path.join(where, name) for name in files if name[:1] not in "._"]
    return found


def keys_of(path: Path, root: str) -> dict[str, str]:
    """Give the columns that the folders of a file stand for: key=value, below the folder or the glob's fixed part.

    >>> keys_of(Path("runs/system=A/lang=de/part-0.parquet"), "runs/*/*/*.parquet")
    {'system': 'A', 'lang': 'de'}
    """
    fixed = root if os.path.isdir(root) else _fixed_part(root)
    inside = os.path.relpath(path, fixed or ".").split(os.sep)[:-1]
    pairs = [part.split("=", 1) for part in inside if "=" in part]
    return {unquote(key): "" if value == _NO_VALUE else unquote(value) for key, value in pairs if key}


def _fixed_part(pattern: str) -> str:
    """The folder before the first wildcard of a pattern."""
    first = min((pattern.find(mark) for mark in _MARKS if mark in pattern), default=len(pattern))
    return os.path.dirname(pattern[:first])


def joined(name: str, tables: Sequence[Table]) -> Table:
    """Put tables below each other."""
    first = tables[0]
    for other in tables[1:]:
        refuse_unlike(first.name, list(first.columns), other.name, list(other.columns))
    columns: dict[str, Column] = {column: Joined([one.columns[column] for one in tables]) for column in first.columns}
    return replace(
        first,
        columns=columns,
        rows=sum(one.rows for one in tables),
        place=Place(name, None),
        digits=min(one.digits for one in tables),
        notes=tuple(dict.fromkeys(note for one in tables for note in one.notes)),
        pandas=f"concat(map({first.pandas.partition('(')[0]}, FILES))",
    )


def with_keys(table: Table, keys: Mapping[str, str]) -> Table:
    """Add the columns that folders stand for; of one that the file holds as well, the folder only repeats it."""
    constant: dict[str, Column] = {key: Constant(value, key, table.place, table.rows) for key, value in keys.items()}
    return replace(table, columns={**constant, **table.columns})


def refuse_unlike(first: str, columns: Sequence[str], other: str, others: Sequence[str]) -> None:
    """Refuse a part with other columns than the first."""
    lacking = [name for name in columns if name not in others]
    more = [name for name in others if name not in columns]
    if lacking or more:
        what = f"lacks {listing(lacking, 3)}" if lacking else f"has {listing(more, 3)} besides"
        raise InputError(
            f"the files are one table, and this one {what}, unlike {first}.",
            where=other,
            fix="give files with the same columns, or each by its own name.",
        )


@dataclass(eq=False)
class Constant:
    """A column that says the same in every row of a file."""

    value: str
    name: str
    place: Place
    rows: int

    def tally(self) -> Tally:
        """Names of folders are never numbers."""
        return Tally(self.rows if self.value else 0, 0)

    def labels(self) -> Axis:
        """The one label; none is refused."""
        if not self.value:
            raise InputError(
                f"the folder of this file gives no {self.name}.", where=self.place.file, fix="name it as key=value."
            )
        return Axis((self.value,), frozen(np.zeros(self.rows), np.int64))

    def numbers(self) -> FloatArray:
        """Names of folders hold no scores."""
        raise InputError(
            f"{self.name!r} is the name of a folder, and no column of scores.",
            where=self.place.file,
            fix="name another column.",
        )

    def texts(self) -> list[str | None]:
        """The value, row by row."""
        return [self.value] * self.rows

    def values_as_given(self) -> Any:
        """The same."""
        return self.texts()


@dataclass(eq=False)
class Joined:
    """A column whose parts lie in several files; each says itself where something is wrong."""

    parts: Sequence[Column]

    def tally(self) -> Tally:
        """Add up what is there."""
        each = [part.tally() for part in self.parts]
        return Tally(sum(one.filled for one in each), sum(one.numbers for one in each))

    def labels(self) -> Axis:
        """Labels in the order in which the parts name them first."""
        known: dict[str, int] = {}
        axes = (part.labels() for part in self.parts)
        codes = [np.array([known.setdefault(name, len(known)) for name in axis.labels])[axis.codes] for axis in axes]
        return Axis(tuple(known), frozen(np.concatenate(codes), np.int64))

    def numbers(self) -> FloatArray:
        """Numbers part after part."""
        return np.concatenate([part.numbers() for part in self.parts])

    def texts(self) -> list[str | None]:
        """Texts part after part."""
        return list(chain.from_iterable(part.texts() for part in self.parts))

    def values_as_given(self) -> Any:
        """Values part after part."""
        return list(chain.from_iterable(part.values_as_given() for part in self.parts))
