"""MTEB: a task is one observation; subsets are averaged, the test split counts, models are named by their folders."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.command_line import nofluke
from support.score_logs import mteb

TASKS = {f"Task{at}": round(0.5 + at / 100, 5) for at in range(8)}


def test_the_task_is_the_unit(tmp_path: Path) -> None:
    mteb(tmp_path, TASKS)
    mteb(tmp_path, {name: round(score - 0.01, 5) for name, score in TASKS.items()}, "acme/old")
    scores = nf.read(tmp_path)
    assert scores.systems == ("acme/new", "acme/old")
    assert scores.datasets == tuple(TASKS)
    sample = scores.pair()
    assert (sample.n, sample.alignment.by, sample.ids) == (8, "dataset", tuple(TASKS))
    run = nofluke("compare", str(tmp_path))
    assert run.code == 0
    assert "8 datasets" in run.out
    assert "acme/new is better than acme/old" in run.out
    assert "Unit" in nofluke("rank", str(tmp_path)).out


def test_subsets_are_averaged_and_the_test_split_counts(tmp_path: Path) -> None:
    several = {"val": {"default": 0.9}, "test": {"eng": 0.5, "fra": 0.25}}
    scores = nf.read(mteb(tmp_path, {"A": several, "B": {"dev": {"x": 0.5}, "dev2": {"x": 0.25}}, "C": 0.125}))
    np.testing.assert_array_equal(scores.statistics[:, 0], [0.375, 0.375, 0.125])
    told = " ".join(map(str, scores.sources[0].notes))
    assert "A was run on val, test: test counts." in told
    assert "B was run on dev, dev2: their mean counts." in told


def test_a_subset_without_a_score_leaves_the_task_without_one(tmp_path: Path) -> None:
    scores = nf.read(mteb(tmp_path, {"A": {"test": {"eng": 0.5, "fra": float("nan")}}, "B": 0.5}))
    assert np.isnan(scores.statistics[:, 0]).tolist() == [True, False]
    assert "acme/new: 1 not scored" in " ".join(map(str, scores.sources[0].notes))


def test_revisions_of_a_model_are_systems_and_a_second_run_supersedes(tmp_path: Path) -> None:
    mteb(tmp_path / "a", {"A": 0.5, "B": 0.5}, revision="r1")
    mteb(tmp_path / "a", {"A": 0.25, "B": 0.5}, revision="r2")
    assert set(nf.read(tmp_path / "a").systems) == {"acme/new:revision=r1", "acme/new:revision=r2"}
    mteb(tmp_path / "b" / "first", {"A": 0.5, "B": 0.5})
    mteb(tmp_path / "b" / "second", {"A": 0.25}, day=2)
    scores = nf.read(tmp_path / "b")
    assert sorted(scores.statistics[:, 0].tolist()) == [0.25, 0.5]
    assert "Not used: 1 log" in " ".join(map(str, scores.sources[0].notes))


def test_folders_name_the_model_where_nothing_else_does(tmp_path: Path) -> None:
    mteb(tmp_path, {"A": 0.5, "B": 0.5})
    (tmp_path / "acme__new" / "1" / "model_meta.json").unlink()
    assert nf.read(tmp_path).systems == ("acme/new",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"dataset_revision": "x", "mteb_dataset_name": "T", "mteb_version": "1.6", "test": {}}', "of an old version"),
        ('{"dataset_revision": "x", "task_name": "T", "mteb_version": "2.0"}', "no task_name or no scores"),
        ('{"dataset_revision": "x", "task_name": "T", "mteb_version": "2", "scores": {"test": []}}', "no subsets"),
        (
            '{"dataset_revision": "x", "task_name": "T", "mteb_version": "2", "scores": {"test": [{"acc": 1}]}}',
            "a subset of test has no main_score",
        ),
        ('{"dataset_revision": "x", "task_name": "T", "mteb_version": "2", "scores": {"te', "ends too early"),
        ('{"mteb_model_meta": {"model_name": "m"}, "default": {"test": [[0, 1]]}}', "predictions of MTEB"),
    ],
)
def test_damaged_results_are_told(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "T.json").write_text(text)
    run = nofluke("compare", str(tmp_path / "T.json"))
    assert run.code == 2
    assert said in run.err


def test_replicate_says_that_no_task_can_be_tested(tmp_path: Path) -> None:
    mteb(tmp_path, TASKS)
    mteb(tmp_path, TASKS, "acme/old")
    run = nofluke("replicate", str(tmp_path))
    assert run.code == 2
    assert "every dataset has one score only" in run.err


def test_there_are_no_clusters(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no field 'topic'"):
        nf.read(mteb(tmp_path, TASKS), cluster="topic")


def test_strange_dates_are_none(tmp_path: Path) -> None:
    path = mteb(tmp_path, {"A": 0.5}) / "acme__new" / "1" / "A.json"
    for date in (1e300, -5, "soon", None, float("nan")):
        path.write_text(json.dumps(json.loads(path.read_text()) | {"date": date}))
        assert nf.read(path).systems == ("acme/new",)
