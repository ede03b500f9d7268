"""Differences of all pairs of systems as frequencies, so that any number of items takes the same memory.

Parts of the items are tallied apart, anywhere, and merged by adding whole numbers. Where there are more possible
differences than places, neighbours share one: exact are then the totals, the signs and the squares, of which tails near
their middle consist.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from nofluke.engine.pairs.resonance import outside_of_flips, periods, share_of_flips
from nofluke.engine.pairs.sizes import PairSizes, counted
from nofluke.types import FloatArray, IntArray

# Frequencies of all pairs take this much at most; and a finer tally than this would be read by nobody.
_MOST_BYTES = 1 << 27
_MOST_SIZES = 4_096
_LEAST_SIZES = 64


@dataclass(frozen=True, slots=True)
class Places:
    """Where differences are counted: those of -widest to widest places, each `width` steps of the grid wide."""

    widest: int
    width: int


def places_for(span: int, systems: int) -> Places:
    """Give as many places as the differences of systems, at most `span` steps, need or memory allows."""
    pairs = systems * (systems - 1) // 2
    most = max(_LEAST_SIZES, min(_MOST_SIZES, _MOST_BYTES // (16 * pairs)))
    width = max(1, -(-span // most))
    return Places(-(-span // width), width)


@dataclass(frozen=True, slots=True, eq=False)
class PairTallies:
    """Frequencies of the differences of all pairs i < j, a row each, and what they were rounded from.

    `ahead` and `behind` count the items on which i is the better or the worse one, `squares` is the sum of squares of
    differences in steps, `totals` are those of the systems.
    """

    places: Places
    n: int
    counts: IntArray
    ahead: IntArray
    behind: IntArray
    squares: FloatArray
    totals: list[int]

    @property
    def exact(self) -> bool:
        """Whether each place holds one difference."""
        return self.places.width == 1

    def plus(self, other: PairTallies) -> PairTallies:
        """Merge the tallies of other items of the same systems."""
        return replace(
            self,
            n=self.n + other.n,
            counts=self.counts + other.counts,
            ahead=self.ahead + other.ahead,
            behind=self.behind + other.behind,
            squares=self.squares + other.squares,
            totals=[one + more for one, more in zip(self.totals, other.totals, strict=True)],
        )

    def reordered(self, order: list[int]) -> PairTallies:
        """Give the same with the systems in another order."""
        pairs = [(order[i], order[j]) for i, j in self._pairs()]
        turned = np.array([i > j for i, j in pairs])
        rows = np.array([self.row(min(pair), max(pair)) for pair in pairs])
        counts = self.counts[rows]
        counts[turned] = counts[turned][:, ::-1]
        ahead, behind = self.ahead[rows], self.behind[rows]
        return replace(
            self,
            counts=counts,
            ahead=np.where(turned, behind, ahead),
            behind=np.where(turned, ahead, behind),
            squares=self.squares[rows],
            totals=[self.totals[place] for place in order],
        )

    def row(self, i: int, j: int) -> int:
        """Where the pair i < j stands."""
        systems = len(self.totals)
        return i * systems - i * (i + 1) // 2 + j - i - 1

    def differences(self, i: int, j: int) -> IntArray:
        """Give the differences of a pair in steps, one an item, ascending; only of tallies that are exact."""
        values = np.arange(-self.places.widest, self.places.widest + 1)
        if i > j:
            return -self.differences(j, i)[::-1]
        return np.repeat(values, self.counts[self.row(i, j)])

    def table(self, rows: FloatArray | IntArray) -> FloatArray:
        """Put what each pair has into the cells above the diagonal of a table of all pairs."""
        systems = len(self.totals)
        table: FloatArray = np.zeros((systems, systems), np.float64)
        table[np.triu_indices(systems, 1)] = rows
        return table

    def centres(self) -> FloatArray:
        """The difference that each place stands for, in steps."""
        places: FloatArray = np.arange(-self.places.widest, self.places.widest + 1).astype(np.float64)
        return places * self.places.width

    def moments(self) -> tuple[FloatArray, FloatArray]:
        """Give the second and third central sums of all pairs: of squares exactly, of cubes as far as places tell."""
        led = np.array([float(self.totals[i] - self.totals[j]) for i, j in self._pairs()])
        mean, centres = led / self.n, self.centres()
        cubes = np.array([row @ (centres - one) ** 3 for row, one in zip(self.counts, mean, strict=True)])
        squares: FloatArray = (self.squares - led * mean).astype(np.float64)
        return squares, cubes.astype(np.float64)

    def _pairs(self) -> Iterator[tuple[int, int]]:
        systems = len(self.totals)
        return ((i, j) for i in range(systems) for j in range(i + 1, systems))

    def pair_sizes(self) -> Iterator[PairSizes]:
        """Give the sizes of the differences of each system against all later ones."""
        systems = len(self.totals)
        for first in range(systems - 1):
            rows = slice(self.row(first, first + 1), self.row(first, systems - 1) + 1)
            found = counted(first, first + 1, self.counts[rows], self.places.width)
            ahead, behind = self.ahead[rows], self.behind[rows]
            one = np.ones_like(found.step)
            yield (
                found
                if self.exact
                else replace(found, ahead=ahead, nonzero=ahead + behind, step=one, squares=self.squares[rows])
            )

    def _used(self) -> IntArray:
        often = self.counts.sum(axis=0)
        folded: IntArray = (often + often[::-1])[self.places.widest :]
        return folded

    def flip_resonance(
        self, tilt: FloatArray, curvature: FloatArray, deviation: FloatArray, step: IntArray
    ) -> FloatArray:
        """Estimate how much of each flip tail is steps that a smooth approximation misses, as from the items."""
        systems = len(self.totals)
        worst, centres = np.zeros((systems, systems)), self.centres()
        upper = np.triu_indices(systems, 1)
        for modulus, fraction in periods(int(self._widest())):
            period = modulus / fraction
            cosines = np.ones((systems, systems))
            cosines[upper] = self.counts @ np.cos(2.0 * math.pi / period * centres) / self.n
            cosines.T[upper] = cosines[upper]
            share = share_of_flips(tilt, curvature, deviation, period, self.n, cosines)
            np.maximum(worst, np.where(outside_of_flips(deviation, step, period), share, 0.0), out=worst)
        return worst

    def _widest(self) -> int:
        return int(np.flatnonzero(self._used()).max(initial=0)) * self.places.width


def tallied(systems: IntArray, places: Places) -> PairTallies:
    """Tally the (S, n) scores of some items, whole multiples of the grid's step."""
    number, n = systems.shape
    pairs, size = number * (number - 1) // 2, 2 * places.widest + 1
    counts = np.empty((pairs, size), np.int64)
    ahead, behind, squares = np.empty(pairs, np.int64), np.empty(pairs, np.int64), np.empty(pairs)
    row = 0
    for first in range(number - 1):
        for other in range(first + 1, number):
            d = systems[first] - systems[other]
            ahead[row], behind[row] = np.count_nonzero(d > 0), np.count_nonzero(d < 0)
            if places.width == 1:
                counts[row] = np.bincount(d + places.widest, minlength=size)
                centres = np.arange(-places.widest, places.widest + 1)
                squares[row] = float(counts[row] @ (centres * centres))
            else:
                wide = d.astype(np.float64)
                at = np.rint(wide / places.width)
                # What differs stays different.
                at = np.where(at == 0, np.sign(wide), at).astype(np.int64)
                counts[row] = np.bincount(at + places.widest, minlength=size)
                squares[row] = float((wide * wide).sum())
            row += 1
    high, low = (systems >> 31).sum(axis=1), (systems & 0x7FFFFFFF).sum(axis=1)
    totals = [(int(h) << 31) + int(v) for h, v in zip(high, low, strict=True)]
    return PairTallies(places, n, counts, ahead, behind, squares, totals)
