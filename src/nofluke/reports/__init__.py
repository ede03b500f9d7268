"""Any result as text or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from nofluke.errors import unknown
from nofluke.reports.text import as_text
from nofluke.types import Value


def _as_json(result: Value) -> str:
    return json.dumps({"ok": True, **result.to_dict()}, indent=2, ensure_ascii=False, allow_nan=False)


WRITERS: dict[str, Callable[[Any], str]] = {"text": as_text, "json": _as_json}


def report(result: Value, format: str = "text") -> str:
    """How does this result read as text, or as JSON for another program?

    >>> import nofluke as nf
    >>> nf.report(nf.test([1, 1, 1], [0, 0, 1], "sign"), format="json")[:12]
    '{\\n  "ok": tr'
    """
    if format not in WRITERS:
        raise unknown("report format", format, WRITERS)
    return WRITERS[format](result)
