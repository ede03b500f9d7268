"""Power on real outputs: the setting of Figure 3 of Zhu et al. 2020, and SST-2 in accuracy and F1."""

from __future__ import annotations

import csv
import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import nofluke as nf
from nofluke.verbs.detectable_effect import detected_in


def test_figure_3(data: Callable[[str], Path]) -> None:
    """Wilcoxon at the observed difference: the figure's curve rises to about 0.6 at 2,000 items."""
    sample = nf.read(data("nlpstattest_wmt17_zhen_pair") / "scores.csv").pair()
    start = time.process_time()
    curve = nf.power_curve(sample, "wilcoxon", difference="observed")
    assert time.process_time() - start < 2.0
    assert list(curve.sizes[:2]) == [100, 200]
    assert int(curve.sizes[-1]) == 2001
    assert curve.iterations == 200
    # The p-value is 0.026: the power at the observed effect is then a little above one half, whatever is true.
    assert 0.5 < curve.power[-1] < 0.75
    assert curve.notes[0].code == "power.at_observed"
    assert curve.computed["changed"] == 0


def test_a_stated_difference_in_sentence_scores(data: Callable[[str], Path]) -> None:
    sample = nf.read(data("nlpstattest_wmt17_zhen_pair") / "scores.csv").pair()
    curve = nf.power_curve(sample, difference=0.01, iterations=1000)
    planned = nf.sample_size(difference=0.01, sd=float(np.std(sample.scores(0) - sample.scores(1), ddof=1))).n
    assert curve.size_for_target == pytest.approx(planned, rel=0.1)
    found = detected_in(sample)
    assert found.difference == pytest.approx(nf.compare(sample).detectable.difference, rel=1e-9)


@pytest.mark.parametrize("metric", ["accuracy", "f1"])
def test_sst2(data: Callable[[str], Path], metric: str) -> None:
    with (data("classify_sst2") / "predictions.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    outputs = {name: [row[name] for row in rows] for name in ("lstm", "cnn")}
    sample = nf.score(metric, outputs, [row["gold"] for row in rows]).pair("lstm", "cnn")
    curve = nf.power_curve(sample, difference=0.02, iterations=400)
    assert curve.test == ("mcnemar" if metric == "accuracy" else "permutation")
    assert 1_400 < curve.size_for_target < 2_200
    assert curve.size_range[0] <= curve.size_for_target <= curve.size_range[1]
    if metric == "accuracy":
        d = sample.scores(0) - sample.scores(1)
        disagreement = float(np.mean(d != 0))
        planned = nf.sample_size("mcnemar", difference=0.02, disagreement=disagreement).n
        assert curve.size_for_target == pytest.approx(planned, rel=0.12)
    without = nf.power_curve(sample, iterations=50, sizes=3)
    assert [row.name for row in without.scenarios] == ["detectable", "half", "low end", "high end"]
    assert all(math.isfinite(row.size) for row in without.scenarios)
