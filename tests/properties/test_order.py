"""The order of items is no fact about the systems: the same bytes come out, with draws too."""

from __future__ import annotations

from typing import Any

import pytest

import nofluke as nf
from nofluke.errors import NoflukeError
from nofluke.registry import TESTS
from support.extremes import FAMILIES, Case, each_family, effort, for_all, unequal_clusters

PAIRED = [name for name in TESTS.names() if TESTS[name].facts["needs"] == "paired" and name != "bounded_mean"]
MORE: dict[str, dict[str, Any]] = {"corrected_resampled_t": {"rho": 0.1}, "bootstrap_median": {"monte_carlo": 199}}


def figures(case: Case, method: str, **options: Any) -> Any:
    try:
        result = nf.test(case.sample(), method=method, **options)
    except NoflukeError as refused:
        return type(refused)
    ends = None if result.interval is None else (repr(result.interval.low), repr(result.interval.high))
    return repr(result.p_value), repr(result.statistic), repr(result.estimate), ends, result.computed.how


@effort
@each_family
@pytest.mark.parametrize("method", PAIRED)
def test_order_changes_no_byte(method: str, family: str, examples: int) -> None:
    def holds(case: Case) -> None:
        options = MORE.get(method, {})
        assert figures(case, method, **options) == figures(case.shuffled(1), method, **options)

    for_all(FAMILIES[family](), holds, examples // 2)


@effort
@each_family
@pytest.mark.parametrize("method", ["permutation", "bootstrap", "bootstrap_median"])
def test_order_changes_no_draw(method: str, family: str, examples: int) -> None:
    def holds(case: Case) -> None:
        assert figures(case, method, monte_carlo=99, seed=3) == figures(
            case.shuffled(1), method, monte_carlo=99, seed=3
        )

    for_all(FAMILIES[family](), holds, examples // 2)


@effort
@pytest.mark.parametrize("options", [{}, {"monte_carlo": 99, "seed": 3}], ids=["exact", "drawn"])
@pytest.mark.parametrize("method", ["permutation", "bootstrap"])
def test_order_of_items_in_clusters_changes_nothing(method: str, options: dict[str, Any], examples: int) -> None:
    def holds(case: Case) -> None:
        assert figures(case, method, **options) == figures(case.shuffled(1), method, **options)

    for_all(unequal_clusters(), holds, examples)
