"""The weighted average of datasets with its standard error, items having been sampled within each of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.align import cluster_totals
from nofluke.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Spread:
    """A weighted average, its standard error, and the degrees of freedom with which that error is known."""

    mean: float
    error: float
    df: float


def spread_of_average(
    values: FloatArray, datasets: IntArray, weights: FloatArray, clusters: IntArray | None = None
) -> Spread:
    """Give sum w_j mean_j, the root of sum w_j^2 s_j^2 / n_j, and Satterthwaite's degrees of freedom.

    A small dataset that weighs much makes the standard error as uncertain as its few items are. With clusters it is the
    variance of their totals (CR1), with one degree of freedom less than there are clusters. The spread of a dataset
    with one item is not known: how far it lies from the average stands for it.
    """
    number = len(weights)
    sizes = np.bincount(datasets, minlength=number).astype(np.float64)
    means = np.bincount(datasets, weights=values, minlength=number) / sizes
    mean = math.fsum((weights * means).tolist())
    off = values - np.where(sizes == 1, mean, means)[datasets]
    # Rounding of the mean of equal values is no spread.
    off[((_widths(values, datasets, number) == 0) & (sizes > 1))[datasets]] = 0.0
    residuals = (weights / sizes)[datasets] * off
    if clusters is not None:
        totals, _ = cluster_totals(residuals, clusters)
        groups = len(totals)
        square = groups / (groups - 1) * float(totals @ totals) if groups > 1 else math.nan
        return Spread(mean, math.sqrt(square), groups - 1)
    known = np.maximum(sizes - 1, 1)
    parts = np.bincount(datasets, weights=residuals**2, minlength=number) * sizes / known
    total = float(parts.sum())
    df = total**2 / float(np.sum(parts**2 / known)) if total > 0 else float(known.sum())
    return Spread(mean, math.sqrt(total), df)


def _widths(values: FloatArray, datasets: IntArray, number: int) -> FloatArray:
    """The largest less the smallest value of every dataset."""
    highest, lowest = np.full(number, -math.inf), np.full(number, math.inf)
    np.maximum.at(highest, datasets, values)
    np.minimum.at(lowest, datasets, values)
    return np.asarray(highest - lowest)
