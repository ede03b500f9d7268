"""Logs as harnesses write them, small and made here."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

DATE = "2026-01-0{}T10-00-00.000000"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def lm_eval(
    folder: Path,
    tasks: Mapping[str, Sequence[Mapping[str, Any]]],
    *,
    model: str = "acme/base",
    day: int = 1,
    results: bool = True,
    more: Mapping[str, Any] | None = None,
    sizes: Mapping[str, int] | None = None,
) -> Path:
    """Write samples and results of a run: {task: [{metric: value}, ...]}, a row per document.

    A row may name its `doc_id`, its `filter` and the `question` it asks; `sizes` are those of whole tasks.
    """
    folder.mkdir(parents=True, exist_ok=True)
    date = DATE.format(day)
    for task, rows in tasks.items():
        lines = []
        for at, row in enumerate(rows):
            metrics = {name: value for name, value in row.items() if name not in ("doc_id", "filter", "question")}
            question = str(row.get("question", f"{task} {row.get('doc_id', at)}"))
            line = {
                "doc_id": row.get("doc_id", at),
                "doc": {"question": question, "passage": f"p{at // 2}", "filter": "no"},
                "target": "x",
                "arguments": {"gen_args_0": {"arg_0": f'Say "filter": "none" {question}'}},
                "resps": [["y"]],
                "filtered_resps": ["y"],
                "filter": row.get("filter", "none"),
                "metrics": list(metrics),
                "doc_hash": _hash(question),
                "prompt_hash": _hash("Q " + question),
                "target_hash": _hash("x"),
                **metrics,
            }
            lines.append(json.dumps(line))
        (folder / f"samples_{task}_{date}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    if results:
        whole: dict[str, Any] = {
            "results": {task: {"alias": task} for task in tasks},
            "configs": {task: {"metric_list": [], "filter_list": []} for task in tasks},
            "n-samples": {
                task: {"original": (sizes or {}).get(task, len(rows)), "effective": len(rows)}
                for task, rows in tasks.items()
            },
            "lm_eval_version": "0.4.13",
            "model_name": model,
            **(more or {}),
        }
        (folder / f"results_{date}.json").write_text(json.dumps(whole, indent=2), encoding="utf-8")
    return folder


def sample(at: int | str, value: Any, epoch: int = 1, **more: Any) -> dict[str, Any]:
    """One sample of Inspect, scored by `match`, or by the scorers of a mapping."""
    scores = {name: {"value": one} for name, one in (value if isinstance(value, dict) else {"match": value}).items()}
    return {"id": at, "epoch": epoch, "input": f"Question {at}?", "target": "x", "scores": scores, **more}


def inspect(
    path: Path,
    samples: Sequence[Mapping[str, Any]],
    *,
    model: str = "toy/a",
    task: str = "trivia",
    status: str = "success",
    members: Sequence[str] = ("header.json", "summaries.json"),
    packing: int = zipfile.ZIP_DEFLATED,
    **more: Any,
) -> Path:
    """Write a log of Inspect: as JSON, or for .eval as an archive with these members beside its samples."""
    path.parent.mkdir(parents=True, exist_ok=True)
    about = {
        "task": task,
        "model": model,
        "created": "2026-01-01T10:00:00+00:00",
        "task_args": {},
        **more.pop("eval", {}),
    }
    header = {"version": 2, "status": status, "eval": about, **more}
    if path.suffix != ".eval":
        path.write_text(json.dumps({**header, "samples": list(samples)}, indent=2), encoding="utf-8")
        return path
    with zipfile.ZipFile(path, "w", packing) as archive:
        archive.writestr("_journal/start.json", json.dumps({"version": 2, "eval": about}))
        for one in samples:
            archive.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one))
        short = [{name: value for name, value in one.items() if name != "invalidation"} for one in samples]
        archive.writestr("_journal/summaries/1.json", json.dumps(short))
        for member in members:
            archive.writestr(member, json.dumps(header if member == "header.json" else short))
    return path
