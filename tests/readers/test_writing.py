"""Scores written as a table come back, and systems are named after as much of their files as tells them apart."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

import nofluke as nf
from nofluke.readers.file_names import names_of
from nofluke.readers.writing import safe_cell, scores_csv

FULL = (
    "item,system,dataset,metric,run,doc,score\n"
    'q1,new,en,f1,1,d1,0.1\n"q,2",new,en,f1,1,d1,0.30000000000000004\nq1,old,en,f1,1,d1,\n"q,2",old,en,f1,1,d1,1e-17\n'
)


def test_every_axis_and_every_digit_comes_back() -> None:
    scores = nf.read(io.StringIO(FULL), cluster="doc")
    written = scores_csv(scores)
    assert written.splitlines()[0] == "item,system,dataset,metric,run,cluster,score"
    again = nf.read(io.StringIO(written))
    assert np.array_equal(again.statistics, scores.statistics, equal_nan=True)
    for name in ("item", "system", "dataset", "metric", "run", "cluster"):
        assert getattr(again, name).labels == getattr(scores, name).labels
        assert np.array_equal(getattr(again, name).codes, getattr(scores, name).codes)


def test_statistics_of_a_corpus_metric_are_all_written() -> None:
    scores = nf.score("bleu", {"A": ["a b c d e"], "B": ["a b c d"]}, ["a b c d e"])
    header, *rows = scores_csv(scores).splitlines()
    assert header.split(",")[:3] == ["item", "system", "metric"]
    assert header.count("statistic") == scores.statistics.shape[1] > 1
    own, *counts = (float(cell) for cell in rows[1].split(",")[3:])
    assert counts == scores.statistics[1].tolist()
    assert own == nf.score("bleu", {"B": ["a b c d"]}, ["a b c d e"]).aggregates["bleu"](np.array(counts), 1.0)


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (["hyp1.txt", "hyp2.txt"], ["hyp1", "hyp2"]),
        (["m.v1.txt", "m.v2.txt"], ["m.v1", "m.v2"]),
        (["a.txt", "a.csv"], ["a.txt", "a.csv"]),
        (["new/test.txt", "old/test.txt"], ["new/test", "old/test"]),
        ([".x", ".y"], [".x", ".y"]),
        (["same.txt", "same.txt"], ["same.txt", "same.txt"]),
        ([], []),
    ],
)
def test_systems_are_named_after_their_files(files: list[str], names: list[str]) -> None:
    assert names_of(files) == names


# formulas --------------------------------------------------------------------------------------------------------

FORMULAS = (
    '=HYPERLINK("http://x")',
    "+cmd|' /C calc'!A0",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "\uff1d1+1",
    "--x",
)


@pytest.mark.parametrize("text", FORMULAS)
def test_no_text_begins_like_a_formula(text: str) -> None:
    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-0.5", "+3", "-1e-07", "-.5", " -2", "new", "a=b", "", "'x", "0", "\u22120.5"])
def test_numbers_and_harmless_texts_stay_as_they_are(text: str) -> None:
    assert safe_cell(text) == text


def cells_of(text: str) -> list[str]:
    return [cell for row in csv.reader(io.StringIO(text)) for cell in row]


def runs(cell: str) -> bool:
    """Whether a spreadsheet would run a cell; an independent reading of what a number is."""
    try:
        float(cell)
    except ValueError:
        return cell[:1] in tuple("=+-@\t\r\n")
    return False


def test_every_writer_of_csv_neutralises_names(tmp_path: Path) -> None:
    from nofluke.cli.synthesize import write_scores

    a, b = FORMULAS[0], "@b"
    scores = nf.read({a: _file(tmp_path / "a.csv", 0.5), b: _file(tmp_path / "b.csv", -0.25)})
    made = {
        "items": scores_csv(scores),
        "rank": nf.report(nf.rank(scores), "csv"),
        "compare": nf.report(nf.compare(scores.pair(a, b)), "csv"),
    }
    write_scores(scores, tmp_path / "out.csv", quiet=True)
    made["study"] = (tmp_path / "out.csv").read_text()
    for name, text in made.items():
        cells = cells_of(text)
        assert [cell for cell in cells if runs(cell)] == [], name
        assert f"'{a}" in cells, name
    assert "-0.25" in cells_of(made["items"])
    figures = [cell for cell in cells_of(made["compare"]) if cell.startswith("-")]
    assert figures
    assert all(isinstance(float(cell), float) for cell in figures)


def _file(path: Path, shift: float) -> Path:
    path.write_text("item,score\n" + "".join(f"-q{i},{shift + (i * 7 % 11) / 8 * (i % 3)}\n" for i in range(40)))
    return path
