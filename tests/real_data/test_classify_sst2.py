"""SST-2 predictions of two classifiers: accuracy and F1 as scikit-learn gives them, from the columns of one file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf

NAME = "classify_sst2"


def score(path: Path, metric: str, system: str, **options: Any) -> float:
    sample = nf.score(metric, path, **options).pair("cnn", "lstm")
    return sample.score(("cnn", "lstm").index(system))


@pytest.mark.parametrize("system", ["cnn", "lstm"])
def test_scores(data: Callable[[str], Path], expected: Callable[[str], dict[str, Any]], system: str) -> None:
    path, facts = data(NAME) / "predictions.csv", expected(NAME)
    right = nf.score("accuracy", path)
    assert right.systems == ("cnn", "lstm")
    assert len(right.item.labels) == facts["n"]
    assert right.item.labels[:2] == ("1", "2")
    assert score(path, "accuracy", system) == pytest.approx(facts["accuracy"][system], rel=1e-14)
    assert score(path, "f1", system) == pytest.approx(facts["macro_f1"][system], rel=1e-14)
    positive = score(path, "f1", system, positive="positive")
    assert positive == pytest.approx(facts["f1_positive"][system], rel=1e-14)


def test_the_table_of_right_and_wrong(data: Callable[[str], Path], expected: Callable[[str], dict[str, Any]]) -> None:
    cnn, lstm = nf.score("accuracy", data(NAME) / "predictions.csv").pair("cnn", "lstm").statistics[:, :, 0].T
    table = [
        [int(cnn @ lstm), int(cnn @ (1 - lstm))],
        [int((1 - cnn) @ lstm), int((1 - cnn) @ (1 - lstm))],
    ]
    assert table == expected(NAME)["correctness_table [[both right, cnn only],[lstm only, both wrong]]"]
