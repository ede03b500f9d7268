"""Notes in English: for each room that makes notes a table with one saying for each code.

A saying is a template or, where words depend on facts, a function of the facts. In a template {n} prints a number as
people write it and a tuple as a list, {n:item} counts ("1 item", "2,000 items"), {name!r} quotes. An option to use is
named by an Option, never written out: it is a keyword in Python, a flag in the shell, a field on a
page. So a saying with an option in it is a Fix, whose texts are templates.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from nofluke.errors import Fix, Option, listing
from nofluke.types.base import counted
from nofluke.types.notes import Note

Sayings = Mapping[str, str | Fix | Callable[..., str]]
# The range of possible scores, as it is stated.
RANGE = Fix(Option("low"), " and ", Option("high"))
# How scores were read, matched and made, where that does not change how an answer is read.
_FOR_DETAILS = frozenset(
    {
        "align.groups",
        "align.shuffled",
        "align.item_scores",
        "align.item_shares",
        "metric.signature",
        "metric.punctuation",
        "metric.evalb",
        "read.columns_unused",
        "read.output_column",
        "read.gold_column",
        "read.row_names",
        "read.plain_quotes",
    }
)
# Rooms of few notes share a file.
_FILES = {
    **dict.fromkeys(
        ("choice", "computed", "correlation", "describe", "effect", "estimate", "interval", "omnibus"), "methods"
    ),
    "stored": "p_values",
}
_OF_SCORES = ("align", "logs", "metric", "read")


def of_scores(note: Note) -> bool:
    """Whether a note says how scores were read, matched or made."""
    return innermost(note).code.partition(".")[0] in _OF_SCORES


def matters(note: Note) -> bool:
    """Whether a note may change how an answer is read; others are for details."""
    return innermost(note).code not in _FOR_DETAILS


def innermost(note: Note) -> Note:
    """The note itself where it is said of some systems, datasets or metrics only."""
    inner = dict(note.facts).get("note")
    return innermost(inner) if isinstance(inner, Note) else note


def sayings_of(room: str) -> Sayings:
    """Give what is said of a room; its table has the room's name, and a file that it may share with others."""
    sayings: Sayings = getattr(import_module(f"{__name__}.{_FILES.get(room, room)}"), room.upper())
    return sayings


def said(note: Note) -> str:
    """Say a note in one or two sentences."""
    room, _, what = note.code.partition(".")
    saying = sayings_of(room)[what]
    facts = dict(note.facts)
    if isinstance(saying, str | Fix):
        parts = (saying,) if isinstance(saying, str) else saying
        return "".join(_FORMATTER.vformat(one, (), facts) if isinstance(one, str) else str(one) for one in parts)
    return saying(**facts)


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
