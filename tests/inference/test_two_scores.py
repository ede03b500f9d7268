"""Scores of two values other than 0 and 1: margins by Tango and MOVER, in the units of the scores."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.align import as_sample
from support.strata import average_sample

TASKS = ["x"] * 30 + ["y"] * 50


def right(seed: int, n: int = 80) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, n), rng.integers(0, 2, n)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1_000), st.sampled_from([(0, 100), (1, 5), (-1, 1), (0.2, 0.3)]), st.booleans())
def test_margins_are_those_of_right_answers(seed: int, values: tuple[float, float], several: bool) -> None:
    """Scaling changes the unit of differences and intervals, and no p-value."""
    low, high = values
    a, b = right(seed)
    of = average_sample if several else lambda a, b, _: as_sample(a, b)
    plain = nf.compare(of(a, b, TASKS), margin=0.1)
    scaled = nf.compare(
        of(low + (high - low) * a, low + (high - low) * b, TASKS), margin=0.1 * (high - low), low=low, high=high
    )
    assert plain.margin_test is not None
    assert scaled.margin_test is not None
    assert scaled.margin_test.method == plain.margin_test.method == ("mover" if several else "tango")
    assert scaled.margin_test.p_value == pytest.approx(plain.margin_test.p_value, rel=1e-9)
    assert scaled.margin_verdict == plain.margin_verdict
    ends = [(end.low, end.high) for end in (scaled.margin_interval, plain.margin_interval)]
    assert ends[0] == pytest.approx([end * (high - low) for end in ends[1]])


def test_percentages_need_no_range() -> None:
    a, b = right(1)
    stated = nf.compare(100 * a, 100 * b, margin=10, low=0, high=100)
    plain = nf.compare(100 * a, 100 * b, margin=10)
    assert (plain.margin_test.method, plain.margin_interval) == ("tango", stated.margin_interval)
    assert plain.margin_test.p_value == stated.margin_test.p_value


def test_two_ratings_may_be_part_of_a_longer_scale() -> None:
    a, b = right(2)
    assert nf.compare(3 + a, 3 + b, margin=0.1).margin_test.method == "one_lost_item"
    assert nf.compare(3 + a, 3 + b, margin=0.1, low=1, high=5).margin_test.method == "one_lost_item"
    assert nf.compare(3 + a, 3 + b, margin=0.1, low=3, high=4).margin_test.method == "tango"


def test_where_lower_is_better_the_lower_score_is_right() -> None:
    a, b = right(3)
    plain = nf.test(as_sample(a, b), "tango", alternative="greater", delta=-0.1)
    errors = as_sample(100 - 100 * a, 100 - 100 * b, higher_is_better=False)
    scaled = nf.test(errors, "tango", alternative="greater", delta=-10)
    assert (scaled.p_value, scaled.estimate) == (pytest.approx(plain.p_value), pytest.approx(100 * plain.estimate))


def test_too_few_items_are_told_in_the_units_of_the_scores() -> None:
    same = np.array([0, 100] * 10)
    told = [nf.compare(scale * same, scale * same, margin=scale * 2).notes for scale in (1, 0.01)]
    needed = [next(one["needed"] for one in notes if one.code == "compare.margin_too_small") for notes in told]
    assert needed[0] == needed[1] == 149
    with pytest.raises(nf.InputError, match="between -100 and 100"):
        nf.test(same, same[::-1], "tango", delta=100)


def test_a_power_curve_of_percentages_runs_the_test() -> None:
    a, b = right(4)
    curve = nf.power_curve(100 * a, 100 * b, margin=20, sizes=[60], iterations=200, difference=0)
    plain = nf.power_curve(a, b, margin=0.2, sizes=[60], iterations=200, difference=0)
    assert curve.test == "tango"
    assert curve.power[0] == pytest.approx(plain.power[0], abs=4 * math.sqrt(2 * 0.25 / 200))
