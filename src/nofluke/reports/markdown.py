"""Markdown: the answer, a table, and what is worth knowing."""

from __future__ import annotations

from functools import singledispatch

from nofluke.reports.rows import readable_rows
from nofluke.types import Comparison, TestResult, Value

_SPECIAL = "\\`*_{}[]<>|#"


def escaped(text: str) -> str:
    """Keep user text from being read as markup."""
    return "".join(f"\\{character}" if character in _SPECIAL else character for character in text)


@singledispatch
def as_markdown(result: Value) -> str:
    """Write a result as Markdown."""
    return _table(result)


@as_markdown.register
def _comparison(result: Comparison) -> str:
    sentences = [escaped(sentence) for sentence in result.sentences]
    notes = [f"- {escaped(note)}" for note in result.notes]
    parts = [f"**{escaped(result.headline)}**", *sentences, _table(result), "\n".join(notes), _code(result.signature)]
    return "\n\n".join(part for part in parts if part)


@as_markdown.register
def _test_result(result: TestResult) -> str:
    notes = "\n".join(f"- {escaped(note)}" for note in result.notes)
    return "\n\n".join(part for part in (_table(result), notes, _code(result.signature)) if part)


def _table(result: Value) -> str:
    rows = [f"| {escaped(name)} | {escaped(value)} |" for name, value in readable_rows(result)]
    return "\n".join(["| | |", "|---|---|", *rows])


def _code(text: str) -> str:
    return f"`{text}`"
