"""Lugannani and Rice's saddlepoint tail of a sum of random signs: close for tens of items, superb for thousands."""

from __future__ import annotations

import math

import numpy as np

from nofluke.types import FloatArray

# A value with more than this share of all squares is heavy; so many at most are counted out.
_OUTWEIGHS = 0.2
_MOST_COUNTED = 6


def flip_tail_saddlepoint(values: FloatArray, threshold: float, counts: FloatArray | None = None) -> float:
    """Give log P(sum of s_i values_i >= threshold) for fair signs s_i, approximately; counts repeat the values.

    K(s) = sum log cosh(s v_i). Used where thousands of tails are wanted and the exact inversion would be a luxury:
    the relative error falls like 1 / n (measured in the tests). A few values that outweigh all others make the sum fall
    into several humps, which no saddlepoint sees: their signs are counted out, and the others are approximated.
    """
    v = np.abs(np.asarray(values, dtype=np.float64))
    largest = float(v.max(initial=0.0))
    if largest == 0:
        return 0.0 if threshold <= 0 else -math.inf
    # Squares of the largest scores may overflow.
    v, x = v / largest, threshold / largest
    if _sum(v * v, counts) * _OUTWEIGHS >= 1.0:
        return _tail(v, x, counts)
    v = np.sort(v if counts is None else np.repeat(v, counts.astype(np.int64)))[::-1]
    heavy = _heavy(v)
    sums = np.zeros(1)
    for size in v[:heavy]:
        sums = np.concatenate((sums + size, sums - size))
    tails = np.array([_tail(v[heavy:], x - shift, None) for shift in sums.tolist()])
    highest = float(tails.max())
    if math.isinf(highest):
        return -math.inf
    return highest + math.log(float(np.mean(np.exp(tails - highest))))


def _heavy(v: FloatArray) -> int:
    """How many of the falling sizes outweigh all that follow them."""
    squares = v * v
    rest = np.cumsum(squares[::-1])[::-1]
    for count in range(min(_MOST_COUNTED, len(v))):
        if squares[count] <= _OUTWEIGHS * rest[count]:
            return count
    return min(_MOST_COUNTED, len(v))


def _sum(terms: FloatArray, counts: FloatArray | None) -> float:
    return float(terms.sum()) if counts is None else float(terms @ counts)


def _tail(v: FloatArray, x: float, counts: FloatArray | None) -> float:
    """The tail of the sum of these sizes with fair signs."""
    scale = math.sqrt(_sum(v * v, counts)) if len(v) else 0.0
    if scale == 0:
        return 0.0 if x <= 0 else -math.inf
    if x < 0:
        # By symmetry a tail above 0 is at most one half; where one size outweighs all, the approximation may be more.
        return math.log1p(-min(0.5, math.exp(_tail(v, -x, counts))))
    v, x = v / scale, x / scale
    support = _sum(v, counts)
    if x > support * (1 + 1e-12):
        return -math.inf
    if x >= support * (1 - 1e-12):
        return -_sum((v > 0).astype(np.float64), counts) * math.log(2)
    # Above 0 no tail of a symmetric sum exceeds one half; the formula may, where few values are left.
    return min(_lugannani_rice(v, x, _solve(v, x, counts), counts), -math.log(2))


def _solve(v: FloatArray, x: float, counts: FloatArray | None) -> float:
    """Newton's method for K'(s) = x, kept inside a bracket; K' rises from 0 to the support's end."""
    weighted = v if counts is None else v * counts
    low, high, s = 0.0, math.inf, x
    for _ in range(200):
        th = np.tanh(s * v)
        miss = float(weighted @ th) - x
        low, high = (s, high) if miss < 0 else (low, s)
        slope = float(np.sum(weighted * v * (1 - th * th)))
        step = s - miss / slope if slope > 0 else math.inf
        new = step if low < step < high else (2 * s if math.isinf(high) else (low + high) / 2)
        if abs(new - s) <= 1e-13 * (1 + s):
            return new
        s = new
    return s


def _lugannani_rice(v: FloatArray, x: float, s: float, counts: FloatArray | None) -> float:
    from scipy.special import log_ndtr, ndtr

    sv = s * v
    cumulant = _sum(sv + np.log1p(np.exp(-2 * sv)) - math.log(2), counts)
    curvature = _sum(v * v / np.cosh(np.minimum(sv, 350)) ** 2, counts)
    w = math.sqrt(max(0.0, 2 * (s * x - cumulant)))
    u = s * math.sqrt(curvature)
    if w < 1e-4:
        # At the centre 1/u - 1/w has the finite limit -K'''/(6 K''^1.5) = 0 for symmetric sums.
        return math.log(float(ndtr(-w)))
    log_tail = float(log_ndtr(-w))
    mills = math.exp(-w * w / 2 - 0.5 * math.log(2 * math.pi) - log_tail)
    return log_tail + math.log1p(mills * (1 / u - 1 / w))
