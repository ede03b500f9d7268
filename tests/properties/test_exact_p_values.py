"""What is called exact is what counting gives, to nine digits; what is called approximate keeps its bound."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest

import nofluke as nf
from nofluke.errors import NoflukeError
from nofluke.types import TestResult
from support import oracle
from support.extremes import FAMILIES, Case, each_family, effort, few_discordant, for_all

SIDES = ("two-sided", "greater", "less")
Oracle = Callable[[Case], oracle.Sides]
# Counting all resamples takes long unless there are few items or few values.
_MOST_DRAWN, _FEW_VALUES = 7, 3


def countable(case: Case) -> bool:
    return len(case.d) <= _MOST_DRAWN or len(set(case.d)) <= _FEW_VALUES


ORACLES: dict[str, Oracle] = {
    "permutation": lambda case: oracle.permutation(case.d),
    "sign": lambda case: oracle.sign(case.d),
    "wilcoxon": lambda case: oracle.wilcoxon(case.d),
    "mann_whitney": lambda case: oracle.mann_whitney(case.means_a, case.means_b),
    "bootstrap": lambda case: oracle.bootstrap(case.d),
    "bootstrap percentile": lambda case: oracle.bootstrap(case.d, "percentile"),
}


def fits(result: TestResult, truth: float) -> bool:
    """Whether the number keeps what `computed` promises; nan needs a reason."""
    if math.isnan(result.p_value):
        return bool(result.notes)
    if result.computed.how == "exact":
        return abs(result.p_value - truth) <= 1e-9 * truth
    if result.computed.how == "approximate":
        return abs(result.p_value - truth) <= result.computed.error * (1 + 1e-9)
    return result.p_value >= truth * (1 - 1e-9)


def agrees(name: str, case: Case) -> bool:
    """Whether there was something to compare; what was compared is asserted."""
    method, _, form = name.partition(" ")
    if method == "bootstrap" and not countable(case):
        return False
    options = {"form": form} if form else {}
    truth = ORACLES[name](case)
    try:
        sample = case.sample()
        given = replace(sample, paired=False) if method == "mann_whitney" else sample
        found = {side: nf.test(given, method=method, alternative=side, **options) for side in SIDES}
    except NoflukeError:
        return False
    for side, result in found.items():
        assert fits(result, float(truth[side])), (
            f"{side}: {result.p_value} ({result.computed}), counted {float(truth[side])} = {truth[side]}"
        )
    return True


@effort
@each_family
@pytest.mark.parametrize("name", ORACLES)
def test_p_values_are_what_counting_gives(name: str, family: str, examples: int) -> None:
    assert for_all(FAMILIES[family](), lambda case: agrees(name, case), examples)


@effort
@pytest.mark.parametrize("mode", ["exact", "midp"])
def test_mcnemar_is_what_counting_gives(mode: str, examples: int) -> None:
    def holds(case: Case) -> None:
        truth = oracle.sign(case.d) if mode == "exact" else oracle.mid_p(case.d)
        for side in SIDES:
            result = nf.test(case.sample(), method="mcnemar", mode=mode, alternative=side)
            # Without a discordant pair there is nothing to halve: p is 1 by definition.
            expected = 1.0 if not any(case.d) else float(truth[side])
            assert fits(result, expected)

    for_all(few_discordant(), holds, examples)


REFUSED_BY_NONE = ("fifteen digits", "one huge score", "near constant", "mostly ties", "few discordant", "far scales")


@pytest.mark.parametrize("family", REFUSED_BY_NONE)
@pytest.mark.parametrize("method", ["permutation", "sign", "wilcoxon"])
def test_ordinary_extremes_are_computed_and_not_refused(method: str, family: str) -> None:
    def holds(case: Case) -> None:
        result = nf.test(case.sample(), method=method)
        assert 0 < result.p_value <= 1 or (math.isnan(result.p_value) and result.notes)

    for_all(FAMILIES[family](), holds, 10)
