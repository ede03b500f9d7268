"""P-values as a user has them (numbers, texts as printed, logarithms, a frame or a table) to PValues."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from nofluke.check import check_count, refuse_decision
from nofluke.errors import Fix, InputError, Option, listing, named_as
from nofluke.readers.columns import table_of_columns
from nofluke.readers.direction import lower_by_name
from nofluke.readers.frame import is_frame, read_frame
from nofluke.readers.numbers import shown
from nofluke.readers.p_cells import PCell, p_cell
from nofluke.readers.p_table import PTable, p_roles
from nofluke.types import FloatArray, Note, PValues, TestResult, frozen, note
from nofluke.types.base import SMALLEST, counted

_SIGNS = {"+": 1.0, "-": -1.0, "−": -1.0, "0": 0.0, "=": 0.0, "a": 1.0, "b": -1.0, "+1": 1.0, "1": 1.0, "-1": -1.0}
_NOBODY = ("A", "B")


def to_p_values(
    data: Any,
    *,
    names: Sequence[str] | None = None,
    scores: Any = None,
    signs: Sequence[Any] | None = None,
    systems: tuple[str, str] = _NOBODY,
    printed: int | None = None,
    logs: bool = False,
    where: Sequence[str] = (),
    higher_is_better: bool | None = None,
    **facts: Any,
) -> PValues:
    """Make PValues of a table, a frame, a mapping or a list; lengths must agree and names must differ.

    Names, scores, signs and systems that are given stand before those of a table. `where` says where each p-value
    stands, `logs` that they are logarithms. Where nobody says whether higher scores are better, the names of the
    systems may: A_wer and B_wer.
    """
    if is_frame(data):
        data = _frame_table(data, systems)
    if isinstance(data, PTable):
        names = data.names if names is None else names
        scores = data.scores() if scores is None else scores
        signs = (data.cells("sign") or None) if signs is None else signs
        systems = (data.systems or systems) if systems == _NOBODY else systems
        data = data.cells()
    elif isinstance(data, Mapping):
        if names is not None:
            raise InputError("names were given twice.", fix="give a mapping name -> p, or a list with names=.")
        names, data = list(data), list(data.values())
    p, log_p, notes = _numbers(_listed(data), printed, logs, where)
    size = len(p)
    word = lower_by_name(systems[0]) if scores is not None and higher_is_better is None else None
    if word is not None and lower_by_name(systems[1]) == word:
        notes += (note("p_values.lower_by_name", word=word),)
        higher_is_better = False
    labels = tuple(map(str, names or ())) or tuple(f"dataset {number}" for number in range(1, size + 1))
    _same_length("names", len(labels), size)
    _refuse_twice(labels, where)
    table = np.full((size, 2), np.nan) if scores is None else np.asarray(scores, dtype=np.float64)
    _same_length("scores", len(table), size)
    difference = table[:, 0] - table[:, 1]
    # 1 where the first is better, -1 where the second is, 0 where they are equal, nan where it is not known.
    found = np.sign(-difference if higher_is_better is False else difference)
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
        higher_is_better=higher_is_better is not False,
        **facts,
    )


def numbers_of(p_values: Any) -> FloatArray:
    """Give p-values of any shape a user has them in as numbers; a computed 0 stays 0, a printed 0 is rounded up."""
    if isinstance(p_values, PValues):
        return p_values.p_values
    if is_frame(p_values):
        p_values = _frame_table(p_values).cells()
    given = _listed(p_values.values() if isinstance(p_values, Mapping) else p_values)
    return _numbers(given, None, False, ())[0] if _are_texts(given) else np.array(_checked(given))


def _frame_table(frame: Any, systems: tuple[str, str] = _NOBODY) -> PTable:
    """Read a frame as the table it would be in a file; a 0 among numbers is computed, not printed."""
    given = read_frame(frame).columns
    columns = {name: [_text(value) for value in column.values_as_given()] for name, column in given.items()}
    table = table_of_columns(columns, "mapping", "frame")
    a, b = systems if all(one in columns for one in systems) else (None, None)
    return PTable(table, p_roles(table, a, b, {}))


def _text(value: Any) -> str:
    if value is None or value != value:
        return ""
    return "0e0" if not isinstance(value, str) and value == 0 else str(value)


def _are_texts(given: list[Any]) -> bool:
    return any(isinstance(value, str) for value in given)


def _listed(p_values: Any) -> list[Any]:
    """Give p-values as a list; one number, one text and results of tests are refused, generators are read."""
    if isinstance(p_values, str | bytes) or not isinstance(p_values, Iterable):
        raise InputError(
            f"{shown(p_values)} is not a list of p-values.",
            fix="give a list of them, such as [0.01, 0.04]; a file is read by nf.read_p_values(file).",
        )
    given = list(p_values)
    for number, value in enumerate(given, 1):
        if isinstance(value, bool | np.bool_):
            raise InputError(
                f"{bool(value)} is not a p-value.",
                where=f"p-value {number}",
                fix="give the p-values themselves, not what was decided by them.",
            )
        if isinstance(value, TestResult):
            refuse_decision(value, f"p-value {number}")
            raise InputError(
                "the result of a test is not a p-value.",
                where=f"p-value {number}",
                fix="give its p_value, of a one-sided test where a direction is claimed.",
            )
    return given


def _numbers(
    given: list[Any], printed: int | None, logs: bool, where: Sequence[str]
) -> tuple[FloatArray, FloatArray, tuple[Note, ...]]:
    """Give p-values, their logarithms, and what there is to tell of zeros and upper bounds."""
    if _are_texts(given):
        places = where or [f"p-value {row}" for row in range(1, len(given) + 1)]
        cells = [p_cell(str(cell), place) for cell, place in zip(given, places, strict=True)]
    elif logs:
        logarithms = _checked(given, logs=True)
        return np.maximum(np.exp(logarithms), SMALLEST), logarithms, ()
    else:
        cells = [PCell(float(value)) for value in _checked(given)]
    values, notes = _settle_zeros(cells, printed)
    if bounds := sum(cell.bound for cell in cells):
        notes += (note("p_values.bounds", values=bounds),)
    return values, np.log(values), notes


def _checked(p_values: Any, *, logs: bool = False) -> FloatArray:
    """Give p-values as numbers; what lies outside 0..1 (or above 0 for logarithms) is refused by its place."""
    try:
        numbers = np.asarray(p_values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"{str(p_values)[:60]!r} are not p-values.", fix="give a list of numbers between 0 and 1."
        ) from None
    if numbers.ndim != 1 or not numbers.size:
        raise InputError(
            "no p-values were given."
            if not numbers.size
            else f"p-values come in {numbers.ndim} dimensions, not in one.",
            fix="give a list of numbers between 0 and 1.",
        )
    bad = np.flatnonzero(~(numbers <= 0)) if logs else np.flatnonzero(~((numbers >= 0) & (numbers <= 1)))
    if bad.size:
        fix = "the logarithm of a p-value is at most 0." if logs else "a p-value lies between 0 and 1."
        raise InputError(
            f"{float(numbers[bad[0]])!r} is not a {'log ' if logs else ''}p-value.",
            where=f"p-value {bad[0] + 1}",
            fix=fix,
        )
    return numbers


def _settle_zeros(cells: Sequence[PCell], printed: int | None) -> tuple[FloatArray, tuple[Note, ...]]:
    """Replace every 0: a printed one by its upper rounding bound, a computed one by the smallest float.

    The decimals are those stated, or the zero's own, or those of the others for 0 and 0.0, which programs write for
    0.0000 as well; where no other has any, a 0 may be as large as 0.5.
    """
    if printed is not None:
        check_count(printed, "printed", least=0)
    values = np.array([cell.value for cell in cells], dtype=np.float64)
    others = max((cell.decimals or 0 for cell in cells), default=0)
    homes: Counter[tuple[int | None, str]] = Counter()  # decimals, and who says so
    for place in map(int, np.flatnonzero(values == 0)):
        own = cells[place].decimals
        if printed is not None:
            decimals, how = printed, "stated"
        elif own is None:
            decimals, how = None, ""
        elif own > 1:
            decimals, how = own, "printed"
        else:
            decimals, how = others, "others" if others > own else "printed"
        values[place] = SMALLEST if decimals is None else 0.5 * 10.0**-decimals
        homes[decimals, how] += 1
    return values, tuple(
        note("p_values.computed_zeros", values=count, taken_as=SMALLEST)
        if decimals is None
        else note("p_values.printed_zeros", values=count, taken_as=0.5 * 10.0**-decimals, decimals=decimals, by=how)
        for (decimals, how), count in homes.items()
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
