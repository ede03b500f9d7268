"""Real logs of lm-evaluation-harness: every score of the results files is computed anew from the items."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.command_line import nofluke

Facts = Callable[[str], dict[str, Any]]
Folder = Callable[[str], Path]
# The Brier score's chances were printed with eight digits.
TOLERANCE = {"brier_score": 5e-9}


@pytest.fixture
def logs(data: Folder) -> Path:
    return data("logs/lm_eval") / "logs"


def test_all_scores_of_the_results_files_come_from_the_items(logs: Path, expected: Facts) -> None:
    whole = nf.read(logs)
    checked = 0
    for run in expected("logs/lm_eval")["runs"]:
        superseded = run["date"] == "2026-11-16T07-37-57.990144"  # a part of the items
        for task, facts in run["tasks"].items():
            read = nf.read(logs.parent / facts["samples_file"]) if superseded else whole
            assert _items(read, run["model"], task) == (facts["items"], facts["distinct_doc_hash"])
            for name, value in facts["scores"].items():
                metric, kind = name.split(",")
                called = metric if kind == "none" else f"{metric}/{kind}"
                found = _score(read, run["model"], task, called)
                assert found == pytest.approx(value, rel=TOLERANCE.get(metric, 1e-12)), (task, name)
                assert read.higher_is_better[called] is facts["higher_is_better"][metric]
                checked += 1
    assert checked == 3 * 26 + 5


def _items(scores: nf.Scores, system: str, task: str) -> tuple[int, int]:
    """How many items a system has on a task, and how many documents there are among them."""
    rows = (scores.system.codes == scores.system.code_of(system)) & (
        scores.dataset.codes == scores.dataset.code_of(task)
    )
    assert scores.checks is not None
    return len(np.unique(scores.item.codes[rows])), len(np.unique(scores.checks[rows]))


def _score(scores: nf.Scores, system: str, task: str, metric: str) -> float:
    rows = (
        (scores.system.codes == scores.system.code_of(system))
        & (scores.dataset.codes == scores.dataset.code_of(task))
        & (scores.metric.codes == scores.metric.code_of(metric))
    )
    aggregate = scores.aggregates[metric]
    return aggregate.score(scores.statistics[rows][:, : aggregate.width])


@pytest.mark.parametrize(
    ("pair", "task", "metric", "other"),
    [
        ("toy_mcq acc,none: toy-large, toy-small (first run)", "toy_mcq", "acc", "small"),
        ("toy_mcq acc,none: toy-large, toy-base", "toy_mcq", "acc", "base"),
        (
            "toy_math exact_match,strict-match: toy-large, toy-small (first run)",
            "toy_math",
            "exact_match/strict-match",
            "small",
        ),
    ],
)
def test_pairs(pair: str, task: str, metric: str, other: str, logs: Path, expected: Facts) -> None:
    facts = expected("logs/lm_eval")["pairs"][pair]
    read = nf.read([str(logs / "acme__toy-large"), str(logs / f"acme__toy-{other}")])
    sample = read.pair(dataset=task, metric=metric, missing="drop")
    difference = sample.scores(0) - sample.scores(1)
    assert sample.n == facts["matched"]
    assert sample.alignment.dropped == facts["only_first"]
    assert [int((difference > 0).sum()), int((difference < 0).sum())] == [facts["first_higher"], facts["second_higher"]]
    assert float(difference.mean()) == pytest.approx(facts["mean_difference"])


def test_ids_that_the_harness_mixed_up_are_found_out(logs: Path, expected: Facts) -> None:
    """Of toy-base --samples named the documents in another order, and doc_id follows that order, not the documents.

    The recorded pair was matched by doc_id: it compares the answers to different questions.
    """
    recorded = expected("logs/lm_eval")["pairs"]["toy_math exact_match,flexible-extract: toy-large, toy-base"]
    paths = [str(logs / "acme__toy-large"), str(logs / "acme__toy-base")]
    chosen: dict[str, Any] = {"dataset": "toy_math", "metric": "exact_match/flexible-extract", "missing": "drop"}
    with pytest.raises(InputError, match="44 of 45 items of toy_math"):
        nf.read(paths).pair(**chosen)
    sample = nf.read(paths, match_by="content").pair(**chosen)
    difference = sample.scores(0) - sample.scores(1)
    assert sample.n == recorded["matched"]
    assert float(difference.mean()) == pytest.approx(recorded["mean_difference"])
    assert [int((difference > 0).sum()), int((difference < 0).sum())] == [8, 3]


def test_log_likelihoods(logs: Path, expected: Facts) -> None:
    pairs = expected("logs/lm_eval")["pairs"]
    facts = next(value for name, value in pairs.items() if name.startswith("toy_lastword"))
    sample = nf.read(logs).pair("acme/toy-large", "acme/toy-small", dataset="toy_lastword", metric="perplexity")
    difference = sample.statistics[:, 0, 0] - sample.statistics[:, 1, 0]
    assert float(difference.mean()) == pytest.approx(facts["mean_difference"])
    assert not sample.higher_is_better
    assert nf.compare(sample).verdict == "better"


def test_the_group_is_weighted_by_size(logs: Path, expected: Facts) -> None:
    read = nf.read(logs)
    for run in expected("logs/lm_eval")["runs"]:
        for group in run["groups"].values():
            own = read.pair(
                run["model"], *_another(read, run["model"]), dataset=",".join(group["subtasks"]), missing="drop"
            )
            if run["model"] == "acme/toy-base":  # of the others, items that it lacks are dropped
                assert own.score(0) == pytest.approx(group["scores"]["acc,none"])
    whole = nf.read([str(logs / "acme__toy-large"), str(logs / "acme__toy-small")])
    sample = whole.pair(dataset="toy_know_bio,toy_know_law,toy_know_geo")
    assert [sample.score(0), sample.score(1)] == pytest.approx([0.7638888888888888, 0.6388888888888888])


def _another(read: nf.Scores, model: str) -> tuple[str]:
    return (next(name for name in read.systems if name != model),)


def test_clusters_of_passages(logs: Path) -> None:
    scores = nf.read(next((logs / "acme__toy-large").glob("samples_toy_mcq_*")), cluster="doc.passage_id")
    assert scores.cluster is not None
    assert len(scores.cluster.labels) == 20
    assert len(np.unique(scores.checks)) == 79  # two documents are one


@pytest.mark.parametrize(
    "command",
    [
        "compare {0}/acme__toy-large {0}/acme__toy-small",
        "compare {0}/acme__toy-large {0}/acme__toy-small --metric acc",
        "compare {0}/acme__toy-large {0}/acme__toy-base --missing drop --match-by content",
        "compare new={0}/acme__toy-large old={0}/acme__toy-small --dataset toy_translate --metric ter",
        "rank {0} --missing drop --match-by content",
        "rank {0} --missing drop --metric acc",
        "replicate {0}/acme__toy-large {0}/acme__toy-small --metric acc",
        "replicate {0}/acme__toy-large {0}/acme__toy-small",
        "power detect {0}/acme__toy-large {0}/acme__toy-small --dataset toy_mcq",
        "score --interval {0} --missing drop --match-by content",
        "compare {0}/*/samples_toy_mcq_* --a acme/toy-large --b acme/toy-small",
    ],
)
def test_natural_commands_give_an_answer(command: str, logs: Path) -> None:
    run = nofluke(*command.format(logs).split())
    assert run.code == 0, run.err
    assert "lm-evaluation-harness 0.4.13 logs" in run.err


def test_missing_items_are_refused_with_advice(logs: Path) -> None:
    run = nofluke("compare", str(logs / "acme__toy-large"), str(logs / "acme__toy-base"))
    assert run.code == 2
    assert "--match-by content" in run.err
    run = nofluke("compare", str(logs / "acme__toy-large"), str(logs / "acme__toy-base"), "--dataset", "toy_mcq")
    assert run.code == 2
    assert "--missing drop" in run.err
    assert "acme/toy-base on toy_mcq (71 of 80)" in " ".join(run.err.split())
