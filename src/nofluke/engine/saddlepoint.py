"""Saddlepoint tails, one home: where K'(s) = x, and Lugannani and Rice's formula there.

Who knows a law supplies its cumulants: signs of many rows engine/pairs/sign_tails.py, draws of many rows
engine/pairs/draw_saddlepoint.py, one list of signs the second half of this file. The solvers of engine/flips/tilt.py,
engine/draws/tilt.py and engine/lattice2d/tilt.py stay with their contours: these need only a thousandth of the tilt, of
the logarithm of a deficit, of one side of the mean, of a boundary in the plane, and each has limits of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from nofluke.types import FloatArray

# Newton's steps square the error: after one of this size nothing is left.
_TOLERANCE = 1e-7
_MOST_STEPS = 80
# A value with more than this share of all squares is heavy; so many at most are counted out.
_OUTWEIGHS = 0.2
_MOST_COUNTED = 6

# K and its second to fourth derivatives.
Cumulants = tuple[FloatArray, FloatArray, FloatArray, FloatArray]


def solve_rows(x: FloatArray, law: tuple[FloatArray, ...], slopes: Callable[..., tuple[FloatArray, ...]]) -> FloatArray:
    """Solve K'(s) = x > 0 in every row by Newton's method inside a bracket, from s = x: K'' is about 1 there.

    `slopes(s, *law)` gives K' and K'' of rows of the arrays of the law.
    """
    s, low, high = x.copy(), np.zeros_like(x), np.full_like(x, np.inf)
    rows, part = np.arange(x.size), law
    for _ in range(_MOST_STEPS):
        now = s[rows]
        first, second = slopes(now, *part)
        miss = x[rows] - first
        below, above = np.where(miss > 0, now, low[rows]), np.where(miss > 0, high[rows], now)
        moved = now + miss / np.maximum(second, 1e-300)
        middle = np.where(np.isinf(above), 2.0 * now, (below + above) / 2.0)
        moved = np.where((moved >= below) & (moved <= np.minimum(above, 3.0 * now)), moved, middle)
        going = np.abs(moved - now) > _TOLERANCE * moved
        s[rows], low[rows], high[rows] = moved, below, above
        if not going.any():
            break
        if going.sum() < 0.7 * rows.size:
            rows, part = rows[going], tuple(array[going] for array in part)
    return s


def lugannani_rice(x: FloatArray, a: FloatArray, s: FloatArray, cumulants: Cumulants) -> tuple[FloatArray, FloatArray]:
    """Give log P(T >= x + a) and P(T = x + a) to second order at K'(s) = x, s > 0, for a lattice of step 2a.

    The tail is the integral of e^(K(c) - c x) g(c) along s + it with g(c) = a / sinh(a c), x half a step below the
    threshold (Daniels 1987, second correction; g = 1/c without lattice).
    """
    cumulant, k2, k3, k4 = cumulants
    deviation = np.sqrt(k2)
    w = np.sqrt(np.maximum(2.0 * (s * x - cumulant), 1e-4))
    skew, kurtosis = k3 / deviation**3, k4 / k2**2
    scaled = np.minimum(a * s, 300.0)
    # g and -g'/g; below 1e-4 the lattice changes neither by more than 1e-9.
    fine = scaled < 1e-4
    safe = np.where(fine, 1.0, scaled)
    kernel = np.where(fine, 1.0 / s, a / np.sinh(safe))
    slope = np.where(fine, 1.0 / s, a / np.tanh(safe)) / deviation
    lead = kernel / deviation
    correction = kurtosis / 8.0 - 5.0 / 24.0 * skew**2 - skew * slope / 2.0 - slope**2 + (a / deviation) ** 2 / 2.0
    second = lead * correction + 1.0 / w**3
    log_tail = corrected_normal(w, lead - 1.0 / w + second, least=-0.9)
    log_density = -w * w / 2.0 - 0.5 * math.log(2.0 * math.pi)
    # The saddlepoint density at x + a, by Taylor's series of its logarithm at x.
    shift = a / deviation
    log_ratio = -a * s - shift**2 / 2.0 + skew * shift**3 / 6.0 - skew * shift / 2.0
    # Where one size outweighs all others the series says nothing, and `error` says so: it need not overflow.
    point = (
        2.0 * shift * np.exp(np.minimum(log_density + log_ratio, 50.0)) * (1.0 + kurtosis / 8.0 - 5.0 / 24.0 * skew**2)
    )
    return log_tail, point


def corrected_normal(w: FloatArray, bracket: FloatArray, *, least: float = -1.0 + 1e-16) -> FloatArray:
    """Give log(Phi(-w) + phi(w) bracket), the correction at `least` as a part of Phi(-w).

    To first order the bracket is 1/u - 1/w with w = sgn(s) sqrt(2 (s x - K(s))) and u = s sqrt(K''(s)).
    """
    from scipy.special import log_ndtr

    log_normal = log_ndtr(-w)
    mills = np.exp(-w * w / 2.0 - 0.5 * math.log(2.0 * math.pi) - log_normal)
    log_tail: FloatArray = log_normal + np.log1p(np.maximum(mills * bracket, least))
    return log_tail


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
    """Newton's method for K'(s) = x, kept inside a bracket; K' rises from 0 to the support's end.

    Numbers instead of `solve_rows`, whose arrays of one row would take twice as long.
    """
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
    sv = s * v
    cumulant = _sum(sv + np.log1p(np.exp(-2 * sv)) - math.log(2), counts)
    curvature = _sum(v * v / np.cosh(np.minimum(sv, 350)) ** 2, counts)
    w = math.sqrt(max(0.0, 2 * (s * x - cumulant)))
    # At the centre 1/u - 1/w has the finite limit -K'''/(6 K''^1.5) = 0 for symmetric sums.
    bracket = 0.0 if w < 1e-4 else 1 / (s * math.sqrt(curvature)) - 1 / w
    return float(corrected_normal(np.array(w), np.array(bracket)))
