"""docs/architecture.md is exact: a walk enters its files in that order, and the rooms are those of the layers."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from support.command_line import nofluke
from support.source import PACKAGE
from test_layers import FLOORS

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
WALKS = {"compare": "translation.csv", "rank": "leaderboard.csv", "replicate": "domains.csv"}


def walk(command: str) -> list[str]:
    """The files that the page names for a command, in its order."""
    part = PAGE.partition(f"## The walk of `nofluke {command} ")[2].partition("\n## ")[0]
    return re.findall(r"^\| \d+ \| `([\w/.]+)` \|", part, re.MULTILINE)


def entered(command: str, file: str) -> list[str]:
    """The files of nofluke that a command goes through, call by call; what an import runs does not count."""
    found: list[str] = []
    importing = 0

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal importing
        if frame.f_code.co_name == "<module>":
            importing += {"call": 1, "return": -1}.get(event, 0)
        elif event == "call" and not importing and frame.f_code.co_filename.startswith(str(PACKAGE)):
            found.append(Path(frame.f_code.co_filename).relative_to(PACKAGE).as_posix())

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        run = nofluke(command, file, cwd=ROOT / "docs" / "examples")
    finally:
        sys.setprofile(before)
    assert run.code == 0, run.err
    return found


@pytest.mark.parametrize("command", WALKS)
def test_a_walk_enters_the_files_in_the_order_of_the_page(command: str) -> None:
    named, found = walk(command), entered(command, WALKS[command])
    assert 15 < len(named) < 22
    assert [file for file in named if file not in found] == []
    assert len(set(found)) < int(re.findall(r"enters fewer than (\d+) in all", PAGE)[0])
    way = iter(found)
    assert [file for file in named if file not in way] == [], "these are not entered after those before them"


def test_the_rooms_are_those_of_the_layers() -> None:
    part = PAGE.partition("## The rooms")[2]
    rows = re.findall(r"^\| (`.*?`) \|", part, re.MULTILINE)
    assert [tuple(re.findall(r"`(\w+)`", row)) for row in rows] == list(FLOORS)
