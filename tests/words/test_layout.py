"""Answers keep to their lines and columns, however long names are and however many datasets there are."""

from __future__ import annotations

import io
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nofluke as nf
from nofluke.types import Answer, Comparison, Table
from nofluke.words import short
from nofluke.words.columns import wide
from nofluke.words.layout import as_lines
from nofluke.words.names import short_names

PATH = "https://example.org/" + "models/" * 40


def compared(datasets: int, names: tuple[str, str], few: int = 0) -> Comparison:
    """Two systems on so many datasets of 14 items; on the last `few` of them nearly all items tie."""
    rows = []
    for place, at in itertools.product(range(datasets), range(14)):
        kind = (at * 5 + place) % 7
        a, b = (kind > 1, kind > 1 + place % 3 * (at % 2)) if place < datasets - few else (True, at > 0)
        rows.append(f"set{place},i{place}-{at},{a:d},{b:d}")
    table = "\n".join((f"dataset,item,{','.join(names)}", *rows))
    return nf.compare(nf.read(io.StringIO(table)), a=names[0], b=names[1])


@pytest.mark.parametrize("datasets", [2, 3, 6, 7, 8, 9, 40])
@pytest.mark.parametrize("names", [("new", "old"), ("a-system-with-a-long-name", "another-with-a-long-name")])
@pytest.mark.parametrize("few", [0, 2])
def test_a_comparison_grows_only_by_its_rows_beyond_six(datasets: int, names: tuple[str, str], few: int) -> None:
    verdict, table, *rest = short(compared(datasets, names, few)).split("\n\n")
    rows = len(table.splitlines()) - 2  # headings and average; a line that counts the others is one of them
    lines = sum(len(part.splitlines()) + 1 for part in (verdict, table, *rest)) - 1
    assert min(datasets, 4) <= rows <= 9
    assert lines <= 15 + max(0, rows - 6)
    assert "Test" in rest[-1]


def test_what_weights_cost_and_the_levels_are_left_to_the_details_first() -> None:
    few = short(compared(2, ("new", "old")))
    many = compared(8, ("new", "old"))
    assert "each judged at 5%" in few
    assert "each judged at 5%" not in short(many)
    assert "each judged at 5%" in nf.report(many, "text")


@pytest.mark.parametrize(
    "names",
    [
        (f"{PATH}one", f"{PATH}two"),
        (f"one/{PATH}", f"two/{PATH}"),
        (f"{PATH}one/{PATH}", f"{PATH}two/{PATH}"),
        ("系統" * 60 + "甲", "系統" * 60 + "乙"),
    ],
)
def test_names_of_hundreds_of_letters_are_cut_in_the_middle_and_stay_distinct(names: tuple[str, str]) -> None:
    table = "\n".join((f"item,{','.join(names)}", *(f"i{at},{at % 3},{at % 2}" for at in range(12))))
    result = nf.compare(nf.read(io.StringIO(table)).pair(*names))
    lines = short(result).splitlines()
    assert len(lines) <= 15
    assert max(map(wide, lines)) <= 80
    rows = [line.split()[0] for line in lines if "better on" in line]
    assert len(set(rows)) == 2
    assert {name[:4] for name in rows} == {name[:4] for name in names}
    assert {name[-1] for name in rows} == {name[-1] for name in names}
    whole = nf.report(result, "text")
    assert all(name in whole for name in names)


def test_what_is_to_be_copied_is_never_cut() -> None:
    option = f"--columns cluster={'x' * 90}"
    signature = "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0|and:more"
    lines = as_lines(Answer("Right.", points=(("Use", option), ("Metric", signature))))
    assert option.split()[1] in "".join(lines)
    assert signature in "".join(lines)


def test_a_table_that_names_would_burst_keeps_its_columns() -> None:
    cells = tuple((f"{PATH}{at}", *["0.123 to 0.456"] * 3) for at in range(3))
    lines = as_lines(
        Answer("Right.", Table(("dataset", "one", "two", "three"), cells, figures=("one", "two", "three")))
    )
    assert len(lines) == 2 + 4
    assert max(map(wide, lines)) <= 80


@pytest.mark.parametrize(("size", "shown"), [(29, 29), (30, 28), (35, 28), (45, 24)])
def test_a_name_that_would_break_its_row_is_cut_in_the_table_alone(size: int, shown: int) -> None:
    names = [f"{'x' * (size - 2)}-{at}" for at in range(3)]
    # Beside these columns there is room for a name of 29 cells, or, with longer ranks, of 24.
    rank = "8 to 12" if shown > 24 else "10 to 1,200"
    cells = tuple((rank, name, "0.7662", "0.7470 to 0.7854", "49", "a") for name in names)
    columns = ("rank", "system", "score", "95% CI", "beats", "group")
    lines = as_lines(Answer(f"{names[0]} is best.", Table(columns, cells, figures=columns[2:-1])))
    assert len(lines) == 2 + 4
    assert max(map(wide, lines)) <= 80
    assert names[0] in lines[0]
    assert {max(map(len, line.split())) for line in lines[3:]} == {shown}


@pytest.mark.parametrize("size", [30, 36, 60])
def test_names_of_several_words_that_would_burst_a_table_are_cut_in_it(size: int) -> None:
    """Datasets often have such names; without a cut every cell would take a line of its own."""
    names = [f"task {at} {'of a long benchmark ' * 4}"[:size].strip() for at in range(3)]
    columns = ("dataset", "items", "a-new-syst…", "an-old-sys…", "difference", "verdict", "p (Holm)")
    cells = tuple((name, "1,200", "0.9250", "0.8250", "+0.1000", "unclear", "0.00019") for name in names)
    lines = as_lines(Answer("Right.", Table(columns, cells, figures=columns[1:5])))
    assert len(lines) == 2 + 4
    assert max(map(wide, lines)) <= 80
    assert len({line.partition("1,200")[0] for line in lines[3:]}) == 3


@given(st.lists(st.text("ab/", min_size=61, max_size=90), min_size=2, max_size=6, unique=True))
def test_cut_names_are_distinct_and_short(names: list[str]) -> None:
    cut = short_names(names, 60, 24)
    assert cut is not None
    assert len({cut(name) for name in names}) == len(names)
    assert max(wide(cut(name)) for name in names) <= 24
