"""Outputs of COMET, mt-metrics-eval, MTEB, simple-evals, ir_measures and sacrebleu, and what is recorded of them."""

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


def mean(scores: nf.Scores, system: str, metric: str) -> tuple[float, int]:
    """The mean of all scores of a system by a metric, and how many there are."""
    rows = (scores.system.codes == scores.system.code_of(system)) & (
        scores.metric.codes == scores.metric.code_of(metric)
    )
    own = scores.statistics[rows, 0]
    return float(np.nanmean(own)), int((~np.isnan(own)).sum())


def single(scores: nf.Scores) -> dict[tuple[str, ...], float]:
    """Every score by what it is of; nothing is missing in these logs."""
    axes = (scores.system, scores.dataset, scores.metric, scores.item)
    names = zip(*([axis.labels[code] for code in axis.codes.tolist()] for axis in axes), strict=True)
    return dict(zip(names, scores.statistics[:, 0].tolist(), strict=True))


@pytest.mark.parametrize(
    ("source", "pair", "metric", "near"),
    [
        ("comet/logs", "COMET: shared.sysA.txt, shared.sysB.txt", "COMET", 1e-9),
        ("comet/logs/comet_compare.json", "COMET: shared.sysA.txt, shared.sysB.txt", "COMET", 1e-9),
        ("comet/logs/comet_score.stdout.txt", "COMET: shared.sysA.txt, shared.sysB.txt", "COMET", 1e-4),
        ("mt_metrics_eval/logs", "TOY-refA seg: sysA, sysB", "TOY-refA", 1e-9),
        ("simple_evals/logs", "score: toy-large, toy-small", "score", 1e-9),
        # What is recorded are the printed scores.
        ("ir_measures/logs", "AP: hybrid, bm25", "AP", 1e-4),
        ("ir_measures/logs/*.tsv", "AP: hybrid, bm25", "AP", 1e-9),
    ],
)
def test_pairs(source: str, pair: str, metric: str, near: float, data: Folder, expected: Facts) -> None:
    facts = expected(f"logs/{source.partition('/')[0]}")["pairs"][pair]
    first, second = pair.partition(": ")[2].split(", ")
    sample = nf.read(str(data("logs") / source)).pair(first, second, metric=metric)
    difference = sample.statistics[:, 0, 0] - sample.statistics[:, 1, 0]
    assert sample.n == facts["matched"]
    assert [int((difference > 0).sum()), int((difference < 0).sum())] == [facts["first_higher"], facts["second_higher"]]
    assert float(difference.mean()) == pytest.approx(facts["mean_difference"], abs=near)
    # The harness's own mean is that of all items, whatever their dataset.
    assert nf.compare(sample).effects["mean_difference"].value == pytest.approx(facts["mean_difference"], abs=near)


def test_means_of_comet(data: Folder, expected: Facts) -> None:
    for source in ("comet_score.json", "comet_compare.json"):
        scores = nf.read(data("logs/comet") / "logs" / source)
        for system, score in expected("logs/comet")["means"].items():
            assert mean(scores, system, "COMET") == (pytest.approx(score, rel=1e-9), 60)


def test_mt_metrics_eval(data: Folder, expected: Facts) -> None:
    scores, facts = nf.read(data("logs/mt_metrics_eval") / "logs"), expected("logs/mt_metrics_eval")
    assert tuple(name.rpartition("/")[2] for name in scores.datasets) == tuple(facts["domains"])
    assert scores.cluster is not None
    assert len(scores.cluster.labels) == facts["documents"]
    for system, means in facts["means"].items():
        assert mean(scores, system, "TOY-refA") == (pytest.approx(means["TOY-refA"], rel=1e-9), facts["segments"])
        assert mean(scores, system, "mqm") == (pytest.approx(means["mqm"], rel=1e-9), means["mqm_segments"])
    assert scores.higher_is_better == {"mqm": True, "TOY-refA": True}


def test_mteb(data: Folder, expected: Facts) -> None:
    scores = nf.read(data("logs/mteb") / "logs")
    for model, tasks in expected("logs/mteb")["models"].items():
        assert set(scores.datasets) == set(tasks)
        sample = scores.pair(model, next(one for one in scores.systems if one != model))
        assert sample.alignment.by == "dataset"
        assert sample.ids is not None
        for task, score in zip(sample.ids, sample.scores(0), strict=True):
            subsets = list(tasks[task]["test"].values())
            assert score == pytest.approx(sum(subsets) / len(subsets))


def test_simple_evals(data: Folder, expected: Facts) -> None:
    scores = nf.read(data("logs/simple_evals") / "logs")
    for name, facts in expected("logs/simple_evals")["files"].items():
        assert mean(scores, name.removeprefix("math_"), "score") == (pytest.approx(facts["score"]), facts["items"])
    assert scores.sources[0].notes == ()


@pytest.mark.parametrize("kind", ["tsv", "jsonl"])
def test_ir_measures(kind: str, data: Folder, expected: Facts) -> None:
    folder = data("logs/ir_measures")
    alone = {
        Path(file).stem: folder / Path(file).with_suffix(f".{kind}") for file in expected("logs/ir_measures")["files"]
    }
    for source in (alone, str(folder / "logs" / f"*.{kind}")):
        scores = nf.read(source)
        for file, facts in expected("logs/ir_measures")["files"].items():
            for metric, score in facts["means"].items():
                found, queries = mean(scores, Path(file).stem, metric)
                assert (found, queries) == (pytest.approx(score, abs=1e-4), facts["queries"])


@pytest.mark.parametrize("file", ["multi", "paired_ar", "paired_bs", "sysA", "sysB"])
def test_json_of_sacrebleu_is_refused(file: str, data: Folder) -> None:
    run = nofluke("compare", str(data("logs/sacrebleu") / "logs" / f"{file}.json"))
    assert run.code == 2
    assert "-sl" in run.err
    assert "--gold" in run.err


def test_sentences_of_sacrebleu(data: Folder, expected: Facts) -> None:
    scores = nf.read(data("logs/sacrebleu") / "logs")
    for file in ("sysA.sentence_bleu", "sysB.sentence_bleu"):
        lines = expected("logs/sacrebleu")["files"][f"logs/{file}.txt"]["lines"]
        assert mean(scores, file, "sentence BLEU")[1] == lines


def test_what_is_advised_instead_gives_the_corpus_scores(data: Folder, expected: Facts) -> None:
    texts = data("logs/sacrebleu") / "texts"
    outputs = {name: texts / f"shared.{name}.txt" for name in ("sysA", "sysB", "sysC")}
    scores = nf.score("bleu", outputs, texts / "shared.ref")
    for one in expected("logs/sacrebleu")["files"]["logs/multi.json"]:
        system = one["system"].split(".")[1]
        rows = scores.system.codes == scores.system.code_of(system)
        assert f"{scores.aggregates['bleu'].score(scores.statistics[rows]):.4f}" == one["BLEU"]


@pytest.mark.parametrize("name", ["comet", "mt_metrics_eval", "mteb", "simple_evals", "ir_measures", "sacrebleu"])
def test_kept_scores_are_the_same(name: str, data: Folder, tmp_path: Path) -> None:
    scores = nf.read(data(f"logs/{name}") / "logs")
    keep(scores, tmp_path / "kept.parquet")
    again = nf.read(tmp_path / "kept.parquet")
    assert single(scores) == single(again)
    assert (scores.systems, set(scores.metrics)) == (again.systems, set(again.metrics))


@pytest.mark.parametrize(
    "command",
    [
        "read {0}/comet/logs",
        "read {0}/mt_metrics_eval/logs",
        "read {0}/mteb/logs",
        "read {0}/simple_evals/logs",
        "read {0}/ir_measures/logs",
        "read {0}/sacrebleu/logs",
        "rank {0}/comet/logs",
        "compare {0}/comet/logs/comet_score.json --a shared.sysA.txt --b shared.sysB.txt",
        "compare {0}/mt_metrics_eval/logs --a sysA --b sysB --metric TOY-refA",
        "rank {0}/mt_metrics_eval/logs/toytest --metric mqm",
        "compare {0}/mteb/logs",
        "compare {0}/mteb/logs/results/acme__enc-large {0}/mteb/logs/results/acme__enc-small",
        "rank {0}/mteb/logs/results",
        "compare {0}/simple_evals/logs",
        "rank {0}/ir_measures/logs --metric nDCG@10",
        "compare {0}/ir_measures/logs/hybrid.tsv {0}/ir_measures/logs/bm25.tsv --metric AP",
        "compare {0}/sacrebleu/logs/sysA.sentence_bleu.txt {0}/sacrebleu/logs/sysB.sentence_bleu.txt",
        "compare {0}/sacrebleu/texts/shared.sysA.txt {0}/sacrebleu/texts/shared.sysB.txt"
        " --gold {0}/sacrebleu/texts/shared.ref --metric bleu",
        "replicate {0}/lm_eval/logs --a acme/toy-large --b acme/toy-small",
    ],
)
def test_natural_commands(command: str, data: Folder) -> None:
    run = nofluke(*command.format(data("logs")).split())
    assert run.code == 0, run.err
