"""JSON and CSV: unrounded, for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from nofluke.readers.writing import safe_cell
from nofluke.reports.provenance import Run
from nofluke.types import Report, Value
from nofluke.words import text_of


def as_json(result: Value, run: Run) -> str:
    """Write the result itself (not its report), so that nf.load gives the same value again."""
    origin = {"run": run.to_dict()} if run.command or run.inputs else {}
    said = {"ok": True, **result.to_dict(), **text_of(result), **origin}
    return json.dumps(said, indent=2, ensure_ascii=False, allow_nan=False)


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
