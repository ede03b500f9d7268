"""Posteriors and Bayes factors as R, scmamp, baycomp, pingouin and exact integration give them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from support.figures import FOLDER, samples
from support.quantities.bayes import LEFT_OUT, QUANTITIES

FAMILIES = ("bayes", "bayes_mc", "bayes_models")
ROWS = [row for family in FAMILIES for row in json.loads((FOLDER / f"{family}.json").read_text(encoding="utf-8"))]


def named(row: dict[str, Any]) -> str:
    return f"{row['case']}-{row['quantity']}-{row['inputs'].get('rope', '')}"


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_figure(row: dict[str, Any]) -> None:
    inputs = row["inputs"]
    sample = samples()[inputs["sample"]] if "sample" in inputs else {"a": [], "b": []}
    found = np.atleast_1d(QUANTITIES[row["quantity"]].compute(inputs, sample["a"], sample["b"]))
    expected = np.atleast_1d(row["value"])
    allowed = row["tolerance"].get("abs", 0.0) + row["tolerance"].get("rel", 0.0) * np.abs(expected)
    assert found.shape == expected.shape
    assert (np.abs(found - expected) <= allowed).all(), f"{found} is not {expected} ({row['source']})"


def test_every_row_is_computed_or_left_out() -> None:
    assert {row["quantity"] for row in ROWS} <= set(QUANTITIES) | set(LEFT_OUT)
    assert len(ROWS) == 128
