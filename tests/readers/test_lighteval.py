"""Details of lighteval: texts scored anew, wrong averages and standard errors told, the best of n named."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import nofluke as nf
from support.command_line import nofluke
from support.more_logs import detail, lighteval, notes, values

OTHERS = ["the", "small", "cat", "sat", "on", "the", "old", "mat", "and", "looked", "at", "a", "bird"]


def test_texts_are_scored_anew_and_wrong_averages_told(tmp_path: Path) -> None:
    rows = []
    for at in range(8):
        gold = " ".join([*OTHERS[at % 3 :], str(at)])
        pair = {"golds": [gold], "preds": [gold if at % 2 else gold.replace("small", "big").replace("cat", "dog")]}
        rows.append(detail(at, {"chrf": pair, "ter": pair}))
    results = {"chrf": 12.0, "chrf_stderr": 0.01, "ter": 90.0, "ter_stderr": 0.01}
    kinds = [{"metric_name": "ter", "higher_is_better": False, "corpus_level_fn": "X(metric_type=ter, lang=)"}]
    lighteval(tmp_path, rows, results=results, metrics=kinds)
    scores = nf.read(tmp_path)
    assert scores.higher_is_better == {"chrf": True, "ter": False}
    import sacrebleu

    golds, outputs = ([row["metric"]["chrf"][key][0] for row in rows] for key in ("golds", "preds"))
    for metric, way in (("chrf", sacrebleu.corpus_chrf), ("ter", sacrebleu.corpus_ter)):
        own = scores.statistics[scores.metric.codes == scores.metric.code_of(metric)]
        aggregate = scores.aggregates[metric]
        assert aggregate.score(own[:, : aggregate.width]) == pytest.approx(way(outputs, [golds]).score)
    assert "reports chrf 12 for acme/new on rivers|0" in notes(scores)
    assert "standard error of 0.01" in notes(scores)


def test_exact_match_of_several_samples_is_that_of_the_first(tmp_path: Path) -> None:
    answers = {0: ["Answer 0", "no"], 1: ["no", " Answer 1 "], 2: ["no", "no"]}
    rows = [detail(at, {"em": float(at < 2), "avg@n:n=2": 0.5}, texts) for at, texts in answers.items()]
    scores = nf.read(lighteval(tmp_path, rows, results={"em": 0.6667}))
    assert values(scores, "em") == [1, 0, 0]
    assert "em of rivers|0 is logged as the best of 2 samples; here it is that of the first" in notes(scores)
    assert "reports" not in notes(scores)


def test_another_metric_of_several_samples_is_called_what_it_is(tmp_path: Path) -> None:
    rows = [detail(at, {"rouge": 0.3}, ["a", "b", "c"]) for at in range(3)]
    scores = nf.read(lighteval(tmp_path, rows))
    assert scores.metrics == ("rouge (best of 3)",)
    assert "and called so" in notes(scores)


def test_labels_and_likelihoods(tmp_path: Path) -> None:
    pairs = [(0, 0), (1, 1), (1, 0), (0, 0)]
    rows = [
        detail(
            at,
            {
                "mcc": {"golds": [gold], "preds": guess},
                "ppl": {"logprobs": [-4.0, -1.5], "weights": [2.0, 3.0]},
                "odd": {"x": 1},
            },
        )
        for at, (gold, guess) in enumerate(pairs)
    ]
    kinds = [{"metric_name": "ppl", "corpus_level_fn": "CorpusLevelPerplexityMetric(metric_type=weighted_perplexity)"}]
    scores = nf.read(lighteval(tmp_path, rows, results={"ppl": math.exp(1.1)}, metrics=kinds))
    own = scores.statistics[scores.metric.codes == scores.metric.code_of("mcc")]
    aggregate = scores.aggregates["mcc"]
    assert aggregate.score(own[:, : aggregate.width]) == pytest.approx(1 / math.sqrt(3))
    assert "reports" not in notes(scores)
    assert "odd of rivers|0 is left out" in notes(scores)


def test_shuffled_rows_are_matched_and_clusters_taken_from_documents(tmp_path: Path) -> None:
    rows = [detail(at, {"acc": at % 2}) for at in range(6)]
    lighteval(tmp_path, rows)
    lighteval(tmp_path, rows[::-1], model="acme/old")
    scores = nf.read(tmp_path, cluster="doc.specific.page")
    sample = scores.pair()
    assert (sample.n, scores.systems) == (6, ("acme/new", "acme/old"))
    assert (sample.scores(0) == sample.scores(1)).all()
    assert scores.cluster is not None
    assert len(scores.cluster.labels) == 3


def test_results_alone_are_refused(tmp_path: Path) -> None:
    lighteval(tmp_path, [detail(0, {"acc": 1})], results={"acc": 1.0})
    run = nofluke("compare", str(tmp_path / "results"))
    assert run.code == 2
    assert "--save-details" in run.err


def test_details_larger_than_what_is_looked_at_are_known_by_their_end(tmp_path: Path) -> None:
    import random

    rng = random.Random(1)
    rows = [detail(at, {"acc": 1}, ["".join(rng.choices("abcdefghijklmnop", k=2000))]) for at in range(200)]
    path = lighteval(tmp_path, rows)
    assert path.stat().st_size > 1 << 17
    assert nf.read(path).sources[0].format == "lighteval"


def test_details_before_items_had_ids(tmp_path: Path) -> None:
    rows = [
        {
            "example": f"Question {at}?",
            "full_prompt": "x",
            "num_effective_few_shots": 5,
            "choices": ["a", "b"],
            "gold_index": [0],
            "predictions": [],
            "metrics": {"acc": float(at % 2), "ter": 30.0 + at},
        }
        for at in range(6)
    ]
    kinds = [{"metric_name": "acc", "higher_is_better": True}]
    lighteval(tmp_path, rows, results={"acc": 0.5}, metrics=kinds)
    lighteval(tmp_path, [rows[at] for at in (3, 1, 4, 0, 5, 2)], model="acme/old", results={"acc": 0.5})
    scores = nf.read(tmp_path)
    assert (scores.systems, scores.datasets) == (("acme/new", "acme/old"), ("rivers|0",))
    assert notes(scores) == ""
    sample = scores.pair(metric="ter")  # the order differs, and a place is no id
    assert (sample.scores(0) == sample.scores(1)).all()
    assert sample.n == 6
