"""Resampled and swapped scores: exact sums, the same bytes in any order of chunks and with any number of threads."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import numpy as np
import pytest

from nofluke.engine.corrected.draws import (
    SWAP,
    drawn_sums,
    exact_table,
    resampled_scores,
    swapped_differences,
    swapped_sums,
)
from nofluke.engine.randomness import CHUNK, RESAMPLE
from nofluke.engine.resample import resampled_sums
from nofluke.errors import InputError
from nofluke.types import MEAN, Aggregate


def _ratio(sums, n):
    return sums[..., 0] / sums[..., 1]


RATIO = Aggregate("ratio", _ratio, linear=False)


def statistics(rng, n, systems=3):
    denominator = rng.integers(1, 9, (n, systems))
    return np.stack((rng.binomial(denominator, 0.6), denominator), axis=2)


@pytest.mark.parametrize("n", [1, 7, 300, 40_000])
def test_scores_come_from_the_draws_of_resampled_sums(n, rng):
    """One count matrix for all systems equals gathering the items, whatever the length of a replicate."""
    table = statistics(rng, n)
    resamples = CHUNK + 5 if n < 1000 else 4
    scores = resampled_scores(table, RATIO, resamples, seed=3)
    sums = resampled_sums(table.reshape(n, -1).astype(np.int64), resamples, seed=3).reshape(resamples, 3, 2)
    assert np.array_equal(scores, _ratio(sums.astype(np.float64), n))


def test_a_smaller_resample(rng):
    table = statistics(rng, 50)
    scores = resampled_scores(table[:, :, :1], MEAN, 40, seed=1, size=20)
    sums = resampled_sums(table[:, 0, 0].astype(np.int64), 40, seed=1, size=20)
    assert np.array_equal(scores[:, 0], sums / 20)


def test_single_precision_is_used_only_while_it_is_exact(rng):
    assert exact_table(np.full((10, 1), 100.0), 1000).dtype == np.float32
    assert exact_table(np.full((10, 1), 2.0**24), 1000).dtype == np.float64
    with pytest.raises(InputError, match="2\\^53"):
        exact_table(np.full((10, 1), 2.0**50), 1000)
    # odd totals just below and above the limit of single precision
    items = np.stack((rng.integers(1, 2**13, 1000), rng.integers(2**30, 2**31, 1000)), axis=1)[:, None, :] * 2 + 1
    for column in (0, 1):
        part = items[:, :, column : column + 1]
        scores = resampled_scores(part, Aggregate("sum", lambda sums, _n: sums[..., 0], linear=False), 30, seed=2)
        assert np.array_equal(scores[:, 0], resampled_sums(part[:, 0, 0], 30, seed=2))


def test_fractions_are_refused():
    with pytest.raises(InputError, match="whole numbers"):
        resampled_scores(np.full((3, 2, 1), 0.5), MEAN, 10, seed=0)
    with pytest.raises(InputError, match="items x systems"):
        resampled_scores(np.ones((3, 2)), MEAN, 10, seed=0)


@pytest.mark.parametrize("n", [5, 2048, 5000])
def test_every_item_is_swapped_half_of_the_time(n):
    """The table is the identity for some items, so each column counts the swaps of one item."""
    chosen = np.unique(np.linspace(0, n - 1, 40).astype(int))
    table = np.zeros((n, len(chosen)), dtype=np.float32)
    table[chosen, np.arange(len(chosen))] = 1
    swaps = np.concatenate([swapped_sums(table, chunk, CHUNK, seed=4, stage=SWAP) for chunk in range(20)])
    assert set(np.unique(swaps)) == {0.0, 1.0}
    assert np.all(np.abs(swaps.mean(axis=0) - 0.5) < 4.5 * 0.5 / np.sqrt(len(swaps)))
    correlations = np.corrcoef(swaps.T) - np.eye(len(chosen))
    assert np.abs(correlations).max() < 5.0 / np.sqrt(len(swaps))


def test_swapped_differences_are_those_of_swapped_items(rng):
    table = statistics(rng, 70, systems=2)
    differences = np.concatenate([*swapped_differences(table, RATIO, 300, seed=6)])
    bits = np.concatenate(
        [swapped_sums(np.eye(70), chunk, number, seed=6, stage=SWAP) for chunk, number in ((0, 256), (1, 44))]
    ).astype(bool)
    swapped = np.where(bits[:, :, None, None], table[:, ::-1], table).sum(axis=1)
    assert np.array_equal(differences, _ratio(swapped[:, 0], 70) - _ratio(swapped[:, 1], 70))


def test_fewer_resamples_are_the_beginning_of_more(rng):
    table = statistics(rng, 3000, systems=2)
    assert np.array_equal(resampled_scores(table, RATIO, 300, seed=1)[:40], resampled_scores(table, RATIO, 40, seed=1))
    (first, _), (few,) = (swapped_differences(table, RATIO, number, seed=1) for number in (300, 40))
    assert np.array_equal(first[:40], few)


def test_chunks_may_run_in_any_order(rng):
    table = statistics(rng, 500)
    whole = resampled_scores(table, RATIO, 3 * CHUNK, seed=9)
    exact = exact_table(table.reshape(500, -1).astype(np.float64), 500)
    for chunk in (2, 0, 1):
        sums = drawn_sums(exact, chunk, CHUNK, seed=9, stage=RESAMPLE, size=500).reshape(CHUNK, 3, 2)
        assert np.array_equal(whole[chunk * CHUNK : (chunk + 1) * CHUNK], _ratio(sums, 500))


def test_progress_reaches_the_end(rng):
    seen = []
    resampled_scores(statistics(rng, 9), RATIO, CHUNK + 1, seed=0, progress=lambda done, of: seen.append((done, of)))
    [*swapped_differences(statistics(rng, 9, 2), RATIO, 7, seed=0, progress=lambda done, of: seen.append((done, of)))]
    assert seen == [(CHUNK, CHUNK + 1), (CHUNK + 1, CHUNK + 1), (7, 7)]


_HASHES = """
import hashlib
import numpy as np
from nofluke.engine.corrected.tails import corrected_resampling, corrected_swaps
from nofluke.engine.corrected.draws import resampled_scores, swapped_differences
from nofluke.engine.ratio_swaps.tail import ratio_swap_tail
from nofluke.engine.ratio_swaps.draws import ratio_swap_draws
from nofluke.types import Aggregate
ratio = Aggregate("ratio", lambda sums, _n: sums[..., 0] / sums[..., 1], linear=False)
rng = np.random.default_rng(1)
table = np.stack((rng.integers(0, 40, (2100, 12)), rng.integers(40, 90, (2100, 12))), axis=2)
for scale in (1, 10**9 + 7):
    scores = resampled_scores(table * scale, ratio, 600, seed=5)
    swaps = np.concatenate([*swapped_differences(table[:, :2] * scale, ratio, 600, seed=5)])
    print(hashlib.sha256(scores.tobytes()).hexdigest(), hashlib.sha256(swaps.tobytes()).hexdigest())
pair = table[:, :2]
print(corrected_resampling(pair, ratio, 0.004, resamples=300, seed=1))
print(corrected_swaps(pair, ratio, resamples=300, seed=1))
numerators, denominators = pair.transpose(2, 1, 0)
print(ratio_swap_tail(*numerators, *denominators), ratio_swap_draws(*numerators, *denominators, resamples=300, seed=1))
"""


def test_the_same_bytes_with_one_and_two_threads_of_blas():
    def run(threads):
        settings = {"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads}
        command = [sys.executable, "-c", _HASHES]
        return subprocess.run(command, env=os.environ | settings, capture_output=True, text=True, check=True).stdout

    one = run("1")
    assert (one.count("Corrected("), one.count("Tail(")) == (2, 1)
    assert one == run("2")


def test_sixteen_systems_are_fast(rng):
    table = rng.integers(0, 60, (2000, 16, 10))
    total = Aggregate("sum", lambda sums, _n: sums.sum(axis=-1), linear=False)
    seconds = []
    for _ in range(3):
        start = time.process_time()
        resampled_scores(table, total, 1000, seed=0)
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.5  # 0.02 s on a quiet machine
