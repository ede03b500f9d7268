"""Headlines: ROUGE from text for two systems, per item and on average, and how often they tie."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.metrics.summarisation import rouge_1, rouge_2, rouge_l

NAME = "sum_compare_mt"
METRICS = {"rouge1": rouge_1, "rouge2": rouge_2, "rougeL": rouge_l}


@pytest.mark.parametrize("name", METRICS)
def test_rouge_from_text(name: str, data: Callable[[str], Path], expected: Callable[[str], dict[str, Any]]) -> None:
    folder, facts = data(NAME), expected(NAME)
    found = {
        system: METRICS[name](folder / f"{system}.txt.gz", folder / "ref.txt.gz").values[:, 0]
        for system in ("sys1", "sys2")
    }
    assert {len(values) for values in found.values()} == {facts["n"]}
    for system, values in found.items():
        assert values.mean() == pytest.approx(facts["mean"][system][name], rel=1e-12)
    wanted = facts[f"{name}_sys1_vs_sys2"]
    # Scores are correctly rounded quotients: ties are where the fractions are equal, without any tolerance.
    assert int((found["sys1"] == found["sys2"]).sum()) == wanted["zero_differences"]
    test = nf.test(found["sys1"], found["sys2"], "paired_t")
    assert [test.statistic, test.p_value] == pytest.approx(wanted["ttest_rel"], rel=1e-9)


def test_every_item(data: Callable[[str], Path]) -> None:
    folder = data(NAME)
    with gzip.open(folder / "rouge_per_item.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    checked = 0
    for column in rows[0]:
        name = next((name for name in METRICS if name.lower() in column.lower()), None)
        system = next((system for system in ("sys1", "sys2") if system in column), None)
        if name is None or system is None:
            continue
        ours = METRICS[name](folder / f"{system}.txt.gz", folder / "ref.txt.gz").values[:, 0]
        assert ours == pytest.approx(np.array([float(row[column]) for row in rows]), abs=1e-6), column
        checked += 1
    assert checked == 6
