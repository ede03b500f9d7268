"""Pearson, Spearman and Kendall correlations of many corpora at once.

A corpus is a table of rows (x, y) and how often each row occurs in it; (corpora, rows) counts give one correlation per
corpus, nan where a column does not vary. Ranks are doubled, so that ties leave whole numbers and sums are exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from nofluke.engine.concordance import PairCounter
from nofluke.types import FloatArray

Scorer = Callable[[FloatArray], FloatArray]
# Shares of a sum of squares: below the first only rounding is left, below the second it shows in the sixth digit.
_ROUNDING = 1e-13
_DIGITS_LOST = 1e-10


def pearson_scorer(rows: FloatArray) -> Scorer:
    """Give the function from counts to Pearson's r of (rows, 2) numbers.

    >>> round(float(pearson_scorer(np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]))(np.ones((1, 3)))[0]), 12)
    1.0
    """
    x, y = centred_in_own_unit(rows).T

    def scores(counts: FloatArray) -> FloatArray:
        sums = [(counts * column).sum(axis=1) for column in (x, y, x * x, y * y, x * y)]
        found = _from_sums(counts.sum(axis=1), *sums)
        # Corpora whose items lie close together, far from the mean of all, are centred on their own mean.
        with np.errstate(invalid="ignore", divide="ignore"):
            lost = np.flatnonzero(~(_kept(counts, sums[0], sums[2]) & _kept(counts, sums[1], sums[3])))
        for corpus in lost.tolist():
            found[corpus] = _weighted(rows, counts[corpus])
        return found

    return scores


def pearson_of(rows: FloatArray) -> float:
    """Give Pearson's r of (rows, 2) numbers of any size; nan where a column does not vary.

    >>> round(pearson_of(np.array([[1e-200, 2.0], [2e-200, 4.0], [3e-200, 6.0]])), 12)
    1.0
    """
    if not np.all(rows.min(axis=0, initial=np.inf) < rows.max(axis=0, initial=-np.inf)):
        return math.nan
    x, y = centred_in_own_unit(rows).T
    return _clipped(float(x @ y) / (math.sqrt(float(x @ x)) * math.sqrt(float(y @ y))))


def centred_in_own_unit(rows: FloatArray) -> FloatArray:
    """Centre every column and divide it by its largest deviation: squares neither cancel nor leave the range.

    A power of two as the unit changes no digit; columns that do not vary are 0.
    """
    largest = np.maximum(np.abs(rows).max(axis=0, initial=0.0), np.finfo(np.float64).tiny)
    # Brought near 1 first: sums of numbers near the largest double would be infinite.
    scaled = np.ldexp(rows, -np.frexp(largest)[1])
    scaled -= scaled.mean(axis=0)
    # The mean was rounded; what that left is taken off too.
    scaled -= scaled.mean(axis=0)
    spread = np.abs(scaled).max(axis=0, initial=0.0)
    varies = rows.min(axis=0, initial=np.inf) < rows.max(axis=0, initial=-np.inf)
    centred: FloatArray = np.where(varies, np.ldexp(scaled, -np.frexp(spread)[1]), 0.0)
    return centred


def spearman_scorer(rows: FloatArray) -> Scorer:
    """Give the function from counts to Spearman's rho, Pearson's r of average ranks within each corpus."""
    rank_x, rank_y = _ranker(rows[:, 0]), _ranker(rows[:, 1])

    def scores(counts: FloatArray) -> FloatArray:
        size = counts.sum(axis=1)
        # Corpora in columns: taking rows in another order is then a plain copy.
        columns = np.ascontiguousarray(counts.T)
        # Doubled ranks have the mean size + 1. They are whole, so that sums in any order are the same.
        x, y = rank_x(columns), rank_y(columns)
        x -= size[: x.shape[1]] + 1
        y -= size[: y.shape[1]] + 1
        weighted_y = columns * y
        zero = np.zeros(len(counts))
        squares = _summed(columns, x * x), _summed(weighted_y, y)
        return _from_sums(size, zero, zero, *squares, _summed(weighted_y, x))

    return scores


def _summed(columns: FloatArray, factors: FloatArray) -> FloatArray:
    """Sum the products of every column with its own factors, or with the one column of factors."""
    if factors.shape[1] < columns.shape[1]:
        shared: FloatArray = factors[:, 0] @ columns
        return shared
    own: FloatArray = np.einsum("ij,ij->j", columns, factors)
    return own


def kendall_scorer(rows: FloatArray) -> Scorer:
    """Give the function from counts to Kendall's tau-b: concordant less discordant pairs, corrected for ties."""
    pairs = PairCounter(rows)

    def scores(counts: FloatArray) -> FloatArray:
        untied_x, untied_y, concordant = pairs.untied(counts)
        with np.errstate(invalid="ignore", divide="ignore"):
            spread = np.sqrt(untied_x) * np.sqrt(untied_y)
            found: FloatArray = np.where(spread > 0, concordant / spread, np.nan)
        return found

    return scores


def average_ranks(column: FloatArray) -> FloatArray:
    """Give every number's rank from 1, ties sharing the mean of theirs.

    >>> average_ranks(np.array([5.0, 1.0, 5.0]))
    array([2.5, 1. , 2.5])
    """
    ranks: FloatArray = _ranker(column)(np.ones((len(column), 1)))[:, 0] / 2.0
    return ranks


def _from_sums(
    size: FloatArray, x: FloatArray, y: FloatArray, xx: FloatArray, yy: FloatArray, xy: FloatArray
) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        spread_x, spread_y = xx - x * x / size, yy - y * y / size
        # A column that does not vary leaves rounding only.
        varies = (spread_x > _ROUNDING * xx) & (spread_y > _ROUNDING * yy)
        r = (xy - x * y / size) / (np.sqrt(spread_x) * np.sqrt(spread_y))
    found: FloatArray = np.where(varies, np.clip(r, -1.0, 1.0), np.nan)
    return found


def _kept(counts: FloatArray, total: FloatArray, squares: FloatArray) -> npt.NDArray[np.bool_]:
    """Say in which corpora most digits are left when the square of the mean is taken off the mean square."""
    kept: npt.NDArray[np.bool_] = squares - total * total / counts.sum(axis=1) > _DIGITS_LOST * squares
    return kept


def _weighted(rows: FloatArray, counts: FloatArray) -> float:
    drawn = counts > 0
    return pearson_of(np.repeat(rows[drawn], counts[drawn].astype(np.int64), axis=0))


def _clipped(r: float) -> float:
    return min(1.0, max(-1.0, r))


def _ranker(column: FloatArray) -> Scorer:
    """Give the function from (rows, corpora) counts to doubled average ranks of every row in each corpus."""
    half = len(column) // 2
    if half and np.array_equal(column[:half], column[half:]):
        return _twice(_ranker(column[:half]))
    _, group = np.unique(column, return_inverse=True)
    order = np.argsort(group, kind="stable")
    last = np.flatnonzero(np.diff(group[order], append=len(column)))

    def ranks(columns: FloatArray) -> FloatArray:
        # Of the rows up to the end of each group: all are whole numbers, so that no order of adding changes them.
        upto = np.cumsum(columns[order], axis=0)[last]
        doubled = upto + 1.0
        doubled[1:] += upto[:-1]
        return doubled[group]

    return ranks


def _twice(rank: Scorer) -> Scorer:
    """Rank a column that holds the same numbers twice, as gold does beside two systems: once, with both counts."""

    def ranks(columns: FloatArray) -> FloatArray:
        half = len(columns) // 2
        both = columns[:half] + columns[half:]
        if bool((both == both[:, :1]).all()):
            # Swaps leave gold as it is: one corpus stands for all.
            both = np.ascontiguousarray(both[:, :1])
        return np.tile(rank(both), (2, 1))

    return ranks
