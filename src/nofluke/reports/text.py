"""Plain text for people: the answer first, then the figures behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nofluke.types import Report, Section
from nofluke.words.columns import side_by_side, table_lines
from nofluke.words.layout import visible, wrapped

WIDTH = 100
_INDENT = "  "


def as_text(report: Report) -> str:
    """Write a report as text of 100 columns, without colour: the same on every machine."""
    parts = [
        _paragraph(report.headline),
        "\n".join(_paragraph(sentence) for sentence in report.sentences),
        "" if report.paper_only else _block("", _body(Section("", table=report.main_beside_sentences))),
        *(_block(section.title, _body(section)) for section in report.sections),
        _block("Worth knowing", _bullets(report.notes)),
        _block("For a paper", _wrapped(report.long)),
        footer(report),
    ]
    return visible("\n\n".join(part for part in parts if part))


def footer(report: Report) -> str:
    """The settings and the signature, which say how to get the result again."""
    lines = [f"Settings: {settings_in_words(report.settings)}"] if report.settings else []
    lines += [f"Signature: {report.signature}"] if report.signature else []
    return "\n".join(line for text in lines for line in _wrapped(text, hang="  "))


def settings_in_words(settings: Mapping[str, Any]) -> str:
    """Settings in one line.

    >>> settings_in_words({"alpha": 0.05, "tests run": "sign, wilcoxon", "exact": True})
    'alpha = 0.05; tests run = sign, wilcoxon; exact = yes'
    """
    return "; ".join(f"{name} = {setting_in_words(value)}" for name, value in settings.items())


def setting_in_words(value: Any) -> str:
    """One setting as people write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list | tuple):
        return ", ".join(setting_in_words(item) for item in value)
    return "none" if value is None else str(value)


def _body(section: Section) -> list[str]:
    """Paragraphs, the table with its caption below, then bullets."""
    lines = [line for paragraph in section.paragraphs for line in _wrapped(paragraph)]
    if section.table is not None and section.table.rows:
        for at, part in enumerate(side_by_side(section.table, WIDTH - len(_INDENT))):
            lines += [*([""] if at else []), *table_lines(part, WIDTH - len(_INDENT))]
        lines += _wrapped(section.table.caption) if section.table.caption else []
    return lines + _bullets(section.bullets)


def _bullets(notes: Iterable[str]) -> list[str]:
    return [line for note in notes for line in _wrapped(note, "- ")]


def _block(title: str, lines: Sequence[str]) -> str:
    if not lines:
        return ""
    return "\n".join([*([title] if title else []), *(f"{_INDENT}{line}".rstrip() for line in lines)])


def _wrapped(text: str, head: str = "", hang: str = "") -> list[str]:
    """Break a text after the head, with the following lines indented below its start."""
    return wrapped(text, WIDTH - len(_INDENT), head, hang or " " * len(head))


def _paragraph(text: str) -> str:
    return "\n".join(wrapped(text, WIDTH))
