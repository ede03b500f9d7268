"""Parts of a test set: its first items, or random ones; items of a cluster stay together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from nofluke.engine.randomness import SEGMENT, Stream
from nofluke.errors import InputError, unknown
from nofluke.types import IntArray, Sample, frozen

Take = Literal["first", "random"]

# With five clusters or fewer no gain is significant: their swaps cannot reach a two-sided p-value of 0.05.
FEWEST_CLUSTERS = 6


def check_take(take: str) -> None:
    """Refuse a way to take items that is not known."""
    if take not in ("first", "random"):
        raise unknown("way to take items", str(take), ("first", "random"))


def segment(sample: Sample, size: int, take: Take, seed: int) -> Sample:
    """Give the sample of the first `size` items, or of `size` random ones; the random ones of a seed are nested.

    Clusters are taken whole, as many as come nearest to `size` items, and at least six.

    >>> from nofluke.align import as_sample
    >>> segment(as_sample([1, 2, 3], [4, 5, 6]), 2, "first", 0).n
    2
    """
    if sample.clusters is None:
        chosen = np.arange(size) if take == "first" else shuffled(sample.n, seed)[:size]
        return items_of(sample, np.sort(chosen))
    _, begins, cluster, counts = np.unique(sample.clusters, return_index=True, return_inverse=True, return_counts=True)
    order = np.argsort(begins) if take == "first" else shuffled(len(counts), seed)
    held = np.cumsum(counts[order])
    number = max(int(np.argmin(np.abs(held - size))) + 1, min(FEWEST_CLUSTERS, len(order)))
    return items_of(sample, np.flatnonzero(np.isin(cluster, order[:number])))


def items_of(sample: Sample, chosen: IntArray) -> Sample:
    """Give the sample of some items."""
    return replace(
        sample,
        statistics=frozen(sample.statistics[chosen]),
        ids=None if sample.ids is None else tuple(sample.ids[i] for i in chosen.tolist()),
        clusters=None if sample.clusters is None else frozen(sample.clusters[chosen], np.int64),
        lengths=(len(chosen),) * len(sample.systems),
    )


def shuffled(n: int, seed: int) -> IntArray:
    """Give 0 to n - 1 in random order (Fisher and Yates), the same for a seed wherever it runs."""
    stream, order = Stream(seed, SEGMENT, 0), np.arange(n)
    for last in range(n - 1, 0, -1):
        other = int(stream.indices(1, last + 1)[0])
        order[last], order[other] = order[other], order[last]
    return order


def doubling_sizes(n: int, least: int = 100) -> tuple[int, ...]:
    """Give 100, 200, 400 ... and n itself; n / 4, n / 2 and n where there are few items.

    >>> doubling_sizes(1000), doubling_sizes(50)
    ((100, 200, 400, 800, 1000), (12, 25, 50))
    """
    if n < 2:
        raise InputError("there is 1 item, and sizes of test sets begin at 2.", fix="give the scores of more items.")
    if n < 4 * least:
        return tuple(sorted({max(2, n // 4), max(2, n // 2), n}))
    sizes = []
    while least < n:
        sizes.append(least)
        least *= 2
    # A last step of a few items would say nothing.
    return (*(size for size in sizes if size <= 0.9 * n), n)


def check_sizes(sizes: Sequence[int], n: int) -> tuple[int, ...]:
    """Give the sizes in rising order, or say which is none."""
    wrong = [size for size in sizes if isinstance(size, bool) or int(size) != size or not 2 <= size <= n]
    if wrong or not sizes:
        shown = f"size {wrong[0]!r} is no number of items from 2 to {n:,}." if wrong else "no sizes were given."
        raise InputError(shown, fix="give sizes such as 100,200,400.")
    return tuple(sorted({int(size) for size in sizes}))
