"""Scores as papers print them, with spreads, units and thousands, are never taken for the names of items."""

from __future__ import annotations

import io
import json
import shlex
from pathlib import Path

import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.command_line import nofluke

OTHERS = [(0.4, 0.3), (0.5, 0.2), (0.55, 0.4)]


def table(cells: list[str], *, last: bool = False) -> str:
    rows = [[f'"{cell}"', *map(str, others)] for cell, others in zip(cells, OTHERS, strict=True)]
    header = ["new", "old", "base"]
    return "".join(",".join(row[::-1] if last else row) + "\n" for row in (header, *rows))


PRINTED = [
    (["0.51±0.01", "0.52 ± 0.01", "0.6±0.02"], "0.51"),
    (["0.51 +/- 0.01", "0.52", "0.6 +/- 0.02"], "0.51"),
    (["1,234.5", "1,235.5", "987.5"], "1234.5"),
    (["91.2 (0.3)", "92.0 (1.2)", "93 (0)"], "91.2"),
    (["50.1 [49, 51]", "52.0 [51, 53]", "53 [50,55]"], "50.1"),
    (["50.1*", "52.0", "**53.5**"], "50.1"),
    ([r"$50.1 \pm 0.2$", r"$52.0 \pm 0.2$", r"$53.5 \pm 0.2$"], "50.1"),
]
UNITS = [(["12 ms", "13 ms", "15.5 ms"], "12"), (["1.5x", "2x", "3x"], "1.5")]


@pytest.mark.parametrize(("cells", "plain"), [*PRINTED, *UNITS])
def test_a_first_column_of_printed_scores_is_refused_with_its_cell(cells: list[str], plain: str) -> None:
    with pytest.raises(InputError, match="is not a plain number") as caught:
        nf.read(io.StringIO(table(cells)))
    assert "line 2, column 'new'" in str(caught.value)
    assert f"write numbers alone: {plain!r}" in str(caught.value)


@pytest.mark.parametrize(("cells", "plain"), PRINTED)
def test_so_is_any_other_and_one_of_json(cells: list[str], plain: str) -> None:
    objects = [{"old": old, "new": cell, "base": base} for cell, (old, base) in zip(cells, OTHERS, strict=True)]
    for text in (table(cells, last=True), json.dumps(objects)):
        with pytest.raises(InputError, match=r"column 'new'.*is not a plain number"):
            nf.read(io.StringIO(text))


def test_the_advice_works_when_it_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(table(PRINTED[0][0]))
    advice = nofluke("compare", str(path)).err.partition("fix: ")[2]
    for role in ("item=new", "ignore=new"):
        flag = f"--columns {role}"
        assert flag in advice
        assert nofluke("compare", str(path), *shlex.split(flag)).code == 0


@pytest.mark.parametrize(
    "cells",
    [
        *(["1a", "1b", "2a"], ["2020-01-01", "2020-01-02", "2021-01-01"], ["1.2.3", "1.2.4", "1.3.0"]),
        *(["1-de", "2-de", "3-fr"], ["10:30", "10:31", "10:32"], ["3 men", "4 women", "5 dogs bark"]),
    ],
)
def test_names_that_begin_with_a_number_are_names(cells: list[str]) -> None:
    assert nf.read(io.StringIO(table(cells))).item.labels == tuple(cells)


def test_times_and_spreads_beside_scores_are_left_alone() -> None:
    text = "item,A,B,wall,ci\nq1,1,0,12 ms,0.5 (0.1)\nq2,0,1,13 ms,0.6 (0.1)\n"
    assert nf.read(io.StringIO(text)).systems == ("A", "B")
