"""The words of a result, and the result read again from what is stored of it."""

from __future__ import annotations

import json

import nofluke as nf
from nofluke.types import Value
from nofluke.types.load import from_dict
from nofluke.words import short


def again(result: Value) -> Value:
    return from_dict(json.loads(json.dumps(result.to_dict())))


def every_word(result: Value) -> dict[str, str]:
    """The short answer and the reports that are text."""
    reports = {form: nf.report(result, form) for form in ("text", "markdown", "latex", "csv")}
    return {"short": short(result), **reports}
