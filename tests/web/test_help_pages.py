"""The help that the app serves: every page, every link between pages, and nothing else of the disk."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import httpx
import pytest

from nofluke.web import help_pages
from nofluke.web.rendering import NAVIGATION, Page

ROOT = Path(__file__).parents[2]


def test_every_page_is_shown_and_its_links_lead_somewhere(client: httpx.Client) -> None:
    start = client.get("/help", follow_redirects=True)
    assert start.status_code == 200
    seen, waiting = set(), [str(start.url.path)]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        answer = client.get(path)
        assert answer.status_code == 200, path
        if path.endswith(".json"):
            assert answer.json()["heading"]
        elif path.endswith(".md"):
            linked = re.findall(r'(?:href|src)="(/help/[^"#]+)', answer.text)
            waiting += linked
            assert "<h1>" in answer.text
    shown = {f"/help/how-to/{page.name}" for page in (ROOT / "docs" / "how-to").glob("*.md")}
    assert shown <= seen


@pytest.mark.parametrize("entry", NAVIGATION, ids=lambda entry: entry.path)
def test_each_page_links_its_how_to(client: httpx.Client, entry: Page) -> None:
    assert f'href="/help/{entry.help}"' in client.get(entry.path).text
    assert client.get(f"/help/{entry.help}").status_code == 200


@pytest.mark.parametrize(
    "path",
    ["../pyproject.toml", "how-to/../../README.md", "/etc/passwd", "generate.py", "how-to/no.md", "examples/README.md"],
)
def test_nothing_else_is_served(client: httpx.Client, path: str) -> None:
    assert client.get(f"/help/{path.replace('..', '%2e%2e')}").status_code == 404


def test_the_wheel_holds_the_pages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    held = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    folders = {f"docs/{name}" for name in help_pages._SHOWN if name}
    assert folders <= held.keys()
    assert all(
        (ROOT / path).exists() and f"docs/{inside.removeprefix('nofluke/help/')}" == path
        for path, inside in held.items()
    )
