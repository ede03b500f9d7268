"""Any result as text, JSON, Markdown, LaTeX or CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

from nofluke.errors import unknown
from nofluke.reports.latex import as_latex
from nofluke.reports.markdown import as_markdown
from nofluke.reports.rows import exact_row
from nofluke.reports.text import as_text
from nofluke.types import Value


def _as_json(result: Value) -> str:
    return json.dumps({"ok": True, **result.to_dict()}, indent=2, ensure_ascii=False, allow_nan=False)


def _as_csv(result: Value) -> str:
    row = exact_row(result)
    file = io.StringIO()
    writer = csv.DictWriter(file, row, lineterminator="\n")
    writer.writeheader()
    # Unknown is an empty cell, as it is when nofluke reads a file.
    writer.writerow({name: "" if value is None or value != value else value for name, value in row.items()})
    return file.getvalue().rstrip("\n")


WRITERS: dict[str, Callable[[Any], str]] = {
    "text": as_text,
    "json": _as_json,
    "markdown": as_markdown,
    "latex": as_latex,
    "csv": _as_csv,
}


def report(result: Value, format: str = "text") -> str:
    """How does this result read as text, Markdown, LaTeX, CSV, or as JSON for another program?

    >>> import nofluke as nf
    >>> print(nf.report(nf.test([1, 1, 1], [0, 0, 1], "sign"), format="csv").splitlines()[0][:32])
    test,alternative,delta,n,statist
    """
    if format not in WRITERS:
        raise unknown("report format", format, WRITERS)
    return WRITERS[format](result)
