"""Bootstrap tails of a dozen items for many pairs: all resamples are counted, in whole numbers.

n draws are two lots of about n / 2. The sums of either lot are listed once for each way to fill it (which items, how
often), the ways being the same for all pairs; the pairs of sums above a threshold are then found by one search.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np

from nofluke.types import FloatArray, IntArray, frozen

# Of 11 items 5 draws have 3,003 sums and 6 draws 8,008: half a millisecond a pair; of 12 items two. n^n fits 64 bits.
MOST_ITEMS = 12
_MOST_SUM = 1 << 62
_PAIRS = 64


def countable(differences: IntArray) -> bool:
    """Whether resamples of (pairs, n) differences can be counted: few items, and sums that fit."""
    n = differences.shape[1]
    return n <= MOST_ITEMS and (not differences.size or int(np.abs(differences).max()) < _MOST_SUM // n)


def counted_draws(differences: IntArray, thresholds: IntArray) -> FloatArray:
    """Give P(D* > threshold) for every row of (pairs, n) differences, D* the sum of n of them drawn with replacement.

    >>> round(float(counted_draws(np.array([[1, 0, 0]]), np.array([2]))[0]), 12)  # P(Bin(3, 1/3) > 2)
    0.037037037037
    """
    size, n = differences.shape
    (few, few_ways), (many, many_ways) = _lots(n, n // 2), _lots(n, n - n // 2)
    found = np.empty(size)
    for start in range(0, size, _PAIRS):
        rows = slice(start, min(start + _PAIRS, size))
        listed, searched = differences[rows] @ few.T, thresholds[rows, None] - differences[rows] @ many.T
        order = np.argsort(listed, axis=1, kind="stable")
        listed = np.take_along_axis(listed, order, axis=1)
        for place in range(rows.stop - start):
            up_to = np.concatenate(([0], np.cumsum(few_ways[order[place]])))
            within = up_to[np.searchsorted(listed[place], searched[place], side="right")]
            found[start + place] = float(int(np.dot(up_to[-1] - within, many_ways))) / float(n**n)
    return found


@lru_cache(maxsize=4)
def _lots(items: int, draws: int) -> tuple[IntArray, IntArray]:
    """Give every way to draw so many times, as counts of the items, and in how many orders it comes."""
    chosen = np.array(list(combinations_with_replacement(range(items), draws)), np.int64).reshape(-1, draws)
    counts = (chosen[:, :, None] == np.arange(items)).sum(axis=1)
    factorials = np.concatenate(([1], np.cumprod(np.arange(1, items + 1))))
    ways = factorials[draws] // factorials[counts].prod(axis=1)
    return frozen(counts, np.int64), frozen(ways, np.int64)
