"""The betting test: valid at any n, monotone, and as sharp as it can be on identical systems."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.align import as_sample
from nofluke.errors import InputError, MethodError

RANGE = {"low": 0, "high": 1}
pairs = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12)


@pytest.mark.parametrize("n", [5, 8])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_size_by_full_enumeration(n: int, share: float) -> None:
    # d in {-1, 0, 1} with mean 0: every outcome with its probability.
    chances = {-1: share / 2, 0: 1 - share, 1: share / 2}
    rejected = dict.fromkeys((0.01, 0.05, 0.2), 0.0)
    for outcome in itertools.combinations_with_replacement((-1, 0, 1), n):
        weight = math.factorial(n) * math.prod(
            chances[v] ** outcome.count(v) / math.factorial(outcome.count(v)) for v in (-1, 0, 1)
        )
        a, b = [max(v, 0) for v in outcome], [max(-v, 0) for v in outcome]
        p = nf.test(a, b, "bounded_mean", alternative="greater", **RANGE).p_value
        for alpha in rejected:
            rejected[alpha] += weight * (p <= alpha)
    assert all(size <= alpha for alpha, size in rejected.items())


@settings(deadline=None, derandomize=True, max_examples=60)
@given(pairs)
def test_swapping_mirrors_and_order_is_irrelevant(scores: list[tuple[int, int]]) -> None:
    a, b = [x for x, _ in scores], [y for _, y in scores]
    options = {"low": 0, "high": 4}
    greater = nf.test(a, b, "bounded_mean", alternative="greater", **options).p_value
    assert greater == pytest.approx(nf.test(b, a, "bounded_mean", alternative="less", **options).p_value)
    assert greater == pytest.approx(nf.test(a[::-1], b[::-1], "bounded_mean", alternative="greater", **options).p_value)


@settings(deadline=None, derandomize=True, max_examples=40)
@given(pairs, st.sampled_from([0.05, 0.2]))
def test_interval_and_p_agree(scores: list[tuple[int, int]], alpha: float) -> None:
    a, b = [x for x, _ in scores], [y for _, y in scores]
    result = nf.test(a, b, "bounded_mean", confidence_level=1 - alpha, low=0, high=4)
    assert result.interval is not None
    if abs(result.p_value - alpha) > 1e-5:
        assert (0 in result.interval) == (result.p_value > alpha)
    for edge, outward in ((result.interval.low, -1), (result.interval.high, 1)):
        if abs(edge) < 4:
            beyond = nf.test(a, b, "bounded_mean", delta=edge + outward * 1e-4, low=0, high=4).p_value
            assert beyond <= alpha + 1e-3


def test_identical_systems() -> None:
    a = [0, 1, 1, 0]
    assert nf.test(a, a, "bounded_mean", **RANGE).p_value == 1
    assert nf.test(a, a, "bounded_mean").p_value == 1
    assert nf.test([2, 2], [2, 2], "bounded_mean", low=1, high=5).p_value == 1
    margin = nf.test(a * 50, a * 50, "bounded_mean", alternative="greater", delta=-0.05, **RANGE).p_value
    assert 0.95**200 <= margin < 10 * 0.95**200


def test_the_range_is_checked_and_told() -> None:
    with pytest.raises(InputError, match="beyond the stated range 0 to 1"):
        nf.test([1, 2, 3], [1, 1, 1], "bounded_mean", **RANGE)
    for bad in ({}, {"low": 1}, {"low": 1, "high": float("inf")}, {"low": 5, "high": 1}):
        with pytest.raises(MethodError, match="needs the range of possible scores"):
            nf.test([1, 2, 3], [1, 1, 1], "bounded_mean", **bad)


def test_groups_of_unequal_size_keep_their_size_by_enumeration() -> None:
    # Clusters of 1 and 3 items, whole clusters at +-1: the mean over items is 0 for every mixture.
    sizes = [1, 3, 1, 3, 1, 3]
    clusters = np.repeat(np.arange(6), sizes)
    rejected = 0
    for signs in itertools.product((0, 1), repeat=6):
        a = np.repeat(signs, sizes)
        p = nf.test(as_sample(a, 1 - a, clusters=clusters), "bounded_mean", alternative="greater").p_value
        rejected += p <= 0.05
    assert rejected / 64 <= 0.05


def test_more_evidence_more_confidence() -> None:
    rng = np.random.default_rng(2)
    b = rng.integers(0, 2, 400)
    a = np.where(rng.random(400) < 0.15, 1, b)
    p_values = [nf.test(a[:n], b[:n], "bounded_mean", alternative="greater", **RANGE).p_value for n in (100, 200, 400)]
    assert p_values == sorted(p_values, reverse=True)
    assert p_values[-1] < 0.01
