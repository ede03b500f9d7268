"""Advice in the words of whoever reads it: fields on a page, flags in the shell, keywords in Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import httpx
import pytest

from nofluke.errors import By, Fix, Option, Verb, named_as
from nofluke.readers.aliases import ROLES
from nofluke.web.form_data import OF_P_VALUES, OF_RATINGS, OF_SCORES
from nofluke.web.rendering import NAVIGATION
from nofluke.words import fixes
from support.command_line import nofluke as shell
from support.each import each
from support.source import PACKAGE, texts, tree

HTML = {"Accept": "text/html"}
# Rooms that speak to every surface; cli and web advise their own users.
ROOMS = ("align/", "engine/", "readers/", "metrics/", "verbs/", "inference/", "studies/")
FLAG = re.compile(r"(?<!\w)--[a-z]")


@cache
def advice() -> dict[str, Fix | str]:
    """Every `fix=` of the library by its place; what only a run can fill in stands as a name."""
    return {
        f"{file}:{node.value.lineno}": _made(node.value)
        for file, text in texts().items()
        if file.startswith(ROOMS) and "fix=" in text
        for node in ast.walk(tree(file))
        if isinstance(node, ast.keyword) and node.arg == "fix"
    }


def _made(node: ast.expr) -> Fix | str:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "Fix":
        return _text(node)
    return Fix(*(part for one in node.args for part in _parts(one)))


def _parts(node: ast.expr) -> Iterator[str | Option | Verb | By | Fix]:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        yield _text(node)
        return
    words = [_text(one) for one in node.args]
    by_name = {one.arg or "item": _text(one.value) for one in node.keywords}
    made = {"Option": Option, "Verb": Verb, "By": By, "named_as": named_as}.get(node.func.id)
    if node.func.id == "Fix":
        yield _made(node) if isinstance(_made(node), Fix) else Fix()
    elif made is not None:
        yield made(*words, **by_name)


# Flags of what wrote a file are given there, whoever reads the advice.
OF_OTHER_PROGRAMS = (
    "pytest --junitxml",
    "without --predict_only",
    "inspect log convert --to json",
    "lm-eval: --log_samples",
    "the same --run_id",
)


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) for part in node.values)
    if isinstance(node, ast.BinOp):
        return _text(node.left) + _text(node.right)
    if isinstance(node, ast.IfExp):
        return _text(node.body) + _text(node.orelse)
    return "name"


def test_the_library_does_advise_options() -> None:
    assert sum(isinstance(made, Fix) for made in advice().values()) > 60


def test_each_surface_is_advised_in_its_own_words() -> None:
    each(((place, place) for place in advice()), speaks_to_each_surface)


def speaks_to_each_surface(place: str) -> None:
    made = advice()[place]
    page, python, flags = (made.on(one) if isinstance(made, Fix) else made for one in ("page", "python", "shell"))
    for flag in OF_OTHER_PROGRAMS:
        page, python = page.replace(flag, ""), python.replace(flag, "")
    assert "--" not in page
    assert "nofluke " not in page or place.startswith("studies")  # no page asks for a study
    assert not FLAG.search(python)
    for said in (page, python, flags):
        assert "in Python" not in said
        assert "on the command line" not in said or said == page


def test_fields_and_pages_are_called_as_the_pages_call_them(client: httpx.Client) -> None:
    templates = "".join(file.read_text() for file in sorted((PACKAGE / "web" / "templates").glob("*.html")))
    templates += "".join(
        client.get(f"/{path}", headers=HTML).text for path in ("compare", "rank", "replicate", "agree")
    )
    placed = ("a", "gold", "metric_option", "higher_is_better", "missing", "printed", "low", "high", "annotators")
    placed += ("categories", "method", "alternative", "adjust", "sided", "difference")
    for name in (*fixes.CHOICES.values(), *(fixes.labels()[name] for name in placed)):
        shown = name.removeprefix("Smallest ").removeprefix("Largest ")
        assert shown in templates, name
    assert set(fixes.COLUMNS) == {*OF_SCORES, *OF_P_VALUES, *OF_RATINGS}
    assert set(fixes.COLUMNS) == set(ROLES) - {"ignore"}
    assert set(fixes.PAGES.values()) <= {page.title for page in NAVIGATION}


THREE = "item,x,y,z\n" + "".join(f"q{i},{i % 7},{i % 5},{i % 3}\n" for i in range(30))
GAPS = "item,x,y\n" + "".join(f"q{i},{i % 7},{i % 5 if i else ''}\n" for i in range(30))
TWICE = "item,x,y\n" + "".join(f"q{i % 9},{i % 7},{i % 5}\n" for i in range(30))
PERPLEXITY = "item,system,perplexity\n" + "".join(f"q{i},{s},-{i}.5\n" for i in range(9) for s in "AB")
TABLES = {"three": THREE, "gaps": GAPS, "twice": TWICE, "perplexity": PERPLEXITY}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_real_requests_are_advised_on_page_in_api_and_in_the_shell(
    table: str, client: httpx.Client, tmp_path: Path
) -> None:
    page = client.post("/compare", files={"file": ("scores.csv", table.encode())}, headers=HTML).text
    shown = re.search(r'role="alert">.*?</div>', page, re.DOTALL)
    assert shown is not None
    assert "--" not in shown[0]
    assert "in Python" not in shown[0]
    refused = client.post("/api/compare", json={"data": {"files": [{"text": table}]}}).json()["errors"][0]
    assert set(refused) == {"message", "where", "fix"}
    assert not FLAG.search(refused["fix"])
    (tmp_path / "scores.csv").write_text(table)
    run = shell("compare", str(tmp_path / "scores.csv"))
    assert run.code == 2
    assert FLAG.search(run.err)
    assert "in Python" not in run.err


def test_a_file_of_three_systems_asks_for_two_of_them(client: httpx.Client) -> None:
    page = client.post("/compare", files={"file": ("three.csv", THREE.encode())}, headers=HTML).text
    assert "Name both: System A and System B; the page Many systems compares all." in page


def test_a_file_of_labels_is_sent_to_outputs_and_gold(client: httpx.Client) -> None:
    table = "item,gold,cnn,lstm\n" + "".join(f"{i},pos,{'neg' if i % 3 else 'pos'},pos\n" for i in range(30))
    page = client.post("/", files={"file": ("labels.csv", table.encode())}, headers=HTML, follow_redirects=True).text
    assert page.count("outputs and gold answers") >= 2  # in the advice, and where it is done
