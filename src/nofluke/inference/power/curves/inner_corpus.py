"""Inner p-values for corpus metrics (F1, BLEU): the difference over its standard error, test set by test set."""

from __future__ import annotations

import numpy as np

from nofluke.inference.power.curves.inner import TANGENT, Inner, Setting
from nofluke.inference.power.curves.pilot import Pilot, gradient
from nofluke.types import FloatArray


def corpus_inner(pilot: Pilot, setting: Setting, *, swaps: bool) -> Inner:
    """Approximate the tail of swapped or resampled metrics by a normal one.

    With sums s = counts . statistics the metric's tangent at s turns a unit into a pull psi; the difference then varies
    by sqrt(sum psi^2) under swaps (signs, mean not removed) and by the root of the centred sum under resampling. Second
    moments of the statistics come from one matrix product for all test sets.
    """
    if pilot.statistics is None:
        raise TypeError("a corpus metric has statistics")
    units, _, width = pilot.statistics.shape
    flat = np.ascontiguousarray(pilot.statistics.reshape(units, 2 * width))
    scale = np.maximum(np.abs(flat).max(axis=0), 1e-300)
    scaled = flat / scale
    upper = np.triu_indices(2 * width)
    products = scaled[:, upper[0]] * scaled[:, upper[1]]
    aggregate = pilot.sample.aggregate

    def block(counts: FloatArray) -> FloatArray:
        from scipy.special import log_ndtr

        n = float(counts[0].sum())
        sums = counts @ flat
        first, second = sums[:, :width], sums[:, width:]
        difference = aggregate(first, n) - aggregate(second, n)
        slopes = np.concatenate((gradient(aggregate, first, n), -gradient(aggregate, second, n)), axis=1) * scale
        pair = slopes[:, upper[0]] * slopes[:, upper[1]] * np.where(upper[0] == upper[1], 1.0, 2.0)
        raw = np.einsum("ij,ij->i", counts @ products, pair)
        centre = np.einsum("ij,ij->i", sums / scale, slopes)
        # The tangent need not pass through 0, so its own mean is taken out and, for swaps, the difference put back.
        centred = np.maximum(raw - centre**2 / n, 0.0)
        variance = centred + (difference**2 / n if swaps else 0.0)
        excess = difference - setting.delta
        deviation = np.sqrt(variance)
        solid = deviation > 1e-12 * np.maximum(np.abs(difference), 1e-300)
        z = np.where(solid, excess / np.where(solid, deviation, 1.0), 0.0)
        return setting.log_p(excess, log_ndtr(-np.abs(z)))

    return Inner(block, TANGENT)
