"""A table of datasets x systems, ranked row by row; ties are decided on exact decimals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.align.decimals import find_grid, to_integers
from nofluke.check import check_count
from nofluke.errors import InputError
from nofluke.types import FloatArray, IntArray

# The integrand is analytic and falls like a Gaussian: the trapezoidal rule with this step is right to 1e-15.
_STEP = 0.05
_BEYOND = 12.0


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """Doubled mid-ranks of every row, 2 for the best; doubled so that they stay whole numbers."""

    doubled: IntArray

    @property
    def rows(self) -> int:
        """The number of datasets (blocks)."""
        return int(self.doubled.shape[0])

    @property
    def systems(self) -> int:
        """The number of systems."""
        return int(self.doubled.shape[1])

    @property
    def mean_ranks(self) -> FloatArray:
        """The mean rank of each system; 1 is best."""
        ranks: FloatArray = self.doubled.sum(axis=0) / (2.0 * self.rows)
        return ranks

    def chi_square(self, *, corrected: bool = True) -> float:
        """Give Friedman's statistic; nan when every row is tied throughout.

        Corrected: (k - 1) sum_j (R_j - N(k+1)/2)^2 / sum_ij (r_ij - (k+1)/2)^2, R the rank sums, which is the usual
        formula divided by 1 - sum(t^3 - t) / (N k (k^2 - 1)). Not corrected (Demsar 2006): as if there were no ties.
        """
        rows, systems = self.rows, self.systems
        middle = systems + 1
        sums = self.doubled.sum(axis=0) - rows * middle
        between = float(np.sum(sums.astype(np.float64) ** 2))
        within = float(np.sum((self.doubled - middle).astype(np.float64) ** 2))
        if not corrected:
            within = rows * systems * (systems**2 - 1) / 3.0
        return (systems - 1) * between / within if within else math.nan

    @property
    def log_alike(self) -> float:
        """The logarithm of the chance that random orders are the same on all N datasets, ties where they are.

        A row with ties of sizes t can be ordered in k! / (t_1! t_2! ...) ways.
        """
        _, ties = np.unique(self.doubled[0], return_counts=True)
        ways = math.lgamma(self.systems + 1) - sum(math.lgamma(size + 1) for size in ties.tolist())
        return -(self.rows - 1) * ways


def as_matrix(matrix: Any) -> FloatArray:
    """Check a table of datasets x systems, higher = better."""
    try:
        table = np.asarray(matrix, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            "the table is not made of numbers of equal row length.",
            fix="give one row for each dataset, with one score for each system.",
        ) from None
    if table.ndim != 2 or table.shape[0] < 1 or table.shape[1] < 2:
        raise InputError(
            f"a table of shape {table.shape} cannot be ranked.",
            fix="give one row for each dataset, with one score for each of two or more systems.",
        )
    if not np.isfinite(table).all():
        row, column = (int(value) for value in np.argwhere(~np.isfinite(table))[0])
        raise InputError(
            f"score {table[row, column]} is not a finite number.",
            where=f"row {row}, column {column}",
            fix="give a score for every system on every dataset, or leave the dataset out.",
        )
    return table


def ranked(matrix: Any) -> Ranked:
    """Rank the systems on every dataset, 1 = best; equal scores share their mean rank.

    >>> ranked([[0.3, 0.1, 0.1], [0.5, 0.2, 0.4]]).mean_ranks
    array([1.  , 2.75, 2.25])
    """
    table = as_matrix(matrix)
    return Ranked(doubled_ranks(-to_integers(table, find_grid(table))))


def doubled_ranks(rows: npt.NDArray[Any]) -> IntArray:
    """Give twice the mid-rank of every entry in its row, 2 for the smallest."""
    order = np.argsort(rows, axis=1, kind="stable")
    ordered = np.take_along_axis(rows, order, axis=1)
    ranks: IntArray = np.empty(rows.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, doubled_positions(ordered), axis=1)
    return ranks


def doubled_positions(ordered: npt.NDArray[Any]) -> IntArray:
    """Give twice the mid-rank of every place of rows in ascending order: first + last place of its ties, from 1."""
    places = np.broadcast_to(np.arange(ordered.shape[1]), ordered.shape)
    starts = np.ones(ordered.shape, dtype=bool)
    starts[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    ends = np.ones(ordered.shape, dtype=bool)
    ends[:, :-1] = starts[:, 1:]
    first = np.maximum.accumulate(np.where(starts, places, 0), axis=1)
    last = np.minimum.accumulate(np.where(ends, places, ordered.shape[1])[:, ::-1], axis=1)[:, ::-1]
    return first + last + 2


def log_range_tail(q: FloatArray, systems: int) -> FloatArray:
    """Give log P(range of `systems` standard normal variables >= q), elementwise.

    P = k int phi(z) {Phi(z)^(k-1) - (Phi(z) - Phi(z - q))^(k-1)} dz with z the largest; in this form nothing cancels,
    so far tails are right too.
    """
    from scipy.special import log_ndtr, logsumexp

    q = np.asarray(q, dtype=np.float64)
    result = np.zeros(q.shape)
    inside = q > 0
    if not inside.any():
        return result
    values = q[inside][:, None]
    z = np.arange(-_BEYOND, float(values.max()) + _BEYOND, _STEP)
    log_cdf = log_ndtr(z)
    ratio = np.exp(np.minimum(log_ndtr(z - values) - log_cdf, 0.0))
    # 1 - (1 - ratio)^(k-1); where the ratio is 1 (q so small that all of it lies below) it is 1.
    with np.errstate(divide="ignore"):
        lost = -np.expm1((systems - 1) * np.log1p(-np.minimum(ratio, 1.0)))
        log_terms = -z * z / 2.0 + (systems - 1) * log_cdf + np.log(lost)
    scale = math.log(systems * _STEP) - 0.5 * math.log(2.0 * math.pi)
    result[inside] = np.minimum(logsumexp(log_terms, axis=1) + scale, 0.0)
    return result


def nemenyi_p(table: Ranked) -> FloatArray:
    """Give the p-values of all pairs of systems, corrected for their number by the studentised range."""
    gaps = np.abs(np.subtract.outer(table.mean_ranks, table.mean_ranks))
    q = gaps * math.sqrt(2.0) / unit_of_ranks(table.systems, table.rows)
    distinct, back = np.unique(q, return_inverse=True)
    p = np.maximum(np.exp(log_range_tail(distinct, table.systems)), 5e-324)
    result: FloatArray = p[back.reshape(-1)].reshape(q.shape)
    return result


def critical_gap(systems: int, datasets: int, alpha: float) -> float:
    """Give the gap of mean ranks from which Nemenyi's test rejects at alpha."""
    systems, datasets = check_count(systems, "n_systems", least=2), check_count(datasets, "n_datasets", least=1)
    return _range_quantile(alpha, systems) / math.sqrt(2.0) * unit_of_ranks(systems, datasets)


def unit_of_ranks(systems: int, datasets: int) -> float:
    """The standard deviation of a difference of two mean ranks under random orders."""
    return math.sqrt(systems * (systems + 1) / (6.0 * datasets))


def _range_quantile(alpha: float, systems: int) -> float:
    """Give the q that the range exceeds with probability alpha, by halving on the logarithm of the tail."""
    target = math.log(alpha)
    low, high = 0.0, 1.0
    while float(log_range_tail(np.array([high]), systems)[0]) > target:
        low, high = high, high * 2.0
    while high - low > 4e-15 * high:
        middle = (low + high) / 2.0
        if middle in (low, high):
            break
        if float(log_range_tail(np.array([middle]), systems)[0]) > target:
            low = middle
        else:
            high = middle
    return high
