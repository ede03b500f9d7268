"""Sums of rounded differences under random signs: what is certain, and what may be a tie."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.align.exact_sums import largest, summable
from nofluke.engine.flips import flip_tail
from nofluke.engine.tail import Tail, between
from nofluke.types import IntArray

# So many items, of which this share differ in size, and a sum up to this part of the furthest one make a smooth law.
_SMOOTH_FROM = 200
_MOSTLY = 0.9
_MODERATE = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Flipped:
    """What random signs are given to: the differences of items or totals of clusters, minus delta, in whole numbers.

    `rounding` is what each may be off by; None where all are exact. Flipping a set F reaches the observed sum when the
    sum over F is at most 0, so it is only the rounding of F that matters: with each item moved down by its rounding
    every F that may tie counts as tied, moved up no F does that is not certain. `doubt` is what a sum may be off by
    where the weights of datasets were rounded; sums that are equal with the rounded weights count as ties, as those
    within one dataset are, so that p errs upwards where two sums meet by chance (weights have 40 bits or more).
    """

    exact: IntArray
    rounding: IntArray | None
    doubt: int = 0

    @property
    def low(self) -> IntArray:
        """Moved down, so that ties count however scores were rounded."""
        return self.exact if self.rounding is None else summable(self.exact - self.rounding)

    @property
    def high(self) -> IntArray:
        """Moved up."""
        return self.exact if self.rounding is None else summable(self.exact + self.rounding)

    @property
    def mirrored(self) -> Flipped:
        """The same with A and B in each other's place."""
        return Flipped(-self.exact, self.rounding, self.doubt)

    def counted_tail(self) -> Tail:
        """Give P(sum >= observed), every tie counted that there may be."""
        return flip_tail(self.low, int(self.low.sum()))

    def with_doubt(self, tail: Tail) -> Tail:
        """Widen the bound of that tail until it holds the one without the ties that are not certain."""
        if self.rounding is None:
            return self._with_rounded_weights(tail) if self.doubt else tail
        doubt = _smooth_doubt(self.exact, self.rounding)
        if doubt is not None:
            return tail._replace(bound=tail.bound + doubt)
        return between(tail, flip_tail(self.high, int(self.high.sum())))

    def _with_rounded_weights(self, tail: Tail) -> Tail:
        """Widen the bound by all sums beside the observed one that true weights may put on its other side."""
        lead = int(self.exact.sum())
        above = flip_tail(self.exact, lead + 1)
        farther = [flip_tail(self.exact, lead - self.doubt), flip_tail(self.exact, lead + self.doubt + 1)]
        near = math.exp(farther[0].log_p - tail.log_p) - 1 + math.exp(above.log_p - tail.log_p)
        near -= math.exp(farther[1].log_p - tail.log_p)
        return tail._replace(bound=tail.bound + max(near, 0.0))


def _smooth_doubt(items: IntArray, rounding: IntArray) -> float | None:
    """Give the share of the tail that rounding leaves in doubt where the sum has a smooth law; None where it may not.

    The sum is smooth, and its hazard that of a normal law or a little more, if many items, none of them outstanding,
    hardly ever have the same size. Rounding moves it by that of the flipped items, half of them and a few more.
    """
    if len(items) < _SMOOTH_FROM:
        return None
    scale = float(largest(items)) or 1.0
    squares = (items.astype(np.float64) / scale) ** 2
    variance = float(squares.sum())
    effective = variance**2 / float(squares @ squares) if variance else 0.0
    z = int(items.sum()) / scale / math.sqrt(variance) if variance else 0.0
    if effective < _SMOOTH_FROM or z > _MODERATE * math.sqrt(effective):
        return None
    sizes = np.sort(np.abs(items[items != 0]))
    if np.count_nonzero(sizes[1:] != sizes[:-1]) < _MOSTLY * len(sizes):
        return None
    widths = rounding.astype(np.float64) / scale
    moved = float(widths.sum()) / 2 + 3 * float(np.linalg.norm(widths))
    return 1.25 * 4 * moved * (max(z, 0.0) + 0.8) / math.sqrt(variance)
