"""Tables of p-values as people paste them."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.readers.given import given_from
from nofluke.readers.p_cells import parse_p
from nofluke.readers.p_table import is_p_table
from nofluke.types import PValues


def read(text: str, **options: Any) -> PValues:
    return nf.read_p_values(io.StringIO(text), **options)


@pytest.mark.parametrize(
    ("text", "value", "decimals", "bound"),
    [
        ("0.032", 0.032, 3, False),
        (".05", 0.05, 2, False),
        ("0", 0.0, 0, False),
        ("1.12e-08", 1.12e-8, None, False),
        ("(0.0979)", 0.0979, 4, False),
        ("(10^-4)", 1e-4, None, False),
        ("2·10^-4", 2e-4, None, False),
        ("$2 \\cdot 10^{-4}$", 2e-4, None, False),
        ("< 0.001", 0.001, 3, True),
        ("p<.001***", 0.001, 3, True),
        ("p = 0.04", 0.04, 2, False),
        ("1e−5", 1e-5, None, False),
        ("1", 1.0, 0, False),
    ],
)
def test_cells(text: str, value: float, decimals: int | None, bound: bool) -> None:
    found = parse_p(text)
    assert found is not None
    assert (found.value, found.decimals, found.bound) == (value, decimals, bound)


@pytest.mark.parametrize("text", ["n.s.", "1.2", "-0.1", "0,05", "", "nan", "5%", "abc", "1..2"])
def test_what_is_no_p_value(text: str) -> None:
    assert parse_p(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "name,p\nde,0.01\nfr,0.2\n",
        "dataset\tp-value\nde\t0.01\nfr\t0.2\n",
        "| lang | P value |\n|---|---|\n| de | 0.01 |\n| fr | 0.2 |\n",
        "de 0.01\nfr 0.2\n",
        "de;0.01\nfr;0.2\n",
        "p,name\n0.01,de\n0.2,fr\n",
    ],
)
def test_layouts(text: str) -> None:
    assert is_p_table(given_from(io.StringIO(text))[0])
    found = read(text)
    assert found.datasets == ("de", "fr")
    assert found.p_values.tolist() == [0.01, 0.2]


def test_one_p_value_a_line() -> None:
    found = read("0.01\n\n0.2\n")
    assert found.datasets == ("dataset 1", "dataset 2")
    assert found.p_values.tolist() == [0.01, 0.2]


def test_a_table_pasted_from_a_paper_with_scores_and_names_of_several_words() -> None:
    text = "Language  MIMICK  Char→Tag  p-value\nOld Tamil 81.55 84.97 0.0001\nKazakh 83.95 83.64 0.0944\nX 1 1 0\n"
    found = read(text)
    assert found.systems == ("MIMICK", "Char→Tag")
    assert found.datasets == ("Old Tamil", "Kazakh", "X")
    assert found.scores.tolist() == [[81.55, 84.97], [83.95, 83.64], [1, 1]]
    assert found.signs.tolist() == [-1, 1, 0]
    assert found.p_values[2] == 5e-5
    assert "rounds to 0 at 4 decimals" in str(found.notes[0])
    assert read(text, higher_is_better=False).signs.tolist() == [1, -1, 0]
    assert read(text, printed=6).p_values[2] == 5e-7


def test_without_a_header_four_columns_are_name_scores_and_p() -> None:
    found = read("de 81 80 0.02\nfr 70 71 0.3\n")
    assert found.signs.tolist() == [1, -1]
    assert found.systems == ("A", "B")


def test_signs_and_named_scores() -> None:
    assert read("name,p,sign\na,0.1,+\nb,0.2,-\nc,0.3,0\n").signs.tolist() == [1, -1, 0]
    named = read("name,score_a,score_b,n,p\nx,1,2,10,0.1\ny,3,2,12,0.2\n")
    assert named.signs.tolist() == [-1, 1]
    assert named.systems == ("A", "B")
    wide = "name,best,new,old,p\nx,10,1,2,0.1\ny,12,3,2,0.2\n"
    with pytest.raises(InputError, match="3 columns hold numbers beside p"):
        read(wide)
    assert read(wide, a="old", b="new").signs.tolist() == [1, -1]


def test_scores_are_not_taken_for_p_values() -> None:
    for text in (
        "item,a,b\nq1,0.5,0.4\nq2,0.1,0.2\n",
        "0.5 0.4\n0.3 0.2\n",
        "item,system,score\nq1,a,0.5\nq1,b,0.4\n",
        "dataset,item,a,b\nx,q1,0.5,0.4\nx,q2,0.1,0.2\n",
        '{"item": 1, "a": 0.5, "b": 0.4}\n',
    ):
        assert not is_p_table(given_from(io.StringIO(text))[0]), text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,p\nde,0.01\nfr,n.s.\n", "line 3: 'n.s.' is not a p-value"),
        ("name,p\nde,0.01\nfr\n", "line 3: 1 field, and the first line has 2"),
        ("name,p,p-value\nde,0.01,0.01\n", "2 columns are called p"),
        ("name,p\nde,0.01\nde,0.02\n", "called de"),
        ("a 1 2 3 0.1\nb 1 2 3 0.2\n", "5 columns without a header"),
        ("name,new,old,p\nx,1,,0.1\ny,3,z,0.2\n", "not a number|is not"),
        ("p\n", "no p-values"),
    ],
)
def test_mistakes_are_named_with_their_place(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(text, a="new", b="old") if "new" in text else read(text)


def test_files_and_several_of_them(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("name,p\nde,0.01\n")
    assert nf.read_p_values(path).source.endswith("p.csv")
    with pytest.raises(InputError, match="2 files"):
        nf.read_p_values([path, path])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("task,lang,p\nner,de,0.01\nner,fr,0.02\npos,de,0.2\n", ["ner / de", "ner / fr", "pos / de"]),
        ("task,lang,p\nner,de,0.01\nner,fr,0.02\npos,it,0.2\n", ["de", "fr", "it"]),
        ("language,note,p\nde,x,0.01\nfr,y,0.02\n", ["de", "fr"]),
        ("group,note,p\na,x,0.01\na,y,0.02\n", ["x", "y"]),
    ],
)
def test_a_p_value_is_named_by_what_differs_in_every_row(text: str, names: list[str]) -> None:
    assert list(nf.read_p_values(io.StringIO(text)).datasets) == names


def test_columns_named_together_name_the_p_values() -> None:
    text = "task,lang,p\nner,de,0.01\nner,fr,0.02\npos,it,0.2\n"
    found = nf.read_p_values(io.StringIO(text), columns={"dataset": "lang,task"})
    assert found.datasets == ("de / ner", "fr / ner", "it / pos")
    with pytest.raises(InputError, match="two p-values are called ner") as told:
        nf.read_p_values(io.StringIO(text), columns={"dataset": "task"})
    assert "--columns dataset=NAME,NAME" in told.value.advice("shell")
