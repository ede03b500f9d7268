"""Test sets of a score that only all items together have are not drawn, and that is said in words."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import MethodError
from nofluke.types import Scores

RNG = np.random.default_rng(4)


def share(outputs: Sequence[str], golds: Sequence[str]) -> float:
    return sum(map(str.__eq__, outputs, golds)) / len(golds)


def black_box() -> Scores:
    outputs = {name: ["x" if right else "y" for right in RNG.random(30) < 0.6] for name in "AB"}
    return nf.score(share, outputs, ["x"] * 30, whole=True)


def correlated(metric: str) -> Scores:
    rows = "".join(f"q{i},{x:.3f},{y:.3f},{z:.3f}\n" for i, (x, y, z) in enumerate(RNG.normal(size=(30, 3))))
    return nf.score(metric, io.StringIO("item,gold,A,B\n" + rows))


ASKING: dict[str, Callable[[Scores], Any]] = {
    "power_curve": lambda scores: nf.power_curve(scores.pair("A", "B"), sizes=2, iterations=2),
    "audit": lambda scores: nf.studies.audit(scores.pair("A", "B"), iterations=100),
    "calibration": lambda scores: nf.studies.calibration(scores, size=10, test_sets=5),
}


@pytest.mark.parametrize("asked", ASKING)
@pytest.mark.parametrize("metric", ["share", "spearman"])
def test_test_sets_are_not_drawn(asked: str, metric: str) -> None:
    scores = black_box() if metric == "share" else correlated(metric)
    with pytest.raises(MethodError, match=f"{metric} is a score of all items together.* cannot be drawn") as caught:
        ASKING[asked](scores)
    assert "compare" in caught.value.advice()


def test_calibration_of_correlations_is_refused_and_their_curve_is_drawn() -> None:
    with pytest.raises(MethodError, match="pearson is a score of all items together"):
        ASKING["calibration"](correlated("pearson"))
    assert len(ASKING["power_curve"](correlated("pearson")).power) == 2
