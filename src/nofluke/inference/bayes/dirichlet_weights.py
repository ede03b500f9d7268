"""Random weights of a Dirichlet distribution: the same seed gives the same weights wherever they are drawn."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nofluke.engine.randomness import DIRICHLET, Stream, chunks
from nofluke.types import FloatArray

# Numbers held at a time.
_ROOM = 2_000_000


def drawn_weights(shapes: FloatArray, draws: int, seed: int) -> Iterator[FloatArray]:
    """Give blocks of rows of independent gamma variables with these shapes; over their row sum they are Dirichlet."""
    from scipy.special import gammaincinv

    ones = shapes == 1
    at_a_time = max(1, _ROOM // len(shapes))
    for chunk, number in chunks(draws):
        stream = Stream(seed, DIRICHLET, chunk)
        for start in range(0, number, at_a_time):
            rows = min(at_a_time, number - start)
            uniform = _uniform(stream, rows * len(shapes)).reshape(rows, len(shapes))
            weights = -np.log(uniform)
            weights[:, ~ones] = gammaincinv(shapes[~ones], uniform[:, ~ones])
            yield weights


def _uniform(stream: Stream, count: int) -> FloatArray:
    """Give numbers inside (0, 1), each from 53 random bits."""
    words = stream.words(2 * count).astype(np.uint64)
    bits = (words[0::2] | (words[1::2] << np.uint64(32))) >> np.uint64(11)
    uniform: FloatArray = (bits.astype(np.float64) + 0.5) * 2.0**-53
    return uniform
