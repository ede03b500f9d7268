"""Tables of several systems are matched by id, and what was scored differently is never put together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError

A = {"item": ["x", "y", "z"], "tp": [1, 2, 3], "all": [3, 3, 3]}


def tables(**other: Any) -> dict[str, dict[str, Any]]:
    return {"A": A, "B": {"item": ["z", "x", "y"], "tp": [30, 10, 20], "all": [40, 40, 40], **other}}


def test_rows_in_another_order_are_matched_by_id() -> None:
    sample = nf.from_statistics(tables(), "tp/all").pair()
    assert sample.ids == ("x", "y", "z")
    assert sample.statistics[:, :, 0].tolist() == [[1, 10], [2, 20], [3, 30]]


def test_documents_go_with_their_items() -> None:
    first = {**A, "document": ["d", "d", "e"]}
    sample = nf.from_statistics({"A": first, "B": tables(document=["e", "d", "d"])["B"]}, "tp/all").pair()
    assert sample.clusters is not None
    assert sample.clusters.tolist() == [0, 0, 1]
    with pytest.raises(InputError, match="'A' and 'B' put their items into different documents"):
        nf.from_statistics({"A": first, "B": tables(document=["d", "d", "e"])["B"]}, "tp/all")
    with pytest.raises(InputError, match="'A' and 'B' put their items into different documents"):
        nf.from_statistics({"A": first, "B": tables()["B"]}, "tp/all")


def test_items_that_a_table_lacks_are_missing() -> None:
    scores = nf.from_statistics(tables(item=["z", "x", "w"]), "tp/all")
    with pytest.raises(InputError, match=r"of 4 items 1 has no score for 'A', 1 has no score for 'B'"):
        scores.pair()
    sample = scores.pair(missing="drop")
    assert sample.ids == ("x", "z")
    assert sample.statistics[:, :, 0].tolist() == [[1, 10], [3, 30]]


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (
            {"item": ["p", "q", "r"]},
            "'A' and 'B' have no item in common: 'x' is the first of one, and 'p' of the other",
        ),
        ({"item": ["z", "x", "x"]}, "the table row 3: item 'x' was already given on row 2"),
    ],
)
def test_ids_that_match_nothing(other: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        nf.from_statistics(tables(**other), "tp/all")


def test_only_one_table_with_ids() -> None:
    bare = {"tp": [1, 2, 3], "all": [3, 3, 3]}
    with pytest.raises(InputError, match="of systems 'A' and 'B' only one names its items"):
        nf.from_statistics({"A": A, "B": bare}, "tp/all")
    with pytest.raises(InputError, match="'B' has 2 items, and 'A' has 3"):
        nf.from_statistics({"A": bare, "B": {"tp": [1, 2], "all": [3, 3]}}, "tp/all")


def test_cells_with_line_breaks(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    path.write_text('item,text,tp,all\n1,"two\nlines, and a ""quote""",1,2\n2,x,1,4\n')
    scores = nf.from_statistics({"A": path}, "tp/all")
    assert np.array_equal(scores.statistics, [[1, 2], [1, 4]])
    path.write_text('item,text,tp,all\n1,"two\nlines",1,2\n2,x,one,4\n')
    with pytest.raises(InputError, match=r"counts\.csv line 4, column 'tp': 'one' is not a number"):
        nf.from_statistics({"A": path}, "tp/all")
    labels = tmp_path / "labels.csv"
    labels.write_text('id,text,prediction\n1,"two\nlines",yes\n2,x,no\n')
    assert nf.score("accuracy", {"A": labels}, ["yes", "yes"]).statistics[:, 0].tolist() == [1.0, 0.0]
    labels.write_text('id,text,prediction\n1,"two" words,yes\n2,x,no\n')
    with pytest.raises(InputError, match=r'labels\.csv line 2: .*\n.*write a quote inside a cell as ""'):
        nf.score("accuracy", {"A": labels}, ["yes", "yes"])
