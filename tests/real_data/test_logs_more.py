"""Real logs of deepeval, HELM, lighteval, openai/evals, SWE-bench and Every Eval Ever."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.readers.formats.kept import keep
from nofluke.types import FloatArray, Scores
from support.command_line import nofluke

Facts = Callable[[str], dict[str, Any]]
Folder = Callable[[str], Path]
TOYS = ("toy-large", "toy-small")
ACME = ("acme/toy-large", "acme/toy-small")
AGENTS = ("acme/agent-large", "acme/agent-small")


def rows_of(scores: Scores, system: str, metric: str, dataset: str | None = None) -> FloatArray:
    own = (scores.system.codes == scores.system.code_of(system)) & (
        scores.metric.codes == scores.metric.code_of(metric)
    )
    if dataset is not None:
        own &= scores.dataset.codes == scores.dataset.code_of(dataset)
    return scores.statistics[own, : scores.aggregates[metric].width or None]


def score_of(scores: Scores, system: str, metric: str, dataset: str) -> float:
    return scores.aggregates[metric].score(rows_of(scores, system, metric, dataset))


@pytest.mark.parametrize(
    ("name", "pair", "systems", "reading", "options"),
    [
        ("deepeval", "Exact Match: toy-large, toy-small", TOYS, {}, {}),
        ("deepeval", "Brevity: toy-large, toy-small", TOYS, {}, {"metric": "Brevity", "missing": "drop"}),
        (
            "helm",
            "simple_mcqa exact_match, mean of 2 trials: toy-large, toy-small",
            ACME,
            {},
            {"dataset": "simple_mcqa"},
        ),
        (
            "helm",
            "simple_classification exact_match: toy-large, toy-small",
            ACME,
            {},
            {"dataset": "simple_classification", "metric": "exact_match"},
        ),
        ("lighteval", "le_mcq|0 acc: toy-large, toy-small", ACME, {}, {"dataset": "le_mcq|0"}),
        (
            "lighteval",
            "le_math|0 avg@n:n=4: toy-large, toy-small",
            ACME,
            {},
            {"dataset": "le_math|0", "metric": "avg@n:n=4"},
        ),
        ("openai_evals", "correct: toy-large, toy-small", TOYS, {}, {}),
        (
            "swebench",
            "resolved, everything else 0 (the leaderboard's convention): first, second",
            AGENTS,
            {"on_error": "zero", "on_unscored": "zero"},
            {},
        ),
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
    facts = expected(f"logs/{name}")["pairs"][pair]
    sample = nf.read(data(f"logs/{name}") / "logs", **reading).pair(*systems, **options)
    difference = sample.scores(0) - sample.scores(1)
    assert sample.n == facts["matched"]
    ahead = [int((difference > 1e-12).sum()), int((difference < -1e-12).sum())]
    assert ahead == [facts["first_higher"], facts["second_higher"]]
    assert float(difference.mean()) == pytest.approx(facts["mean_difference"])


def test_runs_of_deepeval(data: Folder, expected: Facts) -> None:
    scores = nf.read(data("logs/deepeval") / "logs")
    for facts in expected("logs/deepeval")["runs"]:
        for metric, own in facts["metrics"].items():
            values = rows_of(scores, facts["identifier"], metric)[:, 0]
            assert (int(np.isfinite(values).sum()), int(np.isnan(values).sum())) == (own["scored"], own["errors"])
            assert float(np.nanmean(values)) == pytest.approx(own["mean"])
        assert np.nansum(rows_of(scores, facts["identifier"], "success")) == facts["testPassed"]
    assert "Brevity of toy-large on 2 items" in "".join(map(str, scores.sources[0].notes))


def test_runs_of_helm(data: Folder, expected: Facts) -> None:
    scores = nf.read(data("logs/helm") / "logs")
    assert scores.metrics == ("exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match")
    assert scores.run is not None
    codes = [one.code for one in scores.sources[0].notes]
    assert codes == ["logs.averages_alone"]  # nothing deviates, no file is a stranger
    for facts in expected("logs/helm")["runs"]:
        dataset = facts["groups"][0]
        for metric in ("exact_match", "quasi_exact_match"):
            own = rows_of(scores, facts["model"], metric, dataset)
            assert len(own) == facts["rows"] == facts["items"] * facts["trials"]
            assert float(own.mean()) == pytest.approx(facts["scores"][metric])
    assert "classification_macro_f1" in str(scores.sources[0].notes[0])


def test_runs_of_lighteval(data: Folder, expected: Facts) -> None:
    whole = expected("logs/lighteval")
    scores = nf.read(data("logs/lighteval") / "logs")
    for facts in whole["runs"]:
        for task, own in facts["tasks"].items():
            for metric, value in own["scores"].items():
                again = whole["recomputed"][facts["model"]].get(metric, value)
                if metric != "em":
                    assert score_of(scores, facts["model"], metric, task) == pytest.approx(again, abs=1e-9)
    assert score_of(scores, "acme/toy-small", "em", "le_math|0") == whole["em_of_first_sample_toy-small"]
    assert not scores.higher_is_better["ter"]
    notes = {one.code: dict(one.facts) for one in scores.sources[0].notes}
    assert {(system, metric) for system, _, metric, _, _ in notes["logs.deviates"]["scores"]} == {
        (system, metric) for system in ACME for metric in ("chrf", "ter")
    }
    errors = {(system, metric): (old, new) for system, _, metric, old, new in notes["logs.wrong_errors"]["errors"]}
    assert {metric for _, metric in errors} == {"bleu", "chrf", "ter", "mcc"}
    assert errors["acme/toy-large", "bleu"] == (pytest.approx(0.1235, abs=1e-4), pytest.approx(3.83, abs=0.4))
    assert notes["logs.best_of"] == {"metric": "em", "dataset": "le_math|0", "n": 4, "again": True}


def test_runs_of_openai_evals(data: Folder, expected: Facts) -> None:
    for facts in expected("logs/openai_evals")["runs"]:
        scores = nf.read(data("logs/openai_evals") / facts["file"])
        assert (scores.systems, scores.datasets) == (tuple(facts["model"]), (facts["eval"],))
        assert len(scores.statistics) == facts["items"]
        assert float(scores.statistics.mean()) == facts["final_report"]["accuracy"]
        assert not scores.sources[0].notes


def test_reports_of_swebench(data: Folder, expected: Facts) -> None:
    for facts in expected("logs/swebench")["runs"]:
        path = data("logs/swebench") / facts["file"]
        scores = nf.read(path)
        assert np.nansum(scores.statistics) == facts["resolved_instances"]
        judged = facts["completed_instances"] + facts["empty_patch_instances"]
        assert int(np.isfinite(scores.statistics).sum()) == judged
        assert len(scores.statistics) == facts["total_instances"]
        zero = nf.read(path, on_error="zero", cluster="repository")
        assert float(zero.statistics.mean()) == facts["resolved_share_of_total"]
        assert zero.cluster is not None
        assert set(zero.cluster.labels) == {"acme__db", "acme__math", "acme__plot", "acme__web"}


def test_samples_of_every_eval_ever(data: Folder, expected: Facts) -> None:
    folder = data("logs/every_eval_ever")
    for file, facts in expected("logs/every_eval_ever")["files"].items():
        scores = nf.read(folder / file)
        dataset = scores.datasets[0]
        assert (scores.systems, len(scores.item.labels)) == ((facts["model_id"],), facts["items"])
        told = "".join(map(str, scores.sources[0].notes))
        for metric, (average, better) in facts["aggregate"].items():
            name = metric.replace(":", "/")
            again = score_of(scores, facts["model_id"], name, dataset)
            assert scores.higher_is_better[name] == (better == "higher")
            # The converter gave some tasks the samples of another: that is told.
            if abs(again - average) > 1e-6:
                assert "Only a part of the items was run" in told
                assert "which is used here" in told


def test_another_prompt_is_no_other_item(data: Folder) -> None:
    """Half of one model's logs were run with a chat template: the documents are the same."""
    logs = str(data("logs/every_eval_ever") / "logs")
    run = nofluke("compare", logs)
    assert run.code == 2
    assert "60 have no score for 'acme/toy-small'" in " ".join(run.err.split())
    assert nofluke("compare", logs, "--missing", "drop").code == 0
    # Its samples are those of the logs that it was made of.
    own = str(data("logs/lm_eval") / "logs" / "acme__toy-large")
    scores = nf.read([own, str(data("logs/every_eval_ever") / "logs" / "toy_mcq" / "acme" / "toy-small")])
    assert scores.pair(dataset="toy_mcq", metric="acc", missing="drop").n == 40


@pytest.mark.parametrize("name", ["deepeval", "helm", "lighteval", "openai_evals", "swebench", "every_eval_ever"])
def test_kept_scores_are_the_same(name: str, data: Folder, tmp_path: Path) -> None:
    scores = nf.read(data(f"logs/{name}") / "logs")
    keep(scores, tmp_path / "kept.parquet")
    again = nf.read(tmp_path / "kept.parquet")
    np.testing.assert_array_equal(scores.statistics, again.statistics)
    np.testing.assert_array_equal(scores.item.codes, again.item.codes)
    assert (scores.systems, scores.datasets, scores.metrics) == (again.systems, again.datasets, again.metrics)
    assert (scores.primary, scores.higher_is_better) == (again.primary, again.higher_is_better)
    assert (tmp_path / "kept.parquet").stat().st_size < 30_000


@pytest.mark.parametrize(
    "command",
    [
        "compare {0}/deepeval/logs",
        "rank {0}/deepeval/logs/test_run_20261116_075449.json {0}/deepeval/logs/test_run_20261116_075449_2.json",
        "compare {0}/helm/logs",
        "compare {0}/helm/logs/runs/toy/simple_mcqa:model=acme_toy-large "
        "{0}/helm/logs/runs/toy/simple_mcqa:model=acme_toy-small",
        "compare new={0}/helm/logs/runs/toy/simple_mcqa:model=acme_toy-large/per_instance_stats.json "
        "old={0}/helm/logs/runs/toy/simple_mcqa:model=acme_toy-small/per_instance_stats.json",
        "compare {0}/lighteval/logs",
        "rank {0}/lighteval/logs --dataset le_mt|0",
        "compare {0}/lighteval/logs/details/acme/toy-large {0}/lighteval/logs/details/acme/toy-small --format json",
        "compare {0}/openai_evals/logs/toy-large.toy-math.jsonl {0}/openai_evals/logs/toy-small.toy-math.jsonl",
        "compare {0}/swebench/logs --on-error zero",
        "compare {0}/swebench/logs --missing drop",
        "compare {0}/every_eval_ever/logs/toy_translate --metric chrf",
        "rank {0}/every_eval_ever/logs/toy_lastword",
    ],
)
def test_natural_commands(command: str, data: Folder) -> None:
    run = nofluke(*command.format(data("logs")).split())
    assert run.code == 0, run.err
