"""How often do the tests of equal correlations reject when both systems follow gold equally well?"""

from __future__ import annotations

import numpy as np
import pytest

import nofluke as nf
from support.notes import codes, facts

RUNS = 400


def rejections(metric: str, method: str, n: int, *, runs: int = RUNS, draws: int = 399, tails: float = 0.0) -> int:
    """Errors of equal size, B's scores on another scale: normal, or with tails exp(tails x)."""
    rng = np.random.default_rng(n)
    found = 0
    for _ in range(runs):
        gold = rng.normal(size=n)
        a, b = (0.6 * gold + 0.8 * rng.normal(size=n) for _ in range(2))
        if tails:
            gold, a, b = (np.exp(tails * column) for column in (gold, a, b))
        sample = nf.score(metric, {"A": a, "B": 100 * b}, gold).pair()
        chosen = method or nf.recommend(sample).preferred
        found += nf.test(sample, chosen, monte_carlo=draws).p_value <= 0.05
    return found


def test_the_preferred_test_holds_its_level_where_scores_have_long_tails() -> None:
    # 99.9 % of Binomial(150, .075) lie at or below 22. The bootstrap rejects .2 to .3 of such pairs, some 37.
    assert rejections("pearson", "", 40, runs=150, draws=199, tails=1.0) <= 22


def test_long_tails_are_pointed_out_for_pearson_only() -> None:
    rng = np.random.default_rng(0)
    gold = rng.normal(size=60)
    a, b = gold + rng.normal(size=60), gold + rng.normal(size=60)
    long = np.exp(1.5 * a)
    for method in ("permutation", "bootstrap"):
        plain = nf.test(nf.score("pearson", {"A": a, "B": b}, gold).pair(), method)
        assert "test.long_tails" not in codes(plain)
        warned = nf.test(nf.score("pearson", {"A": long, "B": b}, gold).pair(), method)
        assert facts(warned, "test.long_tails")["names"][0] == "A"
        ranks = nf.test(nf.score("spearman", {"A": long, "B": b}, gold).pair(), method)
        assert "test.long_tails" not in codes(ranks)


@pytest.mark.parametrize("metric", ["pearson", "spearman", "kendall"])
def test_swaps_of_correlations_are_not_called_exact(metric: str) -> None:
    rng = np.random.default_rng(1)
    gold = rng.normal(size=9)
    sample = nf.score(metric, {"A": gold + rng.normal(size=9), "B": gold + rng.normal(size=9)}, gold).pair()
    assert nf.test(sample, "permutation").validity == "swappable_on_one_scale"


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["pearson", "spearman", "kendall"])
@pytest.mark.parametrize(("method", "n"), [("bootstrap", 30), ("permutation", 15), ("permutation", 40)])
def test_size(metric: str, method: str, n: int) -> None:
    # 99.9 % of Binomial(400, .06) lie at or below 40: .06 is the size tabulated in docs/decisions/correlations.md.
    assert 2 <= rejections(metric, method, n) <= 40


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["pearson", "spearman", "kendall"])
@pytest.mark.parametrize("n", [20, 50])
def test_size_of_swaps_where_scores_have_long_tails(metric: str, n: int) -> None:
    # 99.9 % of Binomial(400, .075) lie at or below 47.
    assert 2 <= rejections(metric, "permutation", n, tails=1.0) <= 47
