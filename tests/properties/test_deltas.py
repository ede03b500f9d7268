"""A difference other than 0 is tested as it was given: digit by digit, whatever the grid of the scores."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st

import nofluke as nf
from nofluke.errors import NoflukeError
from properties.test_exact_p_values import SIDES, fits
from support import oracle
from support.extremes import FAMILIES, Case, deltas, each_family, effort, for_all


def meanings(delta: float) -> set[Fraction]:
    """A double means its shortest decimal, as scores do; next to a fraction such as 1/3 it may mean that."""
    near = Fraction(delta).limit_denominator(5000)
    return {Fraction(str(delta)), *([near] if float(near) == delta else [])}


@effort
@each_family
@pytest.mark.parametrize("method", ["permutation", "wilcoxon"])
def test_p_values_at_a_delta_are_what_counting_gives(method: str, family: str, examples: int) -> None:
    counted = {"permutation": oracle.permutation, "wilcoxon": oracle.wilcoxon}[method]

    def holds(drawn: tuple[Case, float]) -> bool:
        case, delta = drawn
        if len(case.d) > 12:
            return False
        truths = [counted(case.d, meaning) for meaning in meanings(delta)]
        try:
            sample = case.sample()
            found = {side: nf.test(sample, method=method, alternative=side, delta=delta) for side in SIDES}
        except NoflukeError:
            return False
        for side, result in found.items():
            assert result.delta == delta
            assert any(fits(result, float(truth[side])) for truth in truths), (
                f"{side}: {result.p_value} ({result.computed}), counted {[float(truth[side]) for truth in truths]}"
            )
        return True

    assert for_all(st.tuples(FAMILIES[family](), deltas()), holds, examples)


@effort
@each_family
@pytest.mark.parametrize("method", ["permutation", "wilcoxon", "paired_t", "bootstrap"])
def test_the_observed_difference_as_delta_is_never_rejected(method: str, family: str, examples: int) -> None:
    """Of the mean: testing against the difference that was observed leaves nothing to reject."""

    def holds(case: Case) -> bool:
        try:
            sample = case.sample()
            estimate: Any = nf.test(sample, method=method).estimate
            result = nf.test(sample, method=method, delta=estimate)
        except NoflukeError:
            return False
        assert not result.p_value <= 0.05, f"delta = {estimate}: p = {result.p_value}"
        return True

    assert for_all(FAMILIES[family](), holds, examples)
