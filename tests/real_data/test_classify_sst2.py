"""SST-2 predictions of two classifiers: accuracy and F1 as scikit-learn gives them, from the columns of one file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nofluke.metrics.classification import accuracy
from nofluke.metrics.classification_f1 import f1
from nofluke.metrics.statistics import ItemStatistics

NAME = "classify_sst2"


def score(statistics: ItemStatistics) -> float:
    return float(statistics.aggregate(statistics.values.sum(axis=0), float(len(statistics.values))))


@pytest.mark.parametrize("system", ["cnn", "lstm"])
def test_scores(data: Callable[[str], Path], expected: Callable[[str], dict[str, Any]], system: str) -> None:
    path, facts = data(NAME) / "predictions.csv", expected(NAME)
    columns = {"column": system, "gold_column": "gold"}
    right = accuracy(path, path, **columns)
    assert len(right.values) == facts["n"]
    assert right.ids is not None
    assert right.ids[:2] == ("1", "2")
    assert score(right) == pytest.approx(facts["accuracy"][system], rel=1e-14)
    assert score(f1(path, path, **columns)) == pytest.approx(facts["macro_f1"][system], rel=1e-14)
    positive = f1(path, path, positive="positive", **columns)
    assert score(positive) == pytest.approx(facts["f1_positive"][system], rel=1e-14)
    assert positive.names == ("matched", "predicted", "gold")


def test_the_table_of_right_and_wrong(data: Callable[[str], Path], expected: Callable[[str], dict[str, Any]]) -> None:
    path = data(NAME) / "predictions.csv"
    cnn, lstm = (accuracy(path, path, column=name, gold_column="gold").values[:, 0] for name in ("cnn", "lstm"))
    table = [
        [int(cnn @ lstm), int(cnn @ (1 - lstm))],
        [int((1 - cnn) @ lstm), int((1 - cnn) @ (1 - lstm))],
    ]
    assert table == expected(NAME)["correctness_table [[both right, cnn only],[lstm only, both wrong]]"]
