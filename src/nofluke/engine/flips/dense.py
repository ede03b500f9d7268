"""Counts of the sign patterns in a tail where the items are short numbers: one table of all sums of the smaller items.

As in counting.py, {T >= x} is {V <= limit} with V the sum of the flipped items. The table holds how many subsets of the
smaller items have each sum; the sums of the largest items, which would make it long, are listed. Every listed sum then
takes one look at the cumulated table. All terms are positive, and with up to 53 items all are exact whole numbers.
"""

from __future__ import annotations

import math

import numpy as np

from nofluke.engine.flips.counting import FlipCount
from nofluke.types import FloatArray, IntArray

_MOST_ITEMS = 900
_MOST_LISTED = 22
# A table of 2^23 sums takes 130 MB with the one it is made from; cumulation takes no more.
_LONGEST_TABLE = 1 << 23
_EXACT_ITEMS = 53
# Seconds for one entry of the table and one pass over it, for its cumulation, for a listed sum, and for one pass.
_SECONDS_PER_ENTRY, _SECONDS_PER_TOTAL, _SECONDS_PER_SUM, _SECONDS_PER_PASS = 1.2e-9, 6e-9, 2e-8, 4e-6
_BLOCK = 1 << 11


def count_dense(values: IntArray, counts: IntArray, limit: int, seconds: float) -> FlipCount | None:
    """Count the subsets of the items (distinct values with counts) whose sum is at most `limit`.

    None when that would take longer than `seconds`, or too much memory.
    """
    if int(counts.sum()) > _MOST_ITEMS or limit >= 1 << 60:
        return None
    fitting = values <= limit
    items = np.repeat(values[fitting], counts[fitting]).astype(np.int64)
    listed, cost = _plan(items, limit)
    if cost > seconds:
        return None
    split = items.size - listed
    below = _cumulated(_table(items[:split], limit))
    sums = _sums(items[split:], limit)
    total = float(below[np.minimum(limit - sums, below.size - 1)].sum())
    # Sums of sums of positive terms, each rounded once: the relative errors add up along the longest chain.
    chain = items.size + 2 * _BLOCK + below.size // _BLOCK + 64
    exact = items.size <= _EXACT_ITEMS
    return FlipCount(math.log(total), exact=exact, bound=0.0 if exact else chain * math.ulp(1.0) / 2.0)


def _plan(items: IntArray, limit: int) -> tuple[int, float]:
    """Give how many of the largest items to list, and about how many seconds it will take; infinite if too long."""
    reach = np.minimum(np.cumsum(items.astype(np.float64)), float(limit))
    passes = np.concatenate(([0.0], np.cumsum(reach * _SECONDS_PER_ENTRY + _SECONDS_PER_PASS)))
    best, least = 0, math.inf
    for listed in range(min(_MOST_LISTED, items.size) + 1):
        split = items.size - listed
        length = float(reach[split - 1]) if split else 0.0
        cost = float(passes[split]) + length * _SECONDS_PER_TOTAL + 2.0**listed * _SECONDS_PER_SUM
        if length < _LONGEST_TABLE and cost < least:
            best, least = listed, cost
    return best, least


def _table(items: IntArray, limit: int) -> FloatArray:
    """Give the numbers of subsets with each sum up to the limit; items in ascending order."""
    top = min(sum(items.tolist()), limit)
    ways, following = np.zeros(top + 1), np.zeros(top + 1)
    ways[0], reached = 1.0, 0
    for item in items.tolist():
        reached = min(reached + item, top)
        following[:item] = ways[:item]
        np.add(ways[item : reached + 1], ways[: reached + 1 - item], out=following[item : reached + 1])
        ways, following = following, ways
    return ways


def _cumulated(ways: FloatArray) -> FloatArray:
    """Cumulate in blocks and over blocks: thousands of roundings in a row, not millions."""
    rows = -(-ways.size // _BLOCK)
    padded = np.zeros((rows, _BLOCK))
    padded.ravel()[: ways.size] = ways
    np.cumsum(padded, axis=1, out=padded)
    padded[1:] += np.cumsum(padded[:-1, -1])[:, None]
    return padded.ravel()[: ways.size]


def _sums(items: IntArray, limit: int) -> IntArray:
    """List the sums of all subsets that are at most the limit."""
    sums = np.zeros(1, dtype=np.int64)
    for item in items.tolist():
        sums = np.concatenate((sums, sums[sums <= limit - item] + item))
    return sums
