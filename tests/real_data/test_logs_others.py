"""Real results of promptfoo, pytest's JUnit XML, and tables of W&B."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.readers.formats.kept import keep
from support.command_line import nofluke

Facts = Callable[[str], dict[str, Any]]
Folder = Callable[[str], Path]


@pytest.mark.parametrize(
    ("name", "pair", "systems", "reading", "options"),
    [
        (
            "logs/promptfoo",
            "score, errors left out: toy-large / plain, toy-small / plain",
            ("toy-large:prompt=plain", "toy-small:prompt=plain"),
            {},
            {"missing": "drop"},
        ),
        (
            "logs/promptfoo",
            "score, errors as 0: toy-large / plain, toy-small / plain",
            ("toy-large:prompt=plain", "toy-small:prompt=plain"),
            {"on_error": "zero"},
            {},
        ),
        (
            "logs/promptfoo",
            "success, errors left out: toy-small / steps, toy-small / plain",
            ("toy-small:prompt=steps", "toy-small:prompt=plain"),
            {},
            {"metric": "success", "missing": "drop"},
        ),
        (
            "logs/promptfoo",
            "namedScores.exact, errors left out: toy-large / plain, toy-small / plain",
            ("toy-large:prompt=plain", "toy-small:prompt=plain"),
            {},
            {"metric": "exact", "missing": "drop"},
        ),
        (
            "logs/junit",
            "pass/fail (errors, skips left out): toy-large, toy-small",
            ("toy-large", "toy-small"),
            {},
            {"missing": "drop"},
        ),
        (
            "logs/junit",
            "property score: toy-large, toy-small",
            ("toy-large", "toy-small"),
            {},
            {"metric": "score", "missing": "drop"},
        ),
        ("logs/wandb_table", "correct: toy-large, toy-small", ("toy-large", "toy-small"), {}, {"metric": "correct"}),
    ],
)
def test_pairs(
    name: str,
    pair: str,
    systems: tuple[str, str],
    reading: dict[str, Any],
    options: dict[str, Any],
    data: Folder,
    expected: Facts,
) -> None:
    facts = expected(name)["pairs"][pair]
    sample = nf.read(data(name) / "logs", **reading).pair(*systems, **options)
    difference = sample.scores(0) - sample.scores(1)
    assert sample.n == facts["matched"]
    ahead = [int((difference > 1e-12).sum()), int((difference < -1e-12).sum())]
    assert ahead == [facts["first_higher"], facts["second_higher"]]
    assert float(difference.mean()) == pytest.approx(facts["mean_difference"])


def test_sums_of_promptfoo(data: Folder, expected: Facts) -> None:
    scores = nf.read(data("logs/promptfoo") / "logs" / "eval.jsonl")
    for name, facts in expected("logs/promptfoo")["systems"].items():
        rows = scores.system.codes == scores.system.code_of(name.replace(" / ", ":prompt="))
        own = scores.statistics[rows & (scores.metric.codes == 0), 0]
        assert float(np.nansum(own)) == pytest.approx(facts["score_sum"])
        assert int(np.isnan(own).sum()) == facts["error"]


def test_tables_of_wandb(data: Folder, expected: Facts) -> None:
    for file, facts in expected("logs/wandb_table")["files"].items():
        scores = nf.read(data("logs/wandb_table") / file)
        for metric, mean in facts["means"].items():
            own = scores.statistics[scores.metric.codes == scores.metric.code_of(metric), 0]
            assert float(np.nanmean(own)) == pytest.approx(mean)


@pytest.mark.parametrize("name", ["lm_eval", "inspect_eval", "inspect_json", "promptfoo", "junit", "wandb_table"])
def test_kept_scores_are_the_same(name: str, data: Folder, tmp_path: Path) -> None:
    scores = nf.read(data(f"logs/{name}") / "logs")
    keep(scores, tmp_path / "kept.parquet")
    again = nf.read(tmp_path / "kept.parquet")
    np.testing.assert_array_equal(scores.statistics, again.statistics)
    np.testing.assert_array_equal(scores.item.codes, again.item.codes)
    assert (scores.systems, scores.datasets, scores.metrics) == (again.systems, again.datasets, again.metrics)
    assert (scores.primary, scores.groups) == (again.primary, again.groups)
    assert (tmp_path / "kept.parquet").stat().st_size < 30_000


@pytest.mark.parametrize(
    "command",
    [
        "rank {0}/promptfoo/logs --missing drop",
        "rank {0}/promptfoo/logs/eval.json --on-error zero",
        "compare {0}/junit/logs/toy-large.xml {0}/junit/logs/toy-small.xml --missing drop",
        "compare {0}/junit/logs --missing drop",
        "compare {0}/wandb_table/logs --metric correct",
        "compare {0}/wandb_table/logs/toy-large.table.json b={0}/wandb_table/logs/toy-small.table.json --metric f1",
    ],
)
def test_natural_commands(command: str, data: Folder) -> None:
    run = nofluke(*command.format(data("logs")).split())
    assert run.code == 0, run.err
