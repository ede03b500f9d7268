"""P-values as a user gives them (numbers, text, logarithms, with names, scores or signs) to PValues."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nofluke.errors import Fix, InputError, Option, listing, named_as
from nofluke.readers.direction import lower_by_name
from nofluke.readers.p_cells import PCell, p_cell
from nofluke.readers.p_numbers import checked, frame_table, is_frame, listed, settle_zeros
from nofluke.readers.p_table import PTable
from nofluke.types import FloatArray, Note, PValues, frozen, note
from nofluke.types.base import SMALLEST, counted

_SIGNS = {"+": 1.0, "-": -1.0, "−": -1.0, "0": 0.0, "=": 0.0, "a": 1.0, "b": -1.0, "+1": 1.0, "1": 1.0, "-1": -1.0}


def from_cells(
    cells: Sequence[str],
    *,
    names: Sequence[str] = (),
    scores: Any = None,
    signs: Sequence[Any] | None = None,
    systems: tuple[str, str] = ("A", "B"),
    printed: int | None = None,
    where: Sequence[str] = (),
    **facts: Any,
) -> PValues:
    """Make PValues from p-values as text; a printed 0 becomes its upper rounding bound."""
    places = where or [f"p-value {row}" for row in range(1, len(cells) + 1)]
    parsed = [p_cell(str(cell), place) for cell, place in zip(cells, places, strict=True)]
    values, notes = settle_zeros(parsed, printed)
    bounds = sum(cell.bound for cell in parsed)
    if bounds:
        notes += (note("p_values.bounds", values=bounds),)
    return assemble(values, np.log(values), names, scores, signs, systems, notes=notes, where=places, **facts)


def from_numbers(
    p_values: Any,
    *,
    names: Sequence[str] | None,
    scores: Any,
    signs: Sequence[Any] | None,
    systems: tuple[str, str],
    printed: int | None,
    logs: bool,
    **facts: Any,
) -> PValues:
    """Make PValues from a sequence or a mapping of numbers (or text, as printed)."""
    if is_frame(p_values):
        own = systems if all(one in tuple(p_values.columns) for one in systems) else (None, None)
        return from_table(
            frame_table(p_values, *own),
            names=names,
            scores=scores,
            signs=signs,
            systems=systems,
            printed=printed,
            **facts,
        )
    if isinstance(p_values, Mapping):
        if names is not None:
            raise InputError("names were given twice.", fix="give a mapping name -> p, or a list with names=.")
        names, p_values = [str(name) for name in p_values], list(p_values.values())
    given = listed(p_values)
    if any(isinstance(value, str) for value in given):
        return from_cells(
            [str(value) for value in given],
            names=names or (),
            scores=scores,
            signs=signs,
            systems=systems,
            printed=printed,
            **facts,
        )
    numbers = checked(given, logs=logs)
    if logs:
        p = np.maximum(np.exp(numbers), SMALLEST)
        return assemble(p, numbers, names or (), scores, signs, systems, **facts)
    values, notes = settle_zeros([PCell(float(value)) for value in numbers], printed)
    return assemble(values, np.log(values), names or (), scores, signs, systems, notes=notes, **facts)


def from_table(
    table: PTable,
    *,
    names: Sequence[str] | None = None,
    scores: Any = None,
    signs: Sequence[Any] | None = None,
    systems: tuple[str, str] = ("A", "B"),
    **facts: Any,
) -> PValues:
    """Make PValues from a table; names, scores, signs and systems that are given stand before its own."""
    return from_cells(
        table.cells(),
        names=table.names if names is None else names,
        scores=table.scores() if scores is None else scores,
        signs=signs if signs is not None else table.cells("sign") or None,
        systems=(table.systems or systems) if systems == ("A", "B") else systems,
        **facts,
    )


def assemble(
    p: FloatArray,
    log_p: FloatArray,
    names: Sequence[str],
    scores: Any,
    signs: Sequence[Any] | None,
    systems: tuple[str, str],
    *,
    notes: tuple[Note, ...] = (),
    where: Sequence[str] = (),
    higher_is_better: bool | None = None,
    **facts: Any,
) -> PValues:
    """Put p-values, names, scores and signs together; lengths must agree and names must differ.

    Where nobody says whether higher scores are better, the names of the columns may: A_wer and B_wer.
    """
    word = lower_by_name(systems[0]) if scores is not None and higher_is_better is None else None
    if word is not None and lower_by_name(systems[1]) == word:
        notes += (note("p_values.lower_by_name", word=word),)
        higher_is_better = False
    higher_is_better = higher_is_better is not False
    size = len(log_p)
    labels = tuple(str(name) for name in names) or tuple(f"dataset {number}" for number in range(1, size + 1))
    _same_length("names", len(labels), size)
    _refuse_twice(labels, where)
    table = np.full((size, 2), np.nan) if scores is None else np.asarray(scores, dtype=np.float64)
    _same_length("scores", len(table), size)
    found = _signs_of(table, higher_is_better=higher_is_better)
    if signs is not None:
        _same_length("signs", len(signs), size)
        found = _with_signs(found, [_sign(value) for value in signs], labels)
    return PValues(
        labels,
        frozen(p),
        frozen(log_p),
        systems,
        frozen(table),
        frozen(found),
        notes=notes,
        higher_is_better=higher_is_better,
        **facts,
    )


def _refuse_twice(labels: tuple[str, ...], where: Sequence[str]) -> None:
    first: dict[str, int] = {}
    for row, name in enumerate(labels):
        if first.setdefault(name, row) != row:
            other = f"; the first is {where[first[name]]}" if where else ""
            raise InputError(
                f"two p-values are called {name}{other}.",
                where=where[row] if where else "",
                fix=Fix("give each its own name, or name columns that do so: ", named_as(dataset="NAME,NAME"), "."),
            )


def _with_signs(by_scores: FloatArray, signs: list[float], labels: tuple[str, ...]) -> FloatArray:
    stated = np.array(signs)
    clash = [name for name, a, b in zip(labels, by_scores, stated, strict=True) if not math.isnan(a) and a != b]
    if clash:
        raise InputError(
            f"the signs contradict the scores on {listing(clash, 5)}.",
            fix=Fix(
                "a sign is 1 where A is better; leave the signs out, or say ", Option("higher_is_better", "False"), "."
            ),
        )
    return stated


def _sign(value: Any) -> float:
    if isinstance(value, str):
        found = _SIGNS.get(value.strip().casefold())
        if found is None:
            raise InputError(f"{value!r} is not a sign.", fix="write + where A is better, - where B is, 0 where equal.")
        return found
    return float(np.sign(value))


def _same_length(what: str, length: int, size: int) -> None:
    if length != size:
        raise InputError(
            f"{counted(length, what[:-1])} for {counted(size, 'p-value')}.", fix=f"give as many {what} as p-values."
        )


def _signs_of(scores: FloatArray, *, higher_is_better: bool) -> FloatArray:
    """Give 1 where the first column is better, -1 where the second is, 0 where they are equal, nan where unknown."""
    difference = scores[:, 0] - scores[:, 1]
    return np.sign(difference if higher_is_better else -difference)
