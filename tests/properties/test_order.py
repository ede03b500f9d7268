"""The order of items is no fact about the systems: the same figures come out, with draws too."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.align import as_sample
from nofluke.errors import NoflukeError
from nofluke.registry import TESTS
from nofluke.types import Aggregate, Ratio, Sample, TestResult, frozen
from support.extremes import FAMILIES, Case, asked_for, each_family, effort, for_all, unequal_clusters

PAIRED = [
    method.name
    for method in TESTS
    if method.facts["needs"] == "paired" and not method.facts["runs"] and method.name != "bounded_mean"
]
MORE: dict[str, dict[str, Any]] = {"bootstrap_median": {"monte_carlo": 199}}


def run(case: Case, method: str, **options: Any) -> TestResult | type[NoflukeError]:
    try:
        return nf.test(case.sample(), method=method, **options)
    except NoflukeError as refused:
        return type(refused)


def changed(case: Case, method: str, **options: Any) -> list[str]:
    """What another order of the items changes: of p-values by draws, which are counts, any digit; else the last bits
    may differ, since sums do.
    """
    one, other = (run(given, method, **options) for given in (case, case.shuffled(1)))
    if isinstance(one, type) or isinstance(other, type):
        return [] if one is other else [f"refusals: {one}, {other}"]
    scale = max(abs(float(item)) for item in case.d)
    ends = [() if each.interval is None else (each.interval.low, each.interval.high) for each in (one, other)]
    same = {
        "how": one.computed.how == other.computed.how,
        "p-value": one.p_value == pytest.approx(other.p_value, rel=1e-12, nan_ok=True),
        "drawn p-value": one.computed.how != "monte-carlo" or repr(one.p_value) == repr(other.p_value),
        "statistic": one.statistic == pytest.approx(other.statistic, rel=1e-12, abs=1e-12 * scale, nan_ok=True),
        "estimate": one.estimate == pytest.approx(other.estimate, rel=1e-12, abs=1e-12 * scale, nan_ok=True),
        "interval": ends[0] == pytest.approx(ends[1], rel=1e-12, abs=1e-12 * scale, nan_ok=True),
    }
    return [f"{name}: {one}, {other}" for name, kept in same.items() if not kept]


@effort
@each_family
@pytest.mark.parametrize("method", PAIRED)
def test_order_changes_nothing(method: str, family: str, examples: int) -> None:
    def holds(case: Case) -> None:
        assert changed(case, method, **MORE.get(method, {}), **asked_for(method, case)) == []

    for_all(FAMILIES[family](), holds, examples // 2)


@effort
@each_family
@pytest.mark.parametrize("method", ["permutation", "bootstrap", "bootstrap_median"])
def test_order_changes_no_draw(method: str, family: str, examples: int) -> None:
    def holds(case: Case) -> None:
        assert changed(case, method, monte_carlo=99, seed=3) == []

    for_all(FAMILIES[family](), holds, examples // 2)


@effort
@pytest.mark.parametrize("options", [{}, {"monte_carlo": 99, "seed": 3}], ids=["exact", "drawn"])
@pytest.mark.parametrize("method", ["permutation", "bootstrap"])
def test_order_of_items_in_clusters_changes_nothing(method: str, options: dict[str, Any], examples: int) -> None:
    def holds(case: Case) -> None:
        assert changed(case, method, **options) == []

    for_all(unequal_clusters(), holds, examples)


def corpus(seed: int, n: int, aggregate: Aggregate) -> Sample:
    """Counts of an F1-like metric, with many equal items and items that are each other's mirror image."""
    rng = np.random.default_rng(seed)
    hits = rng.integers(0, 4, (n, 2))
    statistics = np.stack(
        [hits, hits + rng.integers(0, 2, (n, 2)), np.repeat(rng.integers(3, 6, (n, 1)), 2, 1)], axis=2
    )
    plain = as_sample(np.zeros(n), np.ones(n))
    return replace(plain, statistics=frozen(statistics.astype(float)), aggregate=aggregate, metric=aggregate.name)


def f1(sums: Any, _: float) -> Any:
    return 2 * sums[..., 0] / (sums[..., 1] + sums[..., 2])


F1 = Aggregate("f1", f1, linear=False)
RATIO = Aggregate("f1", f1, linear=False, ratio=Ratio((2, 0, 0), (0, 1, 1)))


@pytest.mark.parametrize("aggregate", [F1, RATIO], ids=["smooth", "ratio"])
@pytest.mark.parametrize("method", ["permutation", "bootstrap"])
@pytest.mark.parametrize("seed", range(4))
def test_draws_of_corpus_metrics_depend_neither_on_order_nor_on_names(
    seed: int, method: str, aggregate: Aggregate
) -> None:
    given = corpus(seed, 60, aggregate)
    order = np.random.default_rng(9).permutation(60)
    shuffled = replace(given, statistics=frozen(given.statistics[order]))
    swapped = replace(given, statistics=frozen(given.statistics[:, ::-1]))
    one, other, mirror = (
        nf.test(sample, method=method, monte_carlo=199, seed=5, alternative=side)
        for sample, side in ((given, "greater"), (shuffled, "greater"), (swapped, "less"))
    )
    assert one.computed.how == "monte-carlo"
    assert repr(one.p_value) == repr(other.p_value) == repr(mirror.p_value)
