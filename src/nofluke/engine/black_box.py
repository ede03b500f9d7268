"""Resampling and swapping for scores that only all items together have: every replicate is scored anew.

Replicates come in the chunks of randomness.py, each with its own stream, so that neither the number of workers nor
their order changes a number. A replicate is how often each item occurs in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from nofluke.engine.randomness import CHUNK, RESAMPLE, SWAP, Stream, chunks
from nofluke.executors import Progress, in_replicates, is_spread, ordered, using
from nofluke.types import FloatArray, IntArray, Whole

_WORD_BITS = 32
_PIECE = 16
Scorers = tuple[Callable[[FloatArray], FloatArray], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Corpora:
    """Statistics (n, systems, k) of a score of all items together; `units` says which items are drawn together."""

    statistics: FloatArray
    whole: Whole
    units: IntArray | None = None

    @property
    def number(self) -> int:
        """How many units there are to draw."""
        return len(self.statistics) if self.units is None else int(self.units.max()) + 1

    def of_items(self, counts: FloatArray) -> FloatArray:
        """Give the counts of items from those of units."""
        return counts if self.units is None else counts[:, self.units]

    def scorers(self) -> Scorers:
        """Give the function from counts of items to scores, for every system."""
        return tuple(self.whole(self.statistics[:, system]) for system in range(self.statistics.shape[1]))

    def pooled(self) -> Scorers:
        """Give the function from counts of A's and B's rows (n + n) to the score."""
        return (self.whole(np.concatenate((self.statistics[:, 0], self.statistics[:, 1]))),)


def resampled_wholes(
    corpora: Corpora, resamples: int, *, seed: int, size: int | None = None, progress: Progress | None = None
) -> FloatArray:
    """What would the systems score on `resamples` test sets of `size` units drawn with replacement?

    The result is (resamples, systems); the draws are those of resampled_scores.
    """
    size = corpora.number if size is None else size
    one = partial(_resampled, seed=seed, size=size)
    return np.concatenate(list(_by_workers(_Scoring(corpora, pooled=False), one, resamples, progress)))


def swapped_chunks(
    corpora: Corpora, resamples: int, *, seed: int, progress: Progress | None = None
) -> Iterator[FloatArray]:
    """How would A and B differ if the two outputs of each unit were swapped at random, `resamples` times?

    Differences come chunk by chunk, in their order; whoever has seen enough may stop.
    """
    return _by_workers(_Scoring(corpora, pooled=True), partial(_swapped, seed=seed), resamples, progress)


class _Scoring:
    """Corpora with their scorers, which each process makes once."""

    def __init__(self, corpora: Corpora, *, pooled: bool) -> None:
        self.corpora, self._pooled = corpora, pooled

    @cached_property
    def scorers(self) -> Scorers:
        return self.corpora.pooled() if self._pooled else self.corpora.scorers()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "scorers"}


class _Piece(NamedTuple):
    """Some replicates of one chunk: a call may take a second, so that those who share the work get few at a time."""

    chunk: int
    number: int
    first: int
    last: int


def _by_workers(
    scoring: _Scoring, one: Callable[[_Scoring, _Piece], FloatArray], resamples: int, progress: Progress | None
) -> Iterator[FloatArray]:
    """Give the replicates chunk by chunk, by whoever works now, or by the processes that the score names."""
    with nullcontext() if is_spread() else using(scoring.corpora.whole.workers):
        step = _PIECE if is_spread() else CHUNK
        pieces = [
            _Piece(chunk, number, first, min(number, first + step))
            for chunk, number in chunks(resamples)
            for first in range(0, number, step)
        ]
        parts: list[FloatArray] = []
        scored = ordered(one, scoring, pieces, in_replicates(progress, step, resamples), must_travel=True)
        for piece, part in zip(pieces, scored, strict=True):
            parts.append(part)
            if piece.last == piece.number:
                yield np.concatenate(parts)
                parts = []


def _resampled(scoring: _Scoring, piece: _Piece, *, seed: int, size: int) -> FloatArray:
    """Score some resamples of one chunk."""
    corpora = scoring.corpora
    stream, n = Stream(seed, RESAMPLE, piece.chunk), corpora.number
    drawn = stream.indices(piece.last * size, n).reshape(piece.last, size)[piece.first :]
    counts = np.stack([np.bincount(row, minlength=n) for row in drawn])
    items = corpora.of_items(counts.astype(np.float64))
    return np.stack([scorer(items) for scorer in scoring.scorers], axis=1)


def _swapped(scoring: _Scoring, piece: _Piece, *, seed: int) -> FloatArray:
    """Score some swaps of one chunk: every unit changes places with chance 1/2."""
    corpora = scoring.corpora
    stream, n = Stream(seed, SWAP, piece.chunk), corpora.number
    words = -(-n // _WORD_BITS)
    # Whole chunks are drawn even when fewer replicates are wanted: more draws continue the same run.
    drawn = stream.words(CHUNK * words).astype("<u4", copy=False).reshape(CHUNK, words)[piece.first : piece.last]
    bits = np.unpackbits(np.ascontiguousarray(drawn).view(np.uint8), axis=1, bitorder="little")[:, :n]
    moved = corpora.of_items(bits.astype(np.float64))
    (scorer,) = scoring.scorers
    difference: FloatArray = scorer(np.hstack((1 - moved, moved))) - scorer(np.hstack((moved, 1 - moved)))
    return difference
