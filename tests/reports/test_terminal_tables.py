"""In a window of any usual width every cell of every table is there in full."""

from __future__ import annotations

import io
from collections import Counter
from functools import cache

import pytest
from rich.console import Console

from nofluke.reports.build import build
from nofluke.reports.terminal import show, table_lines
from nofluke.reports.terminal_layout import blocks
from nofluke.types import Bar, Report, Table
from nofluke.words.columns import wide
from reports.kinds import NAMES, RESULTS

WIDTHS = [60, 80, 100, 120]
LONG = ("meta-llama/Llama-3.1-70B-Instruct", "mistralai/Mixtral-8x22B-Instruct-v0.1")


@cache
def reported(kind: str, names: tuple[str, str]) -> Report:
    return build(RESULTS[kind](names))


def tables(report: Report) -> list[Table]:
    found = [section.table for section in report.sections if section.table is not None and section.table.rows]
    return found if report.paper_only else [report.main, *found]


def lines_of(table: Table, width: int, *, encoding: str = "utf-8") -> list[str]:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=file, width=width, force_terminal=False)
    return [line.plain for line in table_lines(table, console, lambda _: "")]


def whole(table: Table, lines: list[str]) -> None:
    """Every word of every cell is there as often as in the table, and every figure in one piece."""
    words = Counter(word for row in table.rows for cell in row for word in cell.split())
    assert not words - Counter(word for line in lines for word in line.split())
    figures = [at for at, name in enumerate(table.columns) if name and name in table.figures]
    for cell in (row[at] for row in table.rows for at in figures):
        assert any(cell in line for line in lines), cell


@pytest.mark.parametrize("names", [NAMES, LONG], ids=["short", "long"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", RESULTS)
def test_no_cell_is_cut_or_lost(kind: str, width: int, names: tuple[str, str]) -> None:
    for table in tables(reported(kind, names)):
        lines = lines_of(table, width)
        whole(table, lines)
        assert max(map(wide, lines)) <= width


def wide_table(**more: object) -> Table:
    columns = ("system", "score", "95% interval", "ranks", "better than", "worse than", "group")
    row = ("0.650", "0.623 to 0.676", "1 to 2", "4", "0", "a")
    rows = tuple((name, *row) for name in ("atlas", "ember"))
    return Table(columns, rows, figures=("score", "95% interval", "better than", "worse than"), **more)


def test_the_picture_goes_first_then_the_last_columns() -> None:
    table = wide_table(bars=(Bar(0.6, 0.65, 0.7), Bar(0.6, 0.64, 0.7)))
    assert any("●" in line for line in lines_of(table, 100))
    at_70 = lines_of(table, 70)
    assert not any("●" in line for line in at_70)
    assert sum("atlas" in line for line in at_70) == 1
    at_40 = lines_of(table, 40)
    assert [line.split()[0] for line in at_40 if line.startswith(("system", "atlas"))] == ["system", "atlas"] * 2
    assert "atlas   0.650  0.623 to 0.676  1 to 2" in [line.rstrip() for line in at_40]


def test_rows_that_share_their_first_cell_keep_the_second_in_every_block() -> None:
    cells = [("metric", "dataset", *"abcdefgh"), *(("bleu", name, *["0.12345"] * 8) for name in ("de", "fr"))]
    found = blocks(cells, (False, False, *[True] * 8), 60, bars=False)
    assert [block.columns[:2] for block in found] == [(0, 1), (0, 1)]
    assert found[0].columns[2:] + found[1].columns[2:] == tuple(range(2, 10))


def test_a_name_too_long_for_its_column_stands_above_its_row() -> None:
    table = Table(("system", "score"), ((LONG[1], "0.5"), ("b", "0.25")), figures=("score",))
    assert f"{LONG[1]}    0.5" in lines_of(table, 60)
    lines = [line.split() for line in lines_of(table, 40)]
    assert lines[2:] == [[LONG[1]], ["0.5"], ["b", "0.25"]]


def test_words_wrap_at_spaces_and_the_picture_stays_beside_the_figures() -> None:
    table = Table(
        ("method", "p", "why"),
        (("sign test", "0.0312", "valid for any differences, symmetric or not, at every size"),),
        figures=("p",),
        bars=(Bar(-1, 0, 1),),
    )
    lines = lines_of(table, 64)
    whole(table, lines)
    assert "0.0312" in next(line for line in lines if "●" in line)


def test_an_interval_is_not_broken_even_in_a_column_of_text() -> None:
    row = ("Krippendorff's alpha (nominal)", "0.578", "0.467 to 0.666", "0.050", "moderate")
    table = Table(("coefficient", "value", "95% interval", "standard error", "in words"), (row,), figures=("value",))
    assert any("0.467 to 0.666" in line for line in lines_of(table, 50))


def test_the_longest_text_gets_the_room_that_is_left() -> None:
    long = "tests the mean difference and assumes only that A and B could be swapped on each item"
    rows = (("preferred", "permutation", long), ("allowed", "student_t, welch_t, mann_whitney, chi_square", long))
    (block,) = blocks([("verdict", "test", "why"), *rows], (False,) * 3, 80, bars=False)
    assert block.widths[2] > block.widths[1]


def test_without_lines_and_dots_a_table_is_plain_characters() -> None:
    table = wide_table(bars=(Bar(0.6, 0.65, 0.7), None))
    assert all(line.isascii() for line in lines_of(table, 120, encoding="ascii"))


def test_a_section_that_only_has_a_chart_leaves_no_title() -> None:
    file = io.StringIO()
    show(reported("Ranking", NAMES), Console(file=file, width=80))
    lines = [line.strip() for line in file.getvalue().splitlines()]
    assert "Ranks" not in lines
    assert "Who is better than whom?" in lines


def test_running_text_stays_narrow_where_a_table_takes_the_whole_window() -> None:
    table = Table(tuple(f"column {at}" for at in range(20)), (("0.12345",) * 20,))
    report = Report("Test", "", "word " * 60, (), table, (), (), "s", "l")
    file = io.StringIO()
    show(report, Console(file=file, width=220))
    lines = file.getvalue().splitlines()
    assert max(wide(line) for line in lines if "word" in line) <= 120
    assert sum("0.12345" in line for line in lines) == 1
