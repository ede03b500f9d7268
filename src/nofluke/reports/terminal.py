"""The report on a terminal: colour, tables and small intervals, as wide as the window."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from nofluke.reports.bars import drawn, place
from nofluke.reports.text import settings_in_words, visible
from nofluke.types import Report, Section, Table

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

_TONES = {"settled": "green", "open": "yellow", "worse": "red", "": "bright_black"}
_A, _B = "#3d9be0", "#e0752b"
_WIDEST = 120
_BAR = 28
_NARROW = 24


def show(report: Report, console: Console) -> None:
    """Print a report; colour is the console's decision, and nothing is shown by colour alone."""
    from rich.padding import Padding

    for part in _parts(report, console):
        console.print(Padding(part, (0, 0, 1, 0)), width=min(console.width, _WIDEST), soft_wrap=False)


def _parts(report: Report, console: Console) -> Iterator[RenderableType]:
    from rich.console import Group

    yield _verdict(report, console)
    if not report.paper_only:
        yield Group(*_section(Section("", table=report.main), report, console))
    for section in report.sections:
        yield Group(*_section(section, report, console))
    if report.notes:
        yield Group(_title("Worth knowing"), *_bullets(report.notes, report))
    yield Group(_title("For a paper"), _plain(report.long, "dim"))
    end = [f"Settings: {settings_in_words(report.settings)}"] if report.settings else []
    end += [f"Signature: {report.signature}"] if report.signature else []
    if end:
        yield _plain("\n".join(end), "dim")


def _verdict(report: Report, console: Console) -> RenderableType:
    from rich import box
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text

    lines: list[RenderableType] = [_named(report.headline, report, "bold")]
    for number, sentence in enumerate(report.sentences):
        lines.append(_named(sentence, report, "" if number == 0 else "dim"))
        if number == 0 and report.bar is not None:
            placed = place([report.bar])[0]
            if placed is not None:
                tone = _TONES[report.tone]
                width = min(60, console.width - 6)
                lines.append(Text(drawn(placed, width, ascii_only=_ascii(console)), style=tone, no_wrap=True))
    left = box.Box("▌   \n▌   \n▌   \n▌   \n▌   \n▌   \n▌   \n▌   \n")
    style = _TONES[report.tone]
    return Panel(Group(*lines), box=box.ASCII if _ascii(console) else left, border_style=style, padding=(0, 1))


def _section(section: Section, report: Report, console: Console) -> Iterator[RenderableType]:
    if section.title:
        yield _title(section.title)
    for paragraph in section.paragraphs:
        yield _named(paragraph, report)
    if section.table is not None and section.table.rows:
        yield _table(section.table, report, console)
        if section.table.caption:
            yield _plain(section.table.caption, "dim")
    yield from _bullets(section.bullets, report)


def _table(table: Table, report: Report, console: Console) -> RenderableType:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    grid = RichTable(
        box=box.ASCII2 if _ascii(console) else box.SIMPLE_HEAD,
        show_header=any(table.columns),
        header_style="dim",
        pad_edge=False,
        show_edge=False,
    )
    bars = place(table.bars) if table.bars and console.width > 70 else []
    narrow = _narrow(table, console.width)
    for at, name in enumerate(table.columns):
        figures = bool(name) and name in table.figures
        grid.add_column(
            _plain(name),
            justify="right" if figures else "left",
            no_wrap=figures,
            overflow="fold",
            max_width=_NARROW if at in narrow else None,
        )
    if any(bars):
        grid.add_column("", no_wrap=True)
    marks = {(row, column): f" {mark}" for row, column, mark in table.marks}
    for number, row in enumerate(table.rows):
        cells = [_plain(cell + marks.get((number, at), "")) for at, cell in enumerate(row)]
        if row:
            cells[0].stylize(_colour_of(row[0], report))
        bar = bars[number] if any(bars) else None
        if any(bars):
            cells.append(Text("" if bar is None else drawn(bar, _BAR, ascii_only=_ascii(console)), style="cyan"))
        grid.add_row(*cells, style="bold" if number in table.strong else None)
    return grid


def _narrow(table: Table, width: int) -> set[int]:
    """The text columns that give way to the widest one where not all fit."""
    natural = [max(map(len, column), default=0) for column in zip(table.columns, *table.rows, strict=True)]
    text = [at for at, name in enumerate(table.columns) if at and not (name and name in table.figures)]
    if sum(natural) + 3 * len(natural) <= width or not text:
        return set()
    return set(text) - {max(text, key=lambda at: natural[at])}


def _bullets(notes: Iterable[str], report: Report) -> Iterator[RenderableType]:
    from rich.padding import Padding

    for note in notes:
        yield Padding(_named(f"- {note}", report), (0, 0, 0, 2))


def _title(text: str) -> Text:
    return _plain(text, "bold underline")


def _plain(text: str, style: str = "") -> Text:
    """Text that is never read as markup; control characters, which could move the cursor, become visible."""
    from rich.text import Text

    return Text(visible(text), style=style)


def _named(text: str, report: Report, style: str = "") -> Text:
    """A sentence with the names of A and B in their colours."""
    line = _plain(text, style)
    if len(report.systems) == 2:
        for name in report.systems:
            if len(name) > 1 or name.isupper():
                line.highlight_regex(rf"(?<!\w){re.escape(name)}(?!\w)", _colour_of(name, report))
    return line


def _colour_of(name: str, report: Report) -> str:
    if len(report.systems) != 2 or name not in report.systems:
        return ""
    return (_A, _B)[report.systems.index(name)]


def _ascii(console: Console) -> bool:
    return console.options.ascii_only or console.legacy_windows
