"""A short answer in lines of text: the verdict, a small table with its picture, the points, the notes."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import replace

from nofluke.types import Answer, Table
from nofluke.words.bars import bar_text, place
from nofluke.words.columns import is_headed, padded, table_lines, wide
from nofluke.words.names import distinct_names, short_names

WIDTH, LINES = 80, 15
_NARROW = 60  # below this every fact gets a line of its own
INDENT = "  "
_GAP = "   "
_NAMED_BY = "system"  # the column that names a row, where it is not the first
# Names of more than so many cells are cut to so many: those that no line holds, those that no table does, and those
# that would take a row a second line.
_NO_LINE_HOLDS, _NO_TABLE_HOLDS, _NO_ROW_HOLDS = (60, 40), (39, 24), (28, 24)
_NO_CELL_HOLDS = (24, 16, 10)
_LONGEST_BAR, _SHORTEST_BAR = 32, 12
# "p = 0.025" and "95% CI" stay on one line.
_TOGETHER, _NO_BREAK = re.compile(r"(?<!\)) (=|<=|<|>) (?=[-+]?\d)|(?<=[=<>]) (?=[-+]?\d)|(?<=\d%) (?=CI\b)"), "\u00a0"
_FILLER = "\u2060"
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def as_lines(answer: Answer, width: int = WIDTH, *, glyphs: bool = True, pictures: bool = True) -> list[str]:
    """Lay an answer out; without `glyphs` in ASCII where it is ours to choose, without `pictures` words alone."""
    answer = with_short_names(answer, width, "…" if glyphs else "...")
    parts, table = [verdict_lines(answer, width)], answer.table
    if table is not None and table.rows:
        rows = _table(table, width, glyphs=glyphs, pictures=pictures) if width >= _NARROW else []
        parts.append(rows or _rows_as_facts(table, width))
    parts.append(_points(answer, width))
    return [visible(line) for part in parts if part for line in (*part, "")][:-1]


def with_short_names(answer: Answer, width: int = WIDTH, mark: str = "…") -> Answer:
    """Cut the names that no line holds, those with which the table does not fit, and those that break its rows."""
    answer = _with_names_cut(answer, *_NO_LINE_HOLDS, mark)
    if width < _NARROW or answer.table is None or not answer.table.rows:
        return answer
    if not _table(answer.table, width, glyphs=True, pictures=False):
        answer = _with_names_cut(answer, *_NO_TABLE_HOLDS, mark)
    return replace(answer, table=_with_rows_of_one_line(answer.table, width, mark)) if answer.table else answer


def _with_rows_of_one_line(table: Table, width: int, mark: str) -> Table:
    """Cut the names that take their row a second line, in the table alone: sentences can hold them."""
    for longest in (None, *_NO_ROW_HOLDS):
        short = table
        if longest and (cut := short_names((cell for row in table.rows for cell in row), longest, longest, mark)):
            short = replace(table, rows=tuple(tuple(map(cut, row)) for row in table.rows))
        if _fits(short, width):
            return short
    named = _naming_column(table)
    for longest in _NO_CELL_HOLDS:  # names of several words
        cut_to = distinct_names({row[named] for row in table.rows}, longest, mark)
        rows = tuple((*row[:named], cut_to[row[named]], *row[named + 1 :]) for row in table.rows)
        if _fits(replace(table, rows=rows), width):
            return replace(table, rows=rows)
    return table


def _fits(table: Table, width: int) -> bool:
    """Whether every row has one line, and every line is within the width."""
    lines = table_lines(table, width - len(INDENT))
    return len(lines) == len(table.rows) + is_headed(table) and max(map(wide, lines)) <= width - len(INDENT)


def _naming_column(table: Table) -> int:
    return table.columns.index(_NAMED_BY) if _NAMED_BY in table.columns else 0


def _with_names_cut(answer: Answer, too_long: int, longest: int, mark: str) -> Answer:
    """Cut names that no line can hold: the same name in the same way everywhere; the details have them whole."""
    table = answer.table
    cells = () if table is None else (*table.columns, *(cell for row in table.rows for cell in row), table.caption)
    said = (answer.verdict, *(text for _, text in answer.points), *answer.notes)
    known = () if table is None else (*table.columns, *(row[_naming_column(table)] for row in table.rows))
    cut = short_names((*said, *cells), too_long, longest, mark, known)
    if cut is None:
        return answer
    if table is not None:
        rows = tuple(tuple(map(cut, row)) for row in table.rows)
        columns, figures = tuple(map(cut, table.columns)), tuple(map(cut, table.figures))
        table = replace(table, columns=columns, rows=rows, caption=cut(table.caption), figures=figures)
    points = tuple((label, cut(text)) for label, text in answer.points)
    return replace(answer, verdict=cut(answer.verdict), table=table, points=points, notes=tuple(map(cut, answer.notes)))


def first_that_fits(answers: Iterable[Answer], most: int = LINES) -> Answer:
    """Give the first of these answers that has its length, from the fullest on; the last where none has."""
    for made in answers:
        if len(as_lines(made)) <= most:
            break
    return made


def with_fewer_notes(made: Answer) -> Iterator[Answer]:
    """Give an answer with all its notes, then without the least pressing ones, down to one; the details have all."""
    yield made
    for number in range(len(made.notes) - 1, 0, -1):
        yield replace(made, notes=made.notes[:number])


def without(made: Answer, label: str) -> Answer:
    """Leave one point to the details."""
    return replace(made, points=tuple(point for point in made.points if point[0] != label))


def verdict_lines(answer: Answer, width: int = WIDTH) -> list[str]:
    """The verdict, broken into lines."""
    return wrapped(answer.verdict, width)


def visible(text: str) -> str:
    """Make visible what could move a terminal's cursor or turn the direction of a text; lines stay lines.

    >>> visible("a\x1b[2Jb")
    'a\ufffd[2Jb'
    """
    return _CONTROL.sub("\ufffd", text)


def with_firm_blanks(text: str) -> str:
    """Let no line end within a relation or before CI.

    >>> with_firm_blanks("95% CI, p = 0.025").count("\\u00a0")
    3
    """
    return _TOGETHER.sub(lambda found: found[0].replace(" ", _NO_BREAK), text)


def wrapped(text: str, width: int, head: str = "", hang: str = "") -> list[str]:
    """Break a text into lines after a head, with the following ones behind `hang`."""
    glued = with_firm_blanks(text)
    if not text.isascii():  # a letter of two cells counts as two
        glued = "".join(letter + _FILLER * (wide(letter) - 1) for letter in glued)
    lines = textwrap.wrap(
        glued, width, initial_indent=head, subsequent_indent=hang, break_long_words=False, break_on_hyphens=False
    )
    return [line.replace(_NO_BREAK, " ").replace(_FILLER, "") for line in lines]


def _table(table: Table, width: int, *, glyphs: bool, pictures: bool) -> list[str]:
    """The rows with their pictures behind them; none where even without pictures they do not fit."""
    lines = table_lines(table, width - len(INDENT))
    used = max(map(wide, lines))
    if used > width - len(INDENT):
        return []
    headed = is_headed(table)
    bars = place(table.bars) if pictures and len(lines) == len(table.rows) + headed else []
    # The picture begins where the figures of its own row end: the row of the difference has no other words.
    if any(bars):
        start = max(wide(line) for line, bar in zip(lines[headed:], bars, strict=True) if bar is not None)
        room = min(_LONGEST_BAR, width - len(INDENT) - start - len(_GAP))
        if room >= _SHORTEST_BAR:
            for at, bar in enumerate(bars, start=headed):
                if bar is not None:
                    picture = bar_text(bar, room, ascii_only=not glyphs)
                    lines[at] = f"{padded(lines[at], start, False)}{_GAP}{picture}".rstrip()
    caption = wrapped(table.caption, width - len(INDENT)) if table.caption else []
    return [f"{INDENT}{line}" for line in (*lines, *caption)]


def _rows_as_facts(table: Table, width: int) -> list[str]:
    """A table for narrow windows: a row's name, then one fact a line."""
    lines, named = [], _naming_column(table)
    for row in table.rows:
        lines += wrapped(row[named], width)
        for heading, cell in ((table.columns[at], cell) for at, cell in enumerate(row) if at != named):
            lines += (
                wrapped(f"{heading}: {cell}" if heading.strip() else cell, width, INDENT, INDENT * 2) if cell else []
            )
    return lines + (wrapped(table.caption, width) if table.caption else [])


def _points(answer: Answer, width: int) -> list[str]:
    points = [*answer.points, *(("Note", note) for note in answer.notes)]
    if not points:
        return []
    if width < _NARROW:
        return [line for label, text in points for line in wrapped(f"{label}: {text}", width, "", INDENT)]
    indent = len(INDENT) + max(len(label) for label, _ in points) + len(INDENT)
    return [
        line for label, text in points for line in wrapped(text, width, f"{INDENT}{label}".ljust(indent), " " * indent)
    ]
