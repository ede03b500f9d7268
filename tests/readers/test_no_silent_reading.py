"""Tables that were once read as something else without a word: each is read right, or told what to write."""

from __future__ import annotations

import io
import json
from pathlib import Path

import duckdb
import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.command_line import nofluke

ROWS = range(30)
A, B = [i % 7 for i in ROWS], [i % 5 for i in ROWS]


def table(header: str, *columns: list[object] | list[int] | list[str]) -> str:
    return header + "\n" + "".join(",".join(map(str, row)) + "\n" for row in zip(*columns, strict=True))


@pytest.mark.parametrize("name", ["date", "hit", "Nr.", "timestamp", "created"])
@pytest.mark.parametrize("number", [lambda i: 20240101 + i, lambda i: 3 * i + 1, lambda i: i * i])
def test_numbers_that_only_go_up_are_no_system(name: str, number: object) -> None:
    text = table(f"item,{name},A,B", [f"q{i}" for i in ROWS], list(map(number, ROWS)), A, B)  # type: ignore[call-overload]
    scores = nf.read(io.StringIO(text))
    assert scores.systems == ("A", "B")
    assert any(note.code == "read.no_system" and note["column"] == name for note in scores.sources[0].notes)


def test_scores_that_go_up_once_too_few_are_a_system() -> None:
    text = table("item,C,A,B", list(range(9)), [2 * i + 1 for i in range(9)], A[:9], B[:9])
    assert nf.read(io.StringIO(text)).systems == ("C", "A", "B")


@pytest.mark.parametrize(
    "ids", [[f"文{i}" for i in ROWS], [f"2024-01-{i + 1:02}" for i in ROWS], [100 + 3 * i for i in ROWS], list(ROWS)]
)
@pytest.mark.parametrize("name", ["编号", "what", "date"])
def test_what_names_the_items_is_no_annotator(ids: list[object], name: str) -> None:
    ratings = nf.read_ratings(io.StringIO(table(f"{name},ann,bob", ids, A, B)))
    assert ratings.annotators == ("ann", "bob")


def test_annotators_that_never_repeat_stay() -> None:
    free = [[f"{(7 * i + k) % 31 / 31:.4f}" for i in ROWS] for k in range(3)]
    assert nf.read_ratings(io.StringIO(table("ann,bob,cy", *free))).annotators == ("ann", "bob", "cy")
    few = nf.read_ratings(io.StringIO("ann,bob,cy\na,x,x\nb,y,x\nc,x,y\n"))
    assert few.annotators == ("ann", "bob", "cy")
    named = [[f"t{i}" for i in ROWS], A, B]
    assert nf.read_ratings(io.StringIO(table("ann,bob,cy", *named)), keep=["ann"]).annotators == ("ann", "bob", "cy")


def test_a_markdown_table_has_no_rule_among_its_rows() -> None:
    rows = "".join(f"| q{i} | {A[i]} | {B[i]} |\n" for i in ROWS)
    for rule in ("|---|---|---|", "| :-- | --: | :-: |"):
        text = f"| item | A | B |\n{rule}\n{rows}"
        assert nf.read(io.StringIO(text)).pair().statistics[:, 0, 0].tolist() == A
        ratings = nf.read_ratings(io.StringIO(text))
        assert (len(ratings.items), ratings.annotators) == (30, ("A", "B"))
    with pytest.raises(InputError) as told:
        nf.read(io.StringIO(f"| item | A | B |\n|---|---|---|\n{rows.replace('| 6 |', '| x |', 1)}"))
    assert "line 9" in told.value.where


@pytest.mark.parametrize("first", ["sep=;\n", "sep=;\r\n", '"sep=;"\n'])
def test_the_delimiter_that_excel_writes_is_no_header(first: str) -> None:
    text = first + table("item,A,B", list(ROWS), A, B).replace(",", ";")
    assert nf.read(io.StringIO(text)).systems == ("A", "B")
    assert nf.read_ratings(io.StringIO(text)).annotators == ("A", "B")


@pytest.mark.parametrize("numbers", [["0,5", "0,25", "0,125"], ["1,05", "2,5", "3,5"], ["0,01", "0,2", "0,03"]])
def test_one_number_with_a_decimal_comma_is_not_two(numbers: list[str], tmp_path: Path) -> None:
    text = "\n".join(numbers) + "\n"
    with pytest.raises(InputError, match="may be one number or two") as told:
        nf.read(io.StringIO(text))
    assert "use a decimal point" in told.value.advice()
    with pytest.raises(InputError, match="may be one number or two"):
        nf.read_ratings(io.StringIO(text))
    # Both ways of following the advice lead on.
    assert nf.read(io.StringIO("A,B\n" + text)).systems == ("A", "B")
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text(text.replace(",", "."))
    assert nf.read([tmp_path / "a.txt", tmp_path / "b.txt"]).pair().n == 3


@pytest.mark.parametrize("rows", ["1,0\n0,1\n1,1\n", "3,4\n2,5\n10,3\n", "1,1\n1,0\n1,1\n", "0.5,0.25\n0.5,0.75\n"])
def test_two_columns_of_numbers_stay_two(rows: str) -> None:
    assert nf.read(io.StringIO(rows)).systems == ("column 1", "column 2")


def test_a_decimal_comma_makes_no_row_names() -> None:
    with pytest.raises(InputError, match="3 fields, and the header has 2"):
        nf.read(io.StringIO("item,A\n" + "".join(f"q{i},0,{i}\n" for i in ROWS)))
    # R numbers the rows, and names them where no column is an item.
    numbered = nf.read(io.StringIO("item,A,B\n" + "".join(f"{i + 1},q{i},{A[i]},{B[i]}\n" for i in ROWS)))
    assert numbered.item.labels[0] == "q0"
    assert nf.read(io.StringIO("A,B\n" + "".join(f"q{i},{A[i]},{B[i]}\n" for i in ROWS))).item.labels[0] == "q0"


def test_percent_signs_beside_numbers_leave_no_system_out() -> None:
    text = table("item,A,B,C", list(ROWS), [f"{a}0%" for a in A], A, B)
    with pytest.raises(InputError, match="'00%' is not a number") as told:
        nf.read(io.StringIO(text))
    assert told.value.advice() == "leave the percent sign out: '00'."
    with pytest.raises(InputError, match=r"use a decimal point|percent") as told:
        nf.read(io.StringIO('item,A,B\nq1,"0,5%",1\nq2,"1,5%",2\n'))
    assert told.value.advice() == "leave the percent sign out: '0.5'."
    with pytest.raises(InputError, match="is not a number of items"):
        nf.read_ratings(io.StringIO(",x,y\nx,5%,1\ny,2,3\n"), layout="matrix")


def test_objects_of_a_log_are_no_clusters(tmp_path: Path) -> None:
    for name in ("a", "b"):
        rows = [{"doc_id": i, "doc": {"q": "x"}, "metrics": ["acc"], "acc": (i * len(name + "x")) % 2} for i in ROWS]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    scores = nf.read([tmp_path / "a.jsonl", tmp_path / "b.jsonl"])
    assert (scores.systems, scores.cluster, scores.metrics) == (("a", "b"), None, ("acc",))
    path = tmp_path / "nested.parquet"
    duckdb.sql(
        f"COPY (SELECT i AS item, {{'q': i}} AS doc, [i] AS x, i % 7 AS A, i % 5 AS B FROM range(30) t(i)) TO '{path}'"
    )
    assert nf.read(path).systems == ("A", "B")
    assert nf.read_ratings(path).annotators == ("A", "B")


def test_numbers_as_text_are_named(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    duckdb.sql(f"COPY (SELECT i AS item, (i % 7)::VARCHAR AS A, (i % 5)::VARCHAR AS B FROM range(9) t(i)) TO '{path}'")
    lines = "".join(json.dumps({"item": f"q{i}", "A": str(i), "B": "0.5"}) + "\n" for i in range(9))
    for source in (path, io.StringIO(lines)):
        with pytest.raises(InputError, match="column 'A' holds numbers as text: '0'") as told:
            nf.read(source)
        assert told.value.advice() == "write numbers without quotes."


def test_outputs_without_gold_are_told_just_that(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(table("item,A,B", [f"q{i}" for i in ROWS], A, B))
    run = nofluke("score", str(tmp_path / "t.csv"), "--metric", "accuracy")
    assert "accuracy compares outputs with gold, and none was given" in run.err


@pytest.mark.parametrize(
    "text", ["item,A,B\nq1,81,80\n", "when,A,B\n2024-01-01,7,8\n", "item,A,B\n", "a,b,c,d\nx,1,2,7\n"]
)
def test_a_header_without_p_is_seen_as_one(text: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(text)
    run = nofluke("correct", str(tmp_path / "t.csv"))
    assert run.code == 2
    assert "looks like a header" in " ".join(run.err.split())


def test_line_ends_of_old_macs_end_lines_of_p_values() -> None:
    assert nf.read_p_values(io.StringIO("name,p\rde,0.01\rfr,0.2\r", newline="")).datasets == ("de", "fr")
