"""Hodges-Lehmann estimates and their intervals: order statistics of pairwise averages, or of all A - B pairs.

Memory grows with n, never with the number of pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from nofluke.align.decimals import Differences
from nofluke.align.exact_sums import fitting
from nofluke.laws.rank_sum import distribution
from nofluke.laws.signed_rank import normal_quantile, untied_quantile
from nofluke.types import IntArray, Interval, Note, Sample, note

# Real differences become whole multiples of 2^-60 of the largest one, so that sums of two stay within int64.
_BITS = 60
# A bracket with this many pairs, or as many as there are values, is listed and sorted.
_LISTED = 1 << 14
# Beyond this many values a sketch of this many quantiles says where to start.
_SKETCHED = 1 << 16
_SKETCH = 512
METHOD = "Hodges-Lehmann (Walsh order statistics)"


@dataclass(frozen=True, slots=True, eq=False)
class WalshAverages:
    """The pairwise averages of differences, as whole sums of codes: average = sum * unit / 2.

    `distinct` leaves out the pairs of an item with itself. Averages smaller than `zero_below` are zero: they come of
    differences that the sample's grid takes for opposites.
    """

    values: IntArray
    counts: IntArray
    cumulative: IntArray
    unit: Fraction
    zero_below: float
    distinct: bool = False

    @property
    def n(self) -> int:
        """The number of differences."""
        return int(self.cumulative[-1])

    @property
    def total(self) -> int:
        """The number of averages."""
        return self.n * (self.n - 1) // 2 if self.distinct else self.n * (self.n + 1) // 2

    def median(self) -> float:
        """The median average, the mean of the two middle ones when their number is even."""
        lower = self.select((self.total + 1) // 2)
        upper = lower if self.total % 2 else self.select(self.total // 2 + 1)
        return self._average(lower + upper, 4)

    def ranked(self, rank: int) -> float:
        """The average with this rank; 1 is the smallest."""
        return self._average(self.select(rank), 2)

    def _average(self, total: int, parts: int) -> float:
        value = float(total * self.unit / parts)
        return 0.0 if abs(value) < self.zero_below else value

    def count(self, limit: int) -> int:
        """How many pairs have a sum of at most `limit`."""
        # Needles in rising order keep the search within the cache.
        within = self.cumulative[np.searchsorted(self.values, limit - self.values[::-1], side="right")]
        ordered = int(self.counts[::-1] @ within)
        same = int(self.cumulative[np.searchsorted(self.values, limit // 2, side="right")])
        return (ordered - same if self.distinct else ordered + same) // 2

    def select(self, rank: int) -> int:
        """The sum of codes with this rank, by closing in on it and sorting the last few candidates."""
        low, high = 2 * int(self.values[0]) - 1, 2 * int(self.values[-1])
        below, above = 0, self.total
        guesses = self._sketch(rank)
        listed = max(_LISTED, len(self.values))
        turn = 0
        while high - low > 1 and above - below > listed:
            if guesses:
                middle = guesses.pop()
            elif turn % 3 == 2:
                middle = (low + high) // 2
            else:
                # Aim a little past the interpolated place, to either side in turn, so that both ends close in.
                share = (rank - below) / (above - below) + (1e-3 if turn % 3 else -1e-3)
                middle = low + round((high - low) * share)
            middle = min(max(middle, low + 1), high - 1)
            found = self.count(middle)
            if found >= rank:
                high, above = middle, found
            else:
                low, below = middle, found
            turn += 1
        return high if high - low == 1 else self._listed(low, high, rank - below)

    def _sketch(self, rank: int) -> list[int]:
        """Guess a bracket of the sum from equally spaced quantiles of the differences."""
        if len(self.values) <= _SKETCHED:
            return []
        places = (2 * np.arange(_SKETCH) + 1) * self.n // (2 * _SKETCH)
        few = self.values[np.searchsorted(self.cumulative, places, side="right") - 1]
        first, second = np.triu_indices(_SKETCH)
        sums = np.sort(few[first] + few[second])
        at, margin = rank / self.total * len(sums), len(sums) / _SKETCH
        inside = np.clip([int(at + margin), int(at - margin)], 0, len(sums) - 1)
        return [int(total) for total in sums[inside]]

    def _listed(self, low: int, high: int, rank: int) -> int:
        """The sum of this rank among the pairs with low < sum <= high."""
        rows = np.arange(len(self.values))
        start = np.maximum(np.searchsorted(self.values, low - self.values, side="right"), rows)
        sizes = np.maximum(np.searchsorted(self.values, high - self.values, side="right") - start, 0)
        row = np.repeat(rows, sizes)
        column = np.arange(len(row)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + start[row]
        same = (self.counts[row] + (-1 if self.distinct else 1)) * self.counts[row] // 2
        weights = np.where(row == column, same, self.counts[row] * self.counts[column])
        sums = self.values[row] + self.values[column]
        order = np.argsort(sums)
        return int(sums[order][np.searchsorted(np.cumsum(weights[order]), rank)])


def walsh_averages(d: Differences, sample: Sample, *, distinct: bool = False) -> WalshAverages:
    """Prepare the averages: exact on the grid of the scores, else in fixed point finer than the doubles' own error."""
    grid = sample.grid
    if d.integers is not None and grid.exact:
        codes, unit, zero_below = fitting(d.integers), grid.exact_step, 0.0
    else:
        exponent = _BITS - math.frexp(float(np.max(np.abs(d.values), initial=0.0)))[1]
        codes = np.rint(np.ldexp(d.values, exponent)).astype(np.int64)
        unit, zero_below = Fraction(2) ** -exponent, d.step / 2
    values, counts = np.unique(codes, return_counts=True)
    cumulative = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return WalshAverages(values, counts.astype(np.int64), cumulative, unit, zero_below, distinct)


def walsh_interval(
    averages: WalshAverages, below: float, above: float, level: float, *, normal: bool = False, continuity: bool = False
) -> Interval:
    """Invert the signed-rank test of n differences, ties or not.

    Without ties W- of the differences minus theta is the number of Walsh averages below theta. Theta is too small when
    at most k averages lie below it, k the largest number with P(W- <= k) <= error, so the lower limit is the average of
    rank k + 1. Where there is no such k (n < 6 at 95 %) it is the smallest average and `achieved` falls short of the
    level (R's rule): such an interval is noted, and not told beside p. With ties the closed interval covers at least
    as often (Noether 1967): it needs no correction.
    """
    low, high, missed = -math.inf, math.inf, 0.0
    if below:
        k, error = _quantile(averages.n, below, normal, continuity)
        low, missed = averages.ranked(max(k, 0) + 1), missed + error
    if above:
        k, error = _quantile(averages.n, above, normal, continuity)
        high, missed = averages.ranked(averages.total - max(k, 0)), missed + error
    return Interval(low, high, level, METHOD, max(0.0, 1 - missed))


def too_few_for(interval: Interval, n: int) -> tuple[Note, ...]:
    """Say that even the range of all averages is not covered as often as asked for."""
    few = interval.achieved < interval.level - 1e-9
    return (note("interval.too_few", n=n, level=interval.level, achieved=interval.achieved),) if few else ()


def _quantile(n: int, error: float, normal: bool, continuity: bool) -> tuple[int, float]:
    return normal_quantile(n, error, continuity=continuity) if normal else untied_quantile(n, error)


def exact_positions(n_a: int, n_b: int, below: float, above: float) -> tuple[int, int, float]:
    """Give which smallest and which largest pair difference bound the interval, and the level they really reach.

    The k-th smallest is the limit for the largest k with P(count < k) <= below, in the distribution without ties; 0
    means that nothing can be excluded on that side. With ties the closed interval covers at least as often.
    """
    counts, _ = distribution(np.ones(n_a + n_b, np.int64), min(n_a, n_b))
    tail = np.cumsum(counts) / counts.sum()
    # A tail that equals the level in exact arithmetic must not fall on the wrong side by rounding.
    low = int(np.sum(tail <= below * (1 + 1e-12))) if below else 0
    high = int(np.sum(tail <= above * (1 + 1e-12))) if above else 0
    outside = (float(tail[low - 1]) if low else 0.0) + (float(tail[high - 1]) if high else 0.0)
    return low, high, 1 - outside


def normal_positions(pairs: int, sd: float, below: float, above: float, continuity: bool) -> tuple[int, int]:
    """Give the same two positions by the normal approximation, with the standard deviation the test used."""
    from scipy.special import ndtri

    half = 0.5 if continuity else 0.0

    def position(error: float) -> int:
        # Rejected while (pairs - k + 1 - pairs / 2 - half) / sd reaches the quantile: solved for the last such k.
        return max(0, math.floor(pairs / 2 + 1 - half + float(ndtri(error)) * sd)) if error else 0

    return position(below), position(above)


def kth_difference(a: IntArray, b: IntArray, k: int) -> int:
    """Give the k-th smallest (from 1) of all a_i - b_j, by halving: never more than O(n log n) a step."""
    ordered, others = np.sort(a), np.sort(b)
    low, high = int(ordered[0] - others[-1]), int(ordered[-1] - others[0])
    while low < high:
        middle = (low + high) // 2
        if int(np.searchsorted(ordered, others + middle, "right").sum()) >= k:
            high = middle
        else:
            low = middle + 1
    return low


def median_difference(a: IntArray, b: IntArray) -> float:
    """Give the median of all a_i - b_j: the Hodges-Lehmann estimate of the shift."""
    pairs = len(a) * len(b)
    lower = kth_difference(a, b, (pairs + 1) // 2)
    return lower if pairs % 2 else (lower + kth_difference(a, b, pairs // 2 + 1)) / 2
