"""The tools of assistants, asked by the protocol's own client."""

from __future__ import annotations

import csv
import os
import shutil
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters

import nofluke as nf
from nofluke.web.assistant import server

Asking = Callable[[Client], Coroutine[Any, Any, Any]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    inside = tmp_path / "evaluations"
    inside.mkdir()
    rows = [("item", "new", "old"), *((f"q{k}", (k * 7) % 10 / 10 + 0.05, (k * 7) % 10 / 10) for k in range(40))]
    for path in (inside / "scores.csv", tmp_path / "secret.csv"):
        with path.open("w", newline="") as file:
            csv.writer(file).writerows(rows)
    (inside / "link.csv").symlink_to(tmp_path / "secret.csv")
    (inside / "away").symlink_to(tmp_path)
    (inside / "tables").mkdir()
    (inside / "tables" / "linked.csv").symlink_to(tmp_path / "secret.csv")
    monkeypatch.chdir(inside)
    return inside


def asked(of: Any, asking: Asking) -> Any:
    async def session() -> Any:
        async with Client(of) as client:
            return await asking(client)

    # In a thread of its own: the one of the tests may have a loop already, of the browser.
    with ThreadPoolExecutor(1) as beside:
        return beside.submit(anyio.run, session).result()


def test_a_session_over_standard_input_and_output(folder: Path) -> None:
    async def asking(client: Client) -> Any:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        return tools, await client.call_tool("compare", {"paths": ["scores.csv"], "alternative": "greater"})

    command = StdioServerParameters(
        command=sys.executable, args=["-m", "nofluke", "mcp", str(folder)], env=dict(os.environ)
    )
    tools, found = asked(command, asking)
    expected = nf.compare(nf.read(folder / "scores.csv"), alternative="greater")
    assert tools == ["read", "compare", "rank", "replicate", "plan", "agree"]
    assert found.content[0].text == found.structured_content["answer"] == str(expected)
    assert found.structured_content["rows"][0]["p_value"] == expected.test.p_value


def test_each_tool_answers_as_the_library_does(folder: Path) -> None:
    (folder / "labels.csv").write_text("item,ann,bob\n1,x,x\n2,y,x\n3,y,y\n4,x,x\n")

    async def asking(client: Client) -> Any:
        plan = await client.call_tool("plan", {"difference": 0.02, "sd": 0.2, "whole": True})
        agree = await client.call_tool("agree", {"path": "labels.csv", "name": "cohen_kappa"})
        return plan, agree, await client.call_tool("rank", {"paths": ["scores.csv"]})

    plan, agree, rank = asked(server(folder), asking)
    assert plan.structured_content["result"]["n"] == nf.sample_size(difference=0.02, sd=0.2).n
    assert (
        agree.structured_content["rows"][0]["value"]
        == nf.agree([["x", "x"], ["y", "x"], ["y", "y"], ["x", "x"]], "cohen_kappa").value
    )
    assert [row["system"] for row in rank.structured_content["rows"]] == ["new", "old"]


@pytest.mark.parametrize(
    "path",
    [
        "../secret.csv",
        "new=../secret.csv",
        "link.csv",
        "/etc/passwd",
        "-",
        "..",
        "../*.csv",
        "scores.csv/../../secret.csv",
        "lin*.csv",
        "[a]way/secret.csv",
        "tables",
        "secret.csv\0",
    ],
)
def test_what_lies_outside_the_folder_is_refused(folder: Path, path: str) -> None:
    found = asked(server(folder), lambda client: client.call_tool("compare", {"paths": ["scores.csv", path]}))
    assert found.is_error
    assert "not below the folder" in found.content[0].text


def test_a_pattern_tells_no_name_of_what_lies_outside(folder: Path) -> None:
    found = asked(server(folder), lambda client: client.call_tool("compare", {"paths": ["scores.csv", "awa*/*"]}))
    assert found.is_error
    assert "away' is not below the folder" in found.content[0].text
    assert "secret" not in found.content[0].text


def test_options_of_a_method_name_neither_files_nor_where_work_is_done(folder: Path) -> None:
    async def asking(client: Client) -> Any:
        wrong = [{"paths": "../secret.csv"}, {"gold": "../secret.csv"}, {"executor": "tcp://127.0.0.1:1"}]
        return [await client.call_tool("compare", {"paths": ["scores.csv"], "options": one}) for one in wrong]

    for found, name in zip(asked(server(folder), asking), ("paths", "gold", "executor"), strict=True):
        assert found.is_error
        assert f"{name!r}" in found.content[0].text


def test_what_lies_beside_a_log_is_read_within_the_folder_only(folder: Path) -> None:
    logs = Path(__file__).parents[2] / "docs" / "examples" / "lm-eval"
    shutil.copytree(logs, "runs")
    beside = next(Path("runs", "tuned").rglob("results_*.json"))
    beside.rename("../results.json")
    beside.symlink_to(Path("../results.json").resolve())
    found = asked(server(folder), lambda client: client.call_tool("read", {"paths": ["runs"]}))
    assert found.is_error
    assert "not below the folder" in found.content[0].text


def test_a_pipe_is_not_waited_for(folder: Path) -> None:
    os.mkfifo("pipe.csv")
    found = asked(server(folder), lambda client: client.call_tool("read", {"paths": ["pipe.csv"]}))
    assert found.content[0].text.startswith("pipe.csv: this is neither a file nor a folder.\n  fix: ")


def test_outputs_are_scored_by_gold_files(folder: Path) -> None:
    for name, text in (("ref", "a b c d\n" * 20), ("new", "a b c d\n" * 20), ("old", "a x c d\n" * 20)):
        Path(f"{name}.txt").write_text(text)
    given = {"paths": ["fresh=new.txt", "old.txt"], "gold": ["ref.txt"], "score_by": "chrf"}
    found = asked(server(folder), lambda client: client.call_tool("compare", given))
    assert found.content[0].text.startswith("fresh is better than old")


def test_wrong_fields_files_and_tools_are_told(folder: Path) -> None:
    async def asking(client: Client) -> Any:
        wrong = [("compare", {"paths": ["scores.csv"], "alpa": 0.1}), ("compare", {"paths": ["no.csv"]}), ("rate", {})]
        return [await client.call_tool(name, given) for name, given in wrong]

    field, file, tool = asked(server(folder), asking)
    assert all(found.is_error for found in (field, file, tool))
    assert field.content[0].text.startswith("alpa: ")
    assert "no.csv" in file.content[0].text
    assert "compare" in tool.content[0].text
