"""The report on a terminal: colour, tables and small intervals, as wide as the window."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from nofluke.reports.terminal_layout import GAP, Block, blocks, longest_word
from nofluke.reports.text import settings_in_words
from nofluke.types import Answer, Report, Section, Table
from nofluke.words.bars import bar_text, place
from nofluke.words.layout import WIDTH, as_lines, verdict_lines, visible

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_TONES = {"settled": "green", "open": "yellow", "worse": "red", "": ""}
_A, _B = "#3d9be0", "#e0752b"
_WIDEST = 120  # of running text; tables take the whole window


def show(report: Report, console: Console) -> None:
    """Print a report; colour is the console's decision, and nothing is shown by colour alone."""
    from rich.constrain import Constrain
    from rich.text import Text

    for part in _parts(report, console):
        for one in part:
            of_table = isinstance(one, Text) and one.no_wrap
            console.print(one if of_table else Constrain(one, _WIDEST), soft_wrap=False)
        console.print()


def show_answer(answer: Answer, console: Console) -> None:
    """Print a short answer: the verdict in bold and in the colour of its tone, the rest as it is."""
    lines = as_lines(answer, min(WIDTH, console.width), glyphs=not ascii_only(console))
    head = len(verdict_lines(answer, min(WIDTH, console.width)))
    for at, line in enumerate(lines):
        console.print(plain(line, f"bold {_TONES[answer.tone]}" if at < head else ""), soft_wrap=True)


def _parts(report: Report, console: Console) -> Iterator[Iterable[RenderableType]]:
    yield [_verdict(report, console)]
    if not report.paper_only:
        yield _section(Section("", table=report.main_beside_sentences), report, console)
    for section in report.sections:
        if section.paragraphs or section.bullets or (section.table is not None and section.table.rows):
            yield _section(section, report, console)
    if report.notes:
        yield [_title("Worth knowing"), *_bullets(report.notes, report)]
    if report.long:
        yield [_title("For a paper"), plain(report.long, "dim")]
    end = [f"Settings: {settings_in_words(report.settings)}"] if report.settings else []
    end += [f"Signature: {report.signature}"] if report.signature else []
    if end:
        yield [plain("\n".join(end), "dim")]


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
                lines.append(Text(bar_text(placed, width, ascii_only=ascii_only(console)), style=tone, no_wrap=True))
    left = box.Box("▌   \n▌   \n▌   \n▌   \n▌   \n▌   \n▌   \n▌   \n")
    style = _TONES[report.tone]
    return Panel(Group(*lines), box=box.ASCII if ascii_only(console) else left, border_style=style, padding=(0, 1))


def _section(section: Section, report: Report, console: Console) -> Iterator[RenderableType]:
    if section.title:
        yield _title(section.title)
    for paragraph in section.paragraphs:
        yield _named(paragraph, report)
    if section.table is not None and section.table.rows:
        yield from table_lines(section.table, console, lambda name: _colour_of(name, report))
        if section.table.caption:
            yield plain(section.table.caption, "dim")
    yield from _bullets(section.bullets, report)


def _bullets(notes: Iterable[str], report: Report) -> Iterator[RenderableType]:
    from rich.padding import Padding

    for note in notes:
        yield Padding(_named(f"- {note}", report), (0, 0, 0, 2))


def _title(text: str) -> Text:
    return plain(text, "bold underline")


def _named(text: str, report: Report, style: str = "") -> Text:
    """A sentence with the names of A and B in their colours."""
    line = plain(text, style)
    if len(report.systems) == 2:
        for name in report.systems:
            if len(name) > 1 or name.isupper():
                line.highlight_regex(rf"(?<!\w){re.escape(name)}(?!\w)", _colour_of(name, report))
    return line


def _colour_of(name: str, report: Report) -> str:
    if len(report.systems) != 2 or name not in report.systems:
        return ""
    return (_A, _B)[report.systems.index(name)]


def ascii_only(console: Console) -> bool:
    """Whether this terminal cannot show lines and dots."""
    return console.options.ascii_only or console.legacy_windows


def plain(text: str, style: str = "") -> Text:
    """Text that is never read as markup; control characters, which could move the cursor, become visible."""
    from rich.text import Text

    return Text(visible(text), style=style)


def table_lines(table: Table, console: Console, colour_of: Callable[[str], str]) -> Iterator[Text]:
    """Write a table as wide as the window, in lines that do not wrap; `colour_of` gives the colour of a name, or ""."""
    for line in _lines(table, console, colour_of):
        line.no_wrap = True
        yield line


def _lines(table: Table, console: Console, colour_of: Callable[[str], str]) -> Iterator[Text]:
    figures = [bool(name) and name in table.figures for name in table.columns]
    headings, *rows = _cells(table)
    bars = place(table.bars) if table.bars else []
    for number, block in enumerate(blocks([headings, *rows], figures, console.width, bars=any(bars))):
        if number:
            yield plain("")
        if any(headings):
            yield from _row(headings, block, figures, console, ("dim", "dim"))
            yield plain(("-" if ascii_only(console) else "─") * block.width)
        for at, row in enumerate(rows):
            style = "bold" if at in table.strong else ""
            named = f"{style} {colour_of(table.rows[at][0])}".strip() if row else style
            bar = bars[at] if block.bar else None
            picture = "" if bar is None else bar_text(bar, block.bar, ascii_only=ascii_only(console))
            yield from _row(row, block, figures, console, (named, style), picture)


def _cells(table: Table) -> list[list[str]]:
    """The headings and the rows, with their marks, as they are shown."""
    marks = {(row, column): f" {mark}" for row, column, mark in table.marks}
    rows = [
        [cell + marks.get((number, at), "") for at, cell in enumerate(row)] for number, row in enumerate(table.rows)
    ]
    # A tab has no width of its own.
    return [[visible(cell).replace("\t", " ") for cell in row] for row in [list(table.columns), *rows]]


def _row(
    cells: Sequence[str],
    block: Block,
    figures: Sequence[bool],
    console: Console,
    styles: tuple[str, str],
    picture: str = "",
) -> Iterator[Text]:
    """One row of a block; `styles` are those of its name and of the other cells. A name too long stands above it."""
    columns = []
    for order, (at, width) in enumerate(zip(block.columns, block.widths, strict=True)):
        cell = plain(cells[at], styles[min(order, 1)])
        if order == 0 and longest_word(cells[at]) > width and len(block.columns) > 1:
            yield from cell.wrap(console, console.width, overflow="fold")
            cell = plain("")
        columns.append((list(cell.wrap(console, width, justify=_side(figures[at]), overflow="fold")), width))
    for number in range(max(len(lines) for lines, _ in columns)):
        parts = [lines[number] if number < len(lines) else plain(" " * width) for lines, width in columns]
        parts += [plain(picture, "cyan")] if picture and number == 0 else []
        yield plain(" " * GAP).join(parts)


def _side(figure: bool) -> Literal["left", "right"]:
    return "right" if figure else "left"
