"""The source of random indices for resampling: the same seed gives the same bytes wherever and however it runs.

Replicates come in fixed chunks, and chunk c of a stage draws from its own stream SFC64(SeedSequence((seed, stage, c))).
So any executor may run any chunk in any order. NumPy promises that raw streams never change, which it does not promise
of Generator.integers; bounded integers are therefore made here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from nofluke.errors import InputError
from nofluke.executors import Progress, in_replicates, ordered
from nofluke.types import FloatArray, IntArray

# Replicates per chunk: part of the definition of the numbers, never to be tuned.
CHUNK = 256
# Stages keep draws for different purposes apart; all of them are listed here, so that no two are the same. Sign flips
# draw by their own chunks, in stage 0.
RESAMPLE = 1
SWAP = 2
CORRECTION = 3
FLIP_TOGETHER = 10
SWAP_TOGETHER = 11
FLIP_PAIRS = 12
POWER = 20
NORMAL = 21
MULTIPLICITY = 30
SAMPLE_SIZE = 31
CALIBRATION = 32
SYNTHESIZE = 33
SEGMENT = 34
RATED_ITEMS = 41
SHUFFLED_RATINGS = 42
DIRICHLET = 60
# This one and all that follow, one for every dataset of an average.
RESAMPLE_WITHIN = 1_000
OWN_SCORE = 1_000_000

_WORD = 2**32
Shared = TypeVar("Shared")
Result = TypeVar("Result")


def chunks(resamples: int) -> Iterator[tuple[int, int]]:
    """Give (chunk, replicates in it) until all resamples are shared out.

    >>> list(chunks(600))
    [(0, 256), (1, 256), (2, 88)]
    """
    if resamples < 1:
        raise InputError(f"{resamples} resamples cannot be drawn.", fix="give a number such as 9999.")
    for chunk in range(-(-resamples // CHUNK)):
        yield chunk, min(CHUNK, resamples - chunk * CHUNK)


def in_chunks(
    function: Callable[[Shared, tuple[int, int]], Result],
    shared: Shared,
    resamples: int,
    progress: Progress | None = None,
) -> Iterator[Result]:
    """Give function(shared, (chunk, replicates in it)) of every chunk, in their order, by whoever works now.

    `progress` gets (replicates done, resamples).

    >>> list(in_chunks(lambda name, chunk: (name, *chunk), "a", 300))
    [('a', 0, 256), ('a', 1, 44)]
    """
    return ordered(function, shared, list(chunks(resamples)), in_replicates(progress, CHUNK, resamples))


def filled(whole: npt.NDArray[Any], parts: Iterable[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """Put parts one after another into the array that is to hold them all."""
    done = 0
    for part in parts:
        whole[done : done + len(part)] = part
        done += len(part)
    return whole


class Stream:
    """The random numbers of one chunk; what it gives does not depend on how many are asked for at a time."""

    __slots__ = ("_bits", "_spare")

    def __init__(self, seed: int, stage: int, chunk: int) -> None:
        if seed < 0:
            raise InputError(f"seed = {seed} is negative.", fix="give a whole number of at least 0.")
        self._bits = np.random.SFC64(np.random.SeedSequence((seed, stage, chunk)))
        self._spare = np.empty(0, dtype="<u4")

    def words(self, count: int) -> npt.NDArray[np.uint32]:
        """Give the next `count` random words of 32 bits, the low half of each raw 64-bit number first."""
        fresh = max(0, count - len(self._spare) + 1) // 2
        raw = self._bits.random_raw(fresh).astype("<u8", copy=False).view("<u4")
        words = np.concatenate((self._spare, raw)) if len(self._spare) else raw
        self._spare = words[count:].copy()
        return words[:count]

    def uniforms(self, count: int) -> FloatArray:
        """Give the next `count` numbers between 0 and 1, never 0 or 1 themselves: the middles of 2^32 equal steps."""
        middles: FloatArray = (self.words(count).astype(np.float64) + 0.5) / _WORD
        return middles

    def indices(self, count: int, n: int, room: IntArray | None = None) -> IntArray:
        """Give the next `count` whole numbers from 0 to n - 1, each equally likely.

        A word w becomes the high half of w * n. Each result then has floor(2^32 / n) words or one more; words whose
        low half is below 2^32 mod n are those extra ones, and are passed over (Lemire 2019). `room` is memory to use
        again and again, of at least `count` numbers: asking the system for fresh pages costs more than the draws.
        """
        if not 1 <= n <= _WORD:
            raise InputError(f"indices below {n} cannot be drawn.", fix="resample between 1 and 2^32 items.")
        products = (np.empty(count, np.int64) if room is None else room[:count]).view(np.uint64)
        np.multiply(self.words(count), np.uint64(n), out=products, dtype=np.uint64)
        surplus = _WORD % n
        # Nearly always no word is passed over, and the smallest low half shows it in one sweep.
        while surplus and count and int(_low_half(products).min()) < surplus:
            kept = products[_low_half(products) >= surplus]
            more = np.multiply(self.words(count - len(kept)), np.uint64(n), dtype=np.uint64)
            products[:] = np.concatenate((kept, more))
        products >>= np.uint64(32)
        return products.view(np.int64)


def _low_half(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint32]:
    return numbers.astype("<u8", copy=False).view("<u4")[::2]
