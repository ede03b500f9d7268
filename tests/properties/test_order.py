"""The order of items is no fact about the systems: the same figures come out, with draws too."""

from __future__ import annotations

from typing import Any

import pytest

import nofluke as nf
from nofluke.errors import NoflukeError
from nofluke.registry import TESTS
from nofluke.types import TestResult
from support.extremes import FAMILIES, Case, each_family, effort, for_all, unequal_clusters

PAIRED = [name for name in TESTS.names() if TESTS[name].facts["needs"] == "paired" and name != "bounded_mean"]
MORE: dict[str, dict[str, Any]] = {"corrected_resampled_t": {"rho": 0.1}, "bootstrap_median": {"monte_carlo": 199}}


def run(case: Case, method: str, **options: Any) -> TestResult | type[NoflukeError]:
    try:
        return nf.test(case.sample(), method=method, **options)
    except NoflukeError as refused:
        return type(refused)


def same_figures(case: Case, method: str, **options: Any) -> None:
    """p-values of draws are counts and must be equal; sums in another order may differ in their last bits."""
    one, other = (run(given, method, **options) for given in (case, case.shuffled(1)))
    if isinstance(one, type) or isinstance(other, type):
        assert one is other
        return
    assert one.computed.how == other.computed.how
    if one.computed.how == "monte-carlo":
        assert repr(one.p_value) == repr(other.p_value), "draws depend on the order of items"
    else:
        assert one.p_value == pytest.approx(other.p_value, rel=1e-12, nan_ok=True)
    scale = max(abs(float(item)) for item in case.d)
    pairs = [(one.statistic, other.statistic), (one.estimate, other.estimate)]
    if one.interval is not None and other.interval is not None:
        pairs += [(one.interval.low, other.interval.low), (one.interval.high, other.interval.high)]
    for first, second in pairs:
        assert first == pytest.approx(second, rel=1e-12, abs=1e-12 * scale, nan_ok=True)


@effort
@each_family
@pytest.mark.parametrize("method", PAIRED)
def test_order_changes_nothing(method: str, family: str, examples: int) -> None:
    def holds(case: Case) -> None:
        same_figures(case, method, **MORE.get(method, {}))

    for_all(FAMILIES[family](), holds, examples // 2)


@effort
@each_family
@pytest.mark.parametrize("method", ["permutation", "bootstrap", "bootstrap_median"])
def test_order_changes_no_draw(method: str, family: str, examples: int) -> None:
    def holds(case: Case) -> None:
        same_figures(case, method, monte_carlo=99, seed=3)

    for_all(FAMILIES[family](), holds, examples // 2)


@effort
@pytest.mark.parametrize("options", [{}, {"monte_carlo": 99, "seed": 3}], ids=["exact", "drawn"])
@pytest.mark.parametrize("method", ["permutation", "bootstrap"])
def test_order_of_items_in_clusters_changes_nothing(method: str, options: dict[str, Any], examples: int) -> None:
    def holds(case: Case) -> None:
        same_figures(case, method, **options)

    for_all(unequal_clusters(), holds, examples)
