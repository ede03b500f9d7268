"""A long table on disk becomes the scores of all systems item by item, part by part, none of which fills the memory.

Rows are dealt out by a hash of their item, so that a part holds all scores of its items in whatever order.
Each part is put in order by itself, by whoever works (`executors`); parts lie in the folder of temporary files.
"""

from __future__ import annotations

import errno
import math
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from nofluke.align.decimals import FLOAT_DIGITS, TEXT_DIGITS, find_grid
from nofluke.errors import Fix, InputError, Option, listing
from nofluke.executors import at_once, ordered
from nofluke.readers.sql import connect, fetch, literal
from nofluke.types import Alignment, Grid, Items, Note, Wanted
from nofluke.types.base import counted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Progress = Callable[[int, int], None] | None
# What a row of a part takes while the part is put in order, and the share of the memory that a part may take.
_BYTES_A_ROW, _SHARE = 64, 4
_FEW = 64
# What DuckDB says where a disk is full.
_FULL = ("no space left", "not enough space", "disk full", "failed to offload", "max_temp_directory_size")


@dataclass(frozen=True, slots=True)
class Cells:
    """The expressions of what a row holds: its labels by role, and its score."""

    labels: Mapping[str, str]
    score: str
    binary: bool


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the parts lie, how many systems there are, and what may be done with the memory."""

    folder: str
    systems: tuple[str, ...]
    memory: int
    digits: int


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """What is known of a part: items, those that all systems have, what each lacks, its grid and few values."""

    path: str
    items: int
    complete: int
    lacking: tuple[int, ...]
    example: str
    grid: Grid | None
    distinct: tuple[float, ...] | None


class _Folder:
    """A folder that is there as long as anybody looks at what is in it."""

    def __init__(self) -> None:
        self.name = tempfile.mkdtemp(prefix="nofluke-")
        self._end = weakref.finalize(self, shutil.rmtree, self.name, ignore_errors=True)


def spread_out(
    open_rows: Callable[[str], DuckDBPyConnection],
    cells: Cells,
    memory: int,
    rows: int,
    has: Mapping[str, bool],
    told: tuple[Mapping[str, bool], tuple[Note, ...], tuple[str, ...]],
    wanted: Wanted,
    missing: str,
    progress: Progress,
) -> Items:
    """Put the scores of the wanted systems in order item by item, on disk."""
    directions, notes, metrics = told
    systems = wanted.systems or ()
    with told_if_full(os.path.join(tempfile.gettempdir(), "nofluke")):
        keep = _Folder()
        number = max(1, math.ceil(rows * _BYTES_A_ROW * _SHARE * at_once() / memory))
        _deal_out(open_rows(keep.name), cells, wanted, has, number, keep.name)
        if progress is not None:
            progress(number, 2 * number)
        digits = FLOAT_DIGITS if cells.binary else TEXT_DIGITS
        place = _Place(keep.name, systems, memory // (_SHARE * at_once()), digits)
        present = [part for part in range(number) if Path(keep.name, f"part={part}").is_dir()]
        further = None if progress is None else lambda done, all_: progress(all_ + done, 2 * all_)
        parts = list(ordered(_put_in_order, place, present, further))
    _refuse_gaps(parts, systems, drop=missing == "drop")
    complete = [part for part in parts if part.complete]
    items, kept = sum(part.items for part in parts), sum(part.complete for part in parts)
    lacking = {name: sum(part.lacking[at] for part in parts) for at, name in enumerate(systems)}
    metric = wanted.metric if wanted.metric is not None else metrics[0]
    return Items(
        systems=systems,
        metric=metric,
        dataset=wanted.dataset or "",
        higher_is_better=directions[metric],
        n=kept,
        files=tuple(Path(part.path) for part in complete),
        grid=_one_grid([part.grid for part in complete if part.grid is not None]),
        different=_different(complete),
        alignment=Alignment(kept, lacking, items - kept),
        notes=notes,
        rows=tuple(range(len(systems))),
        keep=keep,
    )


def _deal_out(
    connection: DuckDBPyConnection, cells: Cells, wanted: Wanted, has: Mapping[str, bool], number: int, folder: str
) -> None:
    """Write item, system and score of every row into the part that its item belongs to."""
    conditions = ["true"]
    for role, value in (("dataset", wanted.dataset), ("metric", wanted.metric)):
        if value is not None and has[role]:
            conditions.append(f"{cells.labels[role]} = {literal(value)}")
    connection.execute("CREATE TEMP TABLE chosen (name VARCHAR, code USMALLINT)")
    connection.executemany("INSERT INTO chosen VALUES (?, ?)", [[n, at] for at, n in enumerate(wanted.systems or ())])
    connection.execute(
        "COPY (SELECT item, code, score, CAST(hash(item) % "
        f"{number} AS USMALLINT) AS part FROM (SELECT {cells.labels['item']} AS item, {cells.labels['system']} AS "
        f"system, {cells.score} AS score FROM rows WHERE {' AND '.join(f'({one})' for one in conditions)}) AS cells "
        f"JOIN chosen ON cells.system = chosen.name) TO {literal(folder)} "
        "(FORMAT parquet, PARTITION_BY (part), OVERWRITE_OR_IGNORE)"
    )
    connection.close()


def _put_in_order(place: _Place, part: int) -> _Part:
    """Make the table of the items of a part, and say what is in it."""
    folder = Path(place.folder, f"part={part}")
    size = len(place.systems)
    with told_if_full(place.folder):
        connection = connect(place.memory, place.folder)
        dealt = literal(str(folder / "*.parquet"))
        connection.execute(f"CREATE TEMP TABLE cells AS SELECT item, code, score FROM read_parquet({dealt})")
        connection.execute(
            "CREATE TEMP TABLE items AS SELECT item, row_number() OVER (ORDER BY item) - 1 AS place "
            "FROM (SELECT DISTINCT item FROM cells)"
        )
        found = fetch(
            connection,
            f"SELECT place * {size} + code AS cell, coalesce(score, 'nan'::DOUBLE) AS score "
            "FROM cells JOIN items USING (item)",
        )
        items = int(connection.execute("SELECT count(*) FROM items").fetchall()[0][0])
        cell = np.asarray(found["cell"], np.int64)
        often = np.bincount(cell, minlength=items * size)
        if connection.execute("SELECT 1 FROM items WHERE item = ''").fetchall():
            raise InputError("the item is empty in some rows.", fix="fill it in: it says what the score belongs to.")
        if (often > 1).any():
            raise _named_twice(connection, place, often)
        flat = np.full(items * size, np.nan)
        # Adding 0 makes one zero of 0 and -0.
        flat[cell] = np.asarray(found["score"], np.float64) + 0.0
        table = flat.reshape(items, size)
        gaps = np.isnan(table)
        whole = ~gaps.any(axis=1)
        example = ""
        if not whole.all():
            at = int(np.flatnonzero(~whole)[0])
            example = connection.execute(f"SELECT item FROM items WHERE place = {at}").fetchall()[0][0]
        connection.close()
        kept = np.ascontiguousarray(table[whole].T)
        path = Path(place.folder, f"scores-{part}.npy")
        np.save(path, kept)
        for file in folder.iterdir():
            file.unlink()
    values = kept.ravel()
    distinct = np.unique(values[: 50 * _FEW])
    if len(distinct) <= _FEW:
        distinct = np.unique(values)
    return _Part(
        str(path),
        items,
        int(whole.sum()),
        tuple(gaps.sum(axis=0).tolist()),
        example,
        find_grid(values, place.digits) if values.size else None,
        tuple(distinct.tolist()) if len(distinct) <= _FEW else None,
    )


def _named_twice(connection: DuckDBPyConnection, place: _Place, often: np.ndarray) -> InputError:
    at, code = divmod(int(np.flatnonzero(often > 1)[0]), len(place.systems))
    item = connection.execute(f"SELECT item FROM items WHERE place = {at}").fetchall()[0][0]
    return InputError(
        f"item {item!r} has more than one score for system {place.systems[code]!r}.",
        fix="keep one score for each item, or name the columns that tell items apart (item=ID,NAME).",
    )


def _refuse_gaps(parts: Sequence[_Part], systems: Sequence[str], *, drop: bool) -> None:
    items, kept = sum(part.items for part in parts), sum(part.complete for part in parts)
    lacking = {name: sum(part.lacking[at] for part in parts) for at, name in enumerate(systems)}
    if kept == items or (drop and kept):
        return
    if not kept:
        raise InputError(
            f"no item has a score for all systems: {listing(systems)}.",
            fix="give an item the same id for every system, or rank fewer systems.",
        )
    has = [f"{n:,} {'has' if n == 1 else 'have'} no score for {name!r}" for name, n in lacking.items() if n]
    example = next(part.example for part in parts if part.example)
    raise InputError(
        f"of {counted(items, 'item')} {listing(has, 3)} (for example {example}); "
        f"{counted(kept, 'item')} {'matches' if kept == 1 else 'match'}.",
        fix=Fix("score the missing items, or leave them out for all systems: ", Option("missing", "drop"), "."),
    )


def _one_grid(grids: Sequence[Grid]) -> Grid:
    """The grid that holds the scores of all parts; where some are measured, that of the first of these."""
    measured = next((grid for grid in grids if not grid.exact), None)
    if measured is not None:
        return measured
    return Grid(max(grid.decimals for grid in grids), math.lcm(*(grid.divisor for grid in grids)), exact=True)


def _different(parts: Sequence[_Part]) -> tuple[float, ...] | None:
    """All different scores, where they are few."""
    if any(part.distinct is None for part in parts):
        return None
    found = sorted({one for part in parts for one in part.distinct or ()})
    return tuple(found) if len(found) <= _FEW else None


@contextmanager
def told_if_full(folder: str) -> Iterator[None]:
    """Say in words that the disk is full, or that the memory was too little."""
    import duckdb

    try:
        yield
    except (duckdb.Error, OSError) as error:
        full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
        if not full and not any(word in str(error).lower() for word in _FULL):
            if not isinstance(error, duckdb.OutOfMemoryException):
                raise
            raise InputError(
                "there is not enough memory to put the scores in order.",
                fix=Fix("allow more: ", Option("memory"), "."),
            ) from None
        raise InputError(
            "the disk is full: the scores are put in order in files beside memory, and there is no room for them.",
            where=os.path.dirname(folder),
            fix="make room, or let TMPDIR name a folder on a larger disk.",
        ) from None
