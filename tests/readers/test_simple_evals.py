"""simple-evals: scores stand in pieces of HTML, items are questions, asked again they are runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import nofluke as nf
from support.command_line import nofluke
from support.score_logs import simple_evals

NAME = "math_{}_20260101_100000_allresults.json"
ANSWERS = [(f"What is {at}?", float(at % 2)) for at in range(6)]


def test_files_name_evaluation_and_model(tmp_path: Path) -> None:
    simple_evals(tmp_path / NAME.format("new"), ANSWERS)
    simple_evals(tmp_path / NAME.format("old"), ANSWERS[::-1])
    scores = nf.read(tmp_path)
    assert (scores.systems, scores.datasets) == (("new", "old"), ("math",))
    sample = scores.pair()
    assert sample.n == 6
    np.testing.assert_array_equal(sample.scores(0), sample.scores(1))
    # The averages lie beside the items of the same date, and are no news.
    assert scores.sources[0].notes == ()


@pytest.mark.parametrize(
    ("file", "names"),
    [
        ("healthbench_hard_gpt-4o_mini_20260101_100000_allresults.json", ("healthbench_hard", "gpt-4o_mini")),
        ("mmlu_EN-US_m_20260101_100000_DEBUG_allresults.json", ("mmlu_EN-US", "m")),
        ("gpqa_o3_high_DEBUG_allresults.json", ("gpqa", "o3_high")),
        ("results.json", ("simple-evals", "results")),
    ],
)
def test_names(file: str, names: tuple[str, str], tmp_path: Path) -> None:
    scores = nf.read(simple_evals(tmp_path / file, ANSWERS))
    assert (scores.datasets[0], scores.systems[0]) == names


def test_a_question_that_is_asked_again_is_a_run(tmp_path: Path) -> None:
    first = "Which?\n\nA) one\nB) two\nC) three\nD) four"
    again = "Which?\n\nA) four\nB) two\nC) one\nD) three"
    answers = [(first, 1), ("Else?", 0), (again, 0), ("Else?", 1)]
    scores = nf.read(simple_evals(tmp_path / NAME.format("new"), answers))
    assert scores.run is not None
    assert (len(scores.item.labels), scores.run.labels) == (2, ("1", "2"))


def test_a_question_that_stands_there_more_often_than_others_is_several_items(tmp_path: Path) -> None:
    once = [("Twice?", 1), ("Once?", 0), ("Twice?", 0)]
    scores = nf.read(simple_evals(tmp_path / NAME.format("new"), once))
    assert (len(scores.item.labels), scores.run) == (3, None)
    scores = nf.read(simple_evals(tmp_path / NAME.format("new"), once * 2))
    assert scores.run is not None
    assert (len(scores.item.labels), scores.run.labels) == (3, ("1", "2"))
    np.testing.assert_array_equal(scores.statistics[:, 0], [1, 0, 0, 1, 0, 0])


def test_true_and_none(tmp_path: Path) -> None:
    answers = [("a", True), ("b", False), ("c", None), ("d", 0.25)]
    scores = nf.read(simple_evals(tmp_path / NAME.format("new"), answers))
    np.testing.assert_array_equal(scores.statistics[:, 0], [1, 0, np.nan, 0.25])


def test_instructions_are_no_question_and_what_is_reported_is_checked(tmp_path: Path) -> None:
    path = simple_evals(tmp_path / NAME.format("new"), ANSWERS, score=0.25)
    assert "reports score 0.25" in " ".join(map(str, nf.read(path).sources[0].notes))
    talks = [
        [{"role": "system", "content": "Be brief."}, {"role": "user", "content": question}, {"role": "assistant"}]
        for question, _ in ANSWERS
    ]
    simple_evals(tmp_path / NAME.format("old"), ANSWERS, convos=talks)
    assert nf.read(tmp_path).pair().n == 6


def test_clusters_are_metadata_of_items(tmp_path: Path) -> None:
    path = simple_evals(tmp_path / NAME.format("new"), ANSWERS)
    scores = nf.read(path, cluster="topic")
    assert scores.cluster is not None
    assert scores.cluster.labels == ("t0", "t1", "t2")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"convos": []}, "as many htmls as convos"),
        ({"htmls": ["<p>no</p>"] * 6}, "page 0 has no score"),
        ({"htmls": ["<p>Score: good</p>"] * 6}, "the score 'good' of page 0 is no number"),
        ({"convos": [[]] * 6}, "conversation 0 has no question"),
    ],
)
def test_damaged_results_are_told(more: dict[str, object], said: str, tmp_path: Path) -> None:
    run = nofluke("compare", str(simple_evals(tmp_path / NAME.format("new"), ANSWERS, **more)))
    assert run.code == 2
    assert said in run.err


def test_averages_point_to_the_items(tmp_path: Path) -> None:
    simple_evals(tmp_path / NAME.format("new"), ANSWERS)
    run = nofluke("compare", str(tmp_path / "math_new_20260101_100000.json"))
    assert run.code == 2
    assert "ends in _allresults.json" in run.err
