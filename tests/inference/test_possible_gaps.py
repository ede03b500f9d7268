"""A gap that no two scores can have is no gap that a test set reveals."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nofluke as nf
from nofluke.words import short

SIX = ([1, 1, 0, 1, 1, 0], [0, 0, 1, 1, 0, 0])


def test_six_right_or_wrong_answers_have_to_be_won_all() -> None:
    """Only six wins of six are significant: 8 of 10 times for a system that wins 0.8^(1/6) of all items."""
    result = nf.compare(*SIX)
    assert result.detectable.difference == pytest.approx(0.8 ** (1 / 6), abs=1e-6)
    assert math.isnan(result.detectable.threshold), "four items differ, and four are too few"
    assert "6 items reveal a true gap of 0.96" in " ".join(short(result).split())


def test_where_the_range_is_not_known_or_wide_enough_the_figure_stays() -> None:
    """The same differences on scores that may be anything, and with a stated range."""
    a, b = (np.array(side) + 0.25 for side in SIX)
    free = nf.compare(a, b, method="permutation").detectable.difference
    assert free > 1
    wide, narrow = (nf.compare(a, b, method="permutation", low=0, high=high).detectable for high in (2.0, 1.25))
    assert wide.difference == free
    assert math.isnan(narrow.difference)


@pytest.mark.parametrize("n", [4, 6, 8, 10, 20, 200])
def test_no_figure_leaves_the_scale(n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(5):
        table = {name: rng.integers(0, 2, n).tolist() for name in "ABC"}
        gaps = [nf.compare(table["A"], table["B"]).detectable.difference]
        ranked = nf.rank(table).detectable
        gaps += [] if ranked is None else [ranked.difference]
        curve = nf.power_curve(table["A"], table["B"], iterations=20)
        gaps += [curve.difference, *(row.difference for row in curve.scenarios if row.name == "detectable")]
        assert not any(abs(gap) > 1 for gap in gaps), gaps
