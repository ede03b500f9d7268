"""A value that is there again and again beside scores with all their digits: found as quickly, and within its bound.

Such a value keeps the characteristic function high at all frequencies, which is no resonance of the others.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import nofluke.engine.draws.paths as paths
from nofluke.engine.draws import draw_quantile, draw_tail
from nofluke.engine.flips.inversion import invert
from nofluke.engine.flips.peaks import climb, in_phase
from nofluke.types import IntArray
from support.thinned import thinned


@pytest.mark.parametrize("modulus", [True, False])
@pytest.mark.parametrize("share", [0.5, 0.7, 0.9])
def test_a_heavy_value_is_no_peak_of_the_others(share: float, modulus: bool) -> None:
    rng = np.random.default_rng(1)
    values = np.sort(np.abs(rng.normal(size=400)))
    values[200] = 1.0
    weights = np.full(400, (1 - share) / 399)
    weights[200] = share
    assert in_phase(values, weights, modulus=modulus)[0].size < 20


@pytest.mark.parametrize("modulus", [True, False])
def test_a_grid_of_the_others_is_seen_beside_a_heavy_value(modulus: bool) -> None:
    rng = np.random.default_rng(2)
    values = np.unique(rng.integers(1, 3000, 400)) / 1021
    weights = np.full(values.size, 1.0)
    weights[100] = 900.0
    found = in_phase(values, weights, modulus=modulus)[0]
    assert found.size
    assert climb(found[:1], values, weights, modulus=modulus)[0] == pytest.approx(1021, rel=1e-4)


def counted(light: IntArray, heavy: int, times: int, threshold: int) -> Fraction:
    """P(T >= threshold): every sign of the light values, in two halves, and how many heavy ones are positive."""
    halves = []
    for part in (light[::2], light[1::2]):
        sums = np.zeros(1, np.int64)
        for size in part.tolist():
            sums = np.concatenate((sums + size, sums - size))
        halves.append(np.sort(sums))
    ways = 0
    for positive in range(times + 1):
        needed = threshold - heavy * (2 * positive - times)
        pairs = int((halves[1].size - np.searchsorted(halves[1], needed - halves[0], side="left")).sum())
        ways += pairs * math.comb(times, positive)
    return Fraction(ways, 2 ** (light.size + times))


@pytest.mark.parametrize("seed", thinned(range(30), always=10))
def test_flips_beside_a_heavy_value_stay_within_their_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    times, heavy = int(rng.integers(20, 400)), 10**12 + 1
    spread = float(rng.choice([0.3, 1.0, 3.0]))
    light = np.unique(np.rint(np.abs(rng.normal(0, spread, int(rng.integers(9, 21)))) * 1e12).astype(np.int64))
    values = np.concatenate((light, [heavy]))
    order = np.argsort(values)
    counts = np.concatenate((np.ones(light.size, np.int64), [times]))[order]
    total = int(light.sum()) + times * heavy
    threshold = int(rng.choice([0.5, 1.0, 2.0, 3.0]) * math.sqrt(float((values[order] ** 2.0) @ counts)))
    threshold += (total - threshold) % 2
    tail = invert(values[order], counts, total, threshold, 1)
    truth = float(counted(light, heavy, times, threshold))
    assert abs(math.exp(tail.log_p) / truth - 1.0) <= tail.bound + 1e-11


def test_limits_are_found_along_one_contour(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another contour at each step of the search would be no better than the first: its bound is that of the data."""
    made, contour_of = [], paths.contour_of
    monkeypatch.setattr(paths, "contour_of", lambda law, least: made.append(least) or contour_of(law, least))
    inverted, invert_draws = [], paths.invert
    monkeypatch.setattr(paths, "invert", lambda law, least: inverted.append(least) or invert_draws(law, least))
    for seed, upper in itertools.product(range(4), (True, False)):
        made.clear()
        values = np.rint(np.random.default_rng(seed).normal(0.1, 1, 40) * 1e13).astype(np.int64)
        found = draw_quantile(values, 0.025, upper=upper)
        assert len(made) == 1
        assert not inverted
        # It is the limit: on either side of it the exact tail is on the other side of the level, to its bound.
        tails = [draw_tail(values if upper else -values, (found if upper else -found) + k) for k in (-400, 400)]
        assert tails[0].log_p > math.log(0.025) > tails[1].log_p
        inverted.clear()
