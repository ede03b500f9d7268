"""The law of the signed rank sum: its quantiles, counted and approximated."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from nofluke.engine.flips import flip_tail
from nofluke.laws.signed_rank import _edgeworth_tail, untied_quantile


@pytest.mark.parametrize("n", range(1, 31))
def test_untied_quantile_by_whole_numbers(n: int) -> None:
    counts = np.zeros(n * (n + 1) // 2 + 1, dtype=object)
    counts[0] = 1
    for rank in range(1, n + 1):
        counts[rank:] = counts[rank:] + counts[:-rank]
    cumulative = [Fraction(int(c), 2**n) for c in np.cumsum(counts)]
    for level in (0.005, 0.01, 0.025, 1 / 32, 0.05, 1 / 16, 0.1, 0.25, 0.3):
        k = sum(c <= Fraction(level) for c in cumulative) - 1
        assert untied_quantile(n, level) == (k, pytest.approx(float(cumulative[max(k, 0)]), rel=1e-12))


def test_edgeworth_takes_over_where_it_is_as_good() -> None:
    n = 10_001
    for level in (0.0005, 0.025, 0.05):
        k, error = untied_quantile(n, level)
        exact = math.exp(flip_tail(np.arange(1, n + 1), n * (n + 1) // 2 - 2 * k).log_p)
        assert error == pytest.approx(exact, rel=1e-7)
        assert _edgeworth_tail(n, k) <= level < _edgeworth_tail(n, k + 1)
