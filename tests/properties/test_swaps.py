"""A against B is B against A in a mirror: p-values change sides, differences their sign, intervals both."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import nofluke as nf
from nofluke.errors import NoflukeError
from nofluke.registry import EFFECTS, TESTS
from nofluke.types import Interval
from support.extremes import BEYOND_DOUBLES, FAMILIES, Case, asked_for, each_family, each_family_but, effort, for_all

PAIRED = [
    method.name
    for method in TESTS
    if method.facts["needs"] == "paired" and not method.facts["runs"] and method.name != "bounded_mean"
]
DRAWN = ("bootstrap_median",)
MIRROR = {"two-sided": "two-sided", "greater": "less", "less": "greater"}


def same(x: float, y: float) -> bool:
    return (math.isnan(x) and math.isnan(y)) or math.isclose(x, y, rel_tol=1e-9, abs_tol=0)


def mirrored(one: Interval | None, other: Interval | None, centre: float) -> bool:
    """Whether two intervals are each other's mirror images: about 0, or a share about one half."""
    if one is None or other is None:
        return one is other
    return same(one.low, 2 * centre - other.high) and same(one.high, 2 * centre - other.low)


@effort
@each_family_but(*BEYOND_DOUBLES)
@pytest.mark.parametrize("method", [name for name in PAIRED if name not in DRAWN])
def test_swapping_mirrors_a_test(method: str, family: str, examples: int) -> None:
    def holds(case: Case) -> bool:
        more = asked_for(method, case)
        for side, mirror in MIRROR.items():
            try:
                one = nf.test(case.sample(), method=method, alternative=side, **more)
            except NoflukeError as refused:
                with pytest.raises(type(refused)):
                    nf.test(case.swapped().sample(), method=method, alternative=mirror, **more)
                return False
            other = nf.test(case.swapped().sample(), method=method, alternative=mirror, **more)
            assert same(one.p_value, other.p_value), f"{side}: {one.p_value} and {other.p_value}"
            assert one.direction == -other.direction
            if one.about != "items":
                assert same(one.estimate, -other.estimate)
                assert mirrored(one.interval, other.interval, 0.0), f"{side}: {one.interval} and {other.interval}"
        return True

    assert for_all(FAMILIES[family](), holds, examples // 2)


@effort
@each_family
@pytest.mark.parametrize("name", EFFECTS.names())
def test_swapping_mirrors_an_effect(name: str, family: str, examples: int) -> None:
    method = EFFECTS[name]
    turn = {1.0: lambda x: 1 / x if x else math.inf, 0.5: lambda x: 1 - x, 0.0: lambda x: -x}[method.facts["null"]]

    def holds(case: Case) -> bool:
        try:
            forward, backward = (
                nf.effect(replace(one.sample(), paired=method.facts["needs"] != "unpaired"), name)
                for one in (case, case.swapped())
            )
        except NoflukeError:
            return False
        assert math.isclose(backward.value, turn(forward.value), rel_tol=1e-9, abs_tol=1e-12) or (
            math.isnan(forward.value) and math.isnan(backward.value)
        ), f"{forward.value} and {backward.value}"
        return True

    # Of 0 and 1 alone there is an odds ratio.
    assert for_all(FAMILIES[family](), holds, examples // 2) or method.facts["needs"] == "binary"
