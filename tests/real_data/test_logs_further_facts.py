"""What the other tests of real logs do not ask of expected.json: counts, standard errors, parts, and refusals."""

from __future__ import annotations

import json
from collections import Counter
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
TOYS = ("toy-large", "toy-small")
MODELS = ("toy/large-v2", "toy/small-v1")
PROMPTS = ("toy-large:prompt=plain", "toy-small:prompt=plain", "toy-small:prompt=steps")


def values_of(scores: nf.Scores, system: str, metric: str, dataset: str | None = None) -> list[float]:
    rows = scores.system.codes == scores.system.code_of(system)
    rows &= scores.metric.codes == scores.metric.code_of(metric)
    if dataset is not None:
        rows &= scores.dataset.codes == scores.dataset.code_of(dataset)
    found: list[float] = scores.statistics[rows, 0].tolist()
    return found


def statuses_of(scores: nf.Scores, system: str, metric: str) -> Counter[str]:
    assert scores.status is not None
    rows = (scores.system.codes == scores.system.code_of(system)) & (
        scores.metric.codes == scores.metric.code_of(metric)
    )
    return Counter(STATUSES[code] for code in scores.status[rows].tolist())


@pytest.mark.parametrize(
    ("name", "pair", "systems", "metric"),
    [
        ("junit", "pass/fail (errors, skips left out): toy-large, toy-small", TOYS, "pass"),
        ("junit", "property score: toy-large, toy-small", TOYS, "score"),
        ("deepeval", "Exact Match: toy-large, toy-small", TOYS, "Exact Match"),
        ("deepeval", "Brevity: toy-large, toy-small", TOYS, "Brevity"),
        ("wandb_table", "correct: toy-large, toy-small", TOYS, "correct"),
        ("promptfoo", "score, errors left out: toy-large / plain, toy-small / plain", PROMPTS[:2], "score"),
        ("promptfoo", "success, errors left out: toy-small / steps, toy-small / plain", PROMPTS[:0:-1], "success"),
        ("promptfoo", "namedScores.exact, errors left out: toy-large / plain, toy-small / plain", PROMPTS[:2], "exact"),
        ("inspect_json", "graded (C/P/I/N/NaN), mean of 2 epochs: large-v2, small-v1", MODELS, "graded"),
    ],
)
def test_items_that_only_one_of_a_pair_has(
    name: str, pair: str, systems: tuple[str, str], metric: str, data: Folder, expected: Facts
) -> None:
    facts = expected(f"logs/{name}")["pairs"][pair]
    scores = nf.read(data(f"logs/{name}") / "logs")
    first, second = (_scored_items(scores, system, metric) for system in systems)
    found = {"matched": len(first & second), "only_first": len(first - second), "only_second": len(second - first)}
    assert found == {what: facts[what] for what in found}
    sample = scores.pair(*systems, metric=metric, missing="drop")
    assert int((np.abs(sample.scores(0) - sample.scores(1)) < 1e-12).sum()) == facts["equal"]


def _scored_items(scores: nf.Scores, system: str, metric: str) -> set[int]:
    rows = (scores.system.codes == scores.system.code_of(system)) & (
        scores.metric.codes == scores.metric.code_of(metric)
    )
    return set(scores.item.codes[rows & np.isfinite(scores.statistics[:, 0])].tolist())


def test_rows_and_filters_of_lm_eval(data: Folder, expected: Facts) -> None:
    folder, checked = data("logs/lm_eval"), 0
    for run in expected("logs/lm_eval")["runs"]:
        for task, facts in run["tasks"].items():
            scores = nf.read(folder / facts["samples_file"])
            filters = {name.partition("/")[2] or "none" for name in scores.metrics}
            assert filters == set(facts["filters"])
            assert facts["rows"] == facts["items"] * len(filters)
            (source,) = scores.sources
            partial = [told["logs"] for told in source.notes if told.code == "logs.partial"]
            whole = facts["items"] == facts["items_in_dataset"]
            assert partial == ([] if whole else [((run["model"], task, facts["items"], facts["items_in_dataset"]),)])
            checked += 1
    assert checked == 35


def test_clusters_of_lm_eval(data: Folder) -> None:
    logs = data("logs/lm_eval") / "logs" / "acme__toy-large"
    for task, field, clusters in (
        ("toy_mcq", "passage_id", 20),
        ("toy_translate", "document", 8),
        ("toy_know_bio", "passage_id", None),
    ):
        (file,) = logs.glob(f"samples_{task}_*")
        scores = nf.read(file, cluster=f"doc.{field}")
        lines = [json.loads(line)["doc"] for line in file.read_text(encoding="utf-8").splitlines()]
        assert scores.cluster is not None
        assert set(scores.cluster.labels) == {str(doc[field]) for doc in lines}
        assert clusters in (None, len(scores.cluster.labels))


def test_items_of_log_likelihoods_are_better_when_higher(data: Folder, expected: Facts) -> None:
    facts = next(own for name, own in expected("logs/lm_eval")["pairs"].items() if name.startswith("toy_lastword"))
    sample = nf.read(data("logs/lm_eval") / "logs").pair(
        "acme/toy-large", "acme/toy-small", dataset="toy_lastword", metric="perplexity"
    )
    difference = sample.statistics[:, 0, 0] - sample.statistics[:, 1, 0]
    ahead = [int((difference > 0).sum()), int((difference < 0).sum())]
    assert (sample.n, ahead) == (facts["matched"], [facts["first_higher"], facts["second_higher"]])


def test_standard_errors_of_inspect(data: Folder, expected: Facts) -> None:
    """Plain and clustered, of every reducer, digit for digit."""
    checked = 0
    for log in expected("logs/inspect_eval")["logs"]:
        for result in log["results"]:
            scores = nf.read(data("logs/inspect_eval") / log["file"], reduce=result["reducer"] or "mean")
            assert scores.metrics == (result["scorer"],)  # and not the first topic, which the headline may name
            errors = [value for name, value in result["metrics"].items() if name.startswith("stderr")]
            clustered = nf.estimate(scores, missing="drop")
            assert clustered.value == pytest.approx(next(iter(_whole(result["metrics"]))), rel=1e-12)
            assert clustered.standard_error == pytest.approx(errors[-1], rel=1e-12)
            if len(errors) == 2:
                plain = nf.estimate(scores, missing="drop", clusters=False)
                assert plain.standard_error == pytest.approx(errors[0], rel=1e-12)
            checked += len(errors)
    assert checked == 36


def _whole(metrics: dict[str, float]) -> list[float]:
    return [value for name, value in metrics.items() if name in ("accuracy", "all")]


def test_samples_that_inspect_did_not_score(data: Folder, expected: Facts) -> None:
    for name in ("inspect_eval", "inspect_json"):
        for log in expected(f"logs/{name}")["logs"]:
            scores = nf.read(data(f"logs/{name}") / log["file"])
            for metric, facts in log["raw_values"].items():
                assert len(values_of(scores, log["model"], metric)) == log["rows"]
                found = statuses_of(scores, log["model"], metric)
                assert found["error"] == log["rows_with_error"]
                assert found["unscored"] == facts["values"].get("NaN", 0)
            for result in log["results"]:
                metric = result["scorer"] if result["score"] == result["scorer"] else f"judged/{result['score']}"
                values = np.array(values_of(scores, log["model"], metric))
                rows = scores.metric.codes == scores.metric.code_of(metric)
                none = Counter(scores.item.codes[rows][np.isnan(values)].tolist())
                lost = sum(number == log["epochs"] for number in none.values())
                assert lost == result["unscored"] + log["rows_with_error"]


def test_passes_and_named_scores_of_promptfoo(data: Folder, expected: Facts) -> None:
    whole = expected("logs/promptfoo")
    for file in whole["files"][:2]:
        scores = nf.read(data("logs/promptfoo") / "logs" / file)
        assert len(scores.item.labels) == whole["items"] == whole["distinct_testIdx"]
        rows = 0
        for name, facts in whole["systems"].items():
            system = name.replace(" / ", ":prompt=")
            success = values_of(scores, system, "success")
            rows += len(success)
            assert Counter(success)[1.0] == facts["pass"]
            assert Counter(success)[0.0] == facts["fail"]
            assert statuses_of(scores, system, "success")["error"] == facts["error"]
            for metric, total in facts["namedScores_weighted_sum"].items():
                values = np.array(values_of(scores, system, metric))
                weight = facts["namedScoreWeights"][metric] / facts["namedScoresCount"][metric]
                assert int(np.isfinite(values).sum()) == facts["namedScoresCount"][metric]
                assert float(np.nansum(values)) * weight == pytest.approx(total)
        assert rows == whole["rows"]


def test_other_forms_of_promptfoo(data: Folder, expected: Facts) -> None:
    csv, junit = (data("logs/promptfoo") / "logs" / file for file in expected("logs/promptfoo")["files"][2:])
    refused = nofluke("compare", str(csv))
    assert refused.code == 2
    assert "-o eval.json" in refused.err
    scores = nf.read(junit)
    passes = sorted(int(np.nansum(values_of(scores, system, "pass"))) for system in scores.systems)
    assert passes == sorted(facts["pass"] for facts in expected("logs/promptfoo")["systems"].values())


def test_counts_of_junit(data: Folder, expected: Facts) -> None:
    for file, facts in expected("logs/junit")["files"].items():
        scores = nf.read(data("logs/junit") / file)
        (system,) = scores.systems
        found, values = statuses_of(scores, system, "pass"), values_of(scores, system, "pass")
        assert len(values) == int(facts["tests"])
        assert (found["error"], found["skipped"]) == (int(facts["errors"]), int(facts["skipped"]))
        assert (found["scored"], Counter(values)[0.0]) == (facts["scored"], int(facts["failures"]))
        assert float(np.nanmean(values)) == facts["pass_rate_of_scored"]


def test_columns_of_wandb(data: Folder, expected: Facts) -> None:
    for file, facts in expected("logs/wandb_table")["files"].items():
        scores = nf.read(data("logs/wandb_table") / file)
        (system,) = scores.systems
        assert (scores.metrics, len(scores.item.labels)) == (tuple(facts["means"]), facts["rows"])
        assert set(facts["columns"]) - set(scores.metrics) == {"id", "question", "target", "prediction"}
        assert statuses_of(scores, system, "judge")["unscored"] == facts["missing_judge"]


def test_passes_of_deepeval(data: Folder, expected: Facts) -> None:
    scores = nf.read(data("logs/deepeval") / "logs")
    for run in expected("logs/deepeval")["runs"]:
        assert run["hyperparameters"]["model"] in scores.systems
        assert len(values_of(scores, run["identifier"], "success")) == run["items"]
        # Of a 0/1 metric the score is whether it passed.
        facts = run["metrics"]["Exact Match"]
        passed = Counter(values_of(scores, run["identifier"], "Exact Match"))
        assert (passed[1.0], passed[0.0]) == (facts["passes"], facts["fails"])


def test_bookkeeping_of_helm_is_left_out(data: Folder, expected: Facts) -> None:
    scores = nf.read(data("logs/helm") / "logs")
    for facts in expected("logs/helm")["runs"]:
        assert facts["perturbations"] == [""]  # or there were metrics of the perturbed forms
        assert facts["metrics_per_instance"] > len(scores.metrics) == 4
        for metric in ("exact_match", "quasi_exact_match"):
            mean = np.mean(values_of(scores, facts["model"], metric, facts["groups"][0]))
            for kind in ("robustness", "fairness"):
                assert mean == pytest.approx(facts["scores"][f"{metric} [{kind} worst]"])


def test_items_and_printed_errors_of_lighteval(data: Folder, expected: Facts) -> None:
    whole = expected("logs/lighteval")
    scores = nf.read(data("logs/lighteval") / "logs")
    (told,) = (one["errors"] for one in scores.sources[0].notes if one.code == "logs.wrong_errors")
    printed = {(system, metric): reported for system, _, metric, reported, _ in told}
    assert len(printed) == 8
    for run in whole["runs"]:
        for task, facts in run["tasks"].items():
            rows = scores.dataset.codes == scores.dataset.code_of(task)
            assert len(np.unique(scores.item.codes[rows])) == facts["items"] == facts["ids"]
            for name, reported in facts["stderr_as_printed"].items():
                metric = name.removesuffix("_stderr")
                if (run["model"], metric) in printed:
                    assert printed[run["model"], metric] == pytest.approx(reported)
                elif metric != "em":  # as the best of four it is another score
                    own = nf.estimate(scores, run["model"], dataset=task, metric=metric)
                    assert own.standard_error == pytest.approx(reported)
    logged = next(run["tasks"]["le_math|0"]["scores"]["em"] for run in whole["runs"] if run["model"].endswith("small"))
    assert logged == whole["em_any_of_4_toy-small"]


def test_events_of_openai_evals(data: Folder, expected: Facts) -> None:
    for facts in expected("logs/openai_evals")["runs"]:
        scores = nf.read(data("logs/openai_evals") / facts["file"])
        assert len(scores.statistics) == sum(facts["events"].values())
        assert {label.rpartition(".")[0] for label in scores.item.labels} == {facts["eval"].removesuffix(".v0")}


def test_what_swebench_counts(data: Folder, expected: Facts) -> None:
    for facts in expected("logs/swebench")["runs"]:
        scores = nf.read(data("logs/swebench") / facts["file"])
        (system,) = scores.systems
        found = Counter(values_of(scores, system, "resolved"))
        assert found[1.0] == facts["resolved_instances"]
        assert found[0.0] == facts["unresolved_instances"] + facts["empty_patch_instances"]
        incomplete = facts["total_instances"] - facts["submitted_instances"]
        assert statuses_of(scores, system, "resolved")["error"] == facts["error_instances"] + incomplete
        assert facts["infra_failure_instances"] == facts["ambiguous_failure_instances"] == 0


def test_rows_of_every_eval_ever(data: Folder, expected: Facts) -> None:
    for file, facts in expected("logs/every_eval_ever")["files"].items():
        scores = nf.read(data("logs/every_eval_ever") / file)
        names = [metric.replace(":", "/") for _, metric in facts["names"]]
        if names == ["None"]:  # pairs of texts, of which the converter made 0
            assert facts["mean_score_of_rows"] == 0
            assert {"bleu", "chrf", "ter"} <= set(scores.metrics)
            continue
        values = [one for name in names for one in values_of(scores, facts["model_id"], name)]
        assert len(values) == facts["rows"]
        if "perplexity" not in names:
            assert np.mean(values) == pytest.approx(facts["mean_score_of_rows"])
        for metric, (_, better) in facts["aggregate"].items():
            assert scores.higher_is_better[metric.replace(":", "/")] is (better == "higher")


def test_standard_output_of_comet_is_rounded(data: Folder, expected: Facts) -> None:
    scores = nf.read(data("logs/comet") / "logs" / "comet_score.stdout.txt")
    for system, mean in expected("logs/comet")["means"].items():
        values = values_of(scores, system, "COMET")
        assert (len(values), np.mean(values)) == (expected("logs/comet")["items"], pytest.approx(mean, abs=5e-5))


def test_the_split_of_mteb_is_told(data: Folder, expected: Facts) -> None:
    scores = nf.read(data("logs/mteb") / "logs")
    several = {task for own in expected("logs/mteb")["models"].values() for task, on in own.items() if len(on) > 1}
    told = [one for one in scores.sources[0].notes if one.code == "logs.splits"]
    assert {one["dataset"] for one in told} == several
    assert {one["judged"] for one in told} == {"test"}


@pytest.mark.parametrize(("metric", "called"), [("bleu", "BLEU"), ("chrf", "chrF2"), ("ter", "TER")])
def test_what_is_advised_instead_of_json_of_sacrebleu(metric: str, called: str, data: Folder, expected: Facts) -> None:
    texts, files = data("logs/sacrebleu") / "texts", expected("logs/sacrebleu")["files"]
    scores = nf.score(metric, {name: texts / f"shared.{name}.txt" for name in ("sysA", "sysB")}, texts / "shared.ref")
    for name in ("sysA", "sysB"):
        (recorded,) = (one["score"] for one in files[f"logs/{name}.json"] if one["name"] == called)
        rows = scores.system.codes == scores.system.code_of(name)
        assert scores.aggregates[metric].score(scores.statistics[rows]) == pytest.approx(recorded, abs=5e-5)


def test_swaps_of_sacrebleu(data: Folder, expected: Facts) -> None:
    """10,000 draws, two-sided."""
    texts = data("logs/sacrebleu") / "texts"
    scores = nf.score("bleu", {name: texts / f"shared.{name}.txt" for name in ("sysA", "sysB")}, texts / "shared.ref")
    (drawn,) = (
        row["BLEU"]["p_value"]
        for row in expected("logs/sacrebleu")["files"]["logs/paired_ar.json"]
        if row["BLEU"]["p_value"] is not None
    )
    swapped = nf.test(scores.pair("sysA", "sysB"), "permutation")
    assert swapped.p_value == pytest.approx(drawn, abs=4 * (drawn / 10_000) ** 0.5 + 1e-3)
