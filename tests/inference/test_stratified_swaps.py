"""Swaps of averages of datasets: exact p-values are what counting gives, and within error of draws made here."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from support.strata import average_sample


def units(
    d: list[int], datasets: list[str], weights: dict[str, Fraction], clusters: list[int] | None
) -> list[Fraction]:
    """What is swapped together moves the average by: c d summed over a cluster, wherever its items are."""
    each = [weights[name] / datasets.count(name) * value for name, value in zip(datasets, d, strict=True)]
    together: dict[int, Fraction] = {}
    for label, value in zip(range(len(d)) if clusters is None else clusters, each, strict=True):
        together[label] = together.get(label, Fraction(0)) + value
    return list(together.values())


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_few_items_are_counted(data: st.DataObject) -> None:
    """Any sizes, weights and clusters, also ones that reach over datasets."""
    sizes = data.draw(st.lists(st.integers(1, 5), min_size=2, max_size=3))
    datasets = [f"t{j}" for j, size in enumerate(sizes) for _ in range(size)]
    n = len(datasets)
    d = data.draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n))
    raw = data.draw(st.lists(st.integers(1, 4), min_size=len(sizes), max_size=len(sizes)))
    clusters = data.draw(st.none() | st.lists(st.integers(0, 6), min_size=n, max_size=n))
    weights = {f"t{j}": Fraction(one, sum(raw)) for j, one in enumerate(raw)}
    side = data.draw(st.sampled_from(["greater", "less", "two-sided"]))
    values = units(d, datasets, weights, clusters)
    total = sum(values)
    sums = [sum(sign * value for sign, value in zip(signs, values, strict=True)) for signs in all_signs(len(values))]
    tails = {
        "greater": Fraction(sum(one >= total for one in sums), len(sums)),
        "less": Fraction(sum(one <= total for one in sums), len(sums)),
    }
    expected = min(Fraction(1), 2 * min(tails.values())) if side == "two-sided" else tails[side]
    sample = average_sample(d, [0] * n, datasets, {name: float(raw[int(name[1:])]) for name in weights}, clusters)
    assert nf.test(sample, "permutation", alternative=side).p_value == pytest.approx(float(expected), rel=1e-9)


def all_signs(number: int) -> list[tuple[int, ...]]:
    return list(itertools.product((1, -1), repeat=number))


@pytest.mark.parametrize("across", [False, True])
def test_many_items_are_within_the_error_of_draws(across: bool) -> None:
    rng = np.random.default_rng(11)
    sizes = (40, 150, 700)
    datasets = np.repeat(["x", "y", "z"], sizes).tolist()
    n = sum(sizes)
    d = np.round(rng.normal(0.02, 0.3, n), 2)
    clusters = rng.integers(0, 200, n).tolist() if across else None
    found = nf.test(average_sample(d, 0 * d, datasets, clusters=clusters), "permutation", alternative="greater").p_value
    each = d * np.repeat([1 / 3 / size for size in sizes], sizes)
    moved = each if clusters is None else np.bincount(clusters, weights=each)
    draws = rng.choice([-1.0, 1.0], (20_000, len(moved))) @ moved
    counted = float(np.mean(draws >= moved.sum() - 1e-12))
    assert abs(found - counted) <= 4 * math.sqrt(counted * (1 - counted) / 20_000)
    assert 0.001 < counted < 0.4
