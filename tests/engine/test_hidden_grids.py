"""Lattices that are not seen at once: k/m in doubles or decimals, a few values off the grid; against exact convolution.

Whatever is claimed must hold: the error never exceeds the bound, and "exact" (below 1e-9) is exact.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import nofluke as nf
from nofluke.engine.draws import draw_tail
from nofluke.engine.flips import flip_tail
from nofluke.engine.tail import EXACT_BOUND
from nofluke.types import FloatArray, IntArray
from support.thinned import thinned

Z = (0.5, 1.0, 2.0, 3.0)


def lower_sums(sizes: IntArray, limit: int) -> FloatArray:
    """Probabilities of each sum of flipped items up to `limit`, all terms positive."""
    chances = np.zeros(limit + 1)
    chances[0] = 1.0
    for size in sizes[sizes > 0].tolist():
        moved = chances / 2.0
        if size <= limit:
            moved[size:] += chances[: limit + 1 - size] / 2.0
        chances = moved
    return chances


def flip_oracle(k: IntArray, threshold: int) -> float:
    sizes = np.abs(k)
    total = int(sizes.sum())
    return float(lower_sums(sizes, (total - threshold) // 2).sum()) if threshold <= total else 0.0


def threshold_of(k: IntArray, z: float) -> int:
    wanted = int(z * math.sqrt(float((k.astype(float) ** 2).sum())))
    return wanted + (wanted - int(np.abs(k).sum())) % 2


@pytest.mark.parametrize("seed", thinned(range(24), always=8))
def test_flips_of_fractions_stay_within_their_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(257, 5_000)), int(rng.integers(60, 300))
    unit = 10 ** int(rng.choice([9, 10, 12]))
    k = rng.integers(-m, m + 1, n)
    values = np.rint(k * (unit / m)).astype(np.int64)
    threshold = threshold_of(k, Z[seed % 4])
    # Ties count, as the tests of measured scores count them: within the rounding of all values.
    tail = flip_tail(values, round(threshold * unit / m) - n)
    truth = flip_oracle(k, threshold)
    error = abs(math.exp(tail.log_p) / truth - 1.0)
    assert error <= max(tail.bound, 1e-12)
    assert tail.bound < EXACT_BOUND


@pytest.mark.parametrize("seed", thinned(range(16), always=5))
def test_flips_of_values_mostly_on_a_grid_stay_within_their_bound(seed: int) -> None:
    rng = np.random.default_rng(1_000 + seed)
    step, n, off = int(rng.integers(10**7, 10**9)) | 1, int(rng.integers(80, 200)), int(rng.integers(1, 4))
    most = int(rng.integers(100, 3_000))
    k = rng.integers(-most, most + 1, n)
    strays = rng.integers(1, most * step, off)
    threshold = round(Z[seed % 4] * step * math.sqrt(float((k.astype(float) ** 2).sum())))
    tail = flip_tail(np.concatenate((k * step, strays)), threshold)
    truth = 0.0
    for pattern in range(2**off):
        moved = sum(int(s) * (1 if pattern >> i & 1 else -1) for i, s in enumerate(strays))
        least = -((moved - threshold) // step)
        truth += flip_oracle(k, least + (least - int(np.abs(k).sum())) % 2) / 2**off
    assert abs(math.exp(tail.log_p) / truth - 1.0) <= max(tail.bound, 1e-12)


@pytest.mark.parametrize("seed", thinned(range(12), always=4))
def test_draws_of_fractions_stay_within_their_bound(seed: int) -> None:
    rng = np.random.default_rng(2_000 + seed)
    m, n = int(rng.integers(257, 5_000)), int(rng.integers(60, 400))
    k = rng.integers(0, m + 1, n)
    values = np.rint(k * (1e12 / m)).astype(np.int64)
    chances = np.bincount(k, minlength=m + 1) / n
    length = 1 << (n * m + 1).bit_length()
    law = np.fft.irfft(np.fft.rfft(chances, length) ** n, length)
    least = int(n * k.mean() + Z[seed % 4] * math.sqrt(n) * k.std())
    truth = float(law[least : n * m + 1].sum())
    tail = draw_tail(values, round((least - 0.5) * 1e12 / m))
    assert abs(math.exp(tail.log_p) / truth - 1.0) <= max(tail.bound, 1e-9)
    assert tail.bound < EXACT_BOUND


@pytest.mark.parametrize(("m", "n"), [(1021, 500), (2003, 300), (4999, 200)])
def test_p_values_of_fractions_in_doubles_are_exact(m: int, n: int) -> None:
    rng = np.random.default_rng(m)
    first, second = rng.integers(0, m + 1, (2, n))
    observed = abs(int((first - second).sum()))
    found = nf.test(first / m, second / m, method="permutation")
    assert found.computed.how == "exact"
    assert found.p_value == pytest.approx(2 * flip_oracle(first - second, observed), rel=1e-11)


@pytest.mark.parametrize("decimals", thinned([9, 12], always=1))
def test_p_values_of_printed_fractions_keep_their_bound(decimals: int) -> None:
    rng = np.random.default_rng(decimals)
    first, second = rng.integers(0, 2004, (2, 300))
    found = nf.test(np.round(first / 2003, decimals), np.round(second / 2003, decimals), method="permutation")
    truth = 2 * flip_oracle(first - second, abs(int((first - second).sum())))
    # The last digits decide the tie with the observed sum; the bound allows for it.
    tie = truth - 2 * flip_oracle(first - second, abs(int((first - second).sum())) + 2)
    assert found.computed.how == "approximate"
    assert truth - tie - 1e-12 <= found.p_value <= truth + 1e-12
    assert found.computed.error >= 0.9 * tie
