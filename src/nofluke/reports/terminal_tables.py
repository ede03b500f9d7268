"""Tables on a terminal, line by line: headings, a rule, rows with their pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from nofluke.reports.terminal_layout import GAP, Block, blocks, longest_word
from nofluke.types import Table
from nofluke.words.bars import drawn, place
from nofluke.words.layout import visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


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
            picture = "" if bar is None else drawn(bar, block.bar, ascii_only=ascii_only(console))
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
