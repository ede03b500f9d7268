"""Reference figures: reading the recorded rows and checking one against what nofluke computes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from support.quantities import LEFT_OUT, QUANTITIES
from support.quantities.multiplicity import left_out

FOLDER = Path(__file__).parent.parent / "reference"
# What the same sample gives on raw binary differences is recorded beside the right answer; it is no target.
BINARY = "binary64 differences"


@cache
def samples() -> dict[str, dict[str, Any]]:
    return json.loads((FOLDER / "samples.json").read_text(encoding="utf-8"))


@cache
def rows(family: str) -> list[dict[str, Any]]:
    return json.loads((FOLDER / f"{family}.json").read_text(encoding="utf-8"))


@cache
def families() -> tuple[str, ...]:
    """Every file of figures; the others hold the data that figures are of."""
    stems = sorted(path.stem for path in FOLDER.glob("*.json"))
    return tuple(stem for stem in stems if isinstance(rows(stem), list))


def is_target(row: dict[str, Any]) -> bool:
    """Whether nofluke has to find this figure."""
    if row["quantity"] in LEFT_OUT or left_out(row):
        return False
    return row["inputs"].get("arithmetic") != BINARY


def recorded() -> Iterator[dict[str, Any]]:
    """All figures that nofluke has to find."""
    for family in families():
        yield from (row for row in rows(family) if is_target(row))


def compute(row: dict[str, Any]) -> Any:
    sample = samples()[row["inputs"]["sample"]] if "sample" in row["inputs"] else {"a": [], "b": []}
    return QUANTITIES[row["quantity"]].compute(row["inputs"], sample["a"], sample["b"])


def check(row: dict[str, Any]) -> None:
    """Pass when |x - value| <= abs + rel * |value| for every element."""
    tolerance = row["tolerance"]
    expected = np.array(row["value"], dtype=float)
    found = np.array(compute(row), dtype=float)
    assert found.shape == expected.shape
    close = np.isclose(found, expected, rtol=tolerance.get("rel", 0.0), atol=tolerance.get("abs", 0.0))
    same = (found == expected) | close
    assert same.all(), f"{row['case']} {row['quantity']} {row['inputs']}: {found} is not {expected} ({row['source']})"
