"""Ratings from files, frames and plain tables: layouts, gaps, kinds of labels, and what is refused."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.readers import bulk
from nofluke.readers.rating_labels import code_labels
from nofluke.readers.ratings import as_ratings
from nofluke.types import Ratings, note

WIDE = "item,ann,bob,eve\nq1,yes,yes,no\nq2,no,,no\nq3,yes,no,\n"
LONG = "item,annotator,label\nq1,ann,yes\nq1,bob,yes\nq1,eve,no\nq2,ann,no\nq2,eve,no\nq3,ann,yes\nq3,bob,no\n"
CODES = [[1, 1, 0], [0, -1, 0], [1, 0, -1]]


def read(text: str, **options: Any) -> Ratings:
    return nf.read_ratings(io.StringIO(text), **options)


def jsonl(text: str) -> str:
    import json

    head, *lines = text.strip().split("\n")
    names = head.split(",")
    rows = [dict(zip(names, (cell or None for cell in line.split(",")), strict=True)) for line in lines]
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.mark.parametrize("text", [WIDE, LONG], ids=["wide", "long"])
@pytest.mark.parametrize("written", [str, lambda t: t.replace(",", "\t"), lambda t: t.replace(",", ";"), jsonl])
def test_layouts_and_formats_give_the_same_ratings(text: str, written: Any) -> None:
    ratings = read(written(text))
    assert ratings.items == ("q1", "q2", "q3")
    assert ratings.annotators == ("ann", "bob", "eve")
    assert ratings.categories == ("no", "yes")
    assert ratings.codes.tolist() == CODES
    assert not ratings.ordered


def test_files_gzip_and_parquet(tmp_path: Path) -> None:
    plain, packed, parquet = tmp_path / "r.csv", tmp_path / "r.csv.gz", tmp_path / "r.parquet"
    plain.write_text(WIDE)
    packed.write_bytes(gzip.compress(WIDE.encode()))
    pl.read_csv(io.StringIO(WIDE)).write_parquet(parquet)
    for path in (plain, packed, parquet):
        assert nf.read_ratings(path).codes.tolist() == CODES
    numbers = tmp_path / "n.parquet"
    pl.DataFrame({"item": ["a", "b"], "x": [1, None], "y": [1, 2]}).write_parquet(numbers)
    ratings = nf.read_ratings(numbers)
    assert (ratings.codes.tolist(), ratings.categories) == ([[0, 0], [-1, 1]], ("1", "2"))


def test_large_files_are_read_as_small_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "r.csv"
    for text in (WIDE, LONG, "a,b\n1,2\n2,\n1.0,1\n"):
        path.write_text(text)
        small = nf.read_ratings(path)
        with monkeypatch.context() as patch:
            patch.setattr(bulk, "SMALLEST_BYTES", 1)
            large = nf.read_ratings(path)
        assert large.codes.tolist() == small.codes.tolist()
        assert (large.items, large.annotators, large.categories) == (small.items, small.annotators, small.categories)
    path.write_text("yes,no\nyes,yes\nno,no\n")
    monkeypatch.setattr(bulk, "SMALLEST_BYTES", 1)
    with pytest.raises(nf.InputError, match="holds labels, not the names"):
        nf.read_ratings(path)


def test_columns_are_found_by_name_or_as_told() -> None:
    found = read("worker,sentence_id,response,gold\nw1,s1,1,1\nw2,s1,0,1\n")
    assert found.source is not None
    assert found.source.mapping == {"item": "sentence_id", "annotator": "worker", "label": "response"}
    assert found.source.notes == (note("read.columns_unused", columns=("gold",)),)
    told = read("who,what,said\na,x,1\nb,x,2\n", item="what", annotator="who", label="said")
    assert told.codes.tolist() == [[0, 1]]
    chosen = read("item,text,A,B,C\n1,hello,x,y,x\n2,world,x,x,x\n", annotator="A,C")
    assert chosen.annotators == ("A", "C")
    assert read("item,text,A,B\n1,hello,x,y\n2,world,x,x\n", annotator=["B", "A"]).annotators == ("B", "A")
    numbered = read(",A,B\n1,x,y\n2,x,x\n3,y,y\n4,x,x\n5,y,x\n")
    assert (numbered.annotators, numbered.items) == (("A", "B"), ("1", "2", "3", "4", "5"))
    bare = read("1,2\n2,2\n1,1\n")
    assert (bare.annotators, len(bare.items)) == (("column 1", "column 2"), 3)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("item,annotator,label\n1,a,x\n1,a,y\n", {}, "line 3: annotator 'a' rated item '1' more than once"),
        ("item,A,B\n1,x,y\n1,x,x\n", {}, "item '1' stands in more than one row"),
        ("yes,no\nyes,yes\nno,no\n", {}, "holds labels, not the names of annotators"),
        ("item,A,B\n1,x,y\n", {"annotator": "A,Z"}, "there is no column 'Z'"),
        ("item,A,B\n1,x,y\n", {"layout": "long"}, "one annotator column"),
        ("rater,label\na,x\nb,x\n", {}, "needs a column that names the item"),
        ("item,A,B\n1,x,y\n", {"layout": "tall"}, "there is no layout 'tall'"),
        ("item,A,B\n1,x,y\n", {"item": "A", "annotator": "A,B"}, "column 'A' is named as item and as annotator"),
        ("item,A,B\nq1,1,NA\nq2,2,1\n", {}, "'NA' stands among numbers"),
        ("item,A,B\nq1,,\nq2,,\n", {}, "there are no ratings"),
        ("item,A,B\n", {}, "only a header"),
    ],
)
def test_what_is_refused(text: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(nf.InputError) as refused:
        read(text, **options)
    assert message in str(refused.value)
    assert refused.value.fix


def test_texts_that_mean_missing() -> None:
    assert read("item,A,B\nq1,1,NA\nq2,2,1\n", missing="NA").codes.tolist() == [[0, -1], [1, 0]]
    as_label = read("item,A,B\nq1,x,NA\nq2,x,y\n")
    assert as_label.categories == ("NA", "x", "y")
    assert "taken as a label" in str(as_label.notes[0])


@pytest.mark.parametrize(
    ("cells", "categories", "ordered", "said"),
    [
        (["1", 1.0, 1, "1.0", 2], ("1", "2"), True, "Numbers written in different ways are one label"),
        (["2", 1.0], ("1", "2"), True, "partly as numbers and partly as text"),
        ([1, "yes", "1"], ("1", "yes"), False, "Labels mix numbers or truth values with words"),
        ([True, False], ("false", "true"), True, ""),
        ([True, 1, 0], ("0", "1"), True, "true is taken as 1"),
        ([10, 9, 2.5], ("2.5", "9", "10"), True, ""),
        (["b", "a", " a "], ("a", "b"), False, ""),
        (["Yes", "yes"], ("Yes", "yes"), False, "differ only in upper and lower case"),
        ([None, float("nan"), "", pd.NA, 3], ("3",), True, ""),
        ([2**60, 2**60 + 1], (str(2**60), str(2**60 + 1)), True, ""),
    ],
)
def test_kinds_of_labels(cells: list[Any], categories: tuple[str, ...], ordered: bool, said: str) -> None:
    coded = code_labels(cells)
    assert coded.categories == categories
    assert coded.ordered == ordered
    assert (said in " ".join(map(str, coded.notes))) if said else not coded.notes


@pytest.mark.parametrize("cells", [[float("inf"), 1], ["1e999", "2"], [[1], 2], [(1, 2), 3], np.array([np.inf, 1])])
def test_what_is_no_label(cells: Any) -> None:
    with pytest.raises(nf.InputError):
        code_labels(cells)


@pytest.mark.parametrize(
    "data",
    [
        [[1, 2], [2, None], [1, 1]],
        [(1, 2), (2, float("nan")), (1, 1)],
        np.array([[1, 2], [2, np.nan], [1, 1]]),
        np.array([[1, 2], [2, None], [1, 1]], dtype=object),
        {"a": [1, 2, 1], "b": [2, None, 1]},
        pd.DataFrame({"a": [1, 2, 1], "b": [2, None, 1]}),
        pl.DataFrame({"a": [1, 2, 1], "b": [2, None, 1]}),
        pl.DataFrame({"a": [1, 2, 1], "b": [2, None, 1]}).to_arrow(),
    ],
    ids=["lists", "tuples", "array", "objects", "mapping", "pandas", "polars", "arrow"],
)
def test_plain_tables(data: Any) -> None:
    assert as_ratings(data).codes.tolist() == [[0, 1], [1, -1], [0, 0]]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([1, 2], "not a list of ratings"),
        ([[1, 2], [1]], "row 2 has 1 rating,"),
        ("ratings.csv", "a path was given"),
        (Path("ratings.csv"), "a path was given"),
        ([], "there are no ratings"),
        ([[None, None]], "there are no ratings"),
        (5, "cannot be made of int"),
        (np.zeros(3), "1 dimension"),
        ({"a": [1], "b": [1, 2]}, "different numbers of ratings"),
        ([["a", "b"], "ab"], "row 2 is 'ab'"),
    ],
)
def test_plain_tables_that_are_none(data: Any, message: str) -> None:
    with pytest.raises(nf.InputError) as refused:
        as_ratings(data)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        ",no,yes\nno,20,5\nyes,10,15\n",
        "no,yes\n20,5\n10,15\n",
        ",yes,no\nyes,15,10\nno,5,20\n",
        "ann / bob\tno\tyes\nno\t20\t5\nyes\t10\t15\n",
    ],
)
def test_counts_of_two_annotators(text: str) -> None:
    ratings = read(text, layout="matrix")
    assert len(ratings.items) == 50
    assert ratings.categories == ("no", "yes")
    assert nf.agree(ratings, "cohen_kappa").value == pytest.approx(0.4)
    pairs = [tuple(row) for row in ratings.codes.tolist()]
    assert [pairs.count(pair) for pair in ((0, 0), (0, 1), (1, 0), (1, 1))] == [20, 5, 10, 15]


def test_counts_with_numbers_as_labels_and_without_names() -> None:
    assert read(",1,2\n1,20,5\n2,10,15\n", layout="matrix").categories == ("1", "2")
    assert read("20,5\n10,15\n", layout="matrix").categories == ("1", "2")
    rest = read("x,yes,no,maybe\nyes,5,1,0\nno,2,6,1\n", layout="matrix")
    assert rest.categories == ("maybe", "no", "yes")
    given = nf.ratings_from_matrix([[20, 5], [10, 15]], ["no", "yes"], annotators=("ann", "bob"))
    assert given.annotators == ("ann", "bob")
    assert nf.agree(given, "cohen_kappa").value == pytest.approx(0.4)


@pytest.mark.parametrize(
    "text", ["1,2,3\n4,5,6\n", ",a,b\na,1,-2\nb,3,4\n", ",a,b\na,1.5,2\nb,3,4\n", "0,0\n0,0\n", ",a,a\na,1,2\nb,3,4\n"]
)
def test_counts_that_are_none(text: str) -> None:
    with pytest.raises(nf.InputError):
        read(text, layout="matrix")


def test_names_with_odd_characters_stay_as_they_are() -> None:
    ratings = read('item,"a|b, <c>","$x_1"\n"q ""1""",yes,yes\n"line\nbreak",no,yes\n')
    assert ratings.annotators == ("a|b, <c>", "$x_1")
    assert ratings.items == ('q "1"', "line\nbreak")


@pytest.mark.parametrize("corner", ["", "ann", "label"])
def test_sums_at_the_edges_of_a_table_of_counts_are_no_label(corner: str) -> None:
    text = f"{corner},no,yes,All\nno,20,5,25\nyes,10,15,25\nAll,30,20,50\n"
    found = nf.read_ratings(io.StringIO(text), layout="matrix")
    assert (found.categories, len(found.items)) == (("no", "yes"), 50)
    assert found.source is not None
    assert "are sums of the others" in " ".join(map(str, found.source.notes))
    assert "are sums of the others" in " ".join(map(str, found.notes))
    given = nf.ratings_from_matrix([[20, 5, 25], [10, 15, 25], [30, 20, 50]], ["no", "yes", "all"])
    assert (given.categories, len(given.items)) == (("no", "yes"), 50)
    assert "are sums of the others" in str(given.notes[0])
    # One cell off, and it is a label like the others.
    assert len(nf.ratings_from_matrix([[20, 5, 25], [10, 15, 25], [30, 20, 51]]).categories) == 3


def test_columns_that_describe_items_are_no_annotators() -> None:
    text = "id,text,ann,bob,gold,comment\n1,so good,yes,yes,yes,sure\n2,so bad,no,yes,no,\n3,well,no,no,no,hm\n"
    found = nf.read_ratings(io.StringIO(text))
    assert (found.annotators, found.categories) == (("ann", "bob"), ("no", "yes"))
    assert found.source is not None
    for notes in (found.source.notes, found.notes):
        assert note("read.not_annotators", columns=("text", "gold", "comment")) in notes
    assert nf.read_ratings(io.StringIO(text), annotator="ann,gold").annotators == ("ann", "gold")
    assert nf.read_ratings(io.StringIO(text), keep=("gold",)).annotators == ("ann", "bob", "gold")
    # With one annotator alone the right answers are what is compared with.
    alone = nf.read_ratings(io.StringIO("text,ann,gold\na,yes,yes\nb,no,yes\n"))
    assert alone.annotators == ("ann", "gold")
    frame = pd.DataFrame({"ann": [1, 2, 1], "bob": [1, 2, 2], "gold": [1, 2, 1]})
    assert nf.agree(frame).annotators == ("ann", "bob")
    assert nf.agree(frame, annotators=["ann", "gold"]).annotators == ("ann", "gold")


@pytest.mark.parametrize(
    "text",
    [",no,yes\nno,20,5\nyes,10,15\n", "ann,no,yes,All\nno,20,5,25\nyes,10,15,25\nAll,30,20,50\n"],
)
def test_a_table_of_counts_is_not_taken_for_ratings(text: str) -> None:
    with pytest.raises(nf.InputError, match="looks like a table of counts") as refused:
        nf.read_ratings(io.StringIO(text))
    assert "--layout matrix" in refused.value.advice("shell")
    # Words in the first column that are not the names of the others are items.
    assert nf.read_ratings(io.StringIO("item,ann,bob\nq1,1,2\nq2,2,2\nq3,1,1\n")).annotators == ("ann", "bob")


def test_numbers_written_in_two_ways_among_words() -> None:
    coded = code_labels(["1", "1.0", "unsure", "2"])
    assert coded.categories == ("1", "1.0", "2", "unsure")
    assert any("stay apart: '1' and '1.0'" in str(one) for one in coded.notes)
    assert not code_labels(["1", "2", "unsure"]).notes


def test_a_decimal_comma_is_named() -> None:
    with pytest.raises(nf.MethodError, match="decimal comma") as refused:
        nf.agree([["1,5", "2"], ["2", "2"], ["1", "1"]], level="interval")
    assert refused.value.fix == "use a decimal point: '1.5'."
    with pytest.raises(nf.MethodError, match="a label in words"):
        nf.agree([["low", "2"], ["2", "2"], ["1", "1"]], level="interval")


def test_hints_for_empty_files_and_gaps() -> None:
    with pytest.raises(nf.InputError) as refused:
        nf.read_ratings(io.StringIO("item,ann,bob\n"))
    assert "add rows of ratings" in refused.value.advice()
    with pytest.raises(nf.InputError) as refused:
        nf.agree([["low", "NA"], ["high", "low"]], categories=["low", "high"])
    assert "--missing NA" in refused.value.advice("shell")
    assert "missing='NA'" in str(refused.value)
    with pytest.raises(nf.InputError) as refused:
        nf.agree([["low", "mid"], ["high", "low"]], categories=["low", "high"])
    assert "--missing" not in refused.value.advice()


@pytest.mark.parametrize("text", ["dataset,p\nnews,.01\nwiki,.2\n", "dataset,p_value,n\nnews,0.01,5\nwiki,0.2,6\n"])
def test_p_values_are_no_labels(text: str) -> None:
    with pytest.raises(nf.InputError, match=r"holds p-values, by its name.*\n.*replicate"):
        read(text)


def test_a_person_may_be_called_p() -> None:
    people = "item,P,Q\n" + "".join(f"q{i},{i % 2},{i % 3 % 2}\n" for i in range(9))
    assert read(people).annotators == ("P", "Q")


@pytest.mark.parametrize("text", [WIDE, "item,ann,bob,eve\nq1,yes,yes,no\nq2,,no,no\nq3,yes,no,\n"])
def test_three_annotators_need_no_items_and_may_leave_gaps(text: str) -> None:
    bare = "".join(line.partition(",")[2] + "\n" for line in text.splitlines())
    assert read(bare).annotators == ("ann", "bob", "eve")
    assert read(bare).codes.tolist() == read(text).codes.tolist()


def test_an_item_given_twice_is_told_though_ratings_are_missing() -> None:
    with pytest.raises(InputError, match="item 'q1' stands in more than one row"):
        read("item,ann,bob\nq1,1,2\nq1,,2\nq2,2,\n")
