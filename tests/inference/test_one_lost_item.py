"""The t-test with one lost item: definition, mirror image, agreement of p and interval, ranges, blind margins."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import nofluke as nf
from nofluke.align import as_sample
from nofluke.errors import InputError, MethodError
from nofluke.inference.tests.one_lost_item import items_if_identical
from nofluke.types import Sample
from support.notes import facts

pairs = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=14)
steady = settings(deadline=None, derandomize=True, max_examples=60)


def sample_of(scores: list[tuple[int, int]], clustered: bool) -> Sample:
    a, b = [x for x, _ in scores], [y for _, y in scores]
    return as_sample(a, b, clusters=[f"c{i // 2}" for i in range(len(a))] if clustered else None)


@steady
@given(pairs, st.booleans(), st.integers(-8, 8).map(lambda k: k / 4))
def test_swapping_mirrors_everything(scores: list[tuple[int, int]], clustered: bool, delta: float) -> None:
    forward, back = sample_of(scores, clustered), sample_of([(y, x) for x, y in scores], clustered)
    for alternative, mirrored in (("greater", "less"), ("less", "greater"), ("two-sided", "two-sided")):
        one = nf.test(forward, "one_lost_item", alternative=alternative, delta=delta, low=0, high=4)
        two = nf.test(back, "one_lost_item", alternative=mirrored, delta=-delta, low=0, high=4)
        assert one.p_value == two.p_value
        assert one.interval is not None
        assert two.interval is not None
        assert (one.interval.low, one.interval.high) == (-two.interval.high, -two.interval.low)


@steady
@given(pairs, st.booleans(), st.integers(-7, 7).map(lambda k: k / 2), st.sampled_from([0.8, 0.95]))
def test_interval_and_p_agree(scores: list[tuple[int, int]], clustered: bool, delta: float, level: float) -> None:
    result = nf.test(sample_of(scores, clustered), "one_lost_item", delta=delta, confidence_level=level, low=0, high=4)
    assert result.interval is not None
    assert result.interval.low <= result.estimate <= result.interval.high
    if abs(result.p_value - (1 - level)) > 1e-9:
        assert (delta in result.interval) == (result.p_value > 1 - level)


def test_the_range_of_the_scores() -> None:
    ratings = [5, 4, 3, 5, 2], [4, 4, 3, 5, 2]
    with pytest.raises(MethodError, match="A and B differ on 1 item: too few to tell how large a loss may be"):
        nf.test(*ratings, "one_lost_item")
    for bad in ({"low": 1}, {"high": 5}, {"low": 5, "high": 1}, {"low": 1, "high": math.inf}):
        with pytest.raises(InputError, match="are no range of scores"):
            nf.test(*ratings, "one_lost_item", **bad)
    with pytest.raises(InputError, match="beyond the stated range 1 to 4"):
        nf.test(*ratings, "one_lost_item", low=1, high=4)
    assert nf.test(*ratings, "one_lost_item", low=1, high=5).details["largest_loss"] == 4
    assert nf.test([1, 0, 1], [1, 1, 1], "one_lost_item").details["largest_loss"] == 1
    ten = nf.test([0.5] * 10, [0.4, 0.3] * 5, "one_lost_item")
    assert ten.details["largest_loss"] == pytest.approx(0.2)
    assert facts(ten, "test.largest_loss_seen") == {"loss": 0.2}
    with pytest.raises(MethodError, match="differ on 9 items"):
        nf.test([0.5] * 10, [0.4, 0.3] * 4 + [0.4, 0.5], "one_lost_item")
    in_clusters = as_sample([0.5] * 12, [0.4] * 12, clusters=[i // 2 for i in range(12)])
    with pytest.raises(MethodError, match="differ on 6 clusters"):
        nf.test(in_clusters, "one_lost_item")


@pytest.mark.parametrize(("loss", "margin", "alpha"), [(1, 0.05, 0.05), (4, 0.1, 0.05), (1, 0.02, 0.01), (1, 3, 0.05)])
def test_identical_outputs_pass_from_the_number_stated(loss: float, margin: float, alpha: float) -> None:
    needed = items_if_identical(loss, margin, alpha)
    for n, passes in ((needed - 1, False), (needed, True)):
        if n:
            items = np.append(np.zeros(n), -loss)
            assert (stats.ttest_1samp(items, -margin, alternative="greater").pvalue <= alpha) == passes


def test_rare_losses_are_not_overlooked() -> None:
    """Forty ties say nothing about a loss on one item in fifty; t of d + m would call them overwhelming evidence."""
    a, b = [0.5] * 39 + [0.51], [0.5] * 40
    assert nf.test(a, b, "paired_t", delta=-0.02, alternative="greater").p_value < 1e-6
    assert nf.test(a, b, "one_lost_item", delta=-0.02, alternative="greater", low=0, high=1).p_value > 0.3


def test_every_item_lost_as_badly_as_can_be() -> None:
    result = nf.test([0] * 20, [1] * 20, "one_lost_item", alternative="greater", delta=-0.1)
    assert result.p_value == 1
    assert result.interval is not None
    assert result.interval.low == -1


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
@pytest.mark.parametrize("clustered", [False, True])
def test_power_curves_use_the_same_test(alternative: str, clustered: bool) -> None:
    from nofluke.inference.power.curves.choose import drawn_sample, form_of_counts, rule_of
    from nofluke.inference.power.curves.pilot import pilot_of
    from nofluke.inference.power.curves.rule import Setting
    from nofluke.registry import TESTS

    rng = np.random.default_rng(5)
    a = rng.integers(1, 6, 30)
    b = np.clip(a + rng.integers(-1, 2, 30), 1, 5)
    sample = as_sample(a, b, clusters=np.repeat(np.arange(15), 2).tolist() if clustered else None)
    setting = Setting(alternative, 0.05, -0.3, {"low": 1.0, "high": 5.0})
    assert form_of_counts(sample, TESTS["one_lost_item"], setting) is not None
    pilot = pilot_of(sample, grouped=False)
    counts = rng.integers(0, 3, (20, pilot.units)).astype(np.float64)
    found = np.exp(rule_of(pilot, TESTS["one_lost_item"], setting, 0).block(counts))
    for row, p in zip(counts, found, strict=True):
        drawn = drawn_sample(pilot, row.astype(np.int64))
        direct = nf.test(drawn, "one_lost_item", alternative=alternative, delta=-0.3, low=1, high=5).p_value
        assert p == pytest.approx(direct, rel=1e-9) or (direct >= 0.5 and p == 1)
