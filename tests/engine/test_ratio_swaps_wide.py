"""Raw swaps of few items with large counts: so many Fourier nodes that they are summed by a fast transform."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from nofluke.engine.lattice2d import inversion
from nofluke.engine.ratio_swaps.tail import ratio_swap_tail


def counts(seed: int, items: int, scale: int) -> list[np.ndarray]:
    """Numerators of A and B, denominators of A and B: F1 of long texts."""
    rng = np.random.default_rng(seed)
    gold = rng.poisson(4 * scale, items) + 1
    guessed = np.maximum(0, gold + rng.integers(-2 * scale, 2 * scale + 1, (2, items)))
    matched = rng.binomial(np.minimum(gold, guessed), np.array([[0.76], [0.70]]))
    return [*(2 * matched), *(gold + guessed)]


def law(columns: list[np.ndarray]) -> float:
    """The chance of at least the observed difference, from all sums and in how many patterns each comes."""
    num_a, num_b, den_a, den_b = (column.tolist() for column in columns)
    sums = {(0, 0): 1}
    for a, b, y, z in zip(num_a, num_b, den_a, den_b, strict=True):
        longer: dict[tuple[int, int], int] = {}
        for (u, v), ways in sums.items():
            for sign in (1, -1):
                place = (u + sign * (a - b), v + sign * (y - z))
                longer[place] = longer.get(place, 0) + ways
        sums = longer
    c, d = sum(num_a) + sum(num_b), sum(den_a) + sum(den_b)
    observed = Fraction(sum(num_a), sum(den_a)) - Fraction(sum(num_b), sum(den_b))
    hits = sum(ways for (u, v), ways in sums.items() if Fraction(c + u, d + v) - Fraction(c - u, d - v) >= observed)
    return float(Fraction(hits, 2 ** len(num_a)))


@pytest.mark.parametrize(("seed", "items", "scale"), [(1, 28, 6), (2, 40, 3)])
def test_the_transform_gives_the_exact_tail(monkeypatch: pytest.MonkeyPatch, seed: int, items: int, scale: int) -> None:
    columns = counts(seed, items, scale)
    found = ratio_swap_tail(*columns)
    assert found.path == "lattice"
    assert np.exp(found.log_p) == pytest.approx(law(columns), rel=max(found.bound, 1e-11))
    monkeypatch.setattr(inversion, "_MOST_WAVES", 0)
    direct = ratio_swap_tail(*columns)
    assert abs(direct.log_p - found.log_p) <= found.bound + direct.bound


def test_many_nodes_are_not_summed_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("the sum over both directions of nodes takes seconds")

    monkeypatch.setattr(inversion.np, "einsum", refused)
    assert ratio_swap_tail(*counts(1, 28, 6)).path == "lattice"
