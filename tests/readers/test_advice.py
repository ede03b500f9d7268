"""What is advised about tables that cannot be read as they are: it names the cause, and works when it is followed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command_line import nofluke


def refused(folder: Path, text: str, command: str = "compare", name: str = "given.csv") -> str:
    (folder / name).write_text(text)
    run = nofluke(command, name, cwd=folder)
    assert run.code == 2, run.out
    assert "Traceback" not in run.err
    return " ".join(run.err.split())


def answers(folder: Path, *words: str, name: str = "given.csv") -> bool:
    return nofluke(words[0], name, *words[1:], cwd=folder).code == 0


LOG = [
    {"id": i, "system": system, "output": "yes" if i % k else "no", "gold": "yes"}
    for i in range(1, 9)
    for system, k in (("A", 3), ("B", 2))
]


@pytest.mark.parametrize("left_out", [(), ("id",)])
def test_outputs_of_systems_with_gold_are_sent_to_a_metric(tmp_path: Path, left_out: tuple[str, ...]) -> None:
    rows = [{key: value for key, value in row.items() if key not in left_out} for row in LOG]
    said = refused(tmp_path, "".join(json.dumps(row) + "\n" for row in rows), name="log.jsonl")
    assert "add a column called item" in said if left_out else "'gold' is gold, and 'output' holds outputs" in said
    if not left_out:
        assert "score=NAME" not in said
        assert "--metric accuracy" in said
        assert answers(tmp_path, "compare", "--metric", "accuracy", name="log.jsonl")


@pytest.mark.parametrize("command", ["compare", "rank"])
@pytest.mark.parametrize("header", ["model,accuracy", "system,score", "model,accuracy,f1"])
def test_a_leaderboard_has_nothing_to_test(tmp_path: Path, command: str, header: str) -> None:
    rows = (",".join([name, *["0.8"] * header.count(",")]) for name in ("gpt", "llama", "qwen"))
    said = refused(tmp_path, "\n".join([header, *rows]), command)
    assert "every system has one score only" in said
    assert "item=NAME" not in said


def test_one_score_for_each_dataset_can_be_compared_over_datasets(tmp_path: Path) -> None:
    rows = "".join(f"{system},t{task},0.{task}{add}\n" for task in range(8) for system, add in (("a", 1), ("b", 3)))
    (tmp_path / "given.csv").write_text(f"model,task,accuracy\n{rows}")
    for command in ("compare", "rank"):
        for named in ((), ("--columns", "item=task"), ("--columns", "dataset=task")):
            run = nofluke(command, "given.csv", *named, cwd=tmp_path)
            assert run.code == 0, run.err
            assert "p = 0.0078" in run.out


ROWS = "item,A,B\nq1,1,0\nq2,1,1\nq3,0,1\n"


@pytest.mark.parametrize("comment", ["# a comment", "# made by me, today", "#a,b,c", "# a,b,c,d", "# one\n# two"])
@pytest.mark.parametrize("command", ["compare", "agree"])
def test_a_comment_above_the_header_is_named(tmp_path: Path, comment: str, command: str) -> None:
    for rows in (ROWS, ROWS.replace(",", "\t")):
        said = refused(tmp_path, f"{comment}\n{rows}", command)
        assert "line 1: the first line seems to be a comment" in said
    assert "seems to be a comment" in refused(tmp_path, f"{comment}\nde\t0.1\nfr\t0.2\n", "correct")


def test_a_header_may_begin_with_a_hash(tmp_path: Path) -> None:
    (tmp_path / "given.csv").write_text(f"#{ROWS}")
    assert answers(tmp_path, "compare")
    for name in "ab":
        (tmp_path / name).write_text("# score\n1\n0\n1\n")
    assert nofluke("compare", "a", "b", cwd=tmp_path).code == 0


OBJECTS = [{"item": i, "A": i % 2, "B": i % 3} for i in range(8)]


@pytest.mark.parametrize("indent", [None, 1])
def test_a_list_within_an_object_is_read_or_named(tmp_path: Path, indent: int | None) -> None:
    (tmp_path / "given.csv").write_text(json.dumps({"results": OBJECTS}, indent=indent))
    assert answers(tmp_path, "compare")
    (tmp_path / "plain.json").write_text(json.dumps(OBJECTS))
    within, plain = (nofluke("compare", name, cwd=tmp_path).out for name in ("given.csv", "plain.json"))
    assert within == plain
    said = refused(tmp_path, json.dumps({"model": "x", "results": OBJECTS}, indent=indent))
    assert "one number per line" not in said
    assert """jq '.["results"]' FILE""" in said


@pytest.mark.parametrize("command", ["compare", "agree", "correct", "replicate", "rank"])
def test_an_empty_file_is_told_without_a_guess_of_what_it_held(tmp_path: Path, command: str) -> None:
    said = refused(tmp_path, "", command)
    assert "the file is empty" in said
    assert "scores" not in said


@pytest.mark.parametrize("command", ["correct", "replicate"])
@pytest.mark.parametrize(
    ("text", "line", "plain"),
    [
        ("0,01\n0,02\n0,5\n", 1, "0.01"),
        ("0,01\n1,0\n", 1, "0.01"),
        ("0,05\n", 1, "0.05"),
        ("a,0,01\nb,0,02\nc,0,5\n", 1, "0.01"),
        ("name,p\na,0,01\nb,0,02\n", 2, "0.01"),
        ("name,p\na,0.01\nb,0,2\n", 3, "0.2"),
    ],
)
def test_decimal_commas_of_p_values_between_commas_are_named(
    tmp_path: Path, command: str, text: str, line: int, plain: str
) -> None:
    said = refused(tmp_path, text, command)
    if command == "correct" or "p" in text:
        assert f"given.csv line {line}: '{plain.replace('.', ',')}' has a decimal comma" in said
        assert f"use a decimal point: {plain}." in said


@pytest.mark.parametrize("text", ["0,1", "0.01,1", "1,0\n2,1\n", "a,0\nb,1\n", "0,0.01\n1,0.02\n", "1,1\n"])
def test_other_zeros_and_ones_are_p_values(tmp_path: Path, text: str) -> None:
    (tmp_path / "given.csv").write_text(text)
    assert answers(tmp_path, "correct")
