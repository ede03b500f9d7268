"""Put the scores of systems into a table of items, with the number of runs in every cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nofluke.align.choose import where
from nofluke.errors import Fix, InputError, Option, named_as
from nofluke.types import FloatArray, IntArray, Scores


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Means over runs (items, systems, k), the number of runs (items, systems), the items' codes, and the rows used."""

    values: FloatArray
    counts: IntArray
    items: IntArray
    rows: IntArray


def tabulate(scores: Scores, rows: IntArray, systems: Sequence[str]) -> Table:
    """Average the runs that each item and system has; duplicates are refused.

    Items keep the order in which the source names them: evaluation units are made of adjacent items.
    """
    codes = [scores.system.code_of(name) for name in systems]
    if rows.size == len(scores.statistics) and scores.run is None:
        regular = _regular(scores, codes)
        if regular is not None:
            return Table(regular, np.broadcast_to(np.int64(1), regular.shape[:2]), np.arange(len(regular)), rows)
    rows = rows[np.isin(scores.system.codes[rows], codes)]
    return _tabulate(scores, rows, codes)


def _regular(scores: Scores, codes: list[int]) -> FloatArray | None:
    """Give the table without sorting where the file holds one already: every item named once by every system, item by
    item (score columns side by side) or system by system, always in the same order."""
    items, systems = len(scores.item.labels), len(scores.systems)
    item, system, values = scores.item.codes, scores.system.codes, scores.statistics
    if items * systems != len(values):
        return None
    by_item, by_system = (items, systems), (systems, items)
    if _repeats(item.reshape(by_item).T, items) and _repeats(system.reshape(by_item), systems):
        table = values.reshape(*by_item, -1)
    elif _repeats(item.reshape(by_system), items) and _repeats(system.reshape(by_system).T, systems):
        table = values.reshape(*by_system, -1).swapaxes(0, 1)
    else:
        return None
    # Adding 0 makes one zero of 0 and -0.
    regular: FloatArray = np.ascontiguousarray(table if codes == list(range(systems)) else table[:, codes]) + 0.0
    return regular


def _repeats(codes: IntArray, number: int) -> bool:
    """Whether every row counts from 0 on."""
    return bool((codes == np.arange(number)).all())


def _tabulate(scores: Scores, rows: IntArray, codes: list[int]) -> Table:
    position = np.full(len(scores.systems), -1)
    position[codes] = np.arange(len(codes))
    column = position[scores.system.codes[rows]]
    item = scores.item.codes[rows]
    rank, item_codes = _ranked(item, len(scores.item.labels))
    cell = rank[item] * len(codes) + column
    shape = (len(item_codes), len(codes))
    counts: IntArray = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape).astype(np.int64, copy=False)
    if int(counts.max(initial=0)) > 1:
        _refuse_duplicates(scores, rows, cell)
        scored = ~np.isnan(scores.statistics[rows]).any(axis=1)
        if not scored.all():
            # A run without a score takes no part in the mean; the item's other runs stand for it.
            rows, cell = rows[scored], cell[scored]
            counts = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape).astype(np.int64, copy=False)
    k = scores.statistics.shape[1]
    table: FloatArray = np.stack(
        [
            np.bincount(cell, weights=scores.statistics[rows, j], minlength=shape[0] * shape[1]).reshape(shape)
            for j in range(k)
        ],
        axis=2,
    ).astype(np.float64, copy=False)
    table /= np.maximum(counts, 1)[..., None]
    table[counts == 0] = np.nan
    return Table(table, counts, item_codes, rows)


def _ranked(item: IntArray, labels: int) -> tuple[IntArray, IntArray]:
    """Give the place of every item by its code, in the order in which items are named first, and the codes in it."""
    first = np.full(labels, -1)
    # Written from the end, so that what stays is the first row.
    first[item[::-1]] = np.arange(item.size)[::-1]
    present = np.flatnonzero(first >= 0)
    rows = first[present]
    if not (np.diff(rows) > 0).all():
        present = present[np.argsort(rows, kind="stable")]
    rank = np.empty(labels, np.int64)
    rank[present] = np.arange(present.size)
    return rank, present


def _told_apart(scores: Scores) -> tuple[str, str]:
    """Give the column that may tell scores of one id apart, and that of the ids, or NAME."""
    mapping, notes = (scores.sources[0].mapping, scores.sources[0].notes) if scores.sources else ({}, ())
    apart = next(
        (str(one["column"]) for one in notes if one.code in ("read.tells_apart", "read.perhaps_groups")), "NAME"
    )
    return apart, mapping.get("item", "NAME") if apart != "NAME" else "NAME"


def _refuse_duplicates(scores: Scores, rows: IntArray, cell: IntArray) -> None:
    runs = scores.run
    key = cell if runs is None else cell * len(runs.labels) + runs.codes[rows]
    order = np.argsort(key, kind="stable")
    repeated = np.flatnonzero(np.diff(key[order]) == 0)
    if not repeated.size:
        return
    first, second = rows[order[repeated[0]]], rows[order[repeated[0] + 1]]
    item = scores.item.labels[scores.item.codes[first]]
    system = scores.system.labels[scores.system.codes[first]]
    apart, ids = _told_apart(scores)
    lines = f" (lines {scores.lines[first]} and {scores.lines[second]})" if scores.lines is not None else ""
    raise InputError(
        f"item {item!r} has more than one score for system {system!r}{lines}; "
        f"scores that repeat an earlier one: {len(repeated):,}.",
        where=where(scores),
        fix=Fix("match items by what they ask: ", Option("match_by", "content"), "; or give the logs one by one.")
        if scores.status is not None
        else "the files hold the same systems and items: put them into one, with a column of runs (or datasets)."
        if len(scores.sources) > 1 and apart == "NAME" and scores.lines is not None and len(scores.systems) > 1
        else Fix(
            "keep one score for each item, or name the column that tells them apart: ",
            *((named_as(run=apart), " for repeated runs (their mean is taken), ") if runs is None else ()),
            named_as(dataset=apart),
            " for datasets, ",
            named_as(item=f"{ids},{apart}"),
            " for ids that name an item only together.",
        ),
    )
