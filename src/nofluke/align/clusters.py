"""The one place that groups items by cluster, so that no two methods can disagree about it."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from nofluke.types import FloatArray, IntArray

Numbers = TypeVar("Numbers", IntArray, FloatArray)


def cluster_totals(values: Numbers, clusters: IntArray | None) -> tuple[Numbers, IntArray]:
    """Sum values by cluster, with the number of items in each; without clusters every item is its own.

    Whole numbers come as arrays that are safe to add up (see whole.py), so their totals are exact.
    """
    if clusters is None:
        return values, np.ones(len(values), np.int64)
    _, codes, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
    totals = np.zeros(len(sizes), values.dtype)
    np.add.at(totals, codes, values)
    return totals, sizes.astype(np.int64)
