"""Right and wrong answers on datasets that count differently: tails from counts are those of the engine."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from nofluke.align.strata import multipliers_of
from nofluke.engine.flips import flip_tail
from nofluke.inference.ranking.weighed_wins import weighed_wins

SIZES = {
    "three decades": [20, 200, 2000],
    "tiny ones": [5, 5, 5, 50, 500],
    "a lattice": [100, 1000],
    "AlpacaEval": [129, 156, 188, 252, 80],
    "twenty": list(range(100, 2000, 95)),
}


@pytest.mark.parametrize("name", SIZES)
def test_tails_are_within_their_bounds(name: str) -> None:
    sizes, rng = SIZES[name], np.random.default_rng(1)
    datasets = np.repeat(np.arange(len(sizes)), sizes)
    counts, _ = multipliers_of([Fraction(1, size) for size in sizes], 2.0 * len(datasets))
    ease = rng.normal(size=(len(datasets), 1)) + rng.normal(0.0, 0.6, (len(datasets), 6)) + 0.1 * np.arange(6)
    right = (ease > 0).astype(np.int64)
    right[:, 5] = right[:, 4]
    found = weighed_wins(right, datasets, counts, exact=False)
    units = right * np.array(counts)[datasets][:, None]
    for i in range(6):
        for j in range(6):
            d = units[:, i] - units[:, j]
            true = flip_tail(d, int(d.sum()))
            off = abs(np.expm1(found.log_p[i, j] - true.log_p))
            assert off <= found.bound[i, j] + true.bound + 1e-9, (i, j, found.computed[i, j])
            assert found.bound[i, j] <= 1e-3


def test_one_dataset_or_one_winner_is_a_count() -> None:
    right = np.array([[1, 0, 0]] * 7 + [[0, 0, 1]] * 2)
    found = weighed_wins(right, np.array([0] * 7 + [1] * 2), (3, 5), exact=False)
    p = np.exp(found.log_p)
    assert p[0, 1] == pytest.approx(2.0**-7)
    assert p[2, 1] == pytest.approx(0.25)
    assert p[1, 0] == pytest.approx(1.0)
    # 7 x 3 - 2 x 5 = 11 is reached by 11, 21 - ..., counted out: sums of 3 s + 5 t.
    sums = [3 * (7 - 2 * k) + 5 * (2 - 2 * m) for k in range(8) for m in range(3)]
    from math import comb

    weights = [comb(7, k) * comb(2, m) / 2**9 for k in range(8) for m in range(3)]
    assert p[0, 2] == pytest.approx(sum(w for s, w in zip(sums, weights, strict=True) if s >= 11))
