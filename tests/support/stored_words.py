"""Words are a function of the value alone: what is loaded says what was computed."""

from __future__ import annotations

import json
from typing import Any

import nofluke as nf
from nofluke.types.load import from_dict
from nofluke.words import short


def check_words_survive_json(result: Any) -> None:
    again = from_dict(json.loads(json.dumps(result.to_dict())))
    assert short(again) == short(result)
    for form in ("text", "markdown", "latex", "csv"):
        assert nf.report(again, form) == nf.report(result, form)
