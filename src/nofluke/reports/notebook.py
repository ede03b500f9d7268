"""A short answer as a notebook shows it: verdict, table with its picture, points, notes; one piece of HTML, no script.

Colours are those of the notebook's own theme, so that light and dark both work.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from nofluke.types import Answer, Table, Value
from nofluke.words import answer, short
from nofluke.words.bars import Placed, place
from nofluke.words.columns import is_headed
from nofluke.words.layout import visible, with_firm_blanks, with_short_names

_WIDTH, _HEIGHT = 240, 14
_TONES = {"settled": "#1a7f4b", "worse": "#b3382c", "open": "#a86a00"}


def as_html(result: Value) -> str:
    """The short answer of a result; the bare text for values that are no results."""
    made = answer(result)
    if made is None:
        return f"<pre>{escape(visible(short(result)))}</pre>"
    colour = _TONES.get(made.tone, "currentColor")
    style = f"border-left:4px solid {colour};padding-left:.8em;max-width:50em;line-height:1.5;overflow-x:auto"
    parts = [f'<div style="{style}">']
    parts.append(f'<p style="font-size:1.15em;font-weight:600;margin:.2em 0 .5em">{_text(made.verdict)}</p>')
    table = with_short_names(made).table
    if table is not None and table.rows:
        parts += _table(table)
    parts += _points(made)
    return "".join((*parts, "</div>"))


def _text(text: str) -> str:
    return escape(with_firm_blanks(visible(text))).replace("\n", "<br>")


def _points(made: Answer) -> Iterator[str]:
    for label, text in (*made.points, *(("Note", note) for note in made.notes)):
        yield f'<p style="margin:.2em 0"><span style="opacity:.65">{_text(label)}</span>&ensp;{_text(text)}</p>'


def _table(table: Table) -> Iterator[str]:
    # A class keeps away what pages say of tables without one.
    style = "border-collapse:collapse;margin:.3em 0 .6em;font-variant-numeric:tabular-nums"
    yield f'<table class="nofluke" style="{style}">'
    sides = ["right" if name in table.figures else "left" for name in table.columns]
    if is_headed(table):
        heads = [_cell("th", name, side) for name, side in zip(table.columns, sides, strict=True)]
        yield f"<tr>{''.join(heads)}</tr>"
    marks = {(row, column): mark for row, column, mark in table.marks}
    bars = place(table.bars) if table.bars else [None] * len(table.rows)
    for number, (row, bar) in enumerate(zip(table.rows, bars, strict=True)):
        cells = [
            _cell("td", cell, side, marks.get((number, column), ""))
            for column, (cell, side) in enumerate(zip(row, sides, strict=True))
        ]
        picture = "" if bar is None else f'<td style="border:0;background:none">{_picture(bar)}</td>'
        weight = ' style="font-weight:600"' if number in table.strong else ""
        yield f"<tr{weight}>{''.join(cells)}{picture}</tr>"
    yield "</table>"
    if table.caption:
        yield f'<p style="margin:.2em 0;opacity:.75">{_text(table.caption)}</p>'


def _cell(tag: str, text: str, side: str, mark: str = "") -> str:
    high = f"<sup>{_text(mark)}</sup>" if mark else ""
    style = f"padding:.15em .7em;border:0;background:none;text-align:{side};white-space:nowrap"
    style += ";font-weight:600" if tag == "th" else ""
    return f'<{tag} style="{style}">{_text(text)}{high}</{tag}>'


def _picture(bar: Placed) -> str:
    """One interval on the scale of its table, with the line of no difference."""
    low, value, high = (round(share * _WIDTH, 1) for share in (bar.low, bar.value, bar.high))
    middle = _HEIGHT / 2
    line = f'<line x1="{low}" x2="{high}" y1="{middle}" y2="{middle}" stroke="currentColor" stroke-width="3"/>'
    point = f'<circle cx="{value}" cy="{middle}" r="4.5" fill="currentColor"/>'
    null = ""
    if bar.null is not None:
        at = round(bar.null * _WIDTH, 1)
        null = f'<line x1="{at}" x2="{at}" y1="0" y2="{_HEIGHT}" stroke="currentColor" stroke-dasharray="2 2"/>'
    box = f'width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    # Notebooks shrink pictures to the room that there is; the table is scrolled instead.
    style = "vertical-align:middle;min-width:8em"
    return f'<svg {box} role="img" aria-label="the interval" style="{style}">{null}{line}{point}</svg>'
