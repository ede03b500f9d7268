"""Items are matched by id; what does not match is counted, what is ambiguous is refused."""

from __future__ import annotations

import io
from typing import Any

import pandas as pd
import pytest

import nofluke as nf
from nofluke.errors import InputError, MethodError
from nofluke.types import Grid, note


def long(rows: list[tuple[Any, ...]], **columns: Any) -> nf.Scores:
    names = ["item", "system", "score", *columns][: len(rows[0])]
    return nf.read(pd.DataFrame(rows, columns=names))


def test_items_are_matched_by_id_not_by_order() -> None:
    scores = long([("q1", "A", 1.0), ("q2", "A", 2.0), ("q2", "B", 20.0), ("q1", "B", 10.0)])
    sample = scores.pair("A", "B")
    assert sample.ids == ("q1", "q2")
    assert sample.scores(1).tolist() == [10.0, 20.0]
    assert str(sample.alignment) == "2 items matched by id"


def test_missing_items_are_refused_with_counts_and_examples() -> None:
    scores = long([("q1", "A", 1.0), ("q2", "A", 2.0), ("q3", "A", 2.0), ("q1", "B", 10.0), ("q4", "B", 1.0)])
    with pytest.raises(InputError) as caught:
        scores.pair("A", "B")
    assert caught.value.message == (
        "of 4 items 1 has no score for 'A', 2 have no score for 'B' (for example q2, q3); 1 item matches."
    )
    assert "missing='drop'" in str(caught.value)
    assert "--missing drop" in caught.value.advice("shell")


def test_missing_items_are_dropped_on_request_and_counted() -> None:
    scores = long([("q1", "A", 1.0), ("q2", "A", 2.0), ("q1", "B", 10.0), ("q4", "B", 1.0)])
    sample = scores.pair("A", "B", missing="drop")
    assert sample.ids == ("q1",)
    assert sample.alignment.dropped == 2
    assert str(sample.alignment) == (
        "1 item matched by id; 2 left out (1 without a score for A, 1 without a score for B)"
    )


def test_an_empty_cell_is_missing_not_zero() -> None:
    scores = long([("q1", "A", 1.0), ("q2", "A", None), ("q1", "B", 10.0), ("q2", "B", 1.0)])
    with pytest.raises(InputError, match="1 has no score for 'A'"):
        scores.pair()
    assert scores.pair(missing="drop").n == 1


def test_nothing_in_common() -> None:
    scores = long([("q1", "A", 1.0), ("q2", "B", 2.0)])
    with pytest.raises(InputError, match="no item has a score for all systems: A, B"):
        scores.pair(missing="drop")


def test_duplicates_are_refused() -> None:
    scores = long([("q1", "A", 1.0), ("q1", "A", 1.0), ("q1", "B", 2.0)])
    with pytest.raises(
        InputError, match="item 'q1' has more than one score for system 'A'; scores that repeat an earlier one: 1"
    ):
        scores.pair()


def test_runs_are_averaged_exactly_or_chosen() -> None:
    frame = pd.DataFrame(
        [(i, s, r, v) for i in ("q1", "q2") for s, base in (("A", 1), ("B", 2)) for r, v in ((1, base), (2, base + 1))],
        columns=["item", "system", "seed", "score"],
    )
    scores = nf.read(frame)
    sample = scores.pair()
    assert sample.scores(0).tolist() == [1.5, 1.5]
    assert sample.grid == Grid(0, 2, exact=True)
    assert sample.notes == (note("align.runs", low=2, high=2),)
    assert str(sample.notes[0]).startswith("Each item was run 2 times; its score is the mean.")
    assert scores.pair(run="1").scores(0).tolist() == [1.0, 1.0]
    with pytest.raises(InputError, match="there is no run '9'"):
        scores.pair(run="9")


def test_a_dataset_is_chosen_by_name() -> None:
    frame = pd.DataFrame(
        [(q, s, d, 1.0) for q in ("q1", "q2") for s in "AB" for d in ("x", "y")],
        columns=["item", "system", "dataset", "score"],
    )
    scores = nf.read(frame)
    assert scores.pair(dataset="y").dataset == "y"
    with pytest.raises(InputError) as caught:
        scores.pair(dataset="z")
    assert caught.value.message == "there is no dataset 'z'."


def test_datasets_of_one_item_are_compared_as_items() -> None:
    frame = pd.DataFrame({"dataset": ["x", "y", "z"], "A": [1.0, 2.0, 3.0], "B": [2.0, 2.0, 1.0]})
    sample = nf.read(frame).pair()
    assert sample.ids == ("x", "y", "z")
    assert sample.scores(0).tolist() == [1, 2, 3]
    assert sample.notes == (note("align.datasets_as_items", n=3),)
    assert str(sample.notes[0]) == "Every dataset has one item, so the 3 datasets are compared as items."
    assert nf.read(frame).pair(dataset="y").n == 1


def test_systems_must_be_chosen_when_there_are_more_than_two() -> None:
    scores = nf.read(pd.DataFrame({"item": [1, 2], "x": [0.1, 0.2], "y": [0.1, 0.2], "z": [0.1, 0.2]}))
    with pytest.raises(InputError, match="two systems are compared, and there are 3: x, y, z"):
        scores.pair()
    with pytest.raises(InputError) as caught:
        scores.pair("x", "Y2")
    assert "did you mean 'y'?" in caught.value.advice()
    with pytest.raises(InputError, match="compared with itself"):
        scores.pair("x", "x")
    assert scores.pair("z", "x").systems == ("z", "x")


def test_with_two_systems_naming_one_is_enough() -> None:
    scores = nf.read(pd.DataFrame({"item": [1, 2], "x": [0.1, 0.2], "y": [0.1, 0.2]}))
    assert scores.pair().systems == ("x", "y")
    assert scores.pair("y").systems == ("y", "x")
    assert scores.pair(b="x").systems == ("y", "x")


def test_clusters_come_along_and_must_agree() -> None:
    frame = pd.DataFrame(
        [(f"q{i}", system, 1, cluster) for system in "AB" for i, cluster in enumerate(["d1", "d2"] * 3)],
        columns=["item", "system", "score", "cluster"],
    )
    sample = nf.read(frame).pair()
    assert sample.clusters is not None
    assert sample.clusters.tolist() == [0, 1, 0, 1, 0, 1]
    apart = nf.read(frame).pair(clusters=False)
    assert apart.clusters is None
    assert note("align.clusters_set_aside") in apart.notes
    frame.loc[6, "cluster"] = "d9"
    with pytest.raises(InputError, match="item 'q0' is in more than one cluster"):
        nf.read(frame).pair()


def unequal_runs() -> nf.Scores:
    rows = [(i, s, r, v + r) for i, v in (("q1", 1), ("q2", 2)) for s in "AB" for r in (1, 2, 3)]
    rows = [row for row in rows if (row[1], row[2]) != ("A", 2)]
    return nf.read(pd.DataFrame(rows, columns=["item", "system", "seed", "score"]))


@pytest.mark.parametrize("missing", ["refuse", "drop"])
def test_unequal_numbers_of_runs_are_averaged_over_those_there_are(missing: str) -> None:
    sample = unequal_runs().pair(missing=missing)
    assert sample.n == 2
    assert note("align.runs", low=2, high=3) in sample.notes
    assert sample.scores(0).tolist() == [3.0, 4.0]


def test_a_run_without_a_score_takes_no_part_and_an_item_without_any_is_missing() -> None:
    rows = ["q1,A,1,0.5", "q1,A,2,", "q2,A,1,", "q2,A,2,", "q1,B,1,1", "q1,B,2,0", "q2,B,1,1", "q2,B,2,1"]
    scores = nf.read(io.StringIO("\n".join(["item,system,seed,score", *rows]) + "\n"))
    with pytest.raises(InputError, match="of 2 items 1 has no score for 'A'"):
        scores.pair()
    kept = scores.pair(missing="drop")
    assert (kept.scores(0).tolist(), kept.scores(1).tolist()) == ([0.5], [0.5])
    assert note("align.runs", low=1, high=2) in kept.notes


def test_unpaired_groups_need_no_common_items() -> None:
    from nofluke.align import select_unpaired

    scores = long([("q1", "A", 1.0), ("q2", "A", 2.0), ("q3", "A", 2.0), ("q9", "B", 10.0), ("q4", "B", 1.0)])
    sample = select_unpaired(scores)
    assert sample.lengths == (3, 2)
    assert not sample.paired
    assert nf.test(sample, "mann_whitney").n == 5


def test_unpaired_groups_tell_of_repeated_scores_of_one_item() -> None:
    from nofluke.align import select_unpaired

    scores = long([(f"q{i}", who, float(i % 3), run) for i in range(6) for who in "AB" for run in (1, 2)], run=None)
    assert [one.code for one in select_unpaired(scores).notes] == ["align.repeats_pooled"]
    assert select_unpaired(scores, run="1").notes == ()


def test_unpaired_groups_refuse_clusters_unless_they_are_set_aside() -> None:
    from nofluke.align import select_unpaired

    scores = nf.read(io.StringIO("item,cluster,A,B\n1,c,1,2\n2,c,3,1\n3,d,2,2\n"))
    with pytest.raises(MethodError, match="come in clusters"):
        select_unpaired(scores)
    sample = select_unpaired(scores, clusters=False)
    assert note("align.clusters_set_aside") in sample.notes
