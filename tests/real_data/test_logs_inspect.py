"""Real logs of Inspect: archives in zstd, four reducers, clusters, errors, several values of a scorer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.types import STATUSES
from support.command_line import nofluke

Facts = Callable[[str], dict[str, Any]]
Folder = Callable[[str], Path]


@pytest.mark.parametrize("name", ["logs/inspect_eval", "logs/inspect_json"])
def test_every_log_gives_what_the_harness_reports(name: str, data: Folder, expected: Facts) -> None:
    checked = 0
    for log in expected(name)["logs"]:
        scores = nf.read(data(name) / log["file"])
        assert (scores.systems, scores.datasets) == ((log["model"],), (log["task"],))
        assert len(scores.item.labels) == log["items"]
        assert (1 if scores.run is None else len(scores.run.labels)) == log["epochs"]
        assert scores.status is not None
        failed = scores.key("item", "run")[scores.status == STATUSES.index("error")]
        assert len(np.unique(failed)) == log["rows_with_error"]
        for metric, facts in log["raw_values"].items():
            _same_marks(scores, metric, facts)
        told = {note.code for note in scores.sources[0].notes}
        assert ("logs.ended" in told) is (log["status"] != "success")
        assert "logs.deviates" not in told
        for result in log["results"]:
            if result["reducer"] in (None, "mean"):
                _same_mean(scores, result)
                checked += 1
            assert (scores.cluster is not None) is (result["cluster"] is not None)
    assert checked == (8 if name == "logs/inspect_eval" else 12)


def _same_marks(scores: nf.Scores, metric: str, facts: dict[str, Any]) -> None:
    """Every mark is the number that stands for it; NaN is none."""
    values = scores.statistics[scores.metric.codes == scores.metric.code_of(metric), 0]
    marks = {"C": 1.0, "True": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "False": 0.0}
    for number in (1.0, 0.5, 0.0):
        count = sum(facts["values"].get(mark, 0) for mark, own in marks.items() if own == number)
        assert "numbers" in facts or int((values == number).sum()) == count
    assert int((~np.isnan(values)).sum()) == facts.get("numbers", sum(facts["values"].get(mark, 0) for mark in marks))


def _same_mean(scores: nf.Scores, result: dict[str, Any]) -> None:
    plain = result["score"] == result["scorer"]
    metric = result["score"] if plain else f"{result['scorer']}/{result['score']}"
    rows = scores.metric.codes == scores.metric.code_of(metric)
    values, items = scores.statistics[rows, 0], scores.item.codes[rows]
    known = ~np.isnan(values)
    counts = np.bincount(items[known], minlength=len(scores.item.labels))
    sums = np.bincount(items[known], values[known], minlength=len(scores.item.labels))
    means = sums[counts > 0] / counts[counts > 0]
    assert len(means) == result["scored"]
    reported = next(value for name, value in result["metrics"].items() if name in ("accuracy", "mean", "all"))
    assert float(means.mean()) == pytest.approx(reported, rel=1e-12)


@pytest.mark.parametrize(
    ("name", "pair", "folder", "systems", "options"),
    [
        (
            "logs/inspect_eval",
            "toy_math match, mean of 3 epochs: toy/large-v2, toy/small-v1 (hint=false)",
            "logs/ok",
            ("toy/large-v2", "toy/small-v1:hint=false"),
            {"dataset": "toy_math"},
        ),
        (
            "logs/inspect_eval",
            "toy_math match: toy/small-v1 hint=true, toy/small-v1 hint=false",
            "logs/ok",
            ("toy/small-v1:hint=true", "toy/small-v1:hint=false"),
            {"dataset": "toy_math"},
        ),
        (
            "logs/inspect_eval",
            "toy_mcq choice: toy/large-v2, toy/medium-v1",
            "logs",
            ("toy/large-v2", "toy/medium-v1"),
            {"dataset": "toy_mcq"},
        ),
        (
            "logs/inspect_eval",
            "toy_flaky match (errors left out): toy/large-v2, toy/small-v1",
            "logs/errors",
            ("toy/large-v2", "toy/small-v1"),
            {"missing": "drop"},
        ),
        (
            "logs/inspect_json",
            "graded (C/P/I/N/NaN), mean of 2 epochs: large-v2, small-v1",
            "logs",
            ("toy/large-v2", "toy/small-v1"),
            {"metric": "graded", "missing": "drop"},
        ),
        (
            "logs/inspect_json",
            "judged/helpful (1..5): large-v2, small-v1",
            "logs",
            ("toy/large-v2", "toy/small-v1"),
            {"metric": "judged/helpful"},
        ),
        (
            "logs/inspect_json",
            "judged/safe (bool): large-v2, small-v1",
            "logs",
            ("toy/large-v2", "toy/small-v1"),
            {"metric": "judged/safe"},
        ),
        (
            "logs/inspect_json",
            "judged/style: large-v2, small-v1",
            "logs",
            ("toy/large-v2", "toy/small-v1"),
            {"metric": "judged/style"},
        ),
    ],
)
def test_pairs(
    name: str, pair: str, folder: str, systems: tuple[str, str], options: dict[str, Any], data: Folder, expected: Facts
) -> None:
    facts = expected(name)["pairs"][pair]
    sample = nf.read(data(name) / folder).pair(*systems, **options)
    difference = sample.scores(0) - sample.scores(1)
    assert sample.n == facts["matched"]
    assert sample.alignment.dropped == facts["only_first"] + facts["only_second"]
    ahead = [int((difference > 1e-12).sum()), int((difference < -1e-12).sum())]
    assert ahead == [facts["first_higher"], facts["second_higher"]]
    assert float(difference.mean()) == pytest.approx(facts["mean_difference"])


@pytest.mark.parametrize("reducer", ["at_least_2", "pass_at_2", "max"])
def test_reducers_of_epochs(reducer: str, data: Folder, expected: Facts) -> None:
    checked = 0
    for log in expected("logs/inspect_eval")["logs"]:
        for result in log["results"]:
            if result["reducer"] == reducer:
                scores = nf.read(data("logs/inspect_eval") / log["file"], reduce=reducer)
                assert float(scores.statistics.mean()) == pytest.approx(result["metrics"]["accuracy"], rel=1e-12)
                checked += 1
    assert checked == 4


def test_real_logs_of_older_versions(data: Folder, expected: Facts) -> None:
    for file in ("popularity_10samples.eval", "popularity_3samples.json"):
        facts = expected("formats_inspect")[file]
        scores = nf.read(data("formats_inspect") / file)
        found = dict(zip(scores.item.labels, scores.statistics[:, 0].tolist(), strict=True))
        assert found == {item: float(own["match"] == "C") for item, own in facts["per_sample"].items()}


@pytest.mark.parametrize(
    "command",
    [
        "rank {0}/inspect_eval/logs/ok",
        "compare {0}/inspect_eval/logs/ok --a toy/large-v2 --b toy/medium-v1",
        "compare {0}/inspect_eval/logs/errors --missing drop",
        "rank {0}/inspect_json/logs --metric judged/safe",
        "score --interval {0}/inspect_json/logs",
    ],
)
def test_natural_commands(command: str, data: Folder) -> None:
    run = nofluke(*command.format(data("logs")).split())
    if "score" in command:  # four metrics on four scales: the user chooses
        assert run.code == 2
        assert "choose one: --metric " in run.err
        return
    assert run.code == 0, run.err
    assert "Inspect 0.3.285 logs" in run.err
