"""Summaries of one column of numbers: moments, histogram, the three skewness figures, the kind of scores."""

from __future__ import annotations

import math

import numpy as np

from nofluke.inference.moments import Moments
from nofluke.types import FloatArray, Histogram, Summary

_MOST_BINS = 40
_FEW_VALUES = 11
# A bin narrower than so many last bits of the numbers in it has no edges that differ.
_NARROWEST = 4


def summarise(name: str, values: FloatArray, moments: Moments) -> Summary:
    """Give the usual figures of a column; one that is constant up to its last bits has a single value."""
    if moments.constant:
        values = np.full(len(values), moments.mean)
    return Summary(
        name=name,
        n=moments.n,
        mean=moments.mean,
        median=float(np.median(values)),
        sd=moments.sd,
        minimum=float(values.min()),
        maximum=float(values.max()),
        histogram=histogram(values),
    )


def histogram(values: FloatArray) -> Histogram:
    """Count values in bins by Freedman and Diaconis' rule, between 1 and 40 of them."""
    low, high = float(values.min()), float(values.max())
    if low == high:
        return Histogram((low, high), (len(values),))
    quartiles = np.quantile(values, [0.25, 0.75])
    width = 2 * float(quartiles[1] - quartiles[0]) / len(values) ** (1 / 3)
    bins = math.ceil((high - low) / width) if width > (high - low) / _MOST_BINS else _MOST_BINS
    # Few values (ratings, 0/1) get no more bins than values: empty bins would look like structure.
    distinct = np.unique(values[: 50 * _MOST_BINS])
    bins = min(bins, max(2, len(distinct))) if len(distinct) <= _FEW_VALUES else max(bins, 5)
    bins = min(bins, int((high - low) / (_NARROWEST * float(np.spacing(max(abs(low), abs(high)))))))
    if bins < 2:
        return Histogram((low, high), (len(values),))
    counts, edges = np.histogram(values, bins=bins, range=(low, high))
    return Histogram(tuple(float(edge) for edge in edges), tuple(int(count) for count in counts))


def skewness(values: FloatArray) -> tuple[float, float, float]:
    """Give g1 = m3 / m2^1.5, the adjusted G1 and b1 = m3 / s^3; nan where the values do not vary enough."""
    n = len(values)
    centred = values - values.mean()
    largest = float(np.max(np.abs(centred), initial=0.0))
    if n < 2 or largest <= 1e-14 * float(np.max(np.abs(values), initial=0.0)):
        return math.nan, math.nan, math.nan
    unit = centred / largest
    m2, m3 = float(np.mean(unit**2)), float(np.mean(unit**3))
    g1 = m3 / m2**1.5
    adjusted = g1 * math.sqrt(n * (n - 1)) / (n - 2) if n > 2 else math.nan
    return g1, adjusted, g1 * ((n - 1) / n) ** 1.5


def kind_of(values: FloatArray) -> str:
    """Name the kind of scores: binary, ratings (few whole values), counts, whole numbers or continuous.

    Looks at both systems' scores together, so that swapping A and B on any item changes nothing.
    """
    if not np.array_equal(values, np.rint(values)):
        return "continuous"
    distinct = np.unique(values)
    if np.isin(distinct, (0.0, 1.0)).all():
        return "binary"
    if len(distinct) <= _FEW_VALUES and distinct[-1] - distinct[0] <= 20:
        return "ratings"
    return "counts" if distinct[0] >= 0 else "whole numbers"
