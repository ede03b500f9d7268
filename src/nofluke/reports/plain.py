"""JSON and CSV, unrounded, for programs; and a result written as JSON, read back as the same value."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nofluke.errors import InputError
from nofluke.readers.writing import safe_cell
from nofluke.reports.provenance import Run, run_from
from nofluke.types import Report, Value
from nofluke.types.bounds import STORED_RESULT, read_all
from nofluke.types.load import from_dict
from nofluke.words import text_of


def as_json(result: Value, run: Run) -> str:
    """Write the result itself (not its report), so that nf.load gives the same value again."""
    return json.dumps(stored(result, run), indent=2, ensure_ascii=False, allow_nan=False)


def stored(result: Value, run: Run) -> dict[str, Any]:
    """The result with its words and the run that made it, as nf.load reads it."""
    origin = {"run": run.to_dict()} if run.command or run.inputs else {}
    return {"ok": True, **result.to_dict(), **text_of(result), **origin}


def as_csv(report: Report) -> str:
    """Write the records of a report."""
    return records_csv(report.records)


def records_csv(records: Sequence[Mapping[str, Any]]) -> str:
    """Write records, one a line; unknown is an empty cell, as it is when nofluke reads a file."""
    names = list(dict.fromkeys(name for record in records for name in record))
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(map(safe_cell, names))
    writer.writerows([_cell(record.get(name)) for name in names] for record in records)
    return file.getvalue().rstrip("\n")


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        return safe_cell(value)
    return "" if value is None or value != value else value


def load(path: str | Path) -> Value:
    """Which result is in this file?

    Reads what `nofluke ... -o x.json` (or .html) or nf.report(result, "json") wrote, and gives the same value again.
    """
    return load_run(path)[0]


def load_run(path: str | Path) -> tuple[Value, Run]:
    """Give the result and what is known of the run that made it."""
    where = str(path)
    try:
        with Path(path).open("rb") as file:
            text = read_all(file, where, STORED_RESULT).decode("utf-8")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}.", where=where, fix="check the path.") from None
    except UnicodeDecodeError:
        raise InputError("is not text in UTF-8.", where=where, fix=_HOW) from None
    return parsed(text, where)


_HOW = "give a file that nofluke wrote as JSON or HTML."
# No text of a result can end the element: its "<" is escaped.
_IN_A_PAGE = re.compile(r'<script type="application/json" id="nofluke-result">([^<]*)</script>')
# Fields that hold probabilities (nan where unknown) and levels, in whatever result they stand.
_PROBABILITIES = frozenset({"p_value", "p_values", "adjusted", "p_better", "p_equal", "p_worse", "power"})
_LEVELS = frozenset({"alpha", "level"})
_ROUNDING = 1e-9


def parsed(text: str, where: str) -> tuple[Value, Run]:
    """Read a result from JSON text, or from a page that holds it; `where` names it in messages."""
    page = _IN_A_PAGE.search(text) if text.lstrip()[:1] == "<" else None
    text = page[1] if page else text
    try:
        data: Any = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"is not JSON: {error.msg}.", where=f"{where} line {error.lineno}", fix=_HOW) from None
    if not isinstance(data, dict):
        raise InputError("holds no result.", where=where, fix=_HOW)
    if data.get("ok") is False:
        raise InputError("holds an error, not a result.", where=where, fix="repair what it names and run again.")
    value = from_dict(data, where=where)
    _check(value, where)
    return value, run_from(data.get("run"))


def _check(value: Any, where: str) -> None:
    """Refuse numbers that no result can hold: a probability outside 0 to 1, a level that is not between them."""
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            part, place = getattr(value, field.name), f"{where}: {field.name}"
            if field.name in _PROBABILITIES | _LEVELS:
                _check_range(part, place, open_ends=field.name in _LEVELS)
            _check(part, place)
    elif isinstance(value, Mapping):
        for name, part in value.items():
            _check(part, f"{where}.{name}")
    elif isinstance(value, tuple):
        for part in value:
            _check(part, where)


def _check_range(value: Any, where: str, *, open_ends: bool) -> None:
    parts = value.values() if isinstance(value, Mapping) else [value]
    for part in parts:
        numbers = np.asarray(part, dtype=np.float64)
        wrong = ((numbers <= 0) | (numbers >= 1)) if open_ends else ((numbers < 0) | (numbers > 1 + _ROUNDING))
        if wrong.any():
            expected = "between 0 and 1" if open_ends else "from 0 to 1"
            told = f"{numbers[wrong].flat[0]:g} is not {expected}, so nofluke did not write this."
            raise InputError(told, where=where, fix=_HOW)
