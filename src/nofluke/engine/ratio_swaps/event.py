"""Which swaps of two systems give at least the observed difference of two ratios: decided in whole numbers.

With C, D the totals of numerators and denominators over both systems, which no swap changes, and U, V their differences
A - B after swapping, F_A - F_B = (C + U)/(D + V) - (C - U)/(D - V) = 2 (U D - C V) / (D^2 - V^2).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.types import IntArray

# A threshold is looked at in unlimited integers when floats leave it within this many roundings of a whole number.
_ROUNDINGS = 16 * 2.0**-53


@dataclass(frozen=True, slots=True)
class RatioEvent:
    """{F_A - F_B >= threshold}, or > when strict; a system whose denominators add up to 0 scores `empty`."""

    numerators: int
    denominators: int
    threshold: Fraction
    empty: Fraction
    strict: bool = False

    def difference(self, u: int, v: int) -> Fraction:
        """Give F_A - F_B where A - B is u in the numerators and v in the denominators."""
        c, d = self.numerators, self.denominators
        score_a = Fraction(c + u, d + v) if d + v else self.empty
        return score_a - (Fraction(c - u, d - v) if d != v else self.empty)

    def holds(self, u: int, v: int) -> bool:
        """Whether (u, v) belongs to the event."""
        difference = self.difference(u, v)
        return difference > self.threshold if self.strict else difference >= self.threshold

    def least(self, v: int) -> int:
        """Give the least u with which (u, v) belongs to the event: for every v it is a half-line."""
        c, d, t = self.numerators, self.denominators, self.threshold
        if v == d:
            bound = 2 * d * (t + self.empty) - c
        elif v == -d:
            bound = 2 * d * (t - self.empty) + c
        else:
            a, b = t.numerator, t.denominator
            top, bottom = a * (d * d - v * v) + 2 * b * c * v, 2 * b * d
            return top // bottom + 1 if self.strict else -(-top // bottom)
        return bound.__floor__() + 1 if self.strict else bound.__ceil__()

    def least_of(self, v: IntArray) -> IntArray:
        """Give the least u of every v: in floats where they leave no doubt, otherwise in unlimited integers."""
        bound, error = self._float_bound(v)
        result: IntArray = np.ceil(bound).astype(np.int64)
        doubtful = (np.abs(bound - np.rint(bound)) <= error) | (np.abs(v) == self.denominators)
        for index in np.flatnonzero(doubtful).tolist():
            result[index] = self.least(int(v[index]))
        return result

    def holds_for(self, u: IntArray, v: IntArray) -> npt.NDArray[np.bool_]:
        """Whether each (u, v) belongs to the event."""
        bound, error = self._float_bound(v)
        result: npt.NDArray[np.bool_] = u > bound
        doubtful = np.flatnonzero((np.abs(u - bound) <= error) | (np.abs(v) == self.denominators))
        if doubtful.size:
            # Ties are many where there are any, but few of them are distinct.
            pairs, index = np.unique(np.stack((u[doubtful], v[doubtful]), axis=1), axis=0, return_inverse=True)
            result[doubtful] = np.array([self.holds(x, y) for x, y in pairs.tolist()])[index.ravel()]
        return result

    def boundary(self, v: float) -> tuple[float, float]:
        """Give the real boundary u = f(v), f = t (D^2 - v^2) / (2 D) + C v / D, and its slope."""
        c, d, t = float(self.numerators), float(self.denominators), float(self.threshold)
        return t * (d - v * v / d) / 2.0 + c * v / d, (c - t * v) / d

    def _float_bound(self, v: IntArray) -> tuple[Any, Any]:
        c, d, t = float(self.numerators), float(self.denominators), float(self.threshold)
        x = v.astype(np.float64)
        bent, sloped = t / 2.0 * (d - x * (x / d)), x * (c / d)
        error = _ROUNDINGS * (abs(t) * d + np.abs(sloped))
        return bent + sloped, error


def observed_event(num_a: IntArray, num_b: IntArray, den_a: IntArray, den_b: IntArray, empty: Fraction) -> RatioEvent:
    """Give {F_A - F_B >= what was observed}."""
    a, b, y_a, y_b = (int(values.sum()) for values in (num_a, num_b, den_a, den_b))
    observed = RatioEvent(a + b, y_a + y_b, Fraction(0), empty)
    return RatioEvent(a + b, y_a + y_b, observed.difference(a - b, y_a - y_b), empty)
