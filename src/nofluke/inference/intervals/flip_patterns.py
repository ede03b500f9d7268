"""All patterns of flipped groups at once: how many of them have a mean of at most delta, counted exactly.

Flipping a set F of groups reaches the observed sum of D_c - n_c delta exactly when the sum of D over F is at most delta
times the number of items in F. The groups are cut into two halves, and the sums and sizes of each half are listed once
with their probabilities; for any delta the pairs on the right side are then counted by one search. Groups that are
alike, ties above all, add only their number to a list, so that a few differences among thousands of ties stay cheap.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.align.exact_sums import largest, merged
from nofluke.types import FloatArray, IntArray

# Two lists of 2^16 patterns take about 5 ms for every delta.
_MOST_BITS = 32.0
# Sums are kept within int64, and limits are found to this part of the standard error, or of a small group's mean.
_LARGEST_SUM = 1 << 60
_FINEST = 1e-10
# Up to so many patterns, and only where int64 is too narrow, sums may be Python's whole numbers.
_BITS_OF_WHOLE_NUMBERS = 24.0
# Limits of whole numbers of any length have the bits of a double; all but the last are found by sums in doubles.
_DOUBLE_BITS, _SEARCHED_BITS = 53, 48
_LONGEST_DOUBLE = 1000
# Binomial shares are quotients of whole numbers up to here, right to the last bit.
_WHOLE_NUMBERS = 1_000

# Sums (whole numbers of either kind, or doubles), sizes, probabilities.
_List = tuple[npt.NDArray[Any], IntArray, FloatArray]


@dataclass(frozen=True, eq=False)
class Groups:
    """Totals and sizes of groups, and how many groups are alike in both; None where each stands for itself."""

    totals: IntArray
    sizes: IntArray
    alike: FloatArray | None = None

    def merged(self) -> Groups:
        """Hold equal single items once, with their number, where that saves work."""
        found = merged(self.totals) if int(self.sizes.max()) == 1 else None
        if found is None:
            return self
        different, counts = found
        return Groups(different, np.ones(len(different), np.int64), counts.astype(np.float64))

    def mirrored(self) -> Groups:
        """The same with A and B in each other's place."""
        return Groups(-self.totals, self.sizes, self.alike)

    def vary(self) -> bool:
        """Whether the groups differ in their means."""
        totals, sizes = self.totals, self.sizes
        if largest(totals) * largest(sizes) >= 1 << 62:
            totals, sizes = totals.astype(object), sizes.astype(object)
        return bool(np.any(totals * int(sizes[0]) != sizes * int(totals[0])))

    @cached_property
    def number(self) -> int:
        """The number of groups."""
        return len(self.totals) if self.alike is None else int(self.alike.sum())

    @cached_property
    def items(self) -> int:
        """The number of items in all groups."""
        return int(self.sizes.sum()) if self.alike is None else self.number

    @cached_property
    def mean(self) -> float:
        """The mean over items."""
        if self.alike is None:
            return float(self.totals.sum()) / self.items
        return float(sum(map(int.__mul__, self.totals.tolist(), map(int, self.alike.tolist())))) / self.items

    @cached_property
    def standard_error(self) -> float:
        """That of the mean, from the spread of groups about it."""
        residual = self.less(self.mean)
        if self.alike is None:
            return float(np.linalg.norm(residual)) / self.items
        return math.sqrt(float(residual * residual @ self.alike)) / self.items

    def less(self, null: float) -> FloatArray:
        """Give the totals less so much for each item."""
        shifted: FloatArray = self.totals.astype(np.float64) - self.sizes * null
        return shifted

    def sum(self, values: FloatArray) -> float:
        """Add up values of all groups."""
        return float(values.sum()) if self.alike is None else float(values @ self.alike)

    def median(self, values: FloatArray) -> float:
        """Give the median of values of all groups."""
        if self.alike is None:
            return float(np.median(values))
        order = np.argsort(values)
        reached = np.cumsum(self.alike[order])
        middle = np.searchsorted(reached, ((self.number - 1) // 2, self.number // 2), side="right")
        return float(values[order[middle]].mean())

    def kinds(self) -> dict[tuple[int, int], int]:
        """How many groups have each total and size; whole numbers of any length are welcome."""
        counts = np.ones(len(self.totals)) if self.alike is None else self.alike
        found: dict[tuple[int, int], int] = {}
        for total, size, count in zip(self.totals.tolist(), self.sizes.tolist(), counts.tolist(), strict=True):
            found[total, size] = found.get((total, size), 0) + int(count)
        return found


def are_countable(groups: Groups) -> bool:
    """Whether all patterns fit into two short lists."""
    if len(set(groups.totals[: 4 * int(_MOST_BITS)].tolist())) > _MOST_BITS:
        return False
    return sum(math.log2(count + 1) for count in groups.kinds().values()) <= _MOST_BITS


class Patterns:
    """The law of the means of flipped groups; `scale` times delta is a whole number."""

    def __init__(self, groups: Groups) -> None:
        alike, items, standard_error = groups.kinds(), groups.items, groups.standard_error
        ratios = [Fraction(total, size) for total, size in alike]
        self.lowest, self.highest = min(ratios), max(ratios)
        reach = max(sum(abs(total) * count for (total, _), count in alike.items()), items)
        reach = max(reach, math.ceil(max(-self.lowest, self.highest)) * items)
        # One huge group makes the standard error huge, and the limits that all others set must not be lost in it.
        small = sorted(abs(ratio) for ratio in ratios if ratio)[len(ratios) // 4 : len(ratios) // 4 + 1] or [
            Fraction(1)
        ]
        wanted = round(1 / (_FINEST * min(standard_error, float(small[0]))))
        # Means of different patterns are at least 1 / items^2 apart: nothing finer is needed.
        wanted = max(1, min(wanted, 2 * items * items))
        bits = sum(math.log2(count + 1) for count in alike.values())
        fits = _LARGEST_SUM // (2 * reach)
        self.scale = wanted if wanted <= fits or bits <= _BITS_OF_WHOLE_NUMBERS else max(1, fits)
        # Sums beyond 64 bits are Python's whole numbers: slow, and right.
        self.wide = 2 * reach * self.scale > 2 * _LARGEST_SUM
        kind = object if self.wide else np.int64
        self._halves = _Halves(*(_listed(part, self.scale, kind) for part in _two_halves(alike)))

    def share(self, k: int) -> float:
        """Give the share of patterns whose mean is at most k / scale: the one-sided p-value at that delta."""
        return self._halves.share(k)

    def mean_at(self, k: int, above: int) -> Fraction:
        """Give the mean of a pattern in (above / scale, k / scale) near k, or k / scale if there is none."""
        first, second = self._halves.at(k)
        last = np.searchsorted(first, -second, side="left") - 1
        nearest = np.where(last >= 0, first[last] + second, -math.inf)
        chosen = int(np.argmax(nearest))
        (s1, n1, _), (s2, n2, _) = self._halves.first, self._halves.second
        at = int(last[chosen])
        if last[chosen] < 0:
            return Fraction(k, self.scale)
        found = Fraction(int(s1[at] + s2[chosen]), int(n1[at] + n2[chosen]) * self.scale)
        return found if found * self.scale > above else Fraction(k, self.scale)

    def narrowed(self, level: float, ends: tuple[int, int]) -> tuple[int, int]:
        """Give a k that is rejected at the level and one that is not, between the ends, alike to the last bits.

        For sums of any length: over many magnitudes a range is halved by the lengths of its ends. Most of the way
        doubles do; where sums cancel they may be wrong, so what they find is looked at again.
        """
        doubles, unit = self._halves.in_doubles()
        low, high = _halved(lambda k: doubles.share(k / unit) > level, *ends, _SEARCHED_BITS)
        margin = 1 + (max(abs(low), abs(high)) >> _SEARCHED_BITS)
        while low > ends[0] and self.share(low) > level:
            low, margin = max(low - margin, ends[0]), margin << _SEARCHED_BITS // 8
        while high < ends[1] and self.share(high) <= level:
            high, margin = min(high + margin, ends[1]), margin << _SEARCHED_BITS // 8
        return _halved(lambda k: self.share(k) > level, low, high, _DOUBLE_BITS)


class _Halves:
    """The patterns of two halves of the groups: sums, sizes and probabilities, in the order of the last k asked for."""

    def __init__(self, first: _List, second: _List) -> None:
        self.first, self.second = first, second

    def at(self, k: Any) -> tuple[IntArray, IntArray]:
        """What every half pattern adds to the sum at k; both lists are put in its order, near that of the last k."""
        added = []
        for name in ("first", "second"):
            sums, sizes, weights = getattr(self, name)
            new = sums - (_times(k, sizes) if sums.dtype == object else k * sizes)
            order = np.argsort(new, kind="stable")
            setattr(self, name, (sums[order], sizes[order], weights[order]))
            added.append(new[order])
        return added[0], added[1]

    def share(self, k: Any) -> float:
        """Give the probability that what both halves add is at most 0."""
        first, second = self.at(k)
        cumulative = np.concatenate(([0.0], np.cumsum(self.first[2])))
        return float(cumulative[np.searchsorted(first, -second, side="right")] @ self.second[2])

    def in_doubles(self) -> tuple[_Halves, int]:
        """Give the sums as doubles, and the unit that keeps them and all k between them from overflowing."""
        longest = max(int(np.abs(sums).max()).bit_length() for sums, _, _ in (self.first, self.second))
        unit = 1 << max(0, longest - _LONGEST_DOUBLE)
        halves = [((sums / unit).astype(np.float64), n, weights) for sums, n, weights in (self.first, self.second)]
        return _Halves(halves[0], halves[1]), unit


def _times(k: int, sizes: IntArray) -> IntArray:
    """Give k times the sizes, which are few, in whole numbers of any length."""
    different, place = np.unique(sizes, return_inverse=True)
    result: IntArray = (k * different.astype(object))[place]
    return result


def _halved(holds: Callable[[int], bool], low: int, high: int, bits: int) -> tuple[int, int]:
    """Narrow (low, high] to so many bits around the least k that holds."""
    while high - low > max(1, max(abs(low), abs(high)) >> bits):
        middle = _middle(low, high)
        low, high = (low, middle) if holds(middle) else (middle, high)
    return low, high


def _middle(low: int, high: int) -> int:
    """Give a whole number between two that are 2 or more apart: of half the length where they differ in length."""
    if low < 0 < high:
        return 0
    if low < 0:
        return -_middle(-high, -low)
    return math.isqrt((low + 1) * (high - 1)) if high > 2 * low + 2 else (low + high) // 2


def _two_halves(alike: dict[tuple[int, int], int]) -> tuple[list[Any], list[Any]]:
    """Share the groups out so that both halves have about as many patterns."""
    halves: tuple[list[Any], list[Any]] = ([], [])
    bits = [0.0, 0.0]
    for group, count in sorted(alike.items(), key=lambda entry: (-entry[1], entry[0])):
        half = 0 if bits[0] <= bits[1] else 1
        halves[half].append((*group, count))
        bits[half] += math.log2(count + 1)
    return halves


def _listed(groups: list[Any], scale: int, kind: Any) -> _List:
    """List the sums times the scale, the sizes and the probabilities of all patterns of these groups."""
    sums, sizes, weights = np.zeros(1, kind), np.zeros(1, np.int64), np.ones(1)
    for total, size, count in groups:
        flipped = np.arange(count + 1)
        sums = (sums[:, None] + scale * total * flipped.astype(kind)).ravel()
        sizes = (sizes[:, None] + size * flipped).ravel()
        weights = (weights[:, None] * _fair_binomial(count)).ravel()
    return sums, sizes, weights


def _fair_binomial(count: int) -> FloatArray:
    if count <= _WHOLE_NUMBERS:
        return np.array([math.comb(count, number) / (1 << count) for number in range(count + 1)])
    from scipy.special import gammaln

    number = np.arange(count + 1.0)
    logs = gammaln(count + 1) - gammaln(number + 1) - gammaln(count - number + 1) - count * math.log(2)
    shares: FloatArray = np.exp(logs)
    return shares
