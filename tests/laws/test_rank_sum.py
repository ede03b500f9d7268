"""The exact law of the rank sum of two groups, with ties."""

from __future__ import annotations

import math

import numpy as np

from nofluke.laws.rank_sum import count_pairs, distribution


def test_the_distribution_counts_whole_numbers() -> None:
    counts, per_win = distribution(np.array([2, 1, 3, 1]), 3)
    assert per_win == 2
    assert counts.sum() == math.comb(7, 3)
    assert (counts == np.rint(counts)).all()
    without, per_win = distribution(np.ones(9, np.int64), 4)
    assert per_win == 1
    assert len(without) == 4 * 5 + 1
    assert without.tolist() == without[::-1].tolist()


def test_ties_are_counted_over_both_groups() -> None:
    found = count_pairs(np.array([1, 1, 2]), np.array([1, 2, 3, 3]))
    assert found.ties.tolist() == [3, 2, 2]
    assert found.doubled == 2 * (0.5 + 0.5 + 1 + 0.5)
