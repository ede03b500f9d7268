"""How often do the tests of equal correlations reject when both systems follow gold equally well?"""

from __future__ import annotations

import numpy as np
import pytest

import nofluke as nf

RUNS = 400


def rejections(metric: str, method: str, n: int) -> int:
    """Normal errors of equal size, B's scores on another scale."""
    rng = np.random.default_rng(n)
    found = 0
    for _ in range(RUNS):
        gold = rng.normal(size=n)
        a, b = gold + 1.3 * rng.normal(size=n), 100 * (gold + 1.3 * rng.normal(size=n))
        sample = nf.score(metric, {"A": a, "B": b}, gold).pair()
        found += nf.test(sample, method, monte_carlo=399).p_value <= 0.05
    return found


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["pearson", "spearman", "kendall"])
@pytest.mark.parametrize(("method", "n"), [("bootstrap", 30), ("permutation", 15), ("permutation", 40)])
def test_size(metric: str, method: str, n: int) -> None:
    # 99.9 % of Binomial(400, .06) lie at or below 40: .06 is the size tabulated in docs/decisions/correlations.md.
    assert 2 <= rejections(metric, method, n) <= 40
