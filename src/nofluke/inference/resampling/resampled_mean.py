"""The mean difference of resampled items, or of resampled clusters of items, in whole grid steps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.align import cluster_totals, differences, weighed_totals
from nofluke.align.exact_sums import largest, leans_up
from nofluke.engine.randomness import RESAMPLE_WITHIN
from nofluke.engine.resample import Progress, resampled_sums
from nofluke.types import FloatArray, IntArray, Sample, Strata

# Draws made when the caller names no number: with 9,999 the p-value (1 + hits) / (1 + draws) has four round decimals,
# and every usual alpha falls on an attainable value.
DEFAULT_DRAWS = 9_999
# Sums below it fit 64 bits.
_SAFE = 1 << 62


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What is drawn: items (sizes is None), or clusters with the totals of their differences and their sizes."""

    totals: IntArray
    sizes: IntArray | None

    def __len__(self) -> int:
        return len(self.totals)

    @property
    def items(self) -> int:
        """The number of items in all units."""
        return len(self.totals) if self.sizes is None else int(self.sizes.sum())

    @property
    def mean(self) -> Fraction:
        """The mean difference of all items, in grid steps."""
        return Fraction(sum(self.totals.tolist()), self.items)

    @property
    def support(self) -> tuple[Fraction, Fraction]:
        """The smallest and the largest mean any resample can have: that of one unit drawn again and again."""
        if self.sizes is None:
            return Fraction(int(self.totals.min())), Fraction(int(self.totals.max()))
        means = [Fraction(t, s) for t, s in zip(self.totals.tolist(), self.sizes.tolist(), strict=True)]
        return min(means), max(means)


@dataclass(frozen=True, slots=True, eq=False)
class Averaged(Units):
    """Items of several datasets, which are drawn within each: their differences times what they count in the average.

    `parts` has the items of each dataset, `scale` is what the sum of all is divided by.
    """

    parts: tuple[IntArray, ...]
    scale: int

    @property
    def mean(self) -> Fraction:
        """The weighted average of the differences, in grid steps."""
        return Fraction(sum(self.totals.tolist()), self.scale)

    @property
    def support(self) -> tuple[Fraction, Fraction]:
        """The smallest and the largest average any resample can have: of one item of each dataset again and again."""
        lowest, highest = (sum(len(part) * int(end(part)) for part in self.parts) for end in (np.min, np.max))
        return Fraction(lowest, self.scale), Fraction(highest, self.scale)


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """Resampled totals of differences and the numbers of items behind them: one for all, or one for each draw."""

    totals: npt.NDArray[Any]
    sizes: int | npt.NDArray[Any]

    def __len__(self) -> int:
        return len(self.totals)

    def side(self, bound: Fraction) -> tuple[int, int, int]:
        """Count the resampled means below, at and above a bound: exactly, in whole numbers."""
        if isinstance(self.sizes, int):
            cut = bound * self.sizes
            below = int(np.count_nonzero(self.totals < math.ceil(cut)))
            above = int(np.count_nonzero(self.totals > math.floor(cut)))
        else:
            # total / size against p / q is total * q against p * size, which may need more than 64 bits.
            left = self.totals.astype(object) * bound.denominator
            right = self.sizes.astype(object) * bound.numerator
            below, above = int(np.count_nonzero(left < right)), int(np.count_nonzero(left > right))
        return below, len(self) - below - above, above

    @property
    def points(self) -> npt.NDArray[Any]:
        """The means up to the factor `scale`: whole totals for items, ratios for clusters."""
        return self.totals if isinstance(self.sizes, int) else self.means

    @property
    def scale(self) -> int:
        """What to divide a point by to get a mean."""
        return self.sizes if isinstance(self.sizes, int) else 1

    @property
    def means(self) -> FloatArray:
        """The resampled means in grid steps, in floating point."""
        return np.asarray(self.totals, dtype=np.float64) / np.asarray(self.sizes, dtype=np.float64)

    @property
    def mean(self) -> Fraction:
        """The mean of the resampled means; only for items, where it is a fraction with one denominator."""
        return Fraction(sum(self.totals.tolist()), len(self) * self.scale)


def units_of(sample: Sample) -> Units:
    """Give the differences of a sample as units to draw, in an order that depends neither on that of the items nor on
    which system is called A: the same seed then gives mirrored draws when A and B change places.
    """
    whole = differences(sample).snapped
    if sample.clusters is None:
        ascending = np.sort(whole)
        return Units(ascending if leans_up(ascending) else ascending[::-1].copy(), None)
    totals, sizes = cluster_totals(whole, sample.clusters)
    sign = 1 if leans_up(np.sort(totals)) else -1
    by_size = np.argsort(sizes, kind="stable")
    order = by_size[np.argsort(sign * totals[by_size], kind="stable")]
    return Units(totals[order], sizes[order])


def averaged_units(sample: Sample, strata: Strata) -> Averaged:
    """The same of several datasets: each in an order of its own, and all of them in that of their names."""
    totals, counts = weighed_totals(sample, differences(sample).snapped)
    sign = 1 if leans_up(np.sort(totals)) else -1
    by_name = sorted(range(len(strata.names)), key=lambda place: strata.names[place])
    parts = tuple(np.sort(totals[strata.codes == place])[::sign].copy() for place in by_name)
    return Averaged(totals, None, parts, sum(counts.tolist()))


def draw(
    units: Units, resamples: int, *, seed: int, size: int | None = None, progress: Progress | None = None
) -> Draws:
    """Draw `size` units (all of them, unless given) with replacement, `resamples` times."""
    if isinstance(units, Averaged):
        return Draws(_drawn_within(units, resamples, seed, progress), units.scale)
    size = len(units) if size is None else size
    if units.sizes is None:
        return Draws(resampled_sums(units.totals, resamples, seed=seed, size=size, progress=progress), size)
    table = np.stack((units.totals, units.sizes), axis=1)
    sums = resampled_sums(table, resamples, seed=seed, size=size, progress=progress)
    return Draws(sums[:, 0], sums[:, 1])


def _drawn_within(units: Averaged, resamples: int, seed: int, progress: Progress | None) -> npt.NDArray[Any]:
    """Draw as many items of every dataset as it has; datasets have streams of their own."""
    farthest = sum(len(part) * largest(part) for part in units.parts)
    totals = np.zeros(resamples, np.int64 if farthest < _SAFE else object)
    for place, part in enumerate(units.parts):
        totals += resampled_sums(part, resamples, seed=seed, stage=RESAMPLE_WITHIN + place)
        if progress is not None:
            progress((place + 1) * resamples // len(units.parts), resamples)
    return totals
