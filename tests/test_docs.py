"""What checks the documentation finds what is wrong, and every block of every page is run by something."""

from __future__ import annotations

import textwrap
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from support.samples import TRIED, UNTRIED, Sample

ROOT = Path(__file__).parents[1]
HELP = """## `nofluke rank --help`

  --format TEXT

## `nofluke power plan --help`

  --sd NUMBER
"""


@pytest.fixture
def generate(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(ROOT / "docs")
    return import_module("generate")


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
def test_commands_that_a_page_shows_exist(page: str, found: list[str], generate: Any) -> None:
    assert generate.strange_commands(page, HELP) == found


def samples(generate: Any) -> list[Sample]:
    """Every block of every page but those that `docs/generate.py --check` runs or writes itself."""
    found = []
    for page in generate.pages():
        text = page.read_text(encoding="utf-8")
        blocks = generate.BLOCK.findall(text)
        name = page.relative_to(ROOT).as_posix()
        assert text.count("```") == 2 * len(blocks), f"{name}: a block is not closed, or stands within a line"
        found += [Sample(name, language, textwrap.dedent(block)) for language, block in blocks]
    return [one for one in found if not generate.runs(one.page, one.language, one.text)]


def test_what_the_generator_runs(generate: Any) -> None:
    """Blocks of commands and prompts, but for those with a line that it would pass over."""
    assert generate.runs("a.md", "console", "$ nofluke demo\nfine\n")
    assert generate.runs("a.md", "python", ">>> 1\n1\n")
    assert not generate.runs("a.md", "console", "$ nofluke demo\nfine\n$ cat x\n")
    assert not generate.runs("a.md", "console", "$ nofluke demo \\\n    --format json\n")
    assert not generate.runs("a.md", "sh", "nofluke demo\n")
    assert not generate.runs("a.md", "python", "x = 1\n")
    assert not generate.runs("a.md", "text", "fine\n")


def test_every_block_is_run_or_is_known_not_to_be(generate: Any) -> None:
    """Who adds a block that nothing runs makes it a console block, or says in support/samples.py what runs it."""
    found = samples(generate)
    beginnings = [*TRIED, *UNTRIED]
    told = [f"{one.page}: nothing runs\n{one.text}" for one in found if not one.text.startswith(tuple(beginnings))]
    assert not told, "\n".join(told)
    # And nothing is left in the lists that no page shows, or that two pages do.
    assert {start: sum(one.text.startswith(start) for one in found) for start in beginnings} == dict.fromkeys(
        beginnings, 1
    )


@pytest.mark.parametrize("beginning", TRIED)
def test_a_block_does_what_its_page_says(beginning: str, generate: Any, tmp_path: Path) -> None:
    (sample,) = (one for one in samples(generate) if one.text.startswith(beginning))
    TRIED[beginning](sample, tmp_path)
