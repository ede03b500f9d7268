"""Order statistics of the n (n + 1) / 2 pairwise averages of differences, in memory for n."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from nofluke.align.decimals import Differences
from nofluke.align.whole import fitting
from nofluke.types import IntArray, Sample

# Real differences become whole multiples of 2^-60 of the largest one, so that sums of two stay within int64.
_BITS = 60
# A bracket with this many pairs, or as many as there are values, is listed and sorted.
_LISTED = 1 << 14
# Beyond this many values a sketch of this many quantiles says where to start.
_SKETCHED = 1 << 16
_SKETCH = 512


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
