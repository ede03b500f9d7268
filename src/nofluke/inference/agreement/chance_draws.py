"""Labels as chance would have given them: all arrangements where they are few, seeded draws otherwise."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np

from nofluke.engine.randomness import SHUFFLED_RATINGS, Stream, chunks
from nofluke.inference.agreement.tally import Tally
from nofluke.types import IntArray

# So many arrangements are written out one by one.
MOST_ARRANGEMENTS = 20_000
# A key holds the annotator, 32 random bits and the label, in this order.
_LABEL_BITS, _ANNOTATOR_BITS = 20, 12
# Numbers held at a time, few enough for a fast memory; they change no result.
_BLOCK = 1 << 16


def arrangements(t: Tally, scheme: str) -> IntArray | None:
    """Give every arrangement of labels that chance could have made, all equally likely; None where they are many.

    pooled: all ratings over all cells; own: the ratings of each annotator over the items they rated; even: every
    label anywhere.
    """
    if scheme == "even":
        if len(t.label) * math.log(t.k) > math.log(MOST_ARRANGEMENTS):
            return None
        return np.array(list(itertools.product(range(t.k), repeat=len(t.label))), dtype=np.int64)
    groups = [np.flatnonzero(t.annotator == who) for who in np.unique(t.annotator)]
    groups = groups if scheme == "own" else [np.arange(len(t.label))]
    if sum(_log_number(t.label[group]) for group in groups) > math.log(MOST_ARRANGEMENTS) + 1e-9:
        return None
    parts = [list(_distinct(np.sort(t.label[group]).tolist())) for group in groups]
    table = np.empty((math.prod(map(len, parts)), len(t.label)), dtype=np.int64)
    for row, chosen in enumerate(itertools.product(*parts)):
        for group, labels in zip(groups, chosen, strict=True):
            table[row, group] = labels
    return table


def _log_number(labels: IntArray) -> float:
    counts = np.bincount(labels)
    return math.lgamma(len(labels) + 1) - sum(math.lgamma(int(count) + 1) for count in counts)


def _distinct(labels: list[int]) -> Iterator[list[int]]:
    """Give the different orders of sorted labels, each once, in the order of the dictionary."""
    now = list(labels)
    while True:
        yield list(now)
        pivot = len(now) - 2
        while pivot >= 0 and now[pivot] >= now[pivot + 1]:
            pivot -= 1
        if pivot < 0:
            return
        other = len(now) - 1
        while now[other] <= now[pivot]:
            other -= 1
        now[pivot], now[other] = now[other], now[pivot]
        now[pivot + 1 :] = reversed(now[pivot + 1 :])


def can_be_drawn(t: Tally, scheme: str) -> bool:
    """Whether labels, and annotators where they are kept apart, fit into the keys."""
    return t.k <= 1 << _LABEL_BITS and (scheme != "own" or t.m <= 1 << _ANNOTATOR_BITS)


def shuffled_labels(t: Tally, scheme: str, draws: int, seed: int) -> Iterator[IntArray]:
    """Give blocks of draws x ratings, the same for the same seed however they are cut."""
    n = len(t.label)
    order = np.argsort(t.annotator, kind="stable") if scheme == "own" else np.arange(n)
    back = np.argsort(order, kind="stable")
    low = t.label[order].astype(np.uint64)
    if scheme == "own":
        low |= t.annotator[order].astype(np.uint64) << np.uint64(32 + _LABEL_BITS)
    mask = np.uint64((1 << _LABEL_BITS) - 1)
    for chunk, number in chunks(draws):
        stream = Stream(seed, SHUFFLED_RATINGS, chunk)
        rows = max(1, _BLOCK // n)
        for first in range(0, number, rows):
            size = min(number, first + rows) - first
            if scheme == "even":
                yield stream.indices(size * n, t.k).reshape(size, n)
                continue
            # Sorting keys whose high part is random shuffles what stands in their low part.
            keys = stream.words(size * n).astype(np.uint64).reshape(size, n) << np.uint64(_LABEL_BITS)
            keys |= low
            keys.sort(axis=1)
            keys &= mask
            yield keys.view(np.int64)[:, back]
