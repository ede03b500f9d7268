"""Two correlations with one gold standard: symmetry, refusals, and the interval."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.errors import InputError, MethodError
from nofluke.registry import CORRELATIONS

numbers = st.tuples(st.floats(-0.9, 0.9), st.floats(-0.9, 0.9), st.floats(-0.9, 0.9)).filter(
    lambda r: 1 - r[0] ** 2 - r[1] ** 2 - r[2] ** 2 + 2 * r[0] * r[1] * r[2] > 1e-6
)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(numbers, st.integers(4, 500), st.sampled_from(CORRELATIONS.names()))
def test_swapping_the_systems_mirrors(r: tuple[float, float, float], n: int, method: str) -> None:
    forward = nf.correlation_test(r[0], r[1], r[2], n, method, alternative="greater")
    backward = nf.correlation_test(r[1], r[0], r[2], n, method, alternative="less")
    assert forward.statistic == pytest.approx(-backward.statistic)
    assert forward.p_value == pytest.approx(backward.p_value)
    both = nf.correlation_test(r[0], r[1], r[2], n, method)
    assert both.interval is not None
    assert both.interval.low <= r[0] - r[1] <= both.interval.high


@pytest.mark.parametrize("method", CORRELATIONS.names())
def test_equal_correlations_are_never_significant(method: str) -> None:
    result = nf.correlation_test(0.4, 0.4, 0.6, 80, method)
    assert result.statistic == 0
    assert result.p_value == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.2, 0.3, 0.4, 50), "r_a = 1.2 does not lie between -1 and 1."),
        ((0.5, 0.3, 1.0, 50), "r_ab = 1.0 does not lie between -1 and 1."),
        ((0.5, 0.3, 0.4, 3), "n = 3 items are too few."),
        ((0.9, -0.9, 0.9, 50), "no three columns have the correlations 0.9, -0.9 and 0.9."),
    ],
)
def test_impossible_correlations_are_refused(arguments: tuple[float, float, float, int], message: str) -> None:
    with pytest.raises(InputError) as caught:
        nf.correlation_test(*arguments)
    assert caught.value.message == message


def test_unknown_methods_are_refused() -> None:
    with pytest.raises(MethodError, match="there is no correlation 'pearson'"):
        nf.correlation_test(0.5, 0.3, 0.4, 50, "pearson")
