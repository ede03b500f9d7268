"""Every Eval Ever: metrics as lm-eval logged them, averages compared, scores of nothing refused."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.command_line import nofluke
from support.more_logs import eee_row, event, every_eval_ever, lines, notes, openai_evals, values


def test_what_lm_eval_logged_is_added_up_as_lm_eval_does(tmp_path: Path) -> None:
    rows = []
    for at in range(4):
        logged = {"acc": float(at % 2), "perplexity": -1.0 - at, "bleu": ["a b c d e", "a b c d e"]}
        rows += [eee_row(at, name, logged[name], logged=logged) for name in ("acc", "perplexity")]
    averages = {"acc": (0.5, False, 4), "perplexity": (math.exp(2.5), True, 4), "bleu": (100.0, False, 4)}
    every_eval_ever(tmp_path, rows, averages)
    scores = nf.read(tmp_path)
    assert scores.metrics == ("acc", "perplexity", "bleu")
    assert scores.higher_is_better == {"acc": True, "perplexity": False, "bleu": True}
    assert (scores.systems, scores.datasets, len(scores.item.labels)) == (("acme/new",), ("rivers",), 4)
    assert notes(scores) == ""  # nothing deviates, and the averages are no stranger


def test_scores_of_nothing_are_refused(tmp_path: Path) -> None:
    path = every_eval_ever(tmp_path, [eee_row(at, None, 0.0) for at in range(3)])
    with pytest.raises(InputError, match="evaluation_result_id is null") as caught:
        nf.read(path)
    assert "line 1" in str(caught.value)
    logged = [eee_row(at, None, 0.0, logged={"exact_match": 1.0}) for at in range(3)]
    assert values(nf.read(every_eval_ever(tmp_path, logged)), "exact_match") == [1, 1, 1]


def test_filters_are_metrics_of_one_task(tmp_path: Path) -> None:
    rows = [
        eee_row(
            at,
            f"exact_match:{kind}",
            1.0,
            evaluation_name=f"rivers/{kind}",
            logged={"exact_match": score},
            metadata={"filter": kind},
        )
        for at in range(3)
        for kind, score in (("strict", 0.0), ("loose", 1.0))
    ]
    averages = {"exact_match:strict": (0.2, False, 3), "exact_match:loose": (1.0, False, 5)}
    scores = nf.read(every_eval_ever(tmp_path, rows, averages))
    assert (scores.datasets, scores.metrics) == (("rivers",), ("exact_match/strict", "exact_match/loose"))
    assert "reports exact_match/strict 0.2" in notes(scores)
    assert "Only a part of the items was run: acme/new on rivers (3 of 5)" in notes(scores)


def test_epochs_are_runs_and_errors_no_scores(tmp_path: Path) -> None:
    rows = [eee_row(at, "accuracy", 1.0, metadata={"epoch": str(run)}) for at in range(3) for run in (1, 2)]
    rows[0]["error"] = "TimeoutError"
    scores = nf.read(every_eval_ever(tmp_path, rows))
    assert scores.run is not None
    assert (scores.run.labels, len(scores.item.labels)) == (("1", "2"), 3)
    assert "1 in error" in notes(scores)
    assert math.isnan(values(scores, "accuracy")[0])


def test_one_sample_with_two_scores_is_refused(tmp_path: Path) -> None:
    rows = [eee_row(0, "accuracy", 1.0), eee_row(1, "accuracy", 1.0), eee_row(0, "accuracy", 0.0)]
    with pytest.raises(InputError, match="sample 0 has another accuracy in line 1") as caught:
        nf.read(every_eval_ever(tmp_path, rows))
    assert "line 3" in str(caught.value)


def test_averages_alone_are_refused(tmp_path: Path) -> None:
    path = every_eval_ever(tmp_path, [eee_row(0, "accuracy", 1.0)], {"accuracy": (1.0, False, 1)})
    path.unlink()
    run = nofluke("compare", str(tmp_path))
    assert run.code == 2
    assert "--include_samples" in run.err


def test_lines_of_something_else_are_refused_with_their_number(tmp_path: Path) -> None:
    for path, row in (
        (lines(tmp_path / "a.jsonl", [eee_row(0, "acc", 1.0), {"x": 1}]), 2),
        (openai_evals(tmp_path / "b.jsonl", [event(0, 0, correct=True), {"x": 1}]), 4),
    ):
        run = nofluke("read", str(path))
        assert run.code == 2
        assert f"{path} line {row}:" in run.err
