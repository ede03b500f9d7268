"""Exact counts of the sign patterns in a tail, by meeting in the middle.

T = S - 2V with V the sum of the flipped items, so {T >= x} is {V <= (S - x) / 2}. The items are cut into two halves,
the sums of each half are listed (only those not above the limit: a deep tail has few), equal sums are merged with their
multiplicities, and the pairs within the limit are counted by one search.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.types import IntArray

# A half list of 2^21 sums takes about 0.1 s and 50 MB; above it the caller must integrate instead.
LIST_LIMIT = 1 << 21
# Up to 2^4 patterns of the largest items may be taken one by one on top of the two lists.
_HEAD_ITEMS = 4
_EXACT_ITEMS = 62
_LARGEST_GROUP = 1 << 13
# Scaled counts below this may have lost digits to underflow.
_LEAST_SCALED = 1e-200
# Relative error of a count in floating point: all terms are positive.
_FLOAT_BOUND = 1e-12

_Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class FlipCount:
    """How many subsets there are: the logarithm, whether the count was made in integers, and its relative error."""

    log_count: float
    exact: bool
    bound: float = 0.0


def count_flips(values: IntArray, counts: IntArray, limit: int, list_limit: int = LIST_LIMIT) -> FlipCount | None:
    """Count the subsets of the items (distinct values with counts) whose sum is at most `limit`.

    None when the lists would be longer than `list_limit`. With more than 62 items the count is added up in floating
    point, all terms positive, which is right to about 1e-13.
    """
    items = int(counts.sum())
    # Sums of three lists must stay within int64; beyond that Python's integers take over, slowly.
    wide = int(values[-1]) * items >= 1 << 61
    if (wide and items > 40) or int(counts.max()) > _LARGEST_GROUP:
        return None
    groups = [(int(v), int(m)) for v, m in zip(values.tolist(), counts.tolist(), strict=True) if v <= limit]
    if _hopeless(groups, limit, list_limit):
        return None
    heads, groups = _take_heads(groups, list_limit)
    lists = _Lists(limit, list_limit, object if wide else np.int64, np.int64 if items <= _EXACT_ITEMS else np.float64)
    first, second = (lists.subset_sums(part) for part in _two_halves(groups))
    if first is None or second is None:
        return None
    total = sum(_pairs_within(first, second, limit - head) for head in heads if head <= limit)
    if items <= _EXACT_ITEMS:
        return FlipCount(math.log(int(total)), exact=True)
    if total <= _LEAST_SCALED:
        return None
    return FlipCount(math.log(total) + lists.log_scale, exact=False, bound=_FLOAT_BOUND)


def _hopeless(groups: list[tuple[int, int]], limit: int, list_limit: int) -> bool:
    """Whether even the subsets of one or two items are too many for the lists."""
    if len(groups) > list_limit:
        return True
    sizes = np.array([v for v, _ in groups], dtype=object if limit >= 1 << 62 else np.int64)
    if len(groups) < 4096:
        return False
    pairs = int(np.searchsorted(sizes, limit - sizes, side="right").sum())
    return pairs > 4 * list_limit


def _take_heads(groups: list[tuple[int, int]], list_limit: int) -> tuple[list[int], list[tuple[int, int]]]:
    """Take the largest single items out when that is what brings the two lists below their limit."""
    excess = math.ceil(sum(math.log2(m + 1) for _, m in groups) - 2 * math.log2(list_limit))
    single = [v for v, m in groups if m == 1][-_HEAD_ITEMS:]
    if not 0 < excess <= len(single):
        return [0], groups
    chosen = single[-excess:]
    heads = [0]
    for value in chosen:
        heads += [head + value for head in heads]
    return heads, [(v, m) for v, m in groups if v not in chosen]


def _two_halves(groups: list[tuple[int, int]]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Share the groups out so that both halves have about as many subset sums."""
    halves: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    sizes = [0.0, 0.0]
    for value, count in sorted(groups, key=lambda g: (-g[1], g[0])):
        smaller = 0 if sizes[0] <= sizes[1] else 1
        halves[smaller].append((value, count))
        sizes[smaller] += math.log2(count + 1)
    return halves


class _Lists:
    """Builder of the two lists; `log_scale` is the logarithm of what floating multiplicities were divided by."""

    def __init__(self, limit: int, list_limit: int, sum_type: Any, count_type: Any) -> None:
        self.limit, self.list_limit = limit, list_limit
        self.sum_type, self.count_type = sum_type, count_type
        self.log_scale = 0.0

    def subset_sums(self, groups: list[tuple[int, int]]) -> tuple[_Array, _Array] | None:
        """List the sums up to the limit in order, each with the number of subsets that have it."""
        sums, ways = np.zeros(1, dtype=self.sum_type), np.ones(1, dtype=self.count_type)
        for value, count in groups:
            most = min(count, self.limit // value)
            if sums.size * (most + 1) > 4 * self.list_limit:
                return None
            steps = np.array([value * i for i in range(most + 1)], dtype=self.sum_type)
            sums = (steps[:, None] + sums[None, :]).ravel()
            ways = (self._choices(count, most)[:, None] * ways[None, :]).ravel()
            sums, ways = _merge_equal(sums, ways, self.limit)
            if sums.size > self.list_limit:
                return None
        return sums, ways

    def _choices(self, count: int, most: int) -> _Array:
        """Give C(count, 0 .. most), scaled to at most 1 when counting in floating point."""
        choices = [1]
        for i in range(most):
            choices.append(choices[-1] * (count - i) // (i + 1))
        if self.count_type is np.int64:
            return np.array(choices, dtype=np.int64)
        largest = max(choices)
        self.log_scale += math.log(largest)
        # The quotient of two Python integers is correctly rounded however long they are.
        return np.array([choice / largest for choice in choices])


def _merge_equal(sums: _Array, ways: _Array, limit: int) -> tuple[_Array, _Array]:
    # The list consists of sorted runs, which a stable sort merges in linear time.
    order = np.argsort(sums, kind="stable")
    sums, ways = sums[order], ways[order]
    kept = int(np.searchsorted(sums, limit, side="right"))
    sums, ways = sums[:kept], ways[:kept]
    first = np.flatnonzero(np.concatenate(([True], sums[1:] != sums[:-1])))
    if first.size == sums.size:
        return sums, ways
    return sums[first], np.add.reduceat(ways, first)


def _pairs_within(first: tuple[_Array, _Array], second: tuple[_Array, _Array], limit: int) -> Any:
    """Count the pairs of sums, one of each list, whose total is at most `limit`."""
    cumulative = np.concatenate((np.zeros(1, dtype=first[1].dtype), np.cumsum(first[1])))
    within = np.searchsorted(first[0], limit - second[0], side="right")
    return (cumulative[within] * second[1]).sum()
