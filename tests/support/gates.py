"""Small tables of a baseline and a candidate, as files or as scores."""

from __future__ import annotations

import io
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

import nofluke as nf
from nofluke.types import FloatArray, Scores

LOGS = Path(__file__).parents[2] / "docs" / "examples" / "lm-eval"
Tasks = Mapping[str, Sequence[float] | FloatArray]


def text_of(tasks: Tasks, metric: str = "accuracy", items: Mapping[str, Sequence[str]] | None = None) -> str:
    """One system on several tasks: a row per item, items named a0, a1, ... after it unless others are given."""
    rows = [f"task,item,{metric}"]
    for task, values in tasks.items():
        names = (items or {}).get(task) or [f"{task}{at}" for at in range(len(values))]
        rows += [f"{task},{name},{float(value):g}" for name, value in zip(names, values, strict=True)]
    return "\n".join(rows) + "\n"


def scores_of(tasks: Tasks, metric: str = "accuracy") -> Scores:
    return nf.read(io.StringIO(text_of(tasks, metric)))


def written(
    path: Path, tasks: Tasks, metric: str = "accuracy", items: Mapping[str, Sequence[str]] | None = None
) -> str:
    path.write_text(text_of(tasks, metric, items), encoding="utf-8")
    return str(path)


def answers(n: int, only_baseline: int, only_candidate: int, both: int | None = None) -> tuple[FloatArray, FloatArray]:
    """0/1 scores of baseline and candidate that differ on so many items."""
    right = (n - only_baseline - only_candidate) if both is None else both
    counts = (right, only_baseline, only_candidate, n - right - only_baseline - only_candidate)
    baseline = np.repeat([1.0, 1.0, 0.0, 0.0], counts)
    candidate = np.repeat([1.0, 0.0, 1.0, 0.0], counts)
    return baseline, candidate


def evaluated(folder: Path) -> None:
    """Put into a folder all that the examples of docs/examples/ci evaluate."""
    for name, logs in (("candidate", "tuned"), ("baseline", "base")):
        for run in ("", "-1", "-2", "-3"):
            shutil.copytree(LOGS / logs, folder / "runs" / f"{name}{run}")
    shutil.copytree(LOGS / "base", folder / "runs" / "released")
    for file in ("eval/baseline.parquet", "baseline/baseline.parquet"):
        (folder / file).parent.mkdir()
        nf.keep(nf.read(LOGS / "base"), folder / file)
