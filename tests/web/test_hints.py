"""Pages advise in the words of their fields, not in options of the command line."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from nofluke.web.hints import on_pages

import nofluke

HTML = {"Accept": "text/html"}
PACKAGE = Path(nofluke.__file__).parent
ROOMS = ("align", "readers", "verbs", "inference")


def advice() -> Iterator[str]:
    """Every `fix=` of the library that speaks of an option; what is filled in stands as a name."""
    for room in ROOMS:
        for file in sorted((PACKAGE / room).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.keyword) and node.arg == "fix":
                    text = _text(node.value)
                    if re.search("--[a-z]", text) and "nofluke " not in text:
                        yield text


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) for part in node.values)
    if isinstance(node, ast.BinOp):
        return _text(node.left) + _text(node.right)
    return "name"


def test_the_library_does_advise_options() -> None:
    assert len(list(advice())) > 10


@pytest.mark.parametrize("text", sorted(set(advice())))
def test_no_advice_on_a_page_speaks_of_options(text: str) -> None:
    shown = on_pages(text)
    assert "--" not in shown
    assert "in Python" not in shown
    assert "of the ignore" not in shown
    assert "p_value" not in shown
    assert shown[:1] == shown[:1].upper()


def test_a_file_of_three_systems_asks_for_two_of_them(client: httpx.Client) -> None:
    table = "item,x,y,z\n" + "".join(f"q{i},{i % 7},{i % 5},{i % 3}\n" for i in range(30))
    answer = client.post("/compare", files={"file": ("three.csv", table.encode())}, headers=HTML)
    page = client.get(answer.headers["location"], headers=HTML).text
    assert "Choose both under System A and System B; the page Many systems compares all." in page
    assert "--a" not in page


def test_a_file_of_labels_is_sent_to_outputs_and_gold(client: httpx.Client) -> None:
    table = "item,gold,cnn,lstm\n" + "".join(f"{i},pos,{'neg' if i % 3 else 'pos'},pos\n" for i in range(30))
    answer = client.post("/compare", files={"file": ("labels.csv", table.encode())}, headers=HTML)
    page = client.get(answer.headers["location"], headers=HTML).text
    assert "outputs and gold answers" in page
