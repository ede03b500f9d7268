"""All patterns of flipped groups at once: how many of them have a mean of at most delta, counted exactly.

Flipping a set F of groups reaches the observed sum of D_c - n_c delta exactly when the sum of D over F is at most delta
times the number of items in F. The groups are cut into two halves, and the sums and sizes of each half are listed once
with their probabilities; for any delta the pairs on the right side are then counted by one search. Groups that are
alike, ties above all, add only their number to a list, so that a few differences among thousands of ties stay cheap.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from nofluke.inference.intervals.flip_groups import Groups
from nofluke.types import FloatArray, IntArray

# Two lists of 2^16 patterns take about 5 ms for every delta.
_MOST_BITS = 32.0
# Sums are kept within int64, and limits are found to this part of the standard error, or of a small group's mean.
_LARGEST_SUM = 1 << 60
_FINEST = 1e-10
# Up to so many patterns, and only where int64 is too narrow, sums may be Python's whole numbers.
_BITS_OF_WHOLE_NUMBERS = 24.0
# Binomial shares are quotients of whole numbers up to here, right to the last bit.
_WHOLE_NUMBERS = 1_000


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
        kind = np.int64 if 2 * reach * self.scale <= 2 * _LARGEST_SUM else object
        self.first, self.second = (_listed(part, kind) for part in _two_halves(alike))

    def share(self, k: int) -> float:
        """Give the share of patterns whose mean is at most k / scale: the one-sided p-value at that delta."""
        first, weights, second = self._ordered(k)
        cumulative = np.concatenate(([0.0], np.cumsum(weights)))
        return float(cumulative[np.searchsorted(first, -second, side="right")] @ self.second[2])

    def mean_at(self, k: int) -> Fraction:
        """Give the largest mean of a pattern in ((k - 1) / scale, k / scale), or k / scale if there is none."""
        first, _, second = self._ordered(k)
        last = np.searchsorted(first, -second, side="left") - 1
        nearest = np.where(last >= 0, first[last] + second, -math.inf)
        chosen = int(np.argmax(nearest))
        (s1, n1, _), (s2, n2, _) = self.first, self.second
        at = int(last[chosen])
        if last[chosen] < 0:
            return Fraction(k, self.scale)
        found = Fraction(int(s1[at] + s2[chosen]), int(n1[at] + n2[chosen]))
        return found if found * self.scale > k - 1 else Fraction(k, self.scale)

    def _ordered(self, k: int) -> tuple[IntArray, FloatArray, IntArray]:
        """What every half pattern adds to the sum at k; both lists are put in its order, near that of the last k."""
        ordered = []
        for sums, sizes, weights in (self.first, self.second):
            added = self.scale * sums - k * sizes
            order = np.argsort(added, kind="stable")
            ordered.append((added[order], (sums[order], sizes[order], weights[order])))
        (first, self.first), (second, self.second) = ordered
        return first, self.first[2], second


def _two_halves(alike: dict[tuple[int, int], int]) -> tuple[list[Any], list[Any]]:
    """Share the groups out so that both halves have about as many patterns."""
    halves: tuple[list[Any], list[Any]] = ([], [])
    bits = [0.0, 0.0]
    for group, count in sorted(alike.items(), key=lambda entry: (-entry[1], entry[0])):
        half = 0 if bits[0] <= bits[1] else 1
        halves[half].append((*group, count))
        bits[half] += math.log2(count + 1)
    return halves


def _listed(groups: list[Any], kind: Any) -> tuple[IntArray, IntArray, FloatArray]:
    """List the sums, the sizes and the probabilities of all patterns of these groups."""
    sums, sizes, weights = np.zeros(1, kind), np.zeros(1, kind), np.ones(1)
    for total, size, count in groups:
        flipped = np.arange(count + 1).astype(kind)
        sums = (sums[:, None] + total * flipped).ravel()
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
