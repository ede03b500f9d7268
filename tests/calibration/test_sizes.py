"""How often the default tests of a pair reject a true null: the table of docs/decisions/sizes.md, in binomial bounds.

The figures were measured with 100,000 simulated test sets each; the always-on version draws few and allows for that.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.special import bdtr, bdtrc

from nofluke.engine.flips import flip_tail
from nofluke.inference.distributions import log_t_tail
from nofluke.inference.ranks import signed_ranks

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

# (test, shape of differences, n) -> size of "greater" and "less" at 0.05
SIZES = {
    ("paired_t", "normal", 20): (0.0500, 0.0500),
    ("paired_t", "exponential", 20): (0.0184, 0.1115),
    ("paired_t", "exponential", 200): (0.0379, 0.0646),
    ("permutation", "normal", 20): (0.0500, 0.0500),
    ("permutation", "exponential", 20): (0.0225, 0.1075),
    ("permutation", "exponential", 200): (0.0386, 0.0638),
    ("wilcoxon", "normal", 20): (0.0479, 0.0479),
    ("wilcoxon", "exponential", 20): (0.0040, 0.1980),
}


def rejections(test: str, shape: str, n: int, repetitions: int, seed: int) -> tuple[int, int]:
    rng = np.random.default_rng(seed)
    samples = SHAPES[shape](rng, (repetitions, n))
    function = TESTS[test]
    return sum(function(d) <= ALPHA for d in samples), sum(function(-d) <= ALPHA for d in samples)


def inside(count: int, repetitions: int, rate: float) -> bool:
    """Whether the count lies in the 99.9% binomial range, widened by the error of the tabulated rate itself."""
    error = 3.3 * math.sqrt(rate * (1 - rate) / 100_000)
    too_few = bdtr(count, repetitions, max(rate - error, 1e-9)) < 0.0005
    too_many = bdtrc(count - 1, repetitions, rate + error) < 0.0005 if count else False
    return not too_few and not too_many


@pytest.mark.parametrize(("test", "shape", "n"), SIZES)
def test_sizes_are_the_tabulated_ones(test: str, shape: str, n: int) -> None:
    repetitions = 600
    found = rejections(test, shape, n, repetitions, seed=n)
    for count, rate in zip(found, SIZES[test, shape, n], strict=True):
        assert inside(count, repetitions, rate), (found, rate)


@pytest.mark.slow
@pytest.mark.parametrize(("test", "shape", "n"), SIZES)
def test_sizes_at_full_size(test: str, shape: str, n: int) -> None:
    repetitions = 20_000
    found = rejections(test, shape, n, repetitions, seed=n + 1)
    for count, rate in zip(found, SIZES[test, shape, n], strict=True):
        assert inside(count, repetitions, rate), (found, rate)


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
