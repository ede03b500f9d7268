"""Every kind of random draw, one chunk at a time, in a module that worker processes can import by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nofluke.engine.corrected.draws import (
    drawn_sums,
    exact_table,
    resampled_scores,
    swapped_differences,
    swapped_sums,
    whole_statistics,
)
from nofluke.engine.flips.draws import CHUNK as FLIP_CHUNK
from nofluke.engine.flips.draws import FlipCounts, flip_draws
from nofluke.engine.randomness import RESAMPLE, SWAP, chunks
from nofluke.engine.ratio_swaps.draws import ratio_swap_draws
from nofluke.engine.resample import chunk_sums, resampled_sums, split
from nofluke.types import Aggregate

RESAMPLES, SEED = 1_500, 11
PLAN = list(chunks(RESAMPLES))
FLIPS = 3 * FLIP_CHUNK + 100

_RNG = np.random.default_rng(8)
ITEMS = _RNG.integers(-50, 60, 300)
WIDE = np.array([int(item) * 2**55 + 7 for item in ITEMS], dtype=object)
STATISTICS = _RNG.integers(0, 9, (300, 2, 2)) + np.array([0, 4])


def _share(sums: np.ndarray, _items: float) -> np.ndarray:
    return sums[..., 0] / sums[..., 1]


SHARE = Aggregate("share", _share, linear=False)
RATIO = tuple(STATISTICS[:, system, part] for part in (0, 1) for system in (0, 1))

Piece = tuple[str, int, int]


def _sums(items: np.ndarray, chunk: int, number: int) -> np.ndarray:
    return chunk_sums(split(items, 300), chunk, number, seed=SEED, stage=RESAMPLE, size=300)


def _scores(chunk: int, number: int) -> np.ndarray:
    table = exact_table(whole_statistics(STATISTICS).reshape(300, -1), 300)
    sums = drawn_sums(table, chunk, number, seed=SEED, stage=RESAMPLE, size=300)
    return SHARE(sums.reshape(number, 2, 2), 300.0)


def _swaps(chunk: int, number: int) -> np.ndarray:
    whole = whole_statistics(STATISTICS)
    moved = swapped_sums(exact_table(whole[:, 1] - whole[:, 0], 300), chunk, number, seed=SEED, stage=SWAP)
    totals = whole.sum(axis=0)
    return SHARE(totals[0] + moved, 300.0) - SHARE(totals[1] - moved, 300.0)


def _ratio(studentized: bool, chunk: int) -> np.ndarray:
    found = ratio_swap_draws(*RATIO, resamples=RESAMPLES, seed=SEED, studentized=studentized, chunks=[chunk])
    return _counts(found)


def _flips(chunk: int) -> np.ndarray:
    return _counts(flip_draws(ITEMS, -400, 400, resamples=FLIPS, seed=SEED, chunks=[chunk]))


def _counts(found: FlipCounts) -> np.ndarray:
    return np.array([found.at_least, found.at_most, found.resamples])


KERNELS: dict[str, Callable[[int, int], np.ndarray]] = {
    "sums": lambda chunk, number: _sums(ITEMS, chunk, number)[:, 0],
    "sums of wide numbers": lambda chunk, number: _sums(WIDE, chunk, number),
    "scores": _scores,
    "swaps": _swaps,
    "studentized ratio": lambda chunk, _: _ratio(True, chunk),
    "raw ratio": lambda chunk, _: _ratio(False, chunk),
    "flips": lambda chunk, _: _flips(chunk),
}


def run_piece(piece: Piece) -> np.ndarray:
    """Run one chunk of one kind of draw."""
    kind, chunk, number = piece
    return KERNELS[kind](chunk, number)


def pieces() -> list[Piece]:
    """All chunks of all kinds."""
    every = [(kind, chunk, number) for kind in KERNELS if kind != "flips" for chunk, number in PLAN]
    return every + [("flips", chunk, FLIP_CHUNK) for chunk in range(4)]


def in_one_run() -> dict[str, Any]:
    """What the engine's own functions give, chunk after chunk in one process."""
    wide = np.concatenate([_sums(WIDE, chunk, number) for chunk, number in PLAN])
    assert wide.shape[1] > 1
    return {
        "sums": resampled_sums(ITEMS, RESAMPLES, seed=SEED),
        "sums of wide numbers": wide,
        "scores": resampled_scores(STATISTICS, SHARE, RESAMPLES, seed=SEED),
        "swaps": np.concatenate([*swapped_differences(STATISTICS, SHARE, RESAMPLES, seed=SEED)]),
        "studentized ratio": _counts(ratio_swap_draws(*RATIO, resamples=RESAMPLES, seed=SEED)),
        "raw ratio": _counts(ratio_swap_draws(*RATIO, resamples=RESAMPLES, seed=SEED, studentized=False)),
        "flips": _counts(flip_draws(ITEMS, -400, 400, resamples=FLIPS, seed=SEED)),
    }
