"""51 models on the 805 prompts of AlpacaEval 2, which come from five sources: what 805 prompts can find."""

from __future__ import annotations

import csv
import gzip
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq

import nofluke as nf

Folder = Callable[[str], Path]


# Without datasets the second ranking is that of test_many_systems.py.
@pytest.mark.parametrize(("weights", "separated"), [("equal", 820), pytest.param("items", 821, marks=pytest.mark.slow)])
def test_pairs_near_the_line_by_importance_sampling(data: Folder, weights: str, separated: int) -> None:
    path = data("llm_alpaca_eval2") / "preferences.csv.gz"
    ranking = nf.rank(nf.read(path), weights=weights)
    assert (len(ranking.systems), ranking.pairs, ranking.n, len(ranking.datasets)) == (51, 1_275, 805, 5)
    assert ranking.separated == separated
    assert ranking.effective_n == pytest.approx(695.4 if weights == "equal" else 805, abs=0.5)
    # Recomputed from the file by tilted random signs, for the pairs that Holm's line runs between.
    with gzip.open(path, "rt") as file:
        rows = list(csv.DictReader(file))
    sources = [row["dataset"] for row in rows]
    sizes = {name: sources.count(name) for name in set(sources)}
    share = np.array([1 / (5 * sizes[name]) if weights == "equal" else 1 / 805 for name in sources])
    order = np.argwhere(np.triu(np.ones((51, 51), dtype=bool), 1))
    line = sorted(order.tolist(), key=lambda pair: abs(math.log(min(ranking.adjusted[tuple(pair)], 1.0) / 0.05)))
    rng = np.random.default_rng(0)
    for i, j in line[:12]:
        a, b = (np.array([float(row[ranking.systems[at]]) for row in rows]) for at in (i, j))
        drawn, error = by_tilted_signs(share * (a - b), rng)
        assert abs(ranking.p_values[i, j] - drawn) < 5 * error + 1e-3 * drawn


def by_tilted_signs(values: np.ndarray, rng: np.random.Generator, draws: int = 20_000) -> tuple[float, float]:
    """Estimate P(sum of signs times values >= sum), and the standard error, under signs tilted towards that sum."""
    sizes = np.abs(values[values != 0])
    scale, total = np.linalg.norm(sizes), values.sum()
    sizes, total = sizes / scale, total / scale
    tilt = brentq(lambda s: float((sizes * np.tanh(s * sizes)).sum() - total), 0, 1e3)
    cumulant = float(np.log(np.cosh(tilt * sizes)).sum())
    chance = 1 / (1 + np.exp(-2 * tilt * sizes))
    sums = np.concatenate(
        [np.where(rng.random((1_000, len(sizes))) < chance, 1.0, -1.0) @ sizes for _ in range(draws // 1_000)]
    )
    weights = np.where(sums >= total - 1e-12, np.exp(cumulant - tilt * sums), 0.0)
    return float(weights.mean()), float(weights.std() / math.sqrt(draws))
