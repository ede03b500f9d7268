"""Spearman's rho of many corpora at once, from the counts of their rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import nofluke as nf
from nofluke.engine.correlation import spearman_scorer
from nofluke.inference.resampling.corpus_draws import _counted


def test_gold_beside_two_systems_is_ranked_once_and_the_same() -> None:
    """Spearman's rho of swapped rows, gold standing there twice, against scipy on the rows of each corpus."""
    from scipy.stats import spearmanr

    rng = np.random.default_rng(4)
    gold = np.round(rng.random(40), 1)
    systems = np.round(rng.random((2, 40)), 1)
    rows = np.concatenate([np.stack([gold, own], axis=1) for own in systems])
    moved = rng.integers(0, 2, (6, 40)).astype(np.float64)
    drawn = rng.integers(0, 3, (6, 80)).astype(np.float64)
    for counts in (np.hstack((1 - moved, moved)), drawn, drawn[:1]):
        expected = [spearmanr(*np.repeat(rows, each.astype(int), axis=0).T).statistic for each in counts]
        assert spearman_scorer(rows)(counts) == pytest.approx(expected, rel=1e-12)


def test_both_directions_share_their_draws() -> None:
    """The draws behind a p-value do not depend on its side; those of other data or another seed are others."""
    rng = np.random.default_rng(8)
    table = {
        name: {"gold": list(map(float, rng.random(60))), "A": list(rng.random(60)), "B": list(rng.random(60))}
        for name in ("one", "two")
    }
    rows = [
        {"dataset": name, "gold": gold, "A": a, "B": b}
        for name, own in table.items()
        for gold, a, b in zip(own["gold"], own["A"], own["B"], strict=True)
    ]
    scores = nf.score("spearman", pd.DataFrame(rows))
    _counted.cache_clear()
    found = nf.replicate(scores)
    assert (_counted.cache_info().hits, _counted.cache_info().misses) == (2, 2)
    for name, result in zip(found.datasets, found.tests, strict=True):
        pair = scores.pair("A", "B", dataset=name)
        alone = [nf.test(pair, method="permutation", alternative=side).p_value for side in ("greater", "less")]
        assert result.p_value in alone
    pair = scores.pair("A", "B", dataset="one")
    before = _counted.cache_info().misses
    nf.test(pair, method="permutation", seed=1)
    assert _counted.cache_info().misses == before + 1
