"""Test runs of deepeval: places are no ids, a metric that failed is no score, repeated cases are runs."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.more_logs import case, deepeval, notes, values


def test_places_name_no_items(tmp_path: Path) -> None:
    """test_case_3 is a place: the other run had its cases in another order."""
    cases = [case(at, {"Exact": float(at % 2)}) for at in range(6)]
    moved = [{**own, "name": f"test_case_{at}", "order": at} for at, own in enumerate(cases[::-1])]
    deepeval(tmp_path / "a.json", cases)
    deepeval(tmp_path / "b.json", moved, model="old")
    sample = nf.read(tmp_path).pair("new", "old")
    assert sample.n == 6
    assert (sample.scores(0) == sample.scores(1)).all()


@pytest.mark.parametrize("name", ["test_case_{}", "test_llm[case{}]", "conversational_test_case_{}", "test_one", ""])
def test_names_of_deepeval_and_pytest_are_places(name: str, tmp_path: Path) -> None:
    cases = [case(at, {"Exact": 1.0}, name=name.format(at)) for at in range(3)]
    items = nf.read(deepeval(tmp_path / "a.json", cases)).item.labels
    assert all(len(item) == 16 for item in items)
    own = [case(at, {"Exact": 1.0}, name=f"moon {at}") for at in range(3)]
    assert nf.read(deepeval(tmp_path / "b.json", own)).item.labels == ("moon 0", "moon 1", "moon 2")


def test_a_metric_that_failed_has_no_score(tmp_path: Path) -> None:
    cases = [case(0, {"Exact": 1.0, "Judge": None}), case(1, {"Exact": 1.0, "Judge": 0.7})]
    scores = nf.read(deepeval(tmp_path / "a.json", cases))
    assert values(scores, "Exact") == [1, 1]
    assert math.isnan(values(scores, "Judge")[0])
    assert values(scores, "Judge")[1] == 0.7  # metricsScores leaves the failed one out
    assert math.isnan(values(scores, "success")[0])
    assert scores.primary == {"deepeval": "Exact"}
    assert "Judge of new on 1 item" in notes(scores)
    assert "reports" not in notes(scores)
    zero = nf.read(tmp_path / "a.json", on_error="zero")
    assert values(zero, "Judge") == [0, 0.7]


def test_repeated_cases_are_runs(tmp_path: Path) -> None:
    cases = [case(at % 3, {"Exact": 1.0}, order=at) for at in range(6)]
    scores = nf.read(deepeval(tmp_path / "a.json", cases))
    assert scores.run is not None
    assert (scores.run.labels, len(scores.item.labels)) == (("1", "2"), 3)


def test_model_hyperparameters_and_test_file(tmp_path: Path) -> None:
    cases = [case(at, {"Exact": 1.0, "Exact 2": 1.0}) for at in range(3)]
    for place, prompt in enumerate(("v1", "v2")):
        own = {"hyperparameters": {"model": "new", "prompt": prompt}, "testFile": "test_moons.py"}
        deepeval(tmp_path / "runs" / f"test_run_2026010{place + 1}_100000.json", cases, **own)
    scores = nf.read(tmp_path / "runs", cluster="metadata.page")
    assert (scores.systems, scores.datasets) == (("new:prompt=v1", "new:prompt=v2"), ("test_moons.py",))
    assert scores.cluster is not None
    assert scores.cluster.labels == ("p0", "p1")
    alone = deepeval(tmp_path / "alone.json", cases, hyperparameters=None, identifier=None)
    assert nf.read(alone).systems == ("alone",)


def test_conversations_are_known_by_scenario_or_what_the_user_says(tmp_path: Path) -> None:
    talks = []
    for at in range(4):
        asks: dict[str, Any] = {"scenario": f"s{at}"} if at < 2 else {}
        turns = [{"role": "user", "content": f"Hello {at}"}, {"role": "assistant", "content": "Hi"}]
        talks.append({**case(at, {"Polite": 1.0}, input=None, turns=turns), **asks})
    scores = nf.read(deepeval(tmp_path / "a.json", [], conversationalTestCases=talks))
    assert (len(scores.item.labels), scores.run) == (4, None)


def test_no_test_cases(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no test cases"):
        nf.read(deepeval(tmp_path / "a.json", []))


def test_what_passes_says_whether_higher_is_better(tmp_path: Path) -> None:
    """Of toxicity the low scores pass; where a failure counts 0, it would be the best answer: it stays missing."""
    cases = [case(at, {"Exact": 0.2 * at, "Toxicity": 0.2 * at if at else None}) for at in range(6)]
    for one in cases:
        own = one["metricsData"][1]
        own["success"] = own.get("score", 1.0) <= 0.5
    scores = nf.read(deepeval(tmp_path / "a.json", cases), on_error="zero")
    assert scores.higher_is_better["Exact"]
    assert not scores.higher_is_better["Toxicity"]
    assert math.isnan(values(scores, "Toxicity")[0])


def test_the_latest_run_of_the_command_line(tmp_path: Path) -> None:
    run = json.loads(deepeval(tmp_path / "a.json", [case(at, {"Exact": float(at % 2)}) for at in range(4)]).read_text())
    path = tmp_path / ".latest_test_run.json"
    path.write_text(json.dumps({"testRunData": run, "testRunLink": None}))
    assert values(nf.read(path), "Exact") == [0, 1, 0, 1]
