"""rank: what it takes in, what it refuses, and what it says it left out."""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError, MethodError
from nofluke.reports.build import build
from nofluke.words.ranking_details import null_sentence

UNPAIRED = ["welch_t", "student_t", "mann_whitney"]


def clustered(n: int = 40) -> nf.Scores:
    rng = np.random.default_rng(0)
    rows = [f"i{i},c{i // 5}," + ",".join(f"{v:.2f}" for v in rng.normal([0.5, 0.2, 0], 1)) for i in range(n)]
    return nf.read(io.StringIO("item,cluster,x,y,z\n" + "\n".join(rows) + "\n"))


def table(lines: str, **options: Any) -> nf.Scores:
    return nf.read(io.StringIO(lines), **options)


@pytest.mark.parametrize("method", UNPAIRED)
def test_unpaired_tests_never_ignore_clusters_in_silence(method: str) -> None:
    with pytest.raises(MethodError, match="come in clusters") as caught:
        nf.rank(clustered(), method=method)
    assert "clusters=False" in str(caught.value)
    ranking = nf.rank(clustered(), method=method, clusters=False)
    assert any("set aside" in str(note) for note in ranking.notes)


def test_clusters_units_and_datasets_are_swapped_as_a_whole() -> None:
    assert "cluster by cluster" in null_sentence(nf.rank(clustered()))
    scores = {"a": [1.0, 2, 3, 4, 5, 6, 7], "b": [2.0, 1, 3, 2, 1, 0, 4]}
    assert "unit by unit" in null_sentence(nf.rank(scores, unit=2))
    assert "item by item" in null_sentence(nf.rank(scores))
    several = table("dataset,item,x,y\n" + "".join(f"d{i},{i},{i},{i * i % 5}\n" for i in range(8)))
    assert "dataset by dataset" in null_sentence(nf.rank(several, method="permutation"))


def test_what_was_left_out_is_said() -> None:
    scores = table("item,x,y\n" + "".join(f"i{i},{i},{'' if i == 3 else i * i % 7}\n" for i in range(11)))
    note = "10 items matched by id; 1 left out (1 without a score for y)."
    dropped = nf.rank(scores, missing="drop")
    assert dropped.alignment is not None
    assert (dropped.alignment.dropped, dropped.alignment.missing["y"]) == (1, 1)
    assert note in build(dropped).notes
    units = nf.rank(scores, missing="drop", unit=3)
    assert any("1 item at the end did not fill a unit" in note for note in build(units).notes)
    apart = nf.rank(scores, missing="drop", method="welch_t")
    assert "Missing scores were left out: 1 of y." in map(str, apart.notes)
    assert "missing:drop" in apart.signature
    lines = "".join(
        f"d{d},{d}-{i},{i + d},{'' if (d, i) == (1, 1) else i * d % 3}\n" for d in range(6) for i in range(4)
    )
    several = nf.rank(table("dataset,item,x,y\n" + lines), missing="drop", over="datasets")
    assert "1 item without a score for every system was left out: 1 of d1." in map(str, several.notes)
    averaged = nf.rank(table("dataset,item,x,y\n" + lines), missing="drop")
    assert "23 items matched by id; 1 left out (1 without a score for y)." in build(averaged).notes


def test_several_datasets_take_a_paired_test() -> None:
    scores = table("dataset,item,x,y\n" + "".join(f"d{i},{i},{i},{i * i % 5}\n" for i in range(8)))
    with pytest.raises(MethodError, match="several datasets") as caught:
        nf.rank(scores, method="welch_t")
    assert "paired test" in str(caught.value)
    with pytest.raises(MethodError, match="another test") as caught:
        nf.rank(scores, adjust="max_t", method="wilcoxon")
    assert "method='permutation'" in str(caught.value)
    assert nf.rank(scores, adjust="max_t").n == 8


def test_a_dict_may_lack_scores_when_they_are_dropped() -> None:
    scores = {"ours": [1.0, None, 3, 4, 6], "theirs": [0.0, 2, 1, math.nan, 2], "third": [0.0, 1, 2, 1, 1]}
    with pytest.raises(InputError, match="1 of 'ours', 1 of 'theirs'"):
        nf.rank(scores)
    ranking = nf.rank(scores, missing="drop")
    assert ranking.n == 3
    expected = nf.rank({name: [values[i] for i in (0, 2, 4)] for name, values in scores.items()})
    assert ranking.scores == expected.scores
    assert ranking.p_values == pytest.approx(expected.p_values, nan_ok=True)
    assert ranking.alignment is not None
    assert ranking.alignment.dropped == 2
    assert any("2 left out" in note for note in build(ranking).notes)


def test_a_dict_of_unequal_lengths_is_for_unpaired_tests_and_errors_name_the_systems() -> None:
    scores = {"ours": [1.0, 2, 3, 4], "theirs": [0.0, 2, 1]}
    with pytest.raises(InputError, match="'ours' has 4 scores and 'theirs' has 3"):
        nf.rank(scores)
    ranking = nf.rank(scores, method="welch_t", adjust="none")
    assert ranking.lengths == (4, 3)
    smaller = min(ranking.p_value("ours", "theirs"), ranking.p_value("theirs", "ours"))
    assert smaller == pytest.approx(nf.test(scores["ours"], scores["theirs"], "welch_t").p_value)
    assert "3 to 4 scores" in build(ranking).sentences[1]
    assert "3 to 4 scores" in build(ranking).short
    with pytest.raises(InputError, match="theirs"):
        nf.rank({"ours": [1.0], "theirs": ["x"]})


def test_lower_may_be_better_in_a_dict_and_a_table_says_it_itself() -> None:
    scores = {"a": [1.0, 2, 3, 4, 5, 6], "b": [2.0, 4, 4, 6, 6, 7]}
    assert nf.rank(scores).systems == ("b", "a")
    assert nf.rank(scores, higher_is_better=False).systems == ("a", "b")
    with pytest.raises(InputError, match="a table says it itself"):
        nf.rank(clustered(), higher_is_better=True)


def test_an_unknown_system_is_named() -> None:
    ranking = nf.rank({"ours": [1.0, 2, 3], "theirs": [0.0, 2, 1]})
    for ask in (ranking.rank_range, lambda name: ranking.p_value("ours", name)):
        with pytest.raises(InputError, match="did you mean 'theirs'"):
            ask("theirss")


def test_small_words() -> None:
    binary = nf.rank({"a": [1, 0, 1, 1, 1, 0, 1, 1], "b": [0, 0, 1, 0, 0, 0, 1, 0]}, method="mcnemar")
    assert "tested by McNemar's test" in build(binary).long
    assert str(nf.rank({"a": [1.0], "b": [2.0]})).startswith("No verdict is possible: 1 item is too few to show any")
    same = nf.rank({"a": [1.0, 2, 4], "b": [2.0, 5, 4]}, method="mann_whitney")
    assert "3 scores" in " ".join(build(same).sentences)
    assert "3 to 3" not in nf.report(same)
    shared = build(nf.rank({"a": [1.0, 2, 4, 5], "b": [2.0, 5, 4, 4], "c": [1.0, 1, 1, 2]}, adjust="max_t"))
    pairs = shared.sections[0].table
    assert pairs is not None
    assert set(pairs.columns) - {"pair", "verdict"} <= set(pairs.figures)
