"""Many digits and many items: bounds stay honest where the period cannot be summed; a million items are feasible."""

from __future__ import annotations

import math

import numpy as np
import pytest

from nofluke.engine.flips import flip_tail
from nofluke.engine.flips.certificate import CUTOFF, live_node_ranges
from nofluke.engine.flips.counting import count_flips
from nofluke.engine.flips.inversion import invert
from nofluke.engine.flips.nodes import NodeSums
from nofluke.engine.flips.tilt import tilt_to
from support.thinned import in_turn, thinned


def grouped(items):
    sizes = np.abs(items[items != 0]) // np.gcd.reduce(items)
    values, counts = np.unique(sizes, return_counts=True)
    return values, counts.astype(np.int64), int(sizes.sum())


STRUCTURES = {
    "six digits": lambda rng: rng.integers(1, 10**6, 42),
    "twelve digits": lambda rng: rng.integers(1, 10**12, 42),
    "thirds": lambda rng: np.rint(rng.integers(1, 7, 42) * 1e12 / 3).astype(np.int64),
    "shifted hundredths": lambda rng: rng.integers(1, 100, 42) * 10_000 - 123_457,
    "finely shifted hundredths": lambda rng: rng.integers(1, 100, 42) * 10**10 - 123_456_789_013,
    "shifted by a power of two": lambda rng: rng.integers(1, 100, 42) * 2**30 - 987_654_321,
    "mostly hundredths": lambda rng: np.append(rng.integers(1, 100, 38) * 10**4, rng.integers(1, 10**6, 4)),
    "noisy multiples": lambda rng: rng.integers(1, 100, 42) * 12_345_677 + rng.integers(-3, 4, 42),
    "heavy tails": lambda rng: np.ceil(rng.lognormal(0, 3, 42) * 1e6).astype(np.int64),
}


@pytest.mark.parametrize(("name", "z"), in_turn([*STRUCTURES], [0.5, 3.0]))
def test_the_bound_of_the_inversion_is_honest_where_it_is_weak(name, z, rng):
    values, counts, total = grouped(STRUCTURES[name](rng))
    items = int(counts.sum())
    threshold = int(min(z * math.sqrt(float(counts @ (values.astype(float) ** 2))), 0.9 * total))
    threshold += (total - threshold) % 2
    log_p, bound, _ = invert(values, counts, total, threshold, 1)
    exact = count_flips(values, counts, (total - threshold) // 2)
    assert exact is not None
    assert exact.exact
    assert abs(math.expm1(log_p - exact.log_count + items * math.log(2))) <= max(bound, 1e-11)


def two_scale_tail(multiples, noise, step, threshold):
    """P(step * K + E >= threshold) from the joint law of K = sum +-multiple and E = sum +-noise."""
    width, height = int(np.abs(multiples).sum()), int(np.abs(noise).sum())
    law = np.zeros((2 * width + 1, 2 * height + 1))
    law[width, height] = 1.0
    for m, e in zip(multiples, noise, strict=True):
        law = (np.roll(law, (m, e), (0, 1)) + np.roll(law, (-m, -e), (0, 1))) / 2
    k, e = np.arange(-width, width + 1)[:, None], np.arange(-height, height + 1)[None, :]
    return float(law[k * step + e >= threshold].sum())


@pytest.mark.parametrize(("n", "step", "most"), [(100, 1001, 4), (150, 12_345_677, 3), (120, 333_333_333_333, 3)])
def test_resurgence_of_nearly_lattice_data(n, step, most, rng, honest):
    multiples, noise = rng.integers(1, most + 1, n) * rng.choice([1, 1, -1], n), rng.integers(-1, 2, n)
    items = multiples * step + noise
    for threshold in (int(items.sum()), int(0.1 * np.abs(items).sum())):
        expected = math.log(two_scale_tail(multiples, noise, step, threshold))
        assert honest(flip_tail(items, threshold), expected, 1e-10)
        values, counts, total = grouped(items)
        even = threshold + (total - threshold) % 2
        log_p, bound, _ = invert(values, counts, total, even, 1)
        assert abs(math.expm1(log_p - expected)) <= max(bound, 1e-11)


def test_accuracy_with_a_fine_margin_is_counted(honest, rng):
    # 0/1 differences less a margin of many digits: three sizes of item, each many times
    wins, ties, losses = 500, 300, 200
    margin = 123_456_789
    items = np.repeat([10**12 - margin, -margin, -(10**12) - margin], [wins, ties, losses])
    tail = flip_tail(items, int(items.sum()))
    assert tail.bound <= 1e-9
    draws = rng.integers(0, 2, (2000, items.size)) * 2 - 1
    wide = flip_tail(items, int(1e12 * 20))
    share = float(np.mean((draws * items).sum(axis=1) >= 1e12 * 20))
    assert abs(math.exp(wide.log_p) - share) < 4 * math.sqrt(0.25 / 2000)


@pytest.mark.parametrize(("n", "scale"), [(300, 50), (2000, 300), (3000, 300_000), (4000, 300_000)])
def test_the_certificate_covers_the_whole_period(n, scale, rng):
    items = np.abs(np.rint(rng.normal(0, 1, n) * scale).astype(np.int64)) + 1
    values, counts, total = grouped(items)
    tilted = tilt_to(values, counts, total, total % 2 + 2 * int(math.sqrt(float(items @ items))))
    ranges = live_node_ranges(tilted)
    assert ranges is not None
    assert sum(last - first + 1 for first, last in ranges) < 5000
    sums = NodeSums(tilted)
    live = {k for first, last in ranges for k in range(first, last + 1)}
    for k in rng.integers(0, tilted.nodes // 2, 200).tolist() + [last + 1 for _, last in ranges]:
        if k not in live and k <= tilted.nodes // 2:
            assert abs(sums.at(k, 1)[0]) <= math.exp(-CUTOFF) * 1.001


def test_products_and_polar_form_agree(rng):
    items = np.repeat(rng.integers(1, 2000, 300), 2)
    values, counts, total = grouped(items)
    tilted = tilt_to(values, counts, total, total % 2 + 9000)
    sums = NodeSums(tilted)
    assert not sums.polar
    many = sums.at(0, 40)
    sums.polar = True
    sums._values, sums._chance = tilted.values, tilted.flip_chance
    assert np.abs(many - sums.at(0, 40)).max() < 1e-12


def normal_tail(z):
    return math.erfc(z / math.sqrt(2)) / 2


@pytest.mark.parametrize("scale", thinned([1e6, 1e2, 1e12], always=1))
def test_a_million_items(scale, rng):
    d = np.rint(rng.normal(0.001, 0.3, 1_000_000) * scale).astype(np.int64)
    spread = math.sqrt(float(np.sum(d.astype(float) ** 2)))
    threshold = round(1.5 * spread)
    threshold += (int(np.abs(d).sum()) - threshold) % 2
    tail = flip_tail(d, threshold)
    assert tail.bound < 1e-9
    # Edgeworth: the fourth cumulant is -2 sum d^4, so the correction is of the order 1/n
    z = threshold / spread
    density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    quartic = -2.0 * float(np.sum((d / spread) ** 4))
    expected = normal_tail(z) + density * quartic / 24 * (z**3 - 3 * z)
    # the sum lives on every other integer: half a step of continuity correction
    expected += density / spread
    assert math.exp(tail.log_p) == pytest.approx(expected, rel=1e-9 if scale > 1e3 else 1e-7)
    if scale == 1e6:
        again = flip_tail(-d[rng.permutation(d.size)], threshold)
        assert again.log_p == pytest.approx(tail.log_p, abs=1e-12)


def test_very_deep_tails_of_real_scores(rng):
    d = np.rint(rng.normal(0.5, 0.3, 5000) * 1e6).astype(np.int64)
    tail = flip_tail(d, int(d.sum()))
    assert tail.log_p < -2500
    assert tail.bound < 1e-6
    lighter = flip_tail(d, int(0.3 * d.sum()))
    assert math.log(1e-70) > lighter.log_p > math.log(1e-80)
    assert lighter.bound < 1e-9
