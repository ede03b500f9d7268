"""What is not a list of p-values is refused; numbers, generators and data frames are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from nofluke.errors import Fix, InputError, MethodError, Option
from nofluke.readers.columns import table_of_columns
from nofluke.readers.numbers import shown
from nofluke.readers.p_table import PTable, p_roles
from nofluke.types import FloatArray, TestResult


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


def no_p_value(where: str = "") -> MethodError:
    """Say that draws which only decide about one level give no p-value."""
    return MethodError(
        "draws that stop at a yes or no give no p-value, and there is none to combine or to correct.",
        where=where,
        fix=Fix("leave ", Option("stop"), " out, or use ", Option("stop", "p_value"), "."),
    )


def refuse_decision(result: TestResult, where: str) -> None:
    """Refuse a test that was stopped at a yes or no: it has no p-value, only a side of one level."""
    if result.computed.how == "decision":
        raise no_p_value(where)


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
