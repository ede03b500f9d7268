"""Notes in English: a file for each room that makes notes, with one saying for each code.

A saying is a template or, where words depend on facts, a function of the facts. In a template {n} prints a number as
people write it and a tuple as a list, {n:item} counts ("1 item", "2,000 items"), {name!r} quotes.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from nofluke.errors import listing
from nofluke.types.base import counted
from nofluke.types.notes import Note

Sayings = Mapping[str, str | Callable[..., str]]


def said(note: Note) -> str:
    """Say a note in one or two sentences."""
    room, _, what = note.code.partition(".")
    sayings: Sayings = import_module(f"{__name__}.{room}").SAYINGS
    saying = sayings[what]
    facts = dict(note.facts)
    return _FORMATTER.vformat(saying, (), facts) if isinstance(saying, str) else saying(**facts)


class _Formatter(string.Formatter):
    def convert_field(self, value: Any, conversion: Any) -> Any:
        if conversion == "r" and isinstance(value, tuple):
            return tuple(map(repr, value))
        return super().convert_field(value, conversion)

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec[:1].isalpha() and len(format_spec) > 1:
            return counted(value, format_spec)
        if format_spec:
            return format(value, format_spec)
        if isinstance(value, tuple):
            return listing(map(str, value))
        if isinstance(value, float):
            return f"{value:g}"
        return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


_FORMATTER = _Formatter()
