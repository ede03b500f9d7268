"""For 0/1 scores, the gap that a test set is said to reveal has the power of the exact test that is run."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nofluke as nf
from nofluke.align import as_sample
from nofluke.inference.power.detectable import detectable_difference
from nofluke.words.numbers import figure

# Items, and on how many of them only A, only B is right.
LOPSIDED = [
    (7, 5, 0),
    (9, 7, 0),
    (12, 9, 0),
    (15, 12, 1),
    (20, 15, 0),
    (20, 16, 1),
    (30, 24, 1),
    (50, 40, 2),
    (50, 35, 1),
]
BALANCED = [(12, 3, 3), (30, 10, 9), (100, 2, 1), (100, 30, 20), (400, 4, 4), (400, 60, 50)]
SIZES = (7, 10, 14, 20, 33, 50, 75, 100, 150, 200, 350, 500, 1_000, 2_000)
SHARES = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 0.9, 1.0)


def answers(n: int, wins: int, losses: int) -> tuple[np.ndarray, np.ndarray]:
    a, b = np.zeros(n), np.zeros(n)
    a[:wins], b[wins : wins + losses] = 1, 1
    return a, b


def tails(m: int, share: float) -> np.ndarray:
    """P(X >= k) for k = 0 .. m + 1, X the heads of m coins."""
    k = np.arange(m + 1)
    logs = np.array([math.lgamma(m + 1) - math.lgamma(j + 1) - math.lgamma(m - j + 1) for j in k])
    with np.errstate(divide="ignore", invalid="ignore"):
        logs += np.where(k == 0, 0.0, k * np.log(share)) + np.where(k == m, 0.0, (m - k) * np.log1p(-share))
    return np.append(np.exp(logs)[::-1].cumsum()[::-1], 0.0)


def enumerated_power(n: int, gap: float, disagreement: float, level: float = 0.05) -> float:
    """Sum over all numbers of disagreements and of wins among them, by two-sided binomial p-values."""
    at_least, total = tails(n, disagreement), 0.0
    for m in range(1, n + 1):
        chance = at_least[m] - at_least[m + 1]
        if chance < 1e-12:
            continue
        wins = int(np.argmax(tails(m, 0.5) * 2 <= level))
        share = min(1.0, (1 + gap / disagreement) / 2)
        total += chance * (tails(m, share)[wins] + tails(m, 1 - share)[wins])
    return total


def upper_limit(n: int, differing: int) -> float:
    """The share at which so few disagreements have probability 0.2."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if 1 - tails(n, middle)[differing + 1] > 0.2 else (low, middle)
    return high if differing < n else 1.0


def check(n: int, wins: int, losses: int) -> None:
    """As often as is said with the disagreement assumed, and with the one observed where that leaves room."""
    found = detectable_difference(as_sample(*answers(n, wins, losses)), 0.05, "two-sided")
    seen, gap = (wins + losses) / n, found.difference
    assumed = max(gap, upper_limit(n, wins + losses))
    assert enumerated_power(n, gap, assumed) == pytest.approx(0.8, abs=1e-6)
    printed = float(figure(gap, found.standard_error))
    assert 0.77 <= enumerated_power(n, min(printed, 1.0), max(printed, assumed)) <= 0.9
    assert enumerated_power(n, gap, max(gap, seen)) >= 0.79
    if not math.isnan(found.threshold):
        needed = round((found.threshold * n + wins + losses) / 2)
        level = tails(wins + losses, 0.5) * 2
        assert level[needed] <= 0.05 < level[needed - 1]


@pytest.mark.parametrize(("n", "wins", "losses"), LOPSIDED + BALANCED)
def test_the_gap_is_revealed_as_often_as_is_said(n: int, wins: int, losses: int) -> None:
    check(n, wins, losses)


@pytest.mark.slow
@pytest.mark.parametrize("n", SIZES)
def test_the_gap_is_revealed_as_often_as_is_said_everywhere(n: int) -> None:
    for share in SHARES:
        differing = round(n * share)
        for wins in {differing // 2, 3 * differing // 4, differing}:
            if differing and wins < n:
                check(n, wins, differing - wins)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "wins", "losses"), [(12, 9, 0), (50, 40, 2), (100, 10, 2)])
def test_drawn_test_sets_are_significant_as_often(n: int, wins: int, losses: int) -> None:
    gap = nf.compare(*answers(n, wins, losses)).detectable.difference
    disagreement = max(gap, upper_limit(n, wins + losses))
    rng = np.random.default_rng(5)
    shares = [(disagreement + gap) / 2, (disagreement - gap) / 2, 1 - disagreement]
    drawn = rng.multinomial(n, shares, size=2_000)
    found = [nf.test(*answers(n, b, c), method="mcnemar").p_value <= 0.05 for b, c, _ in drawn]
    assert np.mean(found) == pytest.approx(0.8, abs=0.03)


def test_a_plan_and_all_commands_say_the_same() -> None:
    a, b = answers(50, 20, 6)
    gap = nf.compare(a, b).detectable.difference
    assumed = upper_limit(50, 26)
    assert nf.power("mcnemar", n=50, difference=gap, disagreement=assumed) == pytest.approx(0.8, abs=1e-9)
    assert nf.detectable_effect("mcnemar", n=50, disagreement=assumed) == pytest.approx(gap, rel=1e-9)
    curve = nf.power_curve(a, b, iterations=100)
    assert curve.difference == pytest.approx(gap, rel=1e-9)
    assert {row.name: row.size for row in curve.scenarios}["detectable"] <= 50
    percent = nf.compare(100 * a, 100 * b).detectable
    assert percent.difference == pytest.approx(100 * gap, rel=1e-9)
    turned = nf.compare(b, a).detectable
    assert (turned.difference, turned.threshold) == pytest.approx((gap, nf.compare(a, b).detectable.threshold))


def test_words_do_not_speak_of_a_standard_deviation() -> None:
    a, b = answers(50, 20, 6)
    details = " ".join(str(nf.report(nf.compare(a, b), "text")).split())
    assert "Where as many items differ as here, observed gaps are significant from 0.24" in details
    assert "standard deviation of these data" not in details


def test_one_side_is_found_more_easily() -> None:
    a, b = answers(60, 9, 7)
    two, greater, less = (
        nf.compare(a, b, alternative=side).detectable.difference for side in ("two-sided", "greater", "less")
    )
    assert greater == less < two


def test_a_ranking_takes_the_typical_pair() -> None:
    """Six one-sided claims by Holm: each at a sixth of the level. Any two of these systems differ on 20 items."""
    systems = {name: np.zeros(60) for name in "abc"}
    for place, scores in enumerate(systems.values()):
        scores[10 * place : 10 * place + 10] = 1
    gap = nf.rank(systems).detectable.difference
    power = enumerated_power(60, gap, max(gap, upper_limit(60, 20)), level=2 * 0.05 / 6)
    assert power == pytest.approx(0.8, abs=1e-6)
