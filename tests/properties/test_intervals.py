"""An interval is the set of differences that its own test keeps: it holds the estimate and agrees with the p-value."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import strategies as st

import nofluke as nf
from nofluke.errors import NoflukeError
from nofluke.registry import TESTS
from nofluke.types import TestResult
from support import oracle
from support.extremes import (
    BEYOND_DOUBLES,
    FAMILIES,
    Case,
    asked_for,
    deltas,
    each_family_but,
    effort,
    few_discordant,
    for_all,
    unequal_clusters,
)

ALPHA = 0.05
# Their intervals invert them. Wilcoxon's is made of order statistics; sign's is of a share; mcnemar's is Tango's.
INVERTED = ("permutation", "paired_t", "bootstrap")


def run(case: Case, method: str, **more: object) -> TestResult | None:
    try:
        return nf.test(case.sample(), method=method, **more)
    except NoflukeError:
        return None


@effort
@each_family_but(*BEYOND_DOUBLES, "mostly ties", "few discordant")  # those have too many items to count
def test_flip_intervals_end_where_counting_ends_them(family: str, examples: int) -> None:
    def holds(case: Case) -> bool:
        if len(case.d) > 11:
            return False
        low, high = oracle.permutation_interval(case.d, Fraction(19, 20))
        result = run(case, "permutation")
        if low is None or high is None or result is None or result.interval is None:
            return False
        width = float(high - low) or abs(float(high))
        for found, end in ((result.interval.low, low), (result.interval.high, high)):
            assert abs(found - float(end)) <= 1e-9 * width + 4 * math.ulp(float(end)), f"{found}, counted {float(end)}"
        return True

    # An interval takes six items.
    assert for_all(FAMILIES[family](), holds, 3 * examples)


PAIRED = [
    method.name
    for method in TESTS
    if method.facts["needs"] == "paired" and not method.facts["runs"] and method.name != "bounded_mean"
]


@effort
@each_family_but(*BEYOND_DOUBLES)
@pytest.mark.parametrize("method", PAIRED)
def test_intervals_hold_the_estimate(method: str, family: str, examples: int) -> None:
    def holds(case: Case) -> bool:
        result = run(case, method, **asked_for(method, case))
        if result is None or result.interval is None or math.isnan(result.interval.low) or math.isnan(result.estimate):
            return False
        assert result.interval.low <= result.estimate <= result.interval.high, f"{result.estimate}: {result.interval}"
        return True

    assert for_all(FAMILIES[family](), holds, examples if method != "bootstrap_median" else examples // 3)


@effort
@each_family_but(*BEYOND_DOUBLES)
@pytest.mark.parametrize("method", INVERTED)
def test_a_difference_is_outside_if_and_only_if_it_is_rejected(method: str, family: str, examples: int) -> None:
    def holds(drawn: tuple[Case, float]) -> bool:
        case, delta = drawn
        interval = getattr(run(case, method, confidence_level=1 - ALPHA), "interval", None)
        if interval is None or math.isnan(interval.low):
            return False
        for null in (0.0, delta):
            tested = run(case, method, delta=null)
            if tested is None or math.isnan(tested.p_value) or abs(tested.p_value - ALPHA) < 1e-9:
                continue
            assert (null in interval) == (tested.p_value > ALPHA), f"delta {null}: p = {tested.p_value}, {interval}"
        return True

    assert for_all(st.tuples(FAMILIES[family](), deltas()), holds, examples)


@effort
@pytest.mark.parametrize("method", ["tango", "mcnemar"])
def test_intervals_of_0_and_1_hold_the_estimate(method: str, examples: int) -> None:
    def holds(case: Case) -> None:
        result = nf.test(case.sample(), method=method)
        assert result.interval is not None
        assert result.interval.low <= result.estimate <= result.interval.high
        if method == "tango" and abs(result.p_value - ALPHA) > 1e-9:
            assert (0 in result.interval) == (result.p_value > ALPHA)

    for_all(few_discordant(), holds, examples)


@effort
@pytest.mark.parametrize("method", ["permutation", "bootstrap"])
def test_intervals_of_clusters_hold_the_estimate_and_agree(method: str, examples: int) -> None:
    def holds(case: Case) -> bool:
        result = run(case, method)
        if result is None or result.interval is None or math.isnan(result.interval.low):
            return False
        assert result.interval.low <= result.estimate <= result.interval.high
        if not math.isnan(result.p_value) and abs(result.p_value - ALPHA) > 1e-9:
            assert (0 in result.interval) == (result.p_value > ALPHA), f"p = {result.p_value}, {result.interval}"
        return True

    assert for_all(unequal_clusters(), holds, examples)


@effort
@each_family_but(*BEYOND_DOUBLES, "one huge score", "mostly ties")  # there other tests are better than one of a margin
def test_margins_agree_with_their_own_p_value(family: str, examples: int) -> None:
    """`not worse` is claimed exactly where the one-sided p-value at the margin is at most alpha."""

    def holds(case: Case) -> bool:
        d = [float(item) for item in case.d]
        margin = (max(map(abs, d)) or 1.0) / 3
        try:
            result = nf.compare(case.sample(), margin=margin)
        except NoflukeError:
            return False
        if result.margin_test is None or math.isnan(result.margin_test.p_value):
            return False
        assert 0 < result.margin_test.p_value <= 1
        interval = result.margin_test.interval
        if interval is not None and abs(result.margin_test.p_value - ALPHA) > 1e-9:
            assert (interval.low > -margin) == (result.margin_test.p_value <= ALPHA)
        return True

    assert for_all(FAMILIES[family](), holds, examples)
