"""A table of a report as templates/table.html draws it: for the HTML report and for the pages of the app."""

from __future__ import annotations

import re
from typing import Any

from markupsafe import Markup, escape

from nofluke.types import Table
from nofluke.words.bars import Placed, place
from nofluke.words.glossary import meaning, meanings
from nofluke.words.layout import visible

_LONG_WORD = 24
_PROSE = 50
_BAR_WIDTH, _BAR_HEIGHT = 120, 18


def table_view(table: Table, systems: tuple[str, ...]) -> dict[str, Any]:
    """Cells with their marks and classes, terms with what they mean, intervals as small pictures."""
    marks: dict[tuple[int, int], str] = {(row, column): mark for row, column, mark in table.marks}
    bars = place(table.bars) if table.bars else []
    rows = [
        {
            "strong": number in table.strong,
            "meaning": meaning(row[0], table, systems) if row else "",
            "cells": [
                (cell, marks.get((number, at), ""), _classes(cell, at, table, systems)) for at, cell in enumerate(row)
            ],
            "bar": _bar_svg(bars[number]) if bars else "",
        }
        for number, row in enumerate(table.rows)
    ]
    return {
        "columns": [
            (name, meaning(name, table, systems), bool(name) and name in table.figures) for name in table.columns
        ],
        "headed": any(table.columns),
        "rows": rows,
        "bars": any(bar is not None for bar in bars),
        # With sentences and few figures: on a phone a list of rows, in which a figure needs its heading beside it.
        "listed": len(table.figures) <= 2 and any(_is_prose(cell) for row in table.rows for cell in row),
        "caption": table.caption,
        "meanings": meanings(table, systems),
    }


def _classes(cell: str, at: int, table: Table, systems: tuple[str, ...]) -> str:
    role = role_of(cell, systems) if at == 0 else ""
    number = "figure" if table.columns[at] and table.columns[at] in table.figures else ""
    # A word that fills a line may be broken anywhere; others never are.
    long = "long" if _has_long_word(cell) else "prose" if _is_prose(cell) else ""
    return " ".join(name for name in (role, number, long) if name)


def _has_long_word(cell: str) -> bool:
    return max(map(len, cell.split()), default=0) > _LONG_WORD


def _is_prose(cell: str) -> bool:
    return len(cell) > _PROSE and not _has_long_word(cell)


def _bar_svg(bar: Placed | None) -> Markup:
    """A small interval for a row of a table; the cells beside it hold its figures."""
    if bar is None:
        return Markup("")
    width, height, middle = _BAR_WIDTH, _BAR_HEIGHT, _BAR_HEIGHT / 2
    null = "" if bar.null is None else _line(bar.null * width, 0, bar.null * width, height, "null")
    return Markup(
        f'<svg class="bar" viewBox="0 0 {width} {height}" width="{width}" height="{height}" aria-hidden="true">'
        f"{null}{_line(bar.low * width, middle, bar.high * width, middle, 'span')}"
        f'<circle cx="{bar.value * width:.1f}" cy="{middle:.1f}" r="3.5"/></svg>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def role_of(name: str, systems: tuple[str, ...]) -> str:
    """Give A or B for one of two systems, and nothing for any other name."""
    return {0: "A", 1: "B"}[systems.index(name)] if len(systems) == 2 and name in systems else ""


# A browser ends a line after any hyphen between a letter and a digit.
_FIRM = re.compile(r"((?:\bp (?:<=|=|<|>) )?(?<![\w.])\d[\d.]*e-\d+)")


def firm(text: str) -> Markup:
    """Let no line end within a figure such as 2.3e-06, nor between it and its p.

    >>> str(firm("better, p = 2.3e-06 & more"))
    'better, <span class="firm">p = 2.3e-06</span> &amp; more'
    """
    return marked_up(visible(text), _FIRM, Markup('<span class="firm">{}</span>'))


def marked_up(text: str, pattern: re.Pattern[str], markup: Markup) -> Markup:
    """Write what the one group of a pattern finds in this markup, and all else as text."""
    parts = enumerate(pattern.split(text))
    return Markup("").join(markup.format(part) if odd % 2 else escape(part) for odd, part in parts)


def coloured(text: str, systems: tuple[str, ...]) -> Markup:
    """Colour the names of A and B in a sentence; single small letters could be any word and stay plain."""
    names = [name for name in systems if len(systems) == 2 and (len(name) > 1 or name.isupper())]
    if not names:
        return firm(text)
    longest_first = sorted(names, key=len, reverse=True)
    found = re.split("(" + "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first) + ")", text)
    parts = [
        Markup('<span class="{}">{}</span>').format(role_of(part, systems), visible(part))
        if part in names
        else firm(part)
        for part in found
    ]
    return Markup("").join(parts)
