"""Fractions that were printed as decimals: which they were, and which ties printing tore apart."""

from __future__ import annotations

import numpy as np

from nofluke.align.decimals import LARGEST_DENOMINATOR, MOST_FRACTIONS
from nofluke.types import FloatArray, IntArray

# So many different printed fractions must be longer than their decimals before they are taken for fractions.
_FEWEST_LONG = 3


def fractions_behind(values: FloatArray, decimals: int) -> int | None:
    """Give the denominator of which all scores are fractions, printed with so many decimals: .667 and .167 are sixths.

    None where decimals say all there is to say, or where so many fractions would fit that some always do.

    >>> fractions_behind(np.array([0.667, 0.167, 0.5, 1.0, 0.833]), 3)
    6
    """
    distinct = np.unique(np.abs(values))
    shown = 0.5001 * 10.0**-decimals
    most = min(LARGEST_DENOMINATOR, 10**decimals // 30)
    if len(distinct) > MOST_FRACTIONS:
        return None
    for denominator in range(3, most + 1):
        if 10**decimals % denominator == 0:
            continue
        scaled = distinct * denominator
        if np.all(np.abs(scaled - np.rint(scaled)) <= shown * denominator):
            long = np.count_nonzero(np.rint(scaled) * 10**decimals % denominator)
            return denominator if long >= _FEWEST_LONG else None
    return None


def widen_ties(integers: IntArray) -> IntArray | None:
    """Merge differences that printing may have torn apart: sizes one printed unit from each other, or from 0.

    Thirds printed as .333333 and .666667 differ by .333334 or .333333; both mean one third. Gives None when nothing
    is that close, or when values lie so densely that neighbours are no accident of printing.
    """
    sizes = np.abs(integers)
    values = np.unique(np.concatenate([[0], sizes]))
    starts = np.concatenate([[True], np.diff(values) > 1])
    group = np.cumsum(starts) - 1
    first = values[starts]
    last = values[np.concatenate([np.flatnonzero(starts)[1:] - 1, [len(values) - 1]])]
    if not np.any(last > first) or np.any(last - first > 2):
        return None
    merged: IntArray = np.sign(integers) * first[group[np.searchsorted(values, sizes)]]
    return merged
