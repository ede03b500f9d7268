"""Metrics of outputs against gold: figures of the standard tools, and counts made by hand where there is no tool."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import nofluke as nf
from nofluke.registry import METRICS
from nofluke.verbs.score import system_scores
from support.quantities.base import Compute, Quantity

FILE = Path(__file__).parent.parent.parent / "reference" / "texts.json"


@cache
def texts() -> dict[str, dict[str, list[str]]]:
    """Gold and the outputs of a strong and a weak system, by task."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def scored(metric: str, task: str, **options: Any) -> nf.Scores:
    known = texts()[task]
    outputs = {name: known[name] for name in ("strong", "weak")}
    return nf.score(metric, outputs, known["gold"], cache=False, **options)


def value(metric: str) -> Compute:
    return lambda inputs, _a, _b: system_scores(scored(metric, inputs["task"], **inputs["options"]))[inputs["system"]]


QUANTITIES: dict[str, Quantity] = {
    f"metric.{name}": Quantity(value(name), (f"metric:{name}",)) for name in METRICS.names()
}

LEFT_OUT: dict[str, str] = {}
