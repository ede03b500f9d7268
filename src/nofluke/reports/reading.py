"""A result written as JSON, read back as the same value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nofluke.errors import InputError
from nofluke.reports.provenance import Run, run_from
from nofluke.types import Value
from nofluke.types.load import from_dict


def load(path: str | Path) -> Value:
    """Which result is in this JSON file?

    Reads what `nofluke ... --format json` or nf.report(result, "json") wrote, and gives the same value again.
    """
    return load_run(path)[0]


def load_run(path: str | Path) -> tuple[Value, Run]:
    """Give the result and what is known of the run that made it."""
    where = str(path)
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}.", where=where, fix="check the path.") from None
    except UnicodeDecodeError:
        raise InputError("is not text in UTF-8.", where=where, fix=_HOW) from None
    return parsed(text, where)


_HOW = "give a file that `--format json` wrote."


def parsed(text: str, where: str) -> tuple[Value, Run]:
    """Read a result from JSON text; `where` names it in messages."""
    try:
        data: Any = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"is not JSON: {error.msg}.", where=f"{where} line {error.lineno}", fix=_HOW) from None
    if not isinstance(data, dict):
        raise InputError("holds no result.", where=where, fix=_HOW)
    if data.get("ok") is False:
        raise InputError("holds an error, not a result.", where=where, fix="repair what it names and run again.")
    return from_dict(data, where=where), run_from(data.get("run"))
