"""Resampling and swapping for scores that only all items together have: every replicate is scored anew.

Replicates come in the chunks of randomness.py, each with its own stream, so that neither the number of workers nor
their order changes a number. A replicate is how often each item occurs in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial

import numpy as np

from nofluke.engine.executors import completed
from nofluke.engine.randomness import CHUNK, RESAMPLE, SWAP, Stream, chunks
from nofluke.engine.resample import Progress
from nofluke.errors import InputError
from nofluke.types import FloatArray, IntArray, Whole

_WORD_BITS = 32
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
    plan = list(chunks(resamples))
    one = partial(_resampled, corpora, seed, size)
    return np.concatenate(list(_in_order(corpora, plan, one, progress)))


def swapped_chunks(
    corpora: Corpora, resamples: int, *, seed: int, progress: Progress | None = None
) -> Iterator[FloatArray]:
    """How would A and B differ if the two outputs of each unit were swapped at random, `resamples` times?

    Differences come chunk by chunk, in their order; whoever has seen enough may stop.
    """
    plan = list(chunks(resamples))
    return _in_order(corpora, plan, partial(_swapped, corpora, seed), progress)


def _in_order(
    corpora: Corpora,
    plan: list[tuple[int, int]],
    one: Callable[..., FloatArray],
    progress: Progress | None,
) -> Iterator[FloatArray]:
    """Run the chunks by the workers the score names; what is ready too early waits for those before it."""
    workers = corpora.whole.workers if len(plan) > 1 else 1
    if workers == 1:
        scorers = corpora.pooled() if one.func is _swapped else corpora.scorers()  # type: ignore[attr-defined]
        one = partial(one, scorers=scorers)
    waiting: dict[int, FloatArray] = {}
    following = done = 0
    try:
        for index, part in completed(plan, one, workers):
            waiting[index] = part
            done += len(part)
            if progress is not None:
                progress(done, sum(number for _, number in plan))
            while following in waiting:
                yield waiting.pop(following)
                following += 1
    except BrokenProcessPool:
        raise InputError(
            "a worker process ended before it was done.",
            fix="the metric must be defined in a module that other processes can import, and the calling script guard "
            "its entry point (if __name__ == '__main__'); or use workers=1.",
        ) from None


def _resampled(
    corpora: Corpora, seed: int, size: int, chunk: tuple[int, int], scorers: Scorers | None = None
) -> FloatArray:
    """Score one chunk of resamples."""
    stream, n = Stream(seed, RESAMPLE, chunk[0]), corpora.number
    counts = np.stack([np.bincount(stream.indices(size, n), minlength=n) for _ in range(chunk[1])])
    items = corpora.of_items(counts.astype(np.float64))
    scores = [scorer(items) for scorer in (corpora.scorers() if scorers is None else scorers)]
    return np.stack(scores, axis=1)


def _swapped(corpora: Corpora, seed: int, chunk: tuple[int, int], scorers: Scorers | None = None) -> FloatArray:
    """Score one chunk of swaps: every unit changes places with chance 1/2."""
    stream, n = Stream(seed, SWAP, chunk[0]), corpora.number
    words = -(-n // _WORD_BITS)
    # Whole chunks are drawn even when fewer replicates are wanted: more draws continue the same run.
    drawn = stream.words(CHUNK * words).astype("<u4", copy=False).reshape(CHUNK, words)[: chunk[1]]
    bits = np.unpackbits(np.ascontiguousarray(drawn).view(np.uint8), axis=1, bitorder="little")[:, :n]
    moved = corpora.of_items(bits.astype(np.float64))
    (scorer,) = corpora.pooled() if scorers is None else scorers
    difference: FloatArray = scorer(np.hstack((1 - moved, moved))) - scorer(np.hstack((moved, 1 - moved)))
    return difference
