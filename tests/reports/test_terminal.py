"""On a terminal: colour and pictures, as wide as the window; in a pipe the plain text."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

import nofluke as nf
from nofluke.reports.build import build
from nofluke.reports.terminal import show
from nofluke.types import Bar, Report, Table
from nofluke.words import answer
from nofluke.words.bars import bar_text, place
from nofluke.words.columns import table_lines, wide
from nofluke.words.comparison import verdict_text
from nofluke.words.layout import as_lines
from reports.kinds import NAMES, RESULTS, A, B, comparison


def shown(report: Report, width: int, *, colour: bool = False) -> str:
    file = io.StringIO()
    show(report, Console(file=file, width=width, force_terminal=colour, color_system="truecolor" if colour else None))
    return file.getvalue()


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("kind", RESULTS)
def test_nothing_is_wider_than_the_window(kind: str, width: int) -> None:
    text = shown(build(RESULTS[kind](NAMES)), width)
    assert max(wide(line) for line in text.splitlines()) <= width
    assert build(RESULTS[kind](NAMES)).headline.split()[0] in text


def test_colour_comes_with_words_and_a_picture() -> None:
    text = shown(build(comparison()), 100, colour=True)
    assert "\x1b[" in text
    assert "●" in text
    assert "\x1b[" not in shown(build(comparison()), 100)
    assert "new is better than old" in " ".join(shown(build(comparison()), 100).split())


def test_names_cannot_move_the_cursor_or_be_read_as_markup() -> None:
    text = shown(build(comparison(("a\x1b[2Jb", "[red]x[/red]"))), 100)
    assert "\x1b" not in text
    assert "[red]x[/red]" in text
    assert "\x1b" not in nf.report(comparison(("a\x1b[2Jb", "b")), "text")


def test_a_table_draws_its_intervals_on_one_scale() -> None:
    bars = (Bar(-1, 0, 1), Bar(0, 1, 2), None)
    table = Table(("system", "score"), (("a", "1"), ("b", "2"), ("c", "3")), figures=("score",), bars=bars)
    text = shown(Report("Test", "", "h", (), table, (), (), "s", "l"), 100)
    lines = [line for line in text.splitlines() if "●" in line]
    assert len(lines) == 2
    assert lines[0].index("●") < lines[1].index("●")


def test_bars() -> None:
    low, high, none = place([Bar(0, 1, 2), Bar(2, 3, 4), None])
    assert none is None
    assert low is not None
    assert high is not None
    assert low.high == high.low
    assert low.null == low.low
    assert place([Bar(1, 1, 1, float("nan"))])[0] is not None
    assert bar_text(low, 20, ascii_only=True).isascii()
    assert len(bar_text(high, 20)) in (19, 20)


def test_tables_in_plain_text() -> None:
    table = Table(("", "value"), (("系統", "1.5"), ("b", "10.25")), figures=("value",), marks=((0, 1, "†"),))
    assert table_lines(table, 80) == ["      value", "系統  1.5 †", "b     10.25"]
    long = Table(("system", "score"), (("x" * 90, "0.5"), ("y", "0.25")), figures=("score",))
    assert table_lines(long, 80)[1:3] == ["x" * 90, " " * 26 + "  0.5"]


def test_piped_output_is_the_plain_text(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("new,old\n" + "".join(f"{a},{b}\n" for a, b in zip(A, B, strict=True)))
    command = [sys.executable, "-m", "nofluke", "compare", str(path)]
    result = nf.compare(nf.read(path).pair())
    for options, expected in (([], as_lines(answer(result), pictures=False)), (["-q"], [verdict_text(result)])):
        piped = subprocess.run([*command, *options], capture_output=True, text=True, check=True).stdout
        assert piped.splitlines() == expected
    whole = subprocess.run([*command, "--details"], capture_output=True, text=True, check=True).stdout
    assert whole == nf.report(result, "text") + "\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
@pytest.mark.parametrize(("term", "coloured"), [("xterm-256color", True), ("dumb", False)])
def test_only_a_terminal_gets_colour(term: str, coloured: bool, tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("new,old\n" + "".join(f"{a},{b}\n" for a, b in zip(A, B, strict=True)))
    master, slave = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "CI", "COLORTERM")} | {"TERM": term}
    command = [sys.executable, "-m", "nofluke", "compare", str(path)]
    with subprocess.Popen(command, stdout=slave, stderr=subprocess.DEVNULL, env=environment) as process:
        os.close(slave)
        seen = b""
        try:
            while chunk := os.read(master, 65536):
                seen += chunk
        except OSError:  # the other end is closed
            pass
        assert process.wait(60) == 0
    os.close(master)
    assert (b"\x1b[" in seen) == coloured
    assert b"is better than" in seen
