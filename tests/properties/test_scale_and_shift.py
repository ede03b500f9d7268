"""Another unit or another origin is the same data: p-values stay, differences and intervals follow the unit."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st

import nofluke as nf
from nofluke.registry import EFFECTS, TESTS
from support.extremes import Case, effort, for_all, pairs_of

PAIRED = [
    method.name
    for method in TESTS
    if method.facts["needs"] == "paired" and not method.facts["runs"] and method.name != "bounded_mean"
]
MORE: dict[str, dict[str, Any]] = {"corrected_resampled_t": {"rho": 0.1}, "bootstrap_median": {"monte_carlo": 199}}
IN_UNITS = ("mean_difference", "hodges_lehmann")
_LEAST, _MOST = -30, 30
whole = pairs_of(st.integers(_LEAST, _MOST), 3, 12).map(
    lambda ab: Case("whole", *(tuple(column) for column in ab), *(tuple(map(Fraction, column)) for column in ab))
)


def moved(case: Case, power: int, shift: int) -> Case:
    """The same scores in steps of 10^power, shifted by a whole number of steps, as doubles of their decimals."""
    a, b = (tuple(float(f"{k + shift}e{power}") for k in column) for column in (case.a, case.b))
    return replace(case, a=a, b=b)


def range_of(method: str, power: int, shift: int) -> dict[str, float]:
    """The possible scores in that unit, for the test that asks for them: without, 0/1 would be known and 0/100 not."""
    if method != "one_lost_item":
        return {}
    return {"low": float(f"{_LEAST + shift}e{power}"), "high": float(f"{_MOST + shift}e{power}")}


def same(x: float, y: float, unit: float = 1.0) -> bool:
    return (math.isnan(x) and math.isnan(y)) or math.isclose(x * unit, y, rel_tol=1e-9, abs_tol=1e-12 * unit)


MOVES = [(-2, 0), (3, 0), (-90, 0), (90, 0), (0, 10**8), (-2, 10**8), (-6, 10**10)]


@effort
@pytest.mark.parametrize(("power", "shift"), MOVES)
@pytest.mark.parametrize("method", PAIRED)
def test_a_test_follows_the_unit(method: str, power: int, shift: int, examples: int) -> None:
    more, unit = MORE.get(method, {}), float(f"1e{power}")

    def holds(case: Case) -> None:
        before = nf.test(case.a, case.b, method, **more, **range_of(method, 0, 0))
        there = moved(case, power, shift)
        after = nf.test(there.a, there.b, method, **more, **range_of(method, power, shift))
        assert same(before.p_value, after.p_value), f"{before.p_value} and {after.p_value}"
        if before.about == "items":
            return
        assert same(before.estimate, after.estimate, unit)
        assert (before.interval is None) == (after.interval is None)
        if before.interval is not None and after.interval is not None:
            # Their limits are found by search, each to some digits.
            for end in ("low", "high"):
                old, new = getattr(before.interval, end), getattr(after.interval, end)
                assert same(old, new, unit), f"{old} and {new}"

    for_all(whole, holds, examples // 2)


@effort
@pytest.mark.parametrize(("power", "shift"), MOVES)
@pytest.mark.parametrize("name", [method.name for method in EFFECTS if method.facts["needs"] != "binary"])
def test_an_effect_follows_the_unit(name: str, power: int, shift: int, examples: int) -> None:
    unit = float(f"1e{power}") if name in IN_UNITS else 1.0

    def holds(case: Case) -> None:
        there = moved(case, power, shift)
        before, after = nf.effect(case.a, case.b, name), nf.effect(there.a, there.b, name)
        assert same(before.value, after.value, unit), f"{before.value} and {after.value}"

    for_all(whole, holds, examples // 2)
