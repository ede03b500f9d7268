"""P-values as bare numbers: lists, generators, frames and texts are read, a 0 is settled, and all else is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from nofluke.check import is_whole, refuse_decision
from nofluke.errors import InputError
from nofluke.readers.columns import table_of_columns
from nofluke.readers.numbers import shown
from nofluke.readers.p_cells import PCell, p_cell
from nofluke.readers.p_table import PTable, p_roles
from nofluke.types import FloatArray, Note, PValues, TestResult, note
from nofluke.types.base import SMALLEST


def numbers_of(p_values: Any) -> FloatArray:
    """Give p-values of any shape a user has them in as numbers; a computed 0 stays 0, a printed 0 is rounded up."""
    if isinstance(p_values, PValues):
        return p_values.p_values
    if is_frame(p_values):
        p_values = frame_table(p_values).cells()
    given = listed(p_values.values() if isinstance(p_values, Mapping) else p_values)
    if any(isinstance(value, str) for value in given):
        cells = [p_cell(str(value), f"p-value {number}") for number, value in enumerate(given, 1)]
        return settle_zeros(cells, None)[0]
    return np.array(checked(given))


def listed(p_values: Any) -> list[Any]:
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


def checked(p_values: Any, *, logs: bool = False) -> FloatArray:
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


def is_frame(data: Any) -> bool:
    """Whether data are a data frame (pandas, polars), by what it can do."""
    return not isinstance(data, Mapping) and hasattr(data, "columns") and hasattr(data, "__getitem__")


def frame_table(frame: Any, a: str | None = None, b: str | None = None) -> PTable:
    """Read a frame as the table it would be in a file; a 0 among numbers is computed, not printed."""
    columns = {str(name): [_text(value) for value in frame[name]] for name in frame.columns}
    table = table_of_columns(columns, "mapping", "frame")
    return PTable(table, p_roles(table, a, b, {}))


def _text(value: Any) -> str:
    if value is None or value != value:
        return ""
    return "0e0" if not isinstance(value, str) and value == 0 else str(value)


def settle_zeros(cells: Sequence[PCell], printed: int | None) -> tuple[FloatArray, tuple[Note, ...]]:
    """Replace every 0: a printed one by its upper rounding bound, a computed one by the smallest float.

    The decimals are those stated, or the zero's own, or those of the others for 0 and 0.0, which programs write for
    0.0000 as well; where no other has any, a 0 may be as large as 0.5.
    """
    if printed is not None and not is_whole(printed, least=0):
        raise InputError(f"printed is {printed!r}.", fix="say to how many decimals p-values were printed: 4, say.")
    values = np.array([cell.value for cell in cells], dtype=np.float64)
    zeros = np.flatnonzero(values == 0)
    others = max((cell.decimals or 0 for cell in cells), default=0)
    homes: Counter[tuple[int | None, str]] = Counter()  # decimals, and who says so
    for place in map(int, zeros):
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
