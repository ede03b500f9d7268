"""What checks the documentation finds what is wrong."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

HELP = """## `nofluke rank --help`

  --format TEXT

## `nofluke power plan --help`

  --sd NUMBER
"""


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("`nofluke rank a.csv --format json`, `nofluke power plan --sd 1`", []),
        ("`nofluke rank a.csv --wrong`", ["nofluke rank has no --wrong"]),
        ("`nofluke rnak a.csv`", ["nofluke has no rnak"]),
        ("```sh\ncat a | wc -l\nnofluke power plan \\\n  --format x\n```", ["nofluke power plan has no --format"]),
        ("```console\n$ nofluke rank a.csv --sd 1; echo --sd\n```", ["nofluke rank has no --sd"]),
        ("nofluke follows --no rule in prose", []),
    ],
)
def test_commands_that_a_page_shows_exist(page: str, found: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "docs")
    assert import_module("generate").strange_commands(page, HELP) == found
