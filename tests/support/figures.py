"""Reference figures: reading the recorded rows and checking one against what nofluke computes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from support.quantities import QUANTITIES

FOLDER = Path(__file__).parent.parent / "reference"


@cache
def samples() -> dict[str, dict[str, Any]]:
    return json.loads((FOLDER / "samples.json").read_text(encoding="utf-8"))


@cache
def rows(family: str) -> list[dict[str, Any]]:
    return json.loads((FOLDER / f"{family}.json").read_text(encoding="utf-8"))


def compute(row: dict[str, Any]) -> Any:
    sample = samples()[row["inputs"]["sample"]] if "sample" in row["inputs"] else {"a": [], "b": []}
    return QUANTITIES[row["quantity"]].compute(row["inputs"], sample["a"], sample["b"])


def check(row: dict[str, Any]) -> None:
    """Pass when |x - value| <= abs + rel * |value| for every element."""
    tolerance = row["tolerance"]
    expected = np.array(row["value"], dtype=float)
    found = np.array(compute(row), dtype=float)
    close = np.isclose(found, expected, rtol=tolerance.get("rel", 0.0), atol=tolerance.get("abs", 0.0))
    same = (found == expected) | close
    assert same.all(), f"{row['case']} {row['quantity']} {row['inputs']}: {found} is not {expected} ({row['source']})"
