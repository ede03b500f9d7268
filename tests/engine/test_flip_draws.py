"""Monte Carlo flips agree with the exact tail and do not depend on how the work is cut."""

from __future__ import annotations

import math

import numpy as np
import pytest

from nofluke.engine.flips import FlipCounts, flip_draws, flip_tail
from nofluke.engine.flips.draws import CHUNK
from nofluke.errors import InputError


@pytest.mark.parametrize("n", [1, 7, 15, 300, 5000])
def test_draws_agree_with_the_exact_tail(n, rng):
    d = rng.integers(-1000, 1001, n)
    d[0] = 5
    high, low = int(0.8 * math.sqrt(float(d @ d))), -int(1.3 * math.sqrt(float(d @ d)))
    resamples = 20_000
    counts = flip_draws(d, low, high, resamples=resamples, seed=11)
    for count, p in (
        (counts.at_least, math.exp(flip_tail(d, high).log_p)),
        (counts.at_most, math.exp(flip_tail(-d, -low).log_p)),
    ):
        assert abs(count - resamples * p) <= 4 * math.sqrt(resamples * p * (1 - p)) + 1e-9


def test_chunks_may_run_in_any_order_and_be_shared_out(rng):
    d = rng.integers(-50, 60, 500)
    resamples = 5 * CHUNK + 17
    whole = flip_draws(d, -300, 300, resamples=resamples, seed=3)
    parts = [
        flip_draws(d, -300, 300, resamples=resamples, seed=3, chunks=chunks) for chunks in ([4, 1], [5], [2, 0], [3])
    ]
    assert whole.resamples == sum(part.resamples for part in parts) == resamples
    assert whole.at_least == sum(part.at_least for part in parts)
    assert whole.at_most == sum(part.at_most for part in parts)
    assert whole == flip_draws(d, -300, 300, resamples=resamples, seed=3)
    assert whole != flip_draws(d, -300, 300, resamples=resamples, seed=4)
    assert whole != flip_draws(d, -300, 300, resamples=resamples, seed=3, stage=1)


def test_many_items_in_blocks_of_tables(rng):
    # more than 256 * 8 items need several blocks; the same signs must reach every item
    d = np.ones(5003, dtype=np.int64)
    counts = flip_draws(d, None, 101, resamples=CHUNK, seed=9)
    p = math.exp(flip_tail(d, 101).log_p)
    assert abs(counts.at_least - CHUNK * p) <= 4 * math.sqrt(CHUNK * p * (1 - p))
    assert counts.at_most == 0


def test_totals_beyond_63_bits_are_exact(rng):
    d = rng.integers(2**61, 2**62, 40)
    small = d // 2**40
    wide = flip_draws(d, None, 0, resamples=CHUNK, seed=5)
    assert abs(wide.at_least - CHUNK / 2) < 4 * math.sqrt(CHUNK / 4)
    assert flip_draws(d, None, int(sum(d.tolist())) + 1, resamples=CHUNK, seed=5).at_least == 0
    # rounding off 40 bits moves no sum across a threshold that far from all of them, up to a handful
    threshold = int(small.sum()) // 8
    near = flip_draws(small, None, threshold, resamples=CHUNK, seed=5)
    assert abs(near.at_least - flip_draws(d, None, threshold * 2**40, resamples=CHUNK, seed=5).at_least) <= 2


def test_the_stream_is_fixed():
    d = np.arange(1, 21)
    assert flip_draws(d, -30, 30, resamples=5000, seed=0) == FlipCounts(
        at_least=FIXED[0], at_most=FIXED[1], resamples=5000
    )


FIXED = (1475, 1537)


def test_progress_and_refusals():
    seen: list[tuple[int, int]] = []
    flip_draws(np.array([1, 2]), 0, 0, resamples=CHUNK + 1, seed=1, progress=lambda a, b: seen.append((a, b)))
    assert seen == [(CHUNK, CHUNK + 1), (CHUNK + 1, CHUNK + 1)]
    assert flip_draws(np.zeros(3, dtype=np.int64), 0, 0, resamples=10, seed=1) == FlipCounts(10, 10, 10)
    with pytest.raises(InputError, match="resamples"):
        flip_draws(np.array([1]), 0, 0, resamples=0, seed=1)
