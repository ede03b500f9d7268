"""Exact tails of paired 0/1 scores: the largest probability of a set of tables over the unknown rate of disagreement.

A table is (b, c): items that only A, only B gets right, out of n. Under p10 - p01 = delta one parameter stays unknown,
q = p01. With q = low + (high - low) (1 - cos t) / 2 the probability of a set of tables is a trigonometric polynomial in
t of degree n at most: n + 1 values determine it, and Bernstein's inequality bounds its second derivative by n^2 / 2
times its range. That turns a grid into a proof: cells that cannot hold the maximum are left out, the others are halved.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nofluke.types import FloatArray, IntArray

# The largest n for which the tables are enumerated: 20,301 of them.
MOST_ITEMS = 200
# How closely the maximum is found, as a part of itself, and how many points may be spent on it.
_PRECISION = 1e-10
_MOST_POINTS = 20_000
_CELLS_PER_DEGREE = 16
# Up to so many items all tables are added up; beyond, columns of them, unless all together are next to impossible.
_FEW_ITEMS = 40
_DEEP = 1e-12
_NEGLIGIBLE = 1e-25
# Statistics this close are ties: they differ by rounding only, and a larger set of tables is on the safe side.
_TIE = 1e-10


class Largest(NamedTuple):
    """The logarithm of the largest probability, and how much larger it could be, as a part of itself."""

    log_value: float
    error: float


class _Tables(NamedTuple):
    b: FloatArray
    c: FloatArray
    possible: npt.NDArray[np.bool_]
    log_ways: FloatArray


@lru_cache(maxsize=8)
def _tables(n: int) -> _Tables:
    from scipy.special import gammaln

    b, c = np.meshgrid(np.arange(n + 1.0), np.arange(n + 1.0), indexing="ij")
    rest = np.maximum(n - b - c, 0)
    return _Tables(b, c, b + c <= n, gammaln(n + 1) - gammaln(b + 1) - gammaln(c + 1) - gammaln(rest + 1))


def score_statistics(n: int, delta: float) -> FloatArray:
    """Give Tango's score statistic of every table (b, c), for all of them at once."""
    if delta < 0:
        return -score_statistics(n, -delta).T
    b, c = _tables(n).b, _tables(n).c
    linear = b + c - (2 * n - b + c) * delta
    constant = c * (delta * (1 - delta))
    root = np.sqrt(linear * linear + 8 * n * constant)
    q = np.where(linear > 0, (root + linear) / (4 * n), 2 * constant / np.where(root > linear, root - linear, 1.0))
    excess, variance = b - c - n * delta, n * (2 * q + delta * (1 - delta))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(excess == 0, 0.0, excess / np.sqrt(np.maximum(variance, 0.0)))


def exact_tail(b: int, c: int, n: int, delta: float, level: float | None = None) -> Largest:
    """Give the exact p-value of H0: p10 - p01 <= delta, tables being ordered by the score statistic at delta.

    With `level` the search stops as soon as the p-value is known to lie above or not above it; the value given is then
    on the right side of the level and otherwise rough.
    """
    z = score_statistics(n, delta)
    return _largest(n, _at_least(n, z, float(z[b, c])), delta, level)


def _at_least(n: int, z: FloatArray, observed: float) -> npt.NDArray[np.bool_]:
    """The tables that speak at least as strongly for A as the observed statistic."""
    possible = _tables(n).possible
    inside = possible & (z >= observed - _TIE * (1 + abs(observed)))
    # More items for A, or fewer for B, never leave the set: then the largest probability over p10 - p01 <= delta is
    # the one over p10 - p01 = delta (Barnard's convexity). The statistic has this property but for rounding.
    inside = np.logical_or.accumulate(inside, axis=0)
    return np.logical_or.accumulate(inside[:, ::-1], axis=1)[:, ::-1] & possible


@lru_cache(maxsize=1024)
def least_wins(n: int, delta: float, level: float) -> IntArray:
    """Give, for m = 0 .. n disagreements, the least number for A at which the exact test rejects p10 - p01 <= delta.

    m + 1 where no number does. The sets of tables are nested, so halving finds the largest one that keeps the level.
    """
    z = score_statistics(n, delta)
    values = np.unique(z[_tables(n).possible])
    rejected, kept = len(values), -1
    while rejected - kept > 1:
        middle = (rejected + kept) // 2
        tail = _largest(n, _at_least(n, z, float(values[middle])), delta, level)
        rejected, kept = (middle, kept) if tail.log_value <= math.log(level) else (rejected, middle)
    least = np.arange(1, n + 2)
    if rejected < len(values):
        b, c = np.nonzero(_at_least(n, z, float(values[rejected])))
        np.minimum.at(least, b + c, b)
    return least


def _largest(n: int, inside: npt.NDArray[np.bool_], delta: float, level: float | None) -> Largest:
    nodes = np.linspace(0.0, math.pi, n + 1)
    logs = _log_probability(n, inside, delta, nodes)
    shift = float(logs.max())
    polynomial = _Cosines(np.exp(logs - shift))
    cells = _CELLS_PER_DEGREE * n
    width = math.pi / cells
    points, values = np.linspace(0.0, math.pi, cells + 1), polynomial.on_grid(cells)
    # Maximum and minimum both lie within n^2 range width^2 / 16 of a grid point.
    spread = float(values.max() - values.min()) / (1 - (n * width) ** 2 / 8)
    curvature = n * n * spread / 2
    left, left_value, right_value, spent = points[:-1], values[:-1], values[1:], len(points)
    best = float(values.max())
    while True:
        above = np.maximum(left_value, right_value) + curvature * width * width / 8
        bound = max(best, float(above.max(initial=0.0)))
        if bound <= best * (1 + _PRECISION) or spent > _MOST_POINTS:
            break
        if level is not None and (
            math.log(best) + shift > math.log(level) or math.log(bound) + shift <= math.log(level)
        ):
            break
        alive = above > best * (1 + _PRECISION)
        left, left_value, right_value, width = left[alive], left_value[alive], right_value[alive], width / 2
        middle = polynomial.at(left + width)
        spent += len(middle)
        best = max(best, float(middle.max()))
        left = np.concatenate([left, left + width])
        left_value, right_value = np.concatenate([left_value, middle]), np.concatenate([middle, right_value])
    # A probability is at most 1, and one that differs from 1 by rounding only is 1.
    log_best = math.log(best) + shift
    log_best = log_best if log_best < -1e-12 else 0.0
    return Largest(log_best, min(bound / best - 1, math.expm1(-log_best) if log_best > -1 else math.inf))


class _Cosines:
    """The polynomial sum of a_j cos(j t) through the values at t = pi k / n: n + 1 of them say all there is."""

    def __init__(self, values: FloatArray) -> None:
        self.degree = len(values) - 1
        mirrored = np.concatenate([values, values[-2:0:-1]])
        self.coefficients: FloatArray = np.fft.rfft(mirrored).real / self.degree
        self.coefficients[[0, -1]] /= 2

    def on_grid(self, cells: int) -> FloatArray:
        """Values at t = pi k / cells."""
        padded = np.zeros(cells + 1)
        padded[: self.degree + 1] = self.coefficients
        padded[1:-1] /= 2
        grid: FloatArray = np.fft.irfft(padded, 2 * cells)[: cells + 1] * (2 * cells)
        return grid

    def at(self, points: FloatArray) -> FloatArray:
        values: FloatArray = np.cos(np.outer(points, np.arange(self.degree + 1))) @ self.coefficients
        return values


def _log_probability(n: int, inside: npt.NDArray[np.bool_], delta: float, points: FloatArray) -> FloatArray:
    """Give the log probability of the set at every point t."""
    low, high = max(0.0, -delta), (1 - delta) / 2
    # sin^2(t / 2) and cos^2(t / 2) keep the ends exact: q = low at t = 0, no agreement at all at t = pi.
    up, down = (high - low) * np.sin(points / 2) ** 2, (high - low) * np.cos(points / 2) ** 2
    p10, p01, same = max(0.0, delta) + up, low + up, 2 * down
    if n > _FEW_ITEMS:
        by_columns = _by_columns(n, inside, p10, p01, same)
        if float(by_columns.max()) > _DEEP:
            with np.errstate(divide="ignore"):
                return np.asarray(np.log(by_columns))
    tables = _tables(n)
    b, c, ways = tables.b[inside], tables.c[inside], tables.log_ways[inside]
    # A finite stand-in for log 0: no item of a kind that cannot occur adds 0, one or more rule the table out.
    logs = [np.log(p, out=np.full_like(p, -1e300), where=p > 0)[:, None] for p in (p10, p01, same)]
    result = np.empty(len(points))
    chunk = max(1, 2_000_000 // len(b))
    for start in range(0, len(points), chunk):
        for_a, for_b, neither = (log[start : start + chunk] for log in logs)
        terms = for_a * b + for_b * c + neither * (n - b - c) + ways
        largest = terms.max(axis=1, keepdims=True)
        result[start : start + chunk] = largest[:, 0] + np.log(np.exp(terms - largest).sum(axis=1))
    return result


def _by_columns(
    n: int, inside: npt.NDArray[np.bool_], p10: FloatArray, p01: FloatArray, same: FloatArray
) -> FloatArray:
    """The same as a sum over c: its binomial probability times the tail of b among the other items.

    The set holds with b all larger ones, so every c needs one incomplete beta function. Values of c with a probability
    below 1e-25 are left out, which is nothing beside a total of 1e-12.
    """
    from scipy.special import betainc, gammaln, xlog1py, xlogy

    c = np.arange(n + 1)
    least = np.where(inside.any(axis=0), inside.argmax(axis=0), n + 1)
    kept = least <= n - c
    c, least = c[kept], least[kept]
    log_ways = gammaln(n + 1) - gammaln(c + 1) - gammaln(n - c + 1)
    weights = np.exp(log_ways + xlogy(c, p01[:, None]) + xlog1py(n - c, -p01[:, None]))
    row, column = np.nonzero(weights > _NEGLIGIBLE)
    others = p10 + same
    share = np.divide(p10, others, out=np.zeros_like(p10), where=others > 0)
    tails = np.ones(len(row))
    cut = least[column] > 0
    at, k = row[cut], least[column[cut]]
    tails[cut] = betainc(k, n - c[column[cut]] - k + 1, share[at])
    found: FloatArray = np.bincount(row, weights[row, column] * tails, minlength=len(p10)).astype(np.float64)
    return found
