"""Alpha from sums over drawn items, by level of measurement."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nofluke.inference.agreement.bootstrap import refuse_too_wide
from nofluke.inference.agreement.measured import Solve
from nofluke.inference.agreement.tally import Tally
from nofluke.types import FloatArray

# Chance disagreement below this part of its scale is rounding: the draw holds one label only.
_NOTHING = 1e-11


def statistics_of(
    t: Tally, level: str, within: FloatArray, numbers: FloatArray | None, distances: FloatArray | None
) -> tuple[Callable[[], FloatArray], Solve]:
    """Give what is summed over drawn items, and how alpha comes from the sums."""
    if level == "ordinal":
        return lambda: _coincidences(t), lambda sums: _solve_ordinal(sums, t.k)
    if numbers is not None:
        return lambda: _moments(t, within, numbers), _solve_interval
    return lambda: _counts(t, within), lambda sums: _solve_counts(sums, distances)


def _alpha(total: FloatArray, within: FloatArray, between: FloatArray, scale: FloatArray) -> FloatArray:
    defined = between > _NOTHING * scale
    return np.where(defined, 1 - (total - 1) * within / np.where(defined, between, 1.0), np.nan)


def _counts(t: Tally, within: FloatArray) -> FloatArray:
    refuse_too_wide(t.n, t.k + 1, "krippendorff_alpha")
    return np.column_stack((within, t.table()))


def _solve_counts(sums: FloatArray, distances: FloatArray | None) -> FloatArray:
    counts = sums[:, 1:]
    total = counts.sum(axis=1)
    reach = total[:, None] - counts if distances is None else counts @ distances
    between = (counts * reach).sum(axis=1)
    return _alpha(total, sums[:, 0], between, total)


def _moments(t: Tally, within: FloatArray, x: FloatArray) -> FloatArray:
    first = t.of_items(t.cell_count * x[t.cell_label])
    second = t.of_items(t.cell_count * x[t.cell_label] ** 2)
    return np.column_stack((within, t.ratings, first, second))


def _solve_interval(sums: FloatArray) -> FloatArray:
    within, total, first, second = sums.T
    return _alpha(total, within, 2 * (total * second - first**2), total * second)


def _coincidences(t: Tally) -> FloatArray:
    """For every item its ratings by label and its pairs of labels, each pair counting 1 / (ratings - 1)."""
    refuse_too_wide(t.n, t.k * (t.k + 1), "krippendorff_alpha at the ordinal level")
    table = t.table()
    pairs = table[:, :, None] * table[:, None, :]
    pairs[:, np.arange(t.k), np.arange(t.k)] -= table
    pairs /= (t.ratings - 1)[:, None, None]
    return np.hstack((table, pairs.reshape(t.n, -1)))


def _solve_ordinal(sums: FloatArray, k: int) -> FloatArray:
    counts, pairs = sums[:, :k], sums[:, k:].reshape(-1, k, k)
    total = counts.sum(axis=1)
    ranks = np.cumsum(counts, axis=1) - counts / 2 - total[:, None] / 2
    within = np.empty(len(sums))
    # One draw at a time: the table of distances of a whole chunk would be large.
    for draw, x in enumerate(ranks):
        within[draw] = float((pairs[draw] * np.subtract.outer(x, x) ** 2).sum())
    first, second = (counts * ranks).sum(axis=1), (counts * ranks**2).sum(axis=1)
    several = (counts > 0).sum(axis=1) > 1
    return np.where(several, _alpha(total, within, 2 * (total * second - first**2), total), np.nan)
