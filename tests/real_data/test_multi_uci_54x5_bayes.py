"""Five classifiers on 54 datasets: the Bayesian answers of baycomp and of the paper's authors."""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.quantities.bayes import posterior, three

NAME = "multi_uci_54x5"
# Printed by the authors of the test for nbc against j48 with region 1 (another 50,000 draws).
PUBLISHED = (0.23124, 0.00666, 0.7621)


def read(folder: Path) -> dict[str, tuple[list[float], list[float]]]:
    columns: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    with gzip.open(folder / "accuracies.csv.gz", "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            for column, name in zip(columns[row["dataset"]], ("nbc", "j48"), strict=True):
                column.append(float(row[name]))
    return dict(columns)


def means(folder: Path) -> tuple[list[float], list[float]]:
    with (folder / "mean_accuracy.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [float(row["nbc"]) for row in rows], [float(row["j48"]) for row in rows]


def test_correlated_t(data: Callable[[str], Path], expected: Callable[[str], dict[str, Any]]) -> None:
    facts = expected(NAME)["baycomp_two_on_single (correlated t, nbc vs j48, rope=1, runs=10)"]
    nbc, j48 = read(data(NAME))[facts["dataset"]]
    found = posterior(nbc, j48, "correlated_t", rope=1, rho=0.1)
    assert three(found) == pytest.approx(facts["p_left_rope_right"], rel=1e-9)


def test_signed_rank(data: Callable[[str], Path], expected: Callable[[str], dict[str, Any]]) -> None:
    key = "baycomp_two_on_multiple (signed-rank, nbc vs j48, rope=1, random_state=1, nsamples=50000; Monte Carlo)"
    found = posterior(*means(data(NAME)), "signed_rank", rope=1)
    for recorded in (expected(NAME)[key], PUBLISHED):
        for ours, theirs in zip(three(found), recorded, strict=True):
            # Two sets of 50,000 draws: four standard errors of their difference.
            error = np.sqrt(2 * max(theirs * (1 - theirs), 1e-4) / 50_000)
            assert abs(ours - theirs) < 4 * error


def test_all_splits_lead_to_the_same_scores_of_datasets(data: Callable[[str], Path]) -> None:
    by_split = posterior(read(data(NAME)), method="signed_rank", rope=1, draws=2_000)
    by_mean = posterior(*means(data(NAME)), "signed_rank", rope=1, draws=2_000)
    assert three(by_split) == pytest.approx(three(by_mean), abs=0.002)
    assert by_split.n == 54
    assert "bayes.scores_as_datasets" not in [one.code for one in by_split.notes]


def test_hierarchical(data: Callable[[str], Path]) -> None:
    """No outside figure; but with 54 datasets the posterior must sit where the means and the weights put it."""
    nbc_and_j48 = read(data(NAME))
    found = posterior(nbc_and_j48, rope=1, rho=0.1)
    assert found.method == "hierarchical"
    assert len(found.datasets) == 54
    assert sum(three(found)) == pytest.approx(1.0)
    assert found.p_worse > found.p_better
    observed = np.array([np.mean(a) - np.mean(b) for a, b in nbc_and_j48.values()])
    assert [part.observed for part in found.datasets] == pytest.approx(observed.tolist(), abs=1e-9)
    believed = np.array([part.estimate for part in found.datasets])
    # Drawn towards the common mean, and never past it.
    assert np.all(np.abs(believed - found.estimate) <= np.abs(observed - found.estimate) + 0.05)
    assert posterior(nbc_and_j48, rope=1, rho=0.1, target="next").p_better > found.p_better
