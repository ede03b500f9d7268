"""Every format gives the same regular table."""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nofluke as nofluke_package
from nofluke.readers.sniff import format_names
from nofluke.registry import FORMATS
from nofluke.types import Scores, note
from nofluke.verbs.read import read
from nofluke.web.requests import Data
from support.command_line import nofluke


def rows_of(scores: Scores) -> list[tuple[Any, ...]]:
    """Every row as (item, system, score), with dataset, metric, run and cluster where they say something."""
    axes = [scores.item, scores.system]
    axes += [axis for axis in (scores.dataset, scores.metric) if len(axis.labels) > 1]
    axes += [axis for axis in (scores.run, scores.cluster) if axis is not None]
    return [
        (*(axis.labels[axis.codes[row]] for axis in axes), float(scores.statistics[row, 0]))
        for row in range(len(scores.statistics))
    ]


AB = [("q1", "A", 0.5), ("q1", "B", 0.4), ("q2", "A", 0.7), ("q2", "B", 0.9)]
BY_ROW = [("1", "A", 0.5), ("1", "B", 0.4), ("2", "A", 0.7), ("2", "B", 0.9)]
WIDE = "item,A,B\nq1,0.5,0.4\nq2,0.7,0.9\n"
LONG = "item,system,score\nq1,A,0.5\nq1,B,0.4\nq2,A,0.7\nq2,B,0.9\n"

SAME = {
    "wide comma": WIDE,
    "wide tab": WIDE.replace(",", "\t"),
    "wide semicolon": WIDE.replace(",", ";"),
    "wide bar": WIDE.replace(",", "|"),
    "wide spaces": WIDE.replace(",", "   "),
    "windows lines": WIDE.replace("\n", "\r\n"),
    "old mac lines": WIDE.replace("\n", "\r"),
    "no last line end": WIDE.rstrip("\n"),
    "blank lines": WIDE.replace("\n", "\n\n"),
    "byte order mark": "\ufeff" + WIDE,
    "quoted": 'item,"A","B"\n"q1","0.5",0.4\nq2,0.7,"0.9"\n',
    "blanks around cells": "item , A, B\nq1 , 0.5,\t0.4\n q2,0.7 , 0.9 \n",
    "index without a name": WIDE.replace("item", ""),
    "index as pandas names it": WIDE.replace("item", "Unnamed: 0"),
    "row names as R writes them": "A B\nq1 0.5 0.4\nq2 0.7 0.9\n",
    "capital alias": WIDE.replace("item", "Example ID"),
    "unknown first column of distinct text": WIDE.replace("item", "treebank"),
    "text leftover": "item,A,comment,B\nq1,0.5,fine,0.4\nq2,0.7,poor,0.9\n",
    "long": LONG,
    "long aliases": LONG.replace("item,system,score", "Question_ID,Model,Value"),
    "long tab": LONG.replace(",", "\t"),
    "long with bare metric name of numbers": LONG.replace("score", "metric"),
    "jsonl wide": '{"item": "q1", "A": 0.5, "B": 0.4}\n{"B": 0.9, "item": "q2", "A": 0.7}\n',
    "jsonl long": "".join(
        json.dumps({"id": item, "model": system, "score": score, "text": ["x"]}) + "\n" for item, system, score in AB
    ),
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME.keys())
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_the_same_table_in_every_dress(tmp_path, text, packed):
    # A misleading suffix: content decides.
    path = tmp_path / "scores.dat"
    data = text.encode()
    path.write_bytes(gzip.compress(data) if packed else data)
    scores = read(path)
    assert rows_of(scores) == AB
    assert scores.systems == ("A", "B")
    assert scores.ids_given
    assert scores.digits == 15
    assert scores.metrics == ("score",)
    assert scores.higher_is_better == {"score": True}
    assert not scores.statistics.flags.writeable
    assert scores.pair("A", "B").n == 2


NAMELESS = {
    "spaces": ("0.5 0.4\n0.7 0.9\n", ("column 1", "column 2")),
    "tab": ("0.5\t0.4\n0.7\t0.9\n", ("column 1", "column 2")),
    "comma": ("0.5,0.4\n0.7,0.9\n", ("column 1", "column 2")),
    "leading spaces": ("  0.5   0.4\n  0.7   0.9\n", ("column 1", "column 2")),
    "header without items": ("A,B\n0.5,0.4\n0.7,0.9\n", ("A", "B")),
    "header between spaces": ("A B\n0.5 0.4\n0.7 0.9\n", ("A", "B")),
}


@pytest.mark.parametrize(("text", "systems"), NAMELESS.values(), ids=NAMELESS.keys())
def test_columns_without_ids_are_matched_by_row(tmp_path, text, systems):
    path = tmp_path / "pair.txt"
    path.write_text(text)
    scores = read(path)
    assert scores.systems == systems
    assert [(item, score) for item, _, score in rows_of(scores)] == [(item, score) for item, _, score in BY_ROW]
    assert not scores.ids_given
    assert scores.sources[0].mapping == {"item": "row number", "system": ", ".join(systems)}
    assert scores.pair().alignment.by == "row"


def test_lines_point_into_the_file(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text('item,A,B\n\n"two\nlines",1,0\nq2,0,1\n')
    scores = read(path)
    assert scores.lines is not None
    assert scores.lines.tolist() == [3, 3, 5, 5]
    assert scores.item.labels == ("two\nlines", "q2")


def test_quotation_marks_that_do_not_quote(tmp_path):
    path = tmp_path / "scores.tsv"
    path.write_text('item\ttext\tA\tB\nq1\t"Oh\t0.5\t0.4\nq2\tno\t0.7\t0.9\n')
    scores = read(path)
    assert rows_of(scores) == AB
    assert note("read.plain_quotes") in scores.sources[0].notes


CELLS = [("1", 1.0), ("+.5", 0.5), ("-3.", -3.0), ("1e-3", 0.001), ("TRUE", 1.0), ("false", 0.0), ("0.10", 0.1)]


@pytest.mark.parametrize(("cell", "value"), CELLS)
def test_numbers(tmp_path, cell, value):
    path = tmp_path / "scores.csv"
    path.write_text(f"item,A,B\nq1,{cell},0\n")
    assert read(path).statistics[0, 0] == value


def test_an_empty_cell_is_missing_not_zero(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("item,A,B\nq1,,0\nq2,1, \nq3,1,1\n")
    scores = read(path)
    assert np.isnan(scores.statistics[:, 0]).tolist() == [True, False, False, True, False, False]
    assert scores.pair("A", "B", missing="drop").n == 1
    path.write_text('{"item": 1, "A": null, "B": true}\n{"item": 2, "A": 2, "B": false}\n')
    scores = read(path)
    assert np.isnan(scores.statistics[0, 0])
    assert scores.statistics[1:, 0].tolist() == [1.0, 2.0, 0.0]
    assert scores.item.labels == ("1", "2")


def test_all_roles_of_a_long_file(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text(
        "id,model,task,metric,seed,document,value\nq1,A,xnli,f1,1,d1,0.5\nq1,B,xnli,f1,1,d1,0.4\n"
        "q2,A,xnli,wer,2,d1,7\nq2,B,marc,wer,2,d1,9\n"
    )
    scores = read(path)
    assert rows_of(scores) == [
        ("q1", "A", "xnli", "f1", "1", "d1", 0.5),
        ("q1", "B", "xnli", "f1", "1", "d1", 0.4),
        ("q2", "A", "xnli", "wer", "2", "d1", 7.0),
        ("q2", "B", "marc", "wer", "2", "d1", 9.0),
    ]
    assert scores.higher_is_better == {"f1": True, "wer": False}
    assert list(map(str, scores.notes)) == ["Lower is better, judged by the name 'wer'."]
    assert scores.sources[0].mapping == {
        "item": "id",
        "system": "model",
        "score": "value",
        "dataset": "task",
        "metric": "metric",
        "run": "seed",
        "cluster": "document",
    }
    assert read(path, higher_is_better=True).higher_is_better == {"f1": True, "wer": True}
    assert read(path, higher_is_better=True).notes == ()


def test_standard_input(monkeypatch):
    class Stdin:
        buffer = io.BytesIO(WIDE.encode())

    monkeypatch.setattr(sys, "stdin", Stdin)
    scores = read("-")
    assert rows_of(scores) == AB
    assert scores.sources[0].name == "stdin"


def test_open_files_are_read_as_they_are(tmp_path):
    assert rows_of(read(io.BytesIO(gzip.compress(LONG.encode())))) == AB
    path = tmp_path / "scores.csv"
    path.write_text(WIDE)
    with path.open() as file:
        assert read(file).sources[0].name == str(path)


@pytest.mark.parametrize(
    ("format", "text"),
    [("csv", WIDE), ("tsv", WIDE.replace(",", "\t")), ("text", WIDE.replace(",", " ")), ("jsonl", SAME["jsonl wide"])],
)
def test_a_format_can_be_named(tmp_path, format, text):
    path = tmp_path / "scores"
    path.write_text(text)
    scores = read(path, format)
    assert rows_of(scores) == AB
    assert scores.sources[0].format == format


def test_every_format_is_named_wherever_formats_are_listed() -> None:
    names = ("auto", "lines", *format_names())
    described = Data.model_json_schema()["properties"]["format"]["description"]
    assert all(re.search(rf"\b{name}\b", described) for name in names)
    # Help offers what a command takes: logs and lines hold no ratings.
    of_ratings = ("auto", *format_names("ratings"))
    for command, able in {"compare": names, "rank": names, "score": names, "agree": of_ratings}.items():
        said = nofluke(command, "--help").out.partition("--input-format")[2].partition("--")[0]
        assert all(re.search(rf"\b{name}\b", said) for name in able), (command, said)
    assert "lm_eval" not in said


def test_every_file_has_one_format_for_each_question() -> None:
    for question in ("scores", "ratings", "outputs", "p_values"):
        able = [one for one in FORMATS if question in one.facts["holds"] and one.facts["sniff"] is not None]
        for text in SAME.values():
            if isinstance(text, str):
                found = [one for one in able if one.facts["sniff"](text.encode())]
                # What is told by the same thing must not be told of the same file.
                assert len({one.facts["told_by"] for one in found}) == len(found), (question, text)
                assert "text" in {one.facts["told_by"] for one in found}


NEW_FORMAT = '''"""Folders of one file per system: NAME.demo holds a score a line."""

from pathlib import Path

from nofluke.readers.given import Given
from nofluke.readers.long_table import Record, long_table
from nofluke.readers.table import Table
from nofluke.registry import FORMATS


@FORMATS.register(
    "demo",
    label="folders of a demonstration",
    cite="Nobody 1900",
    sniff=lambda path: any(path.glob("*.demo")),
    told_by="layout",
    source="folder",
    holds=("scores",),
)
def read_demo(given: Given) -> Table:
    """Read one record per line of every file."""
    assert isinstance(given.path, Path)
    files = sorted(given.path.glob("*.demo"))
    records = [
        Record(item, float(line), system=file.stem, dataset="demo")
        for file in files
        for item, line in enumerate(file.read_text().split())
    ]
    return long_table(records, "demo", given.name, higher_is_better=False)
'''


def test_a_format_is_one_file_and_one_import(tmp_path: Path) -> None:
    package = tmp_path / "nofluke"
    shutil.copytree(Path(nofluke_package.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    room = package / "readers" / "formats"
    (room / "demo.py").write_text(NEW_FORMAT)
    registered = (room / "__init__.py").read_text()
    (room / "__init__.py").write_text(registered.replace("    delimited,\n", "    delimited,\n    demo,\n"))
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "new.demo").write_text("".join(f"{i % 7}\n" for i in range(30)))
    (folder / "old.demo").write_text("".join(f"{i % 7 + 1 + i % 2}\n" for i in range(30)))

    def run(*words: str) -> tuple[str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "nofluke", *words],
            env={"PYTHONPATH": str(tmp_path), "COLUMNS": "200", "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=False,
        )
        return done.stdout, done.stderr

    answer, read_as = run("compare", "runs", "-q")
    assert "new" in answer, read_as
    assert "better" in answer  # lower is better, says the format
    said = run("compare", "runs")[1]
    assert "item" in said
    assert "system" in said
    assert "demo (folders of a demonstration)" in " ".join(run("compare", "--help")[0].split())
    assert "demo" in run("compare", "runs", "--input-format", "demi")[1]
    (tmp_path / "empty").mkdir()
    assert "this is a folder" in run("compare", "empty")[1]
