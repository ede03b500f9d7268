"""Few items: every pattern of swaps is counted, in whole numbers."""

from __future__ import annotations

import math

import numpy as np

from nofluke.engine.ratio_swaps.event import RatioEvent
from nofluke.types import IntArray

# Counts of more items than this would not fit 64 bits.
_MOST_ITEMS = 62
_BLOCK = 1 << 18


def pattern_pairs(counts: IntArray) -> float:
    """Give how many merged patterns counting would look at; infinite when the counts would not fit 64 bits."""
    if int(counts.sum()) > _MOST_ITEMS:
        return math.inf
    return float(np.prod(counts.astype(np.float64) + 1.0))


def count_swaps(u: IntArray, v: IntArray, counts: IntArray, event: RatioEvent) -> int:
    """Count the sign patterns s of the items (u_j, v_j), each `counts` times, whose sums belong to the event.

    The sums of two halves of the items are listed, equal items together, and every pair is looked at.
    """
    halves: list[list[int]] = [[], []]
    sizes = [1, 1]
    for j in np.argsort(-counts, kind="stable").tolist():
        smaller = 0 if sizes[0] <= sizes[1] else 1
        halves[smaller].append(j)
        sizes[smaller] *= int(counts[j]) + 1
    (u_1, v_1, ways_1), (u_2, v_2, ways_2) = (_signed_sums(u[half], v[half], counts[half]) for half in halves)
    total = 0
    rows = max(1, _BLOCK // u_2.size)
    for start in range(0, u_1.size, rows):
        part = slice(start, start + rows)
        sums_u = (u_1[part, None] + u_2).ravel()
        inside = event.holds_for(sums_u, (v_1[part, None] + v_2).ravel()).reshape(-1, u_2.size)
        total += sum(int(w) * int(x) for w, x in zip(ways_1[part], inside @ ways_2, strict=True))
    return total


def _signed_sums(u: IntArray, v: IntArray, counts: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    sums_u, sums_v, ways = np.zeros(1, np.int64), np.zeros(1, np.int64), np.ones(1, np.int64)
    for x, y, m in zip(u.tolist(), v.tolist(), counts.tolist(), strict=True):
        signs = np.arange(-m, m + 1, 2, dtype=np.int64)[:, None]
        choices = np.array([math.comb(m, i) for i in range(m + 1)], dtype=np.int64)[:, None]
        sums_u, sums_v = (signs * x + sums_u).ravel(), (signs * y + sums_v).ravel()
        ways = (choices * ways).ravel()
    return sums_u, sums_v, ways
