"""All pairs by sign flips: equal to one pair at a time, honest about what is approximate, exact near every boundary."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.engine.flips import flip_tail
from nofluke.engine.flips.binomial import log_fair_binomial_tail
from nofluke.engine.pairs import low_resonance
from nofluke.engine.pairs import table as pairs
from nofluke.engine.pairs.binary import fair_binomial_tails
from nofluke.engine.pairs.flips import POOR, all_pairs_flips
from nofluke.engine.pairs.sign_tails import flip_saddle
from nofluke.engine.pairs.table import PairTails
from nofluke.errors import InputError
from support.thinned import in_turn, thinned

QUICK = settings(deadline=None, derandomize=True, max_examples=60)


def leaderboard(rng: np.random.Generator, n: int, systems: int, spread: float = 0.4, scale: float = 1e6) -> np.ndarray:
    ability = np.linspace(0, spread, systems)
    return np.rint((rng.normal(0, 1, (n, 1)) + ability + rng.normal(0, 0.7, (n, systems))) * scale).astype(np.int64)


def one_by_one(scores: np.ndarray) -> np.ndarray:
    systems = scores.shape[1]
    log_p = np.zeros((systems, systems))
    for i in range(systems):
        for j in range(systems):
            d = scores[:, i] - scores[:, j]
            log_p[i, j] = flip_tail(d, int(d.sum())).log_p
    return log_p


def relative(tails: PairTails, expected: np.ndarray) -> np.ndarray:
    return np.abs(np.expm1(tails.log_p - expected))


KINDS: dict[str, Callable[[np.random.Generator], np.ndarray]] = {
    "real, few items": lambda rng: leaderboard(rng, 15, 6),
    "real": lambda rng: leaderboard(rng, 300, 6),
    "wide numbers": lambda rng: leaderboard(rng, 200, 5, scale=1e12),
    "Likert": lambda rng: rng.integers(1, 6, (200, 6)),
    "Likert on a finer grid": lambda rng: rng.integers(1, 6, (200, 6)) * 1000,
    "zeros and ones": lambda rng: rng.integers(0, 2, (120, 7)),
    "few differences": lambda rng: np.where(rng.random((300, 5)) < 0.03, rng.integers(0, 5, (300, 5)), 3),
    "outlier": lambda rng: np.where(np.arange(200)[:, None] == 7, 40_000 * np.arange(5), rng.integers(0, 99, (200, 5))),
    "heavy tails": lambda rng: np.rint(rng.standard_t(2, (150, 4)) * 1e6).astype(np.int64),
    "nearly whole": lambda rng: (
        rng.integers(0, 2, (300, 5)) * 10**6
        + np.where(rng.random((300, 5)) < 0.02, rng.integers(0, 10**6, (300, 5)), 0)
    ),
    "one two-valued pair among real ones": lambda rng: np.column_stack(
        (leaderboard(rng, 100, 3), rng.integers(0, 2, (100, 2)) * 10**6)
    ),
    "never worse": lambda rng: np.cumsum(rng.integers(0, 3, (90, 5)), axis=1),
}


@pytest.mark.parametrize("kind", KINDS)
def test_equal_to_one_pair_at_a_time(kind: str, rng: np.random.Generator) -> None:
    scores = KINDS[kind](rng)
    expected = one_by_one(scores)
    near, exact = all_pairs_flips(scores), all_pairs_flips(scores, exact="all")
    assert (relative(exact, expected) <= np.maximum(exact.bound, 1e-11)).all()
    # what is called a saddlepoint is within its estimate, and never off by more than the limit
    assert (relative(near, expected) <= np.maximum(near.bound, 1e-10)).all(), kind
    assert relative(near, expected).max() < POOR
    assert set(np.unique(near.computed)) <= {"exact", "saddlepoint", "inversion"}
    assert (relative(near, expected)[near.exact] < 1e-9).all()
    if kind == "heavy tails":
        assert (near.computed == "inversion").any()
        assert relative(near, expected).max() < 1e-6
    assert near.exact.diagonal().all()
    assert (near.log_p.diagonal() == 0).all()


def test_the_search_for_coarser_grids_is_needed(rng: np.random.Generator) -> None:
    scores = KINDS["nearly whole"](rng)
    blind = all_pairs_flips(scores, exact="none")
    assert relative(blind, one_by_one(scores)).max() > 5 * POOR
    assert blind.bound.max() > POOR


def test_the_verb_agrees(rng: np.random.Generator) -> None:
    scores = leaderboard(rng, 60, 4, scale=1e3)
    tails = all_pairs_flips(scores, exact="all")
    for i in range(4):
        for j in range(i):
            a, b = (scores[:, k] / 1000 for k in (i, j))
            result = nf.test(a.tolist(), b.tolist(), "permutation", alternative="greater")
            assert tails.log_p[i, j] == pytest.approx(result.log_p_value, abs=1e-9)


# Largest relative error over normal differences and thresholds up to five standard deviations; about thrice what was
# seen: 1.1e-3, 3.5e-4, 1.3e-4, 6.3e-6, 6.5e-7, 9.4e-8.
ERRORS = {41: 3e-3, 60: 1e-3, 100: 4e-4, 300: 2e-5, 1000: 2e-6, 2000: 3e-7}


@pytest.mark.parametrize("n", thinned(ERRORS, always=3))
def test_error_of_the_saddlepoint_by_number_of_items(n: int, rng: np.random.Generator) -> None:
    for z in (0.0, 0.1, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0):
        d = np.rint(rng.normal(0, 1, n) * 1e6).astype(np.int64)
        deviation, total = math.sqrt(float(d @ d)), int(np.abs(d).sum())
        threshold = int(z * deviation)
        threshold += (total - threshold) % 2
        exact = flip_tail(d, threshold).log_p
        if exact + n * math.log(2) < math.log(1e6):
            continue
        ratio = np.array([threshold / deviation])
        saddle = flip_saddle(np.abs(d)[None] / deviation, ratio, np.array([1 / deviation]))
        assert abs(math.expm1(float(saddle.log_tail[0]) - exact)) < ERRORS[n]


@pytest.mark.parametrize("n", [60, 300])
def test_the_lattice_is_corrected_for(n: int, rng: np.random.Generator) -> None:
    d = rng.integers(1, 5, n)
    deviation, total = math.sqrt(float(d @ d)), int(d.sum())
    for z in (0.0, 0.5, 1.0, 2.0, 4.0):
        threshold = int(z * deviation)
        threshold += (total - threshold) % 2
        tail, beyond = flip_tail(d, threshold).log_p, flip_tail(d, threshold + 1).log_p
        ratio = np.array([threshold / deviation])
        saddle = flip_saddle(d[None] / deviation, ratio, np.array([1 / deviation]))
        assert abs(math.expm1(float(saddle.log_tail[0]) - tail)) < (2e-4 if n == 60 else 2e-6)
        assert float(saddle.point[0]) == pytest.approx(math.exp(tail) - math.exp(beyond), rel=2e-3)
        # without the correction the answer would be off by half a step
        smooth = flip_saddle(d[None] / deviation, ratio, np.array([1e-9]))
        assert abs(math.expm1(float(smooth.log_tail[0]) - tail)) > 0.01


@QUICK
@given(
    st.integers(2, 4).flatmap(
        lambda k: st.lists(st.lists(st.integers(-3, 3), min_size=k, max_size=k), min_size=1, max_size=9)
    )
)
def test_small_tables_against_all_patterns(rows: list[list[int]]) -> None:
    scores = np.array(rows)
    tails = all_pairs_flips(scores)
    assert tails.exact.all()
    n, systems = scores.shape
    signs = 1 - 2 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1)
    for i in range(systems):
        for j in range(systems):
            d = scores[:, i] - scores[:, j]
            share = np.mean(signs @ d >= d.sum())
            assert math.exp(tails.log_p[i, j]) == pytest.approx(share, rel=1e-12)


def test_permuting_systems_and_items_permutes_the_table(rng: np.random.Generator) -> None:
    scores = leaderboard(rng, 150, 7)
    order = rng.permutation(7)
    tails, moved = all_pairs_flips(scores), all_pairs_flips(scores[:, order])
    assert np.allclose(moved.log_p, tails.log_p[np.ix_(order, order)], rtol=0, atol=1e-11)
    assert (moved.computed == tails.computed[np.ix_(order, order)]).all()
    shuffled = all_pairs_flips(scores[rng.permutation(150)] + rng.integers(-99, 99, (150, 1)))
    assert np.allclose(shuffled.log_p, tails.log_p, rtol=0, atol=1e-10)


@pytest.mark.parametrize("kind", ["real", "Likert", "zeros and ones", "few differences"])
def test_the_two_directions_are_complementary(kind: str, rng: np.random.Generator) -> None:
    scores = KINDS[kind](rng)
    p = np.exp(all_pairs_flips(scores, exact="near" if kind == "few differences" else "none").log_p)
    for i in range(scores.shape[1]):
        for j in range(i):
            d = scores[:, i] - scores[:, j]
            t = int(d.sum())
            point = math.exp(flip_tail(d, t).log_p) - math.exp(flip_tail(d, t + 1).log_p)
            assert p[i, j] + p[j, i] == pytest.approx(1 + point, abs=2e-4)


def test_identical_systems(rng: np.random.Generator) -> None:
    scores = leaderboard(rng, 50, 3)
    tails = all_pairs_flips(scores[:, [0, 0, 1, 2]])
    assert tails.log_p[0, 1] == tails.log_p[1, 0] == 0.0
    assert tails.exact[0, 1]
    assert (all_pairs_flips(np.full((9, 3), 4)).log_p == 0).all()
    assert (all_pairs_flips(np.array([[1, 2, 1]])).log_p <= 0).all()


def test_binomial_tails_in_bulk() -> None:
    n = np.array([1, 3, 40, 2034, 2034, 5000, 10, 7])
    k = np.array([1, 2, 21, 1200, 2034, 4900, 0, 8])
    got = fair_binomial_tails(n, k)
    for value, trials, least in zip(got[:6], n, k, strict=False):
        assert value == pytest.approx(log_fair_binomial_tail(int(trials), int(least)), rel=1e-12, abs=1e-12)
    assert got[6] == 0.0
    assert got[7] == -math.inf


def test_memory_is_bounded_by_the_block(rng: np.random.Generator) -> None:
    scores = leaderboard(rng, 4000, 40)
    all_pairs_flips(scores[:50, :3])
    tracemalloc.start()
    all_pairs_flips(scores, exact="none")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # all differences at once would take 25 MB per array, and a dozen arrays
    assert peak < 40e6


@pytest.mark.parametrize("block", [1, 1000, 1 << 18])
def test_the_size_of_blocks_is_irrelevant(
    block: int, monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator
) -> None:
    scores = leaderboard(rng, 90, 6)
    expected = all_pairs_flips(scores, exact="none").log_p
    monkeypatch.setattr(pairs, "_BLOCK", block)
    assert np.allclose(all_pairs_flips(scores, exact="none").log_p, expected, rtol=1e-13, atol=0)


def test_totals_beyond_64_bits_do_not_wrap(rng: np.random.Generator) -> None:
    scores = rng.integers(0, 2**55, (2000, 3))
    scores[:, 0] += 2**54
    tails = all_pairs_flips(scores)
    smaller = all_pairs_flips(scores >> 20)
    assert np.allclose(tails.log_p, smaller.log_p, rtol=1e-6)
    assert tails.log_p[0, 1] < -50


def test_progress_and_refusals(rng: np.random.Generator) -> None:
    seen: list[tuple[int, int]] = []
    all_pairs_flips(leaderboard(rng, 100, 5), exact="none", progress=lambda a, b: seen.append((a, b)))
    assert seen[-1] == (10, 10)
    for bad, words in (
        (np.zeros(3, dtype=np.int64), "hold no pair"),
        (np.zeros((3, 1), dtype=np.int64), "hold no pair"),
        (np.zeros((3, 2)), "not on a grid"),
        (np.array([[0, 2**62]]), "61 bits"),
    ):
        with pytest.raises(InputError, match=words):
            all_pairs_flips(bad)
    with pytest.raises(InputError, match="exact = 'some'"):
        all_pairs_flips(np.zeros((3, 2), dtype=np.int64), exact="some")  # type: ignore[arg-type]


GRIDS: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "real": lambda rng, n: leaderboard(rng, n, 6, scale=1e12),
    "heavy tails": lambda rng, n: np.rint(rng.standard_t(3, (n, 6)) * 1e12).astype(np.int64),
    "near a grid": lambda rng, n: rng.integers(0, 4, (n, 6)) * 731 + rng.integers(-2, 3, (n, 6)),
    "few differences and noise": lambda rng, n: (
        np.where(rng.random((n, 6)) < 20 / n, rng.integers(-1, 2, (n, 6)) * 10**9, 0)
        + np.rint(rng.normal(0, 1e5, (n, 6))).astype(np.int64)
    ),
    "k/m": lambda rng, n: np.rint(rng.integers(0, 38, (n, 6)) * (1e12 / 37)).astype(np.int64),
}


@pytest.mark.parametrize(("kind", "n"), in_turn([*GRIDS], [300, 2_000, 6_000]))
def test_looking_at_some_items_first_misses_no_grid(
    kind: str, n: int, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = GRIDS[kind](rng, n)
    seen = all_pairs_flips(scores, exact="none")
    monkeypatch.setattr(low_resonance, "_not_excluded", lambda sizes, *_: np.ones(len(sizes), dtype=bool))
    whole = all_pairs_flips(scores, exact="none")
    assert (seen.log_p == whole.log_p).all()
    assert np.abs(seen.bound - whole.bound).max() < 1e-6
    off = ~np.eye(6, dtype=bool)
    assert (whole.bound[off].max() > POOR) == (kind not in ("real", "heavy tails"))


def test_tails_without_digits_are_not_searched_for_grids(
    rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nearly every item is won, so that hundreds of frequencies have room for a resonance.
    scores = np.rint((rng.normal(size=(2_000, 4)) + 3.0 * np.arange(4)) * 1e9).astype(np.int64)
    expected = one_by_one(scores)
    monkeypatch.setattr(low_resonance, "climb", lambda *_, **__: pytest.fail("a tail below all doubles was searched"))
    tails = all_pairs_flips(scores)
    assert expected.min() < math.log(5e-324)
    assert np.abs(tails.log_p / np.where(expected == 0, 1.0, expected) - 1.0)[expected < -1.0].max() < 1e-3


@pytest.mark.parametrize("jitter", thinned([0, 1, 4, 12], always=2))
def test_deep_tails_near_a_grid_say_how_far_they_may_be_off(jitter: int, rng: np.random.Generator) -> None:
    shape = (400, 7)
    scores = rng.integers(0, 4, shape) * 731 + rng.integers(-jitter, jitter + 1, shape)
    scores += np.where(rng.random(shape) < np.linspace(0, 0.9, 7), 731, 0) + (rng.random(shape) < 0.02) * 300
    tails, expected = all_pairs_flips(scores), one_by_one(scores)
    deep = expected < math.log(1e-12)
    off = relative(tails, expected)
    assert deep.sum() >= 3
    assert (off[deep] <= np.maximum(tails.bound[deep], 1e-9)).all()


@pytest.mark.parametrize("shape", ["normal", "uneven", "long tails", "ties"])
def test_many_items_go_by_nodes_without_losing_digits(shape: str, rng: np.random.Generator) -> None:
    """Sums over 20,000 sizes and over a thousand nodes with their weights, from the centre to tails beyond doubles."""
    sizes = np.abs(rng.normal(size=(6, 20_000)) if shape != "long tails" else rng.standard_t(3, size=(6, 20_000)))
    if shape == "uneven":
        sizes /= np.repeat(np.linspace(100, 1_900, 20), 1_000)
    if shape == "ties":
        sizes *= rng.random(sizes.shape) < 0.02
    sizes /= np.sqrt((sizes * sizes).sum(axis=1))[:, None]
    threshold = np.minimum([0.05, 0.5, 2.0, 5.0, 20.0, 60.0], 0.9 * sizes.sum(axis=1))
    step = np.full(6, 1e-6)
    by_nodes = flip_saddle(sizes, threshold, step)
    by_items = flip_saddle(sizes, threshold, step, np.ones_like(sizes))
    off = np.abs(by_nodes.log_tail - by_items.log_tail)
    assert (off <= by_nodes.error + 1e-10).all()
    assert (off[:4] < 1e-9).all()
    assert by_nodes.tilt == pytest.approx(by_items.tilt, rel=1e-6)
