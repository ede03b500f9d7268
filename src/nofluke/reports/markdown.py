"""Markdown: the answer, the table for the paper, the figures behind it, and what is worth knowing."""

from __future__ import annotations

from collections.abc import Iterable

from nofluke.reports.bibliography import references
from nofluke.reports.text import settings_in_words
from nofluke.types import Report, Section, Table
from nofluke.words.layout import visible

_SPECIAL = "\\`*_{}[]<>|#~&$"


def escaped(text: str) -> str:
    """Keep user text from being read as markup, and on one line.

    >>> escaped("a_b | <i>")
    'a\\\\_b \\\\| \\\\<i\\\\>'
    """
    flat = visible(" ".join(text.split()))
    return "".join(f"\\{character}" if character in _SPECIAL else character for character in flat)


def as_markdown(report: Report) -> str:
    """Write a report as GitHub Markdown."""
    parts = [
        f"**{escaped(report.headline)}**",
        *(escaped(sentence) for sentence in report.sentences),
        _table(report.main),
        *(part for section in report.sections for part in _section(section)),
        *_titled("Worth knowing", _bullets(report.notes)),
        *_titled("For a paper", f"> {escaped(report.short)}\n\n> {escaped(report.long)}" if report.long else ""),
        *_titled("References", _bullets(references(report.citations))),
        f"Settings: {escaped(settings_in_words(report.settings))}" if report.settings else "",
        code(report.signature) if report.signature else "",
    ]
    return "\n\n".join(part for part in parts if part)


def code(text: str) -> str:
    """Set a text as code, fenced by more backticks than it holds."""
    text = visible(" ".join(text.split()))
    longest = max((len(run) for run in "".join(c if c == "`" else " " for c in text).split()), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {text} {fence}" if longest else f"{fence}{text}{fence}"


def _section(section: Section) -> list[str]:
    body = [escaped(paragraph) for paragraph in section.paragraphs]
    if section.table is not None and section.table.rows:
        body.append(_table(section.table))
    body.append(_bullets(section.bullets))
    return [f"### {escaped(section.title)}", *(part for part in body if part)] if any(body) else []


def _titled(title: str, body: str) -> list[str]:
    return [f"### {title}", body] if body else []


def _bullets(notes: Iterable[str]) -> str:
    return "\n".join(f"- {escaped(note)}" for note in notes)


def _table(table: Table) -> str:
    marks = {(row, column): f"<sup>{escaped(mark)}</sup>" for row, column, mark in table.marks}
    lines = [
        "| " + " | ".join(escaped(name) for name in table.columns) + " |",
        "|" + "|".join("---:" if name and name in table.figures else "---" for name in table.columns) + "|",
    ]
    for number, row in enumerate(table.rows):
        cells = [
            _strong(escaped(cell), number in table.strong) + marks.get((number, column), "")
            for column, cell in enumerate(row)
        ]
        lines.append("| " + " | ".join(cells) + " |")
    caption = f"\n\n{escaped(table.caption)}" if table.caption else ""
    return "\n".join(lines) + caption


def _strong(cell: str, strong: bool) -> str:
    return f"**{cell}**" if strong and cell else cell
