"""Sign-flip p-values of many pairs from shared draws: where approximations are poor and exact tails would take long."""

from __future__ import annotations

import numpy as np

from nofluke.engine.randomness import FLIP_PAIRS, Stream, chunks
from nofluke.types import FloatArray, IntArray

_WORD_BITS = 32


def shared_flip_p_values(
    units: IntArray, better: IntArray, worse: IntArray, *, draws: int, seed: int, chunk_seed: int = 0
) -> FloatArray:
    """Give (1 + draws that reach the lead of `better` over `worse`) / (1 + draws), the same flips for all pairs.

    `units` is (n, S). Flipping the difference of two systems on an item flips both of their scores, so a draw needs one
    product of matrices for all systems. `chunk_seed` keeps the draws of several test sets apart.

    >>> shared_flip_p_values(np.array([[1, 0]] * 30), np.array([0]), np.array([1]), draws=99, seed=0).tolist()
    [0.01]
    """
    # In an order of their own, so that the order in which items came does not matter.
    table = (units - units[:, :1]).astype(np.float64)
    table = table[np.lexsort(table.T[::-1])]
    sums = table.sum(axis=0)
    # A hair below, so that equal sums count as reached, whatever the rounding.
    target = (sums[better] - sums[worse]) - 1e-9 * np.abs(table).sum(axis=0).max(initial=0.0)
    reached = np.zeros(len(better), dtype=np.int64)
    for chunk, number in chunks(draws):
        flipped = _signs(Stream(seed, FLIP_PAIRS, (chunk_seed << 20) + chunk), number, len(table)) @ table
        reached += np.count_nonzero(flipped[:, better] - flipped[:, worse] >= target, axis=0)
    found: FloatArray = (1 + reached) / (1 + draws)
    return found


def _signs(stream: Stream, rows: int, items: int) -> FloatArray:
    words = -(-items // _WORD_BITS)
    drawn = stream.words(rows * words).reshape(rows, words)
    bits = np.unpackbits(drawn.view(np.uint8), axis=1, bitorder="little")[:, :items]
    signs: FloatArray = bits.astype(np.float64) * 2.0 - 1.0
    return signs
