"""How often the default tests of a pair reject a true null: the table of docs/decisions/sizes.md, in binomial bounds.

The always-on version draws few test sets; its bounds allow for that and for the error of the tabulated rates.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from nofluke.engine.flips import flip_tail
from nofluke.laws.signed_rank import signed_ranks
from nofluke.laws.tails import log_t_tail
from support.rates import same_rate

ALPHA = 0.05


def exponential(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return rng.exponential(1, shape) - 1


def normal(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return rng.normal(0, 1, shape)


def t_tail(d: np.ndarray) -> float:
    return math.exp(log_t_tail(d.mean() / (d.std(ddof=1) / math.sqrt(len(d))), len(d) - 1))


def flip_p(d: np.ndarray) -> float:
    integers = np.rint(d * 1e6).astype(np.int64)
    return math.exp(flip_tail(integers, int(integers.sum())).log_p)


def rank_p(d: np.ndarray) -> float:
    order = np.argsort(np.argsort(np.abs(d))) + 1
    ranks = (np.sign(d) * order).astype(np.int64)
    return math.exp(flip_tail(ranks, int(ranks.sum())).log_p)


TESTS: dict[str, Callable[[np.ndarray], float]] = {"paired_t": t_tail, "permutation": flip_p, "wilcoxon": rank_p}
SHAPES = {"normal": normal, "exponential": exponential}

# (test, shape of differences, n) -> size of "greater" and "less" at 0.05, and the simulated test sets behind it
SIZES = {
    ("paired_t", "normal", 20): (0.0496, 0.0499, 100_000),
    ("paired_t", "exponential", 20): (0.0194, 0.1106, 100_000),
    ("paired_t", "exponential", 200): (0.0361, 0.0670, 100_000),
    ("permutation", "normal", 20): (0.0504, 0.0497, 40_000),
    ("permutation", "exponential", 20): (0.0205, 0.1107, 40_000),
    ("permutation", "exponential", 200): (0.0375, 0.0704, 15_000),
    ("wilcoxon", "normal", 20): (0.0490, 0.0485, 100_000),
    ("wilcoxon", "exponential", 20): (0.0074, 0.1952, 100_000),
}


def rejections(test: str, shape: str, n: int, repetitions: int, seed: int) -> tuple[int, int]:
    rng = np.random.default_rng(seed)
    samples = SHAPES[shape](rng, (repetitions, n))
    function = TESTS[test]
    return sum(function(d) <= ALPHA for d in samples), sum(function(-d) <= ALPHA for d in samples)


def check(test: str, shape: str, n: int, repetitions: int, seed: int) -> None:
    *rates, behind = SIZES[test, shape, n]
    for count, rate in zip(rejections(test, shape, n, repetitions, seed), rates, strict=True):
        assert same_rate(count, repetitions, rate, behind), (count / repetitions, rate)


@pytest.mark.parametrize(("test", "shape", "n"), SIZES)
def test_sizes_are_the_tabulated_ones(test: str, shape: str, n: int) -> None:
    check(test, shape, n, 600, seed=n)


@pytest.mark.slow
@pytest.mark.parametrize(("test", "shape", "n"), SIZES)
def test_sizes_at_full_size(test: str, shape: str, n: int) -> None:
    check(test, shape, n, 10_000, seed=n + 1)


# Two-sided size with clusters of unequal size and intraclass correlation .2, flipping cluster totals against flipping
# items as if they were independent.
CLUSTERED = {10: (0.047, 0.33), 20: (0.052, 0.36), 50: (0.050, 0.38)}


def clustered(clusters: int, repetitions: int, seed: int) -> tuple[float, float]:
    rng = np.random.default_rng(seed)
    totals_rejected = items_rejected = 0
    for _ in range(repetitions):
        sizes = rng.integers(2, 40, clusters)
        code = np.repeat(np.arange(clusters), sizes)
        d = math.sqrt(0.2) * rng.normal(size=clusters)[code] + math.sqrt(0.8) * rng.normal(size=len(code))
        integers = np.rint(d * 1e4).astype(np.int64)
        totals = np.bincount(code, weights=integers).astype(np.int64)
        for values, kind in ((totals, "clusters"), (integers, "items")):
            p = 2 * math.exp(flip_tail(np.abs(values), abs(int(values.sum()))).log_p)
            if p <= ALPHA:
                totals_rejected += kind == "clusters"
                items_rejected += kind == "items"
    return totals_rejected / repetitions, items_rejected / repetitions


@pytest.mark.slow
@pytest.mark.parametrize("clusters", CLUSTERED)
def test_flipping_clusters_keeps_its_size_and_flipping_items_does_not(clusters: int) -> None:
    by_cluster, by_item = clustered(clusters, 3_000, seed=clusters)
    assert by_cluster == pytest.approx(CLUSTERED[clusters][0], abs=0.014)
    assert by_item > 0.2


def test_signed_ranks_are_what_the_fast_ranks_here_say() -> None:
    d = np.array([3, -1, 2, 5, -4])
    assert signed_ranks(d).signed.tolist() == [6, -2, 4, 10, -8]
    assert rank_p(d) == pytest.approx(rank_p(d * 7))
