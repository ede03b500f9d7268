"""Drawing: the same bytes however the work is cut, every index equally likely, every sum exact."""

from __future__ import annotations

import random
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nofluke.engine import randomness, resample
from nofluke.engine.randomness import CHUNK, RESAMPLE, Stream, chunks
from nofluke.engine.resample import chunk_sums, resampled_medians, resampled_sums, split
from nofluke.errors import InputError

QUICK = settings(deadline=None, derandomize=True, max_examples=60)


def drawn(seed: int, resamples: int, size: int, n: int) -> np.ndarray:
    """All indices, one chunk after the other, asked for at once."""
    parts = [Stream(seed, RESAMPLE, c).indices(k * size, n).reshape(k, size) for c, k in chunks(resamples)]
    return np.concatenate(parts)


def test_no_two_purposes_draw_the_same_numbers() -> None:
    stages = {name: value for name, value in vars(randomness).items() if name.isupper() and not name.startswith("_")}
    assert stages.pop("CHUNK") == CHUNK
    assert len(stages) > 10
    assert len(set(stages.values())) == len(stages)
    assert 0 not in stages.values()


def test_uniform_numbers_are_the_middles_of_the_steps() -> None:
    words, found = Stream(5, 1, 0).words(7), Stream(5, 1, 0).uniforms(7)
    assert found.tolist() == [(int(word) + 0.5) / 2**32 for word in words]


def test_chunks_share_out_every_resample_once() -> None:
    for resamples in (1, 255, 256, 257, 9_999):
        sizes = [number for _, number in chunks(resamples)]
        assert sum(sizes) == resamples
        assert all(number == CHUNK for number in sizes[:-1])
        assert 0 < sizes[-1] <= CHUNK


@given(st.lists(st.integers(0, 9), max_size=12), st.integers(1, 2**32))
@QUICK
def test_a_stream_gives_the_same_however_it_is_asked(counts: list[int], n: int) -> None:
    piecewise, whole = Stream(3, 1, 0), Stream(3, 1, 0)
    pieces = [piecewise.indices(count, n) for count in counts]
    expected = whole.indices(sum(counts), n)
    assert np.array_equal(np.concatenate([*pieces, np.empty(0, np.int64)]), expected)
    assert np.array_equal(piecewise.words(5), whole.words(5))


def test_the_numbers_are_those_of_the_first_release() -> None:
    # A change here is a change of published numbers.
    assert Stream(0, RESAMPLE, 0).words(4).tolist() == [1031772465, 975237021, 2045591938, 2893332023]
    assert Stream(7, RESAMPLE, 3).indices(12, 10).tolist() == [6, 5, 8, 2, 8, 7, 8, 7, 2, 2, 1, 4]
    assert resampled_sums(np.arange(100), 5, seed=7).tolist() == [5021, 4988, 4919, 4834, 4522]


def test_words_are_the_raw_stream_low_half_first() -> None:
    raw = np.random.SFC64(np.random.SeedSequence((5, 1, 2))).random_raw(3)
    expected = [int(number) >> shift & 0xFFFFFFFF for number in raw for shift in (0, 32)]
    assert Stream(5, 1, 2).words(6).tolist() == expected


@pytest.mark.parametrize("n", [1, 2, 3, 7, 10, 1_000])
def test_indices_are_uniform(n: int) -> None:
    count = 400_000
    seen = np.bincount(Stream(1, 1, 0).indices(count, n), minlength=n)
    assert len(seen) == n
    assert _chi_square_p(seen) > 1e-3


def test_neighbouring_indices_are_independent() -> None:
    pairs = Stream(2, 1, 0).indices(400_000, 5).reshape(-1, 2)
    assert _chi_square_p(np.bincount(pairs[:, 0] * 5 + pairs[:, 1], minlength=25)) > 1e-3


def test_streams_of_chunks_stages_and_seeds_differ() -> None:
    keys = [(0, 1, 0), (0, 1, 1), (0, 2, 0), (1, 1, 0), (1, 0, 0)]
    assert len({tuple(Stream(*key).words(4).tolist()) for key in keys}) == len(keys)


def test_surplus_words_are_passed_over() -> None:
    # For n = 3 * 2^30, four words map to three results: without rejection multiples of 3 come twice as often.
    n = 3 * 2**30
    residues = np.bincount(Stream(1, 1, 0).indices(300_000, n) % 3, minlength=3)
    assert _chi_square_p(residues) > 1e-3
    naive = np.bincount((Stream(1, 1, 0).words(300_000).astype(np.uint64) * np.uint64(n) >> np.uint64(32)) % 3)
    assert _chi_square_p(naive) < 1e-9


def _chi_square_p(seen: np.ndarray) -> float:
    from scipy.stats import chisquare

    return 1.0 if len(seen) == 1 else float(chisquare(seen).pvalue)


@given(st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=30), st.integers(1, 700), st.integers(1, 40))
@QUICK
def test_sums_are_sums_of_the_drawn_items(values: list[int], resamples: int, size: int) -> None:
    items = np.array(values)
    expected = items[drawn(4, resamples, size, len(items))].sum(axis=1)
    assert np.array_equal(resampled_sums(items, resamples, seed=4, size=size), expected)


@given(st.lists(st.integers(-(10**40), 10**40), min_size=2, max_size=12))
@QUICK
def test_wide_numbers_are_summed_exactly(values: list[int]) -> None:
    table = np.array([[v, v % 7] for v in values], dtype=object)
    sums = resampled_sums(table, 20, seed=1)
    for row, indices in zip(sums, drawn(1, 20, len(values), len(values)), strict=True):
        assert row[0] == sum(values[i] for i in indices)
        assert row[1] == sum(values[i] % 7 for i in indices)


def test_sums_beyond_64_bits_do_not_wrap() -> None:
    items = np.full(4, 2**62, dtype=np.int64)
    assert resampled_sums(items, 3, seed=0).tolist() == [2**64] * 3
    assert resampled_sums(-items, 3, seed=0).tolist() == [-(2**64)] * 3


def test_columns_share_their_draws() -> None:
    x = np.arange(50)
    table = np.stack((x, x**2, np.ones(50, np.int64)), axis=1)
    sums = resampled_sums(table, 300, seed=9)
    assert np.array_equal(sums[:, 0], resampled_sums(x, 300, seed=9))
    assert np.array_equal(sums[:, 1], resampled_sums(x**2, 300, seed=9))
    assert (sums[:, 2] == 50).all()


def test_the_order_of_chunks_is_irrelevant() -> None:
    items = np.random.default_rng(0).integers(-1000, 1000, 70)
    parts = split(items, 70)
    order = list(chunks(3_000))
    random.Random(1).shuffle(order)
    sums = np.zeros(3_000, np.int64)
    for chunk, number in order:
        start = chunk * CHUNK
        sums[start : start + number] = chunk_sums(parts, chunk, number, seed=3, stage=RESAMPLE, size=70)[:, 0]
    assert sums.tobytes() == resampled_sums(items, 3_000, seed=3).tobytes()


@pytest.mark.parametrize("block", [7, 64, 1 << 10, 1 << 18])
def test_the_size_of_blocks_is_irrelevant(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    items = np.random.default_rng(0).integers(-1000, 1000, 33)
    sums, medians = resampled_sums(items, 600, seed=3), resampled_medians(items, 600, seed=3)
    monkeypatch.setattr(resample, "_BLOCK", block)
    assert resampled_sums(items, 600, seed=3).tobytes() == sums.tobytes()
    assert resampled_medians(items, 600, seed=3).tobytes() == medians.tobytes()


def test_more_resamples_continue_the_same_run() -> None:
    items = np.arange(20)
    assert np.array_equal(resampled_sums(items, 2_000, seed=5)[:777], resampled_sums(items, 777, seed=5))
    assert not np.array_equal(resampled_sums(items, 777, seed=6), resampled_sums(items, 777, seed=5))


@pytest.mark.parametrize("size", [1, 2, 9, 10])
def test_medians_are_medians_of_the_drawn_items(size: int) -> None:
    items = np.random.default_rng(1).integers(-9, 9, size)
    expected = 2 * np.median(np.sort(items)[drawn(2, 500, size, size)], axis=1)
    assert np.array_equal(resampled_medians(items, 500, seed=2), expected)


@pytest.mark.parametrize(("n", "resamples"), [(2_000, 2_000), (300_000, 6)])
def test_memory_is_bounded_by_the_block(n: int, resamples: int) -> None:
    items = np.arange(n)
    resampled_sums(items[:10], 10, seed=0)
    tracemalloc.start()
    resampled_sums(items, resamples, seed=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # b x n indices would take 32 MB and 14 MB.
    assert peak < 4e6


def test_progress_ends_at_the_total() -> None:
    calls: list[tuple[int, int]] = []
    resampled_sums(np.arange(3), 600, seed=0, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(256, 600), (512, 600), (600, 600)]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: resampled_sums(np.arange(3), 0, seed=0), "0 resamples"),
        (lambda: resampled_medians(np.arange(3), -5, seed=0), "-5 resamples"),
        (lambda: resampled_sums(np.arange(3), 5, seed=-1), "seed = -1"),
        (lambda: Stream(0, 0, 0).indices(1, 0), "indices below 0"),
        (lambda: Stream(0, 0, 0).indices(1, 2**32 + 1), "indices below 4294967297"),
    ],
)
def test_what_cannot_be_drawn_is_refused(call: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        call()
