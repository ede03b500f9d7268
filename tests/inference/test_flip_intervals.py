"""Intervals by sign flips: limits lie where the exact p-value passes the level, also where a few items outweigh all."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nofluke as nf
from nofluke.engine.flips import flip_tail
from nofluke.engine.saddlepoint import flip_tail_saddlepoint


def differences(seed: int, n: int, extremes: tuple[float, ...]) -> np.ndarray:
    values = np.round(np.random.default_rng(seed).normal(0.1, 1.0, n), 3)
    values[: len(extremes)] = extremes
    return values


def exact_log_p(d: np.ndarray, null: float) -> float:
    """The one-sided p-value of the shifted differences, by exact counting on a fine grid."""
    whole = np.rint((d - null) * 1e6).astype(np.int64)
    return float(flip_tail(whole, int(whole.sum())).log_p)


@pytest.mark.parametrize("extremes", [(), (40.0,), (4_000.0,), (-4_000.0,), (60.0, 50.0), (300.0, -200.0, 150.0)])
@pytest.mark.parametrize("seed", [1, 2])
def test_limits_are_where_the_exact_p_value_passes_the_level(seed: int, extremes: tuple[float, ...]) -> None:
    d = differences(seed, 60, extremes)
    interval = nf.test(d, np.zeros(60), "permutation").interval
    assert interval is not None
    for limit, sign in ((interval.low, 1), (interval.high, -1)):
        # A step of a staircase may be wide beside an extreme item: the level lies between its two heights.
        scale = 0.02 * max(1.0, abs(limit))
        inside, outside = (exact_log_p(sign * d, sign * limit + side * scale) for side in (1, -1))
        assert outside <= math.log(0.025 * 1.02)
        assert inside >= math.log(0.025 / 1.02)
    p = nf.test(d, np.zeros(60), "permutation").p_value
    assert (interval.low <= 0 <= interval.high) == (p > 0.05)


def test_an_item_that_outweighs_all_others_does_not_move_the_other_limit() -> None:
    """Of the flips that matter for the lower limit none turns the extreme item: its size is then irrelevant."""
    lows = []
    for size in (100.0, 1e4, 1e6, 1e12):
        interval = nf.test(differences(3, 100, (size,)), np.zeros(100), "permutation").interval
        assert interval is not None
        lows.append(interval.low)
    assert lows == pytest.approx([lows[0]] * 4, abs=1e-4)


@pytest.mark.parametrize("extremes", [(30.0,), (30.0, 25.0), (1e160,), (500.0, 40.0, 30.0, 20.0)])
def test_tails_with_heavy_items_agree_with_counting(extremes: tuple[float, ...]) -> None:
    d = differences(4, 40, extremes)
    scale = 1e3 if max(extremes) < 1e6 else 1e3 / max(extremes) * 1e9
    whole = np.rint(d * scale).astype(np.int64)
    for share in (0.2, 0.5, 0.9):
        threshold = round(share * float(whole.sum()))
        assert math.exp(flip_tail_saddlepoint(whole / scale, threshold / scale)) == pytest.approx(
            math.exp(flip_tail(whole, threshold).log_p), rel=0.02
        )
