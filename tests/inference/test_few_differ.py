"""Where few of many items differ, a test set reveals no smaller gap than these few can show."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nofluke as nf
from nofluke.align import as_sample
from nofluke.inference.power.detectable import detectable_difference, rare_differences
from nofluke.types import note
from nofluke.words import short

HEAVY = [0.01] * 10 + [0.45]
# How many items, and by how much A is better or worse on those that differ.
CASES = {
    "three wins": (1_000, [0.1] * 3, []),
    "one win": (300, [0.1], []),
    "one loss": (300, [], [0.1]),
    "seven wins": (1_000, [0.1] * 7, []),
    "two and one": (1_000, [0.1] * 2, [0.1]),
    "one and two": (5_000, [0.1], [0.1] * 2),
    "five and five": (1_000, [0.1] * 5, [0.1] * 5),
    "as many": (1_000, [0.1] * 20, [0.1] * 20),
    "just few": (1_000, [0.1] * 24, [0.1] * 25),
    "uneven": (200, [0.1, 0.1, 0.1, 0.4], [0.05]),
    "one large": (1_000, HEAVY, [0.01] * 5),
    "small": (20, [0.1] * 3, [0.1] * 2),
}


def scores(n: int, wins: list[float], losses: list[float]) -> tuple[np.ndarray, np.ndarray]:
    d = np.zeros(n)
    d[: len(wins) + len(losses)] = [*wins, *(-loss for loss in losses)]
    return 0.5 + np.round(d, 3), np.full(n, 0.5)


def flip_p_values(d: np.ndarray, rng: np.random.Generator) -> float:
    """Two-sided p by listing all patterns of signs, or by many of them: no part of nofluke."""
    d = d[d != 0]
    if not d.size:
        return 1.0
    if d.size <= 12:
        signs = 1 - 2 * ((np.arange(2**d.size)[:, None] >> np.arange(d.size)) & 1)
    else:
        signs = rng.choice([-1, 1], (2_000, d.size))
    return float(np.mean(np.abs(signs @ d) >= abs(d.sum()) - 1e-9))


@pytest.mark.parametrize("case", CASES)
def test_the_stated_gap_is_found_as_often_as_is_said(case: str) -> None:
    """Test sets drawn with the pilot reweighted to that gap, each judged by its own swaps."""
    a, b = scores(*CASES[case])
    d = a - b
    gap = nf.compare(a, b).detectable.difference * (1 if d.sum() >= 0 else -1)
    low, high = -60.0, 60.0
    for _ in range(80):
        tilt = (low + high) / 2
        weights = np.exp(tilt * d / np.abs(d).max())
        weights /= weights.sum()
        low, high = (tilt, high) if weights @ d < gap else (low, tilt)
    assert weights @ d == pytest.approx(gap, rel=1e-6)
    rng = np.random.default_rng(11)
    found = [flip_p_values(rng.choice(d, len(d), p=weights), rng) <= 0.05 for _ in range(400)]
    # Three standard errors below 0.8.
    assert np.mean(found) >= 0.74


def test_compare_detect_and_the_curve_say_the_same() -> None:
    a, b = scores(*CASES["three wins"])
    gap = nf.compare(a, b).detectable.difference
    # Ten items have to differ on average, where the spread of three promised the gap of five.
    assert gap == pytest.approx(0.1 * 10 / 1_000, rel=0.05)
    curve = nf.power_curve(a, b)
    assert curve.difference == pytest.approx(gap, rel=1e-9)
    assert {row.name: row.size for row in curve.scenarios}["detectable"] == pytest.approx(1_000, abs=1)
    half = next(row for row in curve.scenarios if row.name == "half")
    stated = nf.power_curve(a, b, difference=half.difference, sizes=[round(half.size)], iterations=1_000)
    assert float(stated.power[0]) >= 0.74
    assert "0.00100" in short(nf.compare(a, b))


def test_gaps_of_both_ends_and_of_clusters() -> None:
    """A hundred clusters of ten items, three of which differ, are a hundred items of which three do."""
    a, b = scores(100, [0.1] * 3, [])
    items = detectable_difference(as_sample(a, b), 0.05, "two-sided").difference
    many = as_sample(np.repeat(a, 10), np.repeat(b, 10), clusters=np.repeat(np.arange(100), 10))
    assert detectable_difference(many, 0.05, "two-sided").difference == pytest.approx(items, rel=1e-6)
    turned = detectable_difference(as_sample(b, a), 0.05, "two-sided").difference
    assert turned == pytest.approx(items, rel=1e-9)


def test_a_direction_in_which_no_item_differs_is_unknown() -> None:
    a, b = scores(*CASES["three wins"])
    found = nf.compare(a, b, alternative="less").detectable
    assert math.isnan(found.difference)
    assert found.reason == note("compare.few_differ", differing=3, unit="item")
    assert nf.compare(a, b, alternative="greater").detectable.difference > 0


def test_most_items_that_differ_or_fifty_keep_the_spread() -> None:
    for n, wins, losses in ((30, 10, 10), (1_000, 30, 25), (12, 3, 3)):
        a, b = scores(n, [0.1] * wins, [0.1] * losses)
        assert rare_differences(as_sample(a, b)) is None
