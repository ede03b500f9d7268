"""Same seed, same bytes: whoever runs the chunks of a draw, with how many workers, and in which order."""

from __future__ import annotations

import random

import numpy as np
import pytest

from nofluke.engine.resample import resampled_sums
from nofluke.executors import completed
from support import kernels


@pytest.fixture(scope="module")
def whole() -> dict[str, np.ndarray]:
    return kernels.in_one_run()


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_every_draw_by_any_number_of_workers_in_shuffled_order(workers: int, whole: dict[str, np.ndarray]) -> None:
    shuffled = random.Random(workers).sample(kernels.pieces(), len(kernels.pieces()))
    answers = {shuffled[place]: part for place, part in completed(shuffled, kernels.run_piece, workers)}
    for kind, expected in whole.items():
        parts = [answers[piece] for piece in kernels.pieces() if piece[0] == kind]
        assert len(parts) > 3
        counted = kind in ("studentized ratio", "raw ratio", "flips")
        together = np.sum(parts, axis=0) if counted else np.concatenate(parts)
        assert together.dtype == expected.dtype
        assert together.tobytes() == expected.tobytes(), kind


def test_another_seed_gives_other_bytes(monkeypatch: pytest.MonkeyPatch, whole: dict[str, np.ndarray]) -> None:
    others = []
    for seed in (12, 13, 14):
        monkeypatch.setattr(kernels, "SEED", seed)
        others.append(kernels.in_one_run())
    for kind, expected in whole.items():
        # two counts may be equal by chance
        assert any(other[kind].tobytes() != expected.tobytes() for other in others), kind


def test_parts_of_wide_numbers_are_their_sums(whole: dict[str, np.ndarray]) -> None:
    joined = resampled_sums(kernels.WIDE, kernels.RESAMPLES, seed=kernels.SEED)
    # every item is 2^55 times a narrow one, and 7: the draws are the same ones
    assert joined.tolist() == [int(total) * 2**55 + 7 * 300 for total in whole["sums"]]


def test_chunks_that_share_a_stream_would_be_seen(whole: dict[str, np.ndarray]) -> None:
    first, second = (kernels.run_piece(("sums", chunk, 256)) for chunk in (0, 1))
    assert first.tobytes() != second.tobytes()
    assert np.concatenate((first, second)).tobytes() == whole["sums"][:512].tobytes()
