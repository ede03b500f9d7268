"""Groups of items that keep or change their signs together; where thousands are alike, each kind is held once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nofluke.align.whole import largest, merged
from nofluke.types import FloatArray, IntArray


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
