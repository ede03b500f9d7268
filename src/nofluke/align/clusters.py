"""The one place that says what is swapped or drawn as a whole, and what it counts, so that no two methods disagree."""

from __future__ import annotations

import math
from typing import TypeVar

import numpy as np

from nofluke.align.exact_sums import products
from nofluke.align.strata import item_multipliers
from nofluke.types import FloatArray, IntArray, Sample

Numbers = TypeVar("Numbers", IntArray, FloatArray)


def cluster_totals(values: Numbers, clusters: IntArray | None) -> tuple[Numbers, IntArray]:
    """Sum values by cluster, with the number of items in each; without clusters every item is its own.

    Whole numbers come as arrays that are safe to add up (see exact_sums.py), so their totals are exact.
    """
    if clusters is None:
        return values, np.ones(len(values), np.int64)
    _, codes, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
    totals = np.zeros(len(sizes), values.dtype)
    np.add.at(totals, codes, values)
    return totals, sizes.astype(np.int64)


def weighed_totals(sample: Sample, whole: IntArray) -> tuple[IntArray, IntArray]:
    """Sum whole numbers of items by cluster, each times what it counts; and add up what the items of each count.

    The average is the sum of the first over that of the second: of several datasets the weighted one.
    """
    multipliers = item_multipliers(sample)
    if multipliers is None:
        return cluster_totals(whole, sample.clusters)
    totals, _ = cluster_totals(products(whole, multipliers), sample.clusters)
    sizes, _ = cluster_totals(multipliers, sample.clusters)
    return totals, sizes


def mean_of(sample: Sample, values: FloatArray) -> float:
    """Give the mean of one value per item; of several datasets the weighted average."""
    strata = sample.strata
    if strata is None or strata.pooled:
        return float(values.mean())
    return math.fsum((values * strata.shares).tolist())
