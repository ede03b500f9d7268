"""Records of openai/evals: several events of a sample are its runs, an error is no score."""

from __future__ import annotations

from pathlib import Path

import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.more_logs import event, notes, openai_evals, values


def test_events_in_any_order_and_several_of_a_sample(tmp_path: Path) -> None:
    events = [event(at, at // 2, correct=bool(at % 2), expected="x") for at in range(6)]
    scores = nf.read(openai_evals(tmp_path / "a.jsonl", events[::-1], report={"accuracy": 0.5}))
    assert scores.run is not None
    assert (scores.run.labels, len(scores.item.labels)) == (("1", "2"), 3)
    assert values(scores, "correct") == [0, 1] * 3
    assert notes(scores) == ""
    assert values(nf.read(tmp_path / "a.jsonl", reduce="max"), "correct") == [1, 1, 1]


def test_errors_and_samples_without_a_score(tmp_path: Path) -> None:
    events = [
        event(0, 0, correct=True, expected="x"),
        event(1, 1, "sampling", prompt="?"),
        event(2, 1, "error", type="TimeoutError", message="late"),
        event(3, 2, "sampling", prompt="?"),
        event(4, 3, "error", type="X"),
        event(5, 3, correct=False, expected="y"),
    ]
    scores = nf.read(openai_evals(tmp_path / "a.jsonl", events))
    assert "new: 1 not scored, 1 in error" in notes(scores)
    assert values(nf.read(tmp_path / "a.jsonl", on_error="zero"), "correct")[1] == 0


def test_metrics_and_what_is_no_number(tmp_path: Path) -> None:
    events = [event(at, at, "metrics", score=at / 2, choice="Yes", correct=1) for at in range(3)]
    scores = nf.read(openai_evals(tmp_path / "a.jsonl", events, report={"score": 0.9}))
    assert scores.metrics == ("score", "metrics.correct")
    assert "reports score 0.9" in notes(scores)


def test_an_unfinished_run_is_told(tmp_path: Path) -> None:
    path = openai_evals(tmp_path / "a.jsonl", [event(0, 0, correct=True)], report=False)
    assert "did not finish: new on sums.test.v0 (no final report)" in notes(nf.read(path))
    path.write_text(path.read_text()[:-10])
    with pytest.raises(InputError, match="ends too early") as caught:
        nf.read(path)
    assert "line 2" in str(caught.value)


def test_other_answers_for_one_id_are_refused(tmp_path: Path) -> None:
    for name, answer in (("new", "x"), ("old", "y")):
        events = [event(at, at, correct=bool(at % 2), expected=answer) for at in range(4)]
        openai_evals(tmp_path / f"{name}.jsonl", events, model=name)
    with pytest.raises(InputError, match="4 of 4 items"):
        nf.read(tmp_path).pair()


def test_nothing_scored(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no sample was scored"):
        nf.read(openai_evals(tmp_path / "a.jsonl", [event(0, 0, "sampling", prompt="?")]))
