"""A table of p-values says the same in Python, through the API and through the form."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.web.requests import BY_ACTION, plain
from support.command_line import nofluke
from web.conftest import Server
from web.test_api import sent
from web.test_forms import HTML, last_request

PW = "dataset,A,B,p\nde,0.2,0.3,0.01\nfr,0.4,0.35,0.2\nit,0.3,0.4,0.003\n"
THREE = "dataset,A,B,C,p\nde,.8,.7,.1,.01\nfr,.6,.65,.2,.2\nit,.7,.6,.5,.003\n"
NAMED = PW.replace(",p\n", ",chance\n")
READING = ("a", "b", "columns", "printed", "higher_is_better")
CASES: dict[str, tuple[str, dict[str, Any], dict[str, str]]] = {
    "direction": (PW, {"sided": "two", "higher_is_better": False}, {"sided": "two", "direction": "lower"}),
    "question": (PW, {"sided": "two", "alternative": "less"}, {"sided": "two", "alternative": "less"}),
    "systems": (THREE, {"sided": "two", "a": "A", "b": "C"}, {"sided": "two", "a": "A", "b": "C"}),
    "columns": (THREE, {"columns": {"score": "C,B"}}, {"column_score": "C,B"}),
    "by name": (PW.replace("A,B", "A_wer,B_wer"), {"sided": "two"}, {"sided": "two"}),
    "p_value": (
        NAMED,
        {"columns": {"p_value": "chance", "dataset": "dataset"}},
        {"column_p_value": "chance", "column_dataset": "dataset"},
    ),
    "sign": (
        "dataset,way,p\nde,+,0.01\nfr,-,0.2\n",
        {"sided": "two", "columns": {"sign": "way"}},
        {"sided": "two", "column_sign": "way"},
    ),
    "printed": (PW.replace("0.003", "0"), {"printed": 3}, {"printed": "3"}),
}


def in_python(text: str, asked: dict[str, Any]) -> Any:
    reading = {name: value for name, value in asked.items() if name in READING}
    rest = {name: value for name, value in asked.items() if name not in READING}
    return nf.replicate(nf.read_p_values(io.StringIO(text), **reading), **rest)


def said(found: dict[str, Any]) -> list[Any]:
    return [found["count"], found["alternative"], list(found["systems"]), found["p_values"]]


@pytest.mark.parametrize("case", CASES)
def test_the_api_reads_a_table_as_python_does(client: httpx.Client, case: str) -> None:
    text, asked, _ = CASES[case]
    answer = client.post("/api/replicate", json={"p_table": {"upload": sent(client, text.encode(), "p.csv")}, **asked})
    assert answer.status_code == 200, answer.text
    assert said(answer.json()["result"]) == said(in_python(text, asked).to_dict())


@pytest.mark.parametrize("case", CASES)
def test_the_form_asks_what_was_filled_in(client: httpx.Client, server: Server, case: str) -> None:
    text, asked, fields = CASES[case]
    form = {"text": text, "holds": "p-values", **fields}
    assert client.post("/replicate", data=form, headers=HTML).status_code == 303
    told = last_request(server, "replicate")
    # Only what differs from a request without any answer.
    plain_request = plain(BY_ACTION["replicate"]())
    changed = {name: value for name, value in told.items() if name != "p_table" and value != plain_request[name]}
    assert changed == asked


@pytest.mark.parametrize("case", CASES)
def test_the_command_line_reads_a_table_as_python_does(tmp_path: Path, case: str) -> None:
    text, asked, _ = CASES[case]
    (tmp_path / "p.csv").write_text(text)
    words = ["replicate", str(tmp_path / "p.csv"), "--format", "json"]
    for name, value in asked.items():
        if name == "columns":
            words += ["--columns", ",".join(f"{role}={column}" for role, column in value.items())]
        elif name == "higher_is_better":
            words.append("--higher-is-better" if value else "--lower-is-better")
        else:
            words += [f"--{name}", str(value)]
    run = nofluke(*words)
    assert run.code == 0, run.err
    assert said(json.loads(run.out)) == said(in_python(text, asked).to_dict())


def test_what_reads_a_table_is_refused_where_there_is_none(client: httpx.Client) -> None:
    answer = client.post("/api/replicate", json={"published": "sentiment", "higher_is_better": False})
    assert answer.status_code in (400, 422)
    assert "higher_is_better" in answer.text


def test_names_that_say_lower_is_better() -> None:
    found = in_python(*CASES["by name"][:2])
    assert not found.higher_is_better
    assert [note.code for note in found.notes if "lower" in note.code] == ["p_values.lower_by_name"]
    assert in_python(CASES["by name"][0], {"higher_is_better": True}).higher_is_better


def test_of_three_systems_two_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"3 columns hold numbers beside p: A, B, C") as told:
        nf.read_p_values(io.StringIO(THREE))
    assert "--a NAME --b NAME" in told.value.advice("shell")
    path = tmp_path / "three.csv"
    path.write_text(THREE)
    assert nofluke("replicate", str(path)).code != 0
    assert nofluke("replicate", str(path), "--a", "A", "--b", "C").code == 0
