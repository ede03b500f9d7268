"""Tables of W&B and MLflow: columns of numbers are metrics of the file's system; plain tables of scores stay tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.command_line import nofluke

COLUMNS = ["id", "question", "prediction", "correct", "judge"]


def written(path: Path, rows: list[list[Any]], columns: list[str] = COLUMNS) -> Path:
    path.write_text(json.dumps({"columns": columns, "data": rows}))
    return path


def test_files_are_systems_and_columns_of_numbers_metrics(tmp_path: Path) -> None:
    for name, judge in (("large", 5), ("small", None)):
        written(tmp_path / f"{name}.table.json", [[f"m{at}", f"Q{at}?", "x", 1, judge or at] for at in range(4)])
    scores = nf.read(tmp_path)
    assert (scores.systems, scores.metrics) == (("large", "small"), ("correct", "judge"))
    assert not scores.primary  # on two scales
    assert scores.pair(metric="correct").n == 4
    assert nf.read({"A": tmp_path / "large.table.json", "B": tmp_path / "small.table.json"}).systems == ("A", "B")


def test_null_is_missing(tmp_path: Path) -> None:
    scores = nf.read(written(tmp_path / "a.json", [["m0", "Q?", "x", 1, None], ["m1", "R?", "y", 0, 2]]))
    assert "a: 1 not scored" in "".join(map(str, scores.sources[0].notes))
    with pytest.raises(InputError, match="1 has no score"):
        nf.read({"A": tmp_path / "a.json", "B": tmp_path / "a.json"}).pair(metric="judge")


@pytest.mark.parametrize("text", ["[1, 2]", '{"columns": 3, "data": []}', '"x"', "1" * 5000])
def test_other_json_that_is_said_to_be_a_table_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(InputError, match=r"cells as there are columns|too many digits"):
        nf.read(tmp_path / "a.json", format="table_json")


def test_a_number_too_large_to_be_a_score_is_missing(tmp_path: Path) -> None:
    scores = nf.read(written(tmp_path / "a.json", [["m0", "Q?", "x", 1, 1], ["m1", "R?", "y", 0, 2]]), format="auto")
    assert scores.metrics == ("correct", "judge")
    scores = nf.read(written(tmp_path / "b.json", [["m0", "Q?", "x", 1, 10**400], ["m1", "R?", "y", 0, 2]]))
    assert scores.metrics == ("correct",)


def test_a_table_of_scores_is_read_as_one(tmp_path: Path) -> None:
    scores = nf.read(written(tmp_path / "s.json", [["q1", 0.5, 0.4], ["q2", 0.7, 0.9]], ["item", "A", "B"]))
    assert scores.systems == ("A", "B")


def test_rows_of_another_length(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="as many cells as there are columns"):
        nf.read(written(tmp_path / "a.json", [["m0", "Q?"]]))


def test_a_table_of_texts_alone_is_scored_as_any_other(tmp_path: Path) -> None:
    """No cell of it is a score, so it is no log; a cell that is null may be a score that is missing."""
    columns = ["id", "question", "prediction", "reference"]
    for name, wrong in (("a", 1), ("b", 3)):
        rows = [[at, f"Q{at}?", "x" if at < wrong else "y", "y"] for at in range(8)]
        written(tmp_path / f"{name}.json", rows, columns)
    run = nofluke("compare", "a.json", "b.json", "--metric", "exact_match", "--format", "json", cwd=tmp_path)
    assert run.code == 0, run.err
    assert json.loads(run.out)["scores"] == [7 / 8, 5 / 8]
    with pytest.raises(InputError, match="'reference' is gold"):
        nf.read([tmp_path / "a.json", tmp_path / "b.json"])
    written(tmp_path / "a.json", [[0, "Q?", None, "y"]], columns)
    with pytest.raises(InputError, match="no metric of these logs"):
        nf.read(tmp_path / "a.json")


@pytest.mark.parametrize("data", ["[7]", "[[1, 2", "[[]]", "[]"])
def test_the_beginning_of_a_broken_table_is_looked_at(tmp_path: Path, data: str) -> None:
    (tmp_path / "a.json").write_text('{"columns": ["question", "answer"], "data": ' + data)
    with pytest.raises(InputError, match="ends too early"):
        nf.read(tmp_path / "a.json")
