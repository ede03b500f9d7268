"""The tangent of a corpus metric at many sums at once: its difference, and how far units pull it either way."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nofluke.types import Aggregate, FloatArray


class Moments(NamedTuple):
    """Of several test sets: the difference of the scores, and the sum of squares of what units pull it by."""

    difference: FloatArray
    centred: FloatArray


class Tangent:
    """What sums of `columns`, (units, columns), say about a metric of (units, 2, k) statistics.

    The columns are the statistics of both systems and all products of two of them, so that second moments of what units
    pull the difference by, psi = statistics . slopes, come from one matrix product for all test sets. Divided by a
    `scale` products stay short.
    """

    __slots__ = ("_aggregate", "_scale", "_upper", "_width", "columns")

    def __init__(self, statistics: FloatArray, aggregate: Aggregate, scale: FloatArray | float = 1.0) -> None:
        units, _, self._width = statistics.shape
        flat = statistics.reshape(units, -1)
        self._aggregate, self._scale = aggregate, np.broadcast_to(np.asarray(scale), flat.shape[1:])
        self._upper = np.triu_indices(flat.shape[1])
        scaled = flat / self._scale
        self.columns = np.concatenate((flat, scaled[:, self._upper[0]] * scaled[:, self._upper[1]]), axis=1)

    def moments(self, sums: FloatArray, n: float) -> Moments:
        """Give the difference and the spread of its pulls, for (test sets, columns) sums of n units each."""
        width, (left, right) = self._width, self._upper
        first, second = sums[:, :width], sums[:, width : 2 * width]
        with np.errstate(all="ignore"):
            difference = self._aggregate(first, n) - self._aggregate(second, n)
            slopes = np.concatenate((self._slopes(first, n), -self._slopes(second, n)), axis=1) * self._scale
            pair = slopes[:, left] * slopes[:, right] * np.where(left == right, 1.0, 2.0)
            raw = np.einsum("ij,ij->i", sums[:, 2 * width :], pair)
            centre = np.einsum("ij,ij->i", sums[:, : 2 * width] / self._scale, slopes)
            # The tangent need not pass through 0, so its own mean is taken out.
            return Moments(difference, np.maximum(raw - centre**2 / n, 0.0))

    def _slopes(self, sums: FloatArray, n: float) -> FloatArray:
        return gradients(self._aggregate, sums, n)


def gradients(aggregate: Aggregate, sums: FloatArray, n: float) -> FloatArray:
    """Give the derivatives of a corpus metric by each of its sums (..., k), from central differences."""
    step = np.maximum(np.abs(sums), 1.0) * 1e-5
    moves, here = step[..., None] * np.eye(sums.shape[-1]), sums[..., None, :]
    slopes: FloatArray = (aggregate(here + moves, n) - aggregate(here - moves, n)) / (2 * step)
    return slopes
