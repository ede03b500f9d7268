"""Logs of further harnesses as they write them, small and made here: deepeval, HELM, lighteval and others."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nofluke.types import Scores

DATE = "2026-01-01T10-00-00.000000"


def values(scores: Scores, metric: str) -> list[float]:
    """The single statistic of every row of a metric."""
    found: list[float] = scores.statistics[scores.metric.codes == scores.metric.code_of(metric), 0].tolist()
    return found


def notes(scores: Scores) -> str:
    """All that is said of the logs."""
    return "\n".join(str(note) for source in scores.sources for note in source.notes)


def written(path: Path, value: Any, indent: int | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=indent), encoding="utf-8")
    return path


def lines(path: Path, values: Sequence[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path


def case(at: int, scores: Mapping[str, float | None], **more: Any) -> dict[str, Any]:
    """A test case of deepeval; a metric without a score failed."""
    data = [
        {"name": name, "threshold": 0.5, "success": score is not None and score >= 0.5, "strictMode": False}
        | ({"error": "TimeoutError: the judge did not answer"} if score is None else {"score": score, "reason": "so"})
        for name, score in scores.items()
    ]
    return {
        "name": f"test_case_{at}",
        "input": f"Question {at}?",
        "actualOutput": "yes",
        "expectedOutput": f"Answer {at}",
        "success": all(one["success"] for one in data),
        "metricsData": data,
        "order": at,
        "metadata": {"page": f"p{at // 2}"},
        **more,
    }


def deepeval(path: Path, cases: Sequence[Mapping[str, Any]], *, model: str = "new", **more: Any) -> Path:
    names = dict.fromkeys(one["name"] for own in cases for one in own["metricsData"])
    by_name = {
        name: [one for own in cases for one in own["metricsData"] if one["name"] == name and "score" in one]
        for name in names
    }
    whole = {
        "testCases": list(cases),
        "conversationalTestCases": [],
        "metricsScores": [
            {"metric": name, "scores": [one["score"] for one in own], "passes": 0, "fails": 0, "errors": 0}
            for name, own in by_name.items()
        ],
        "identifier": f"run of {model}",
        "hyperparameters": {"model": model, "prompt": "v1"},
        "testPassed": sum(own["success"] for own in cases),
        "runDuration": 0.5,
        **more,
    }
    return written(path, whole)


def helm_stat(name: str, value: float | None, split: str = "test", **more: Any) -> dict[str, Any]:
    """A statistic of HELM; one of nothing has no mean."""
    about = {"name": {"name": name, "split": split, **more}}
    if value is None:
        return about | {"count": 0, "sum": 0, "sum_squared": 0}
    return about | {"count": 1, "sum": value, "sum_squared": value**2, "min": value, "max": value, "mean": value}


def helm(
    folder: Path,
    rows: Sequence[tuple[str, int, Mapping[str, float | None]]],
    *,
    model: str = "acme/new",
    scenario: str = "rivers",
    names: Sequence[str] = ("exact_match",),
    stats: Sequence[Mapping[str, Any]] | None = None,
    more: Sequence[Mapping[str, Any]] = (),
) -> Path:
    """Write the folder of a run, named as HELM does: rows are (instance, trial, {metric: value})."""
    name = f"{scenario}:model={model.replace('/', '_')}"
    own = folder / name
    items = [
        {
            "instance_id": instance,
            "train_trial_index": trial,
            "stats": [
                *(helm_stat(metric, value) for metric, value in values.items()),
                helm_stat("num_prompt_tokens", 40.0),
                helm_stat("inference_runtime", 0.1),
                helm_stat("training_co2_cost", None),
            ],
        }
        for instance, trial, values in rows
    ]
    spec = {
        "name": name,
        "scenario_spec": {"class_name": "x.RiverScenario", "args": {}},
        "adapter_spec": {"method": "generation", "model": model, "model_deployment": model, "temperature": 0.0},
        "metric_specs": [{"class_name": "x.BasicGenerationMetric", "args": {"names": list(names)}}, {"args": {}}],
        "groups": [scenario],
    }
    states = [
        {"instance": {"input": {"text": f"Is {instance} long?"}, "references": [], "split": "test", "id": instance}}
        for instance in dict.fromkeys(instance for instance, _, _ in rows)
    ]
    written(own / "per_instance_stats.json", [*items, *more], 2)
    written(own / "run_spec.json", spec, 2)
    written(own / "scenario.json", {"name": scenario, "description": "Rivers", "tags": []}, 2)
    written(own / "scenario_state.json", {"adapter_spec": spec["adapter_spec"], "request_states": states}, 2)
    written(own / "stats.json", list(stats or [helm_stat("num_prompt_tokens", 40.0)]), 2)
    return own


def event(at: int, sample: int, kind: str = "match", **data: Any) -> dict[str, Any]:
    return {"run_id": "R1", "event_id": at, "sample_id": f"sums.test.{sample}", "type": kind, "data": data}


def openai_evals(
    path: Path, events: Sequence[Mapping[str, Any]], *, model: str = "new", report: Any = None, **spec: Any
) -> Path:
    about = {
        "completion_fns": [model],
        "eval_name": "sums.test.v0",
        "run_config": {"eval_spec": {"args": {"samples_jsonl": "sums.jsonl"}}},
        "run_id": f"R-{model}",
        "created_at": "2026-01-01 10:00:00",
        **spec,
    }
    end = [] if report is False else [{"final_report": report or {}}]
    return lines(path, [{"spec": about}, *end, *events])


def swebench(path: Path, total: int | None = None, **ids: Sequence[str]) -> Path:
    """A run report; what is not named in `ids` is an empty list."""
    kinds = ("resolved", "unresolved", "infra_failure", "ambiguous_failure", "empty_patch", "error", "incomplete")
    lists = {kind: sorted(ids.get(kind, ())) for kind in kinds}
    done = sorted([*lists["resolved"], *lists["unresolved"]])
    submitted = sorted(one for kind, own in lists.items() for one in own if kind != "incomplete")
    whole: dict[str, Any] = {
        "total_instances": sum(map(len, lists.values())) if total is None else total,
        "submitted_instances": len(submitted),
        "completed_instances": len(done),
        **{f"{kind}_instances": len(own) for kind, own in lists.items() if kind != "incomplete"},
        "completed_ids": done,
        "submitted_ids": submitted,
        **{f"{kind}_ids": own for kind, own in lists.items()},
        "schema_version": 2,
    }
    return written(path, whole, 4)


def eee_row(sample: int, metric: str | None, score: Any, *, logged: Any = None, **more: Any) -> dict[str, Any]:
    """A line of Every Eval Ever; `logged` are the metrics of lm-eval that its converter keeps."""
    metadata = {"filter": "none", "lm_eval_metrics": json.dumps(logged)} if logged is not None else {}
    return {
        "schema_version": "0.3.0",
        "evaluation_id": "rivers/acme/new/1",
        "model_id": "acme/new",
        "evaluation_name": "rivers",
        "evaluation_result_id": metric,
        "sample_id": str(sample),
        "sample_hash": hashlib.sha256(str(sample).encode()).hexdigest(),
        "interaction_type": "single_turn",
        "input": {"raw": f"Question {sample}?", "reference": ["x"]},
        "evaluation": {"score": score, "is_correct": bool(score)},
        "error": None,
        "metadata": metadata | more.pop("metadata", {}),
        **more,
    }


def every_eval_ever(
    folder: Path, rows: Sequence[Mapping[str, Any]], averages: Mapping[str, tuple[float, bool, int]] | None = None
) -> Path:
    """Samples, and averages as {metric: (score, lower is better, number of samples)} beside them."""
    path = lines(folder / "0a1b_samples.jsonl", rows)
    if averages is not None:
        results = [
            {
                "evaluation_result_id": name,
                "evaluation_name": "rivers",
                "metric_config": {"lower_is_better": lower},
                "score_details": {"score": score, "uncertainty": {"num_samples": number}},
            }
            for name, (score, lower, number) in averages.items()
        ]
        about = {"name": "acme/new", "id": "acme/new", "additional_details": {"model_args": "{'dtype': 'bf16'}"}}
        whole = {
            "schema_version": "0.3.0",
            "evaluation_id": "rivers/acme/new/1",
            "evaluation_timestamp": "1700000000",
            "model_info": about,
            "evaluation_results": results,
        }
        written(folder / "0a1b.json", whole, 2)
    return path


def detail(at: int, metric: Mapping[str, Any], texts: Sequence[str] = ("x",), **doc: Any) -> dict[str, Any]:
    """An item of lighteval."""
    own = {
        "query": f"Question {at}?",
        "choices": [f"Answer {at}"],
        "gold_index": 0,
        "specific": {"page": f"p{at // 2}"},
        "id": str(at),
        "task_name": "rivers|0",
        "sampling_methods": ["GENERATIVE"],
        "num_samples": len(texts),
        **doc,
    }
    return {"doc": own, "metric": dict(metric), "model_response": {"input": "?", "text": list(texts)}}


def parquet(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Write rows of nested values."""
    import duckdb

    path.parent.mkdir(parents=True, exist_ok=True)
    source = lines(path.with_suffix(".source"), rows)
    read = f"read_json('{source}', format = 'newline_delimited', maximum_depth = -1)"
    duckdb.connect().execute(f"COPY (SELECT * FROM {read}) TO '{path}' (FORMAT parquet)")
    source.unlink()
    return path


def lighteval(
    folder: Path,
    rows: Sequence[Mapping[str, Any]],
    *,
    model: str = "acme/new",
    task: str = "rivers|0",
    results: Mapping[str, float] | None = None,
    metrics: Sequence[Mapping[str, Any]] = (),
    more: Mapping[str, Any] | None = None,
) -> Path:
    """Write details of a task and, where there are any, its results, as --output-dir lays them out."""
    path = parquet(folder / "details" / model / DATE / f"details_{task}_{DATE}.parquet", rows)
    if results is not None:
        config = {"model_name": model, "generation_parameters": {"temperature": 0, "top_p": None}}
        whole = {
            "config_general": {"lighteval_sha": "?", "max_samples": None, "model_config": config, "model_name": model},
            "results": {task: dict(results), "all": dict(results)},
            "config_tasks": {task: {"metrics": list(metrics), "original_num_docs": -1, "version": 0}},
            **(more or {}),
        }
        written(folder / "results" / model / f"results_{DATE}.json", whole, 2)
    return path
