"""The exact tail of a sum of random signs: the paired permutation test of a mean without simulation."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.engine.flips.binomial import log_fair_binomial_tail
from nofluke.engine.flips.counting import FlipCount, count_flips
from nofluke.engine.flips.dense import count_dense
from nofluke.engine.flips.draws import FlipCounts, flip_draws
from nofluke.engine.flips.inversion import invert
from nofluke.types import IntArray

__all__ = ["EXACT_BOUND", "FlipCounts", "Tail", "flip_draws", "flip_tail"]

# "exact" may be said below this bound; above it, counting is tried before the bound is reported.
EXACT_BOUND = 1e-9
_ENUMERATED_ITEMS = 36
_FALLBACK_ITEMS = 46
_FALLBACK_LIST = 1 << 19
# Counting out 2^37 patterns and more takes up to a second: only where the bound of the inversion is above this.
GOOD_BOUND = 1e-5
_POOR_BOUND = 1e-6
# Seconds that a table of sums may take: as the first choice for few items, and where nothing else was good enough.
_FEW_ITEMS = 200
_QUICK_TABLE = 0.08
_SLOW_TABLE = 0.6
# What meeting in the middle takes for each of 2^(n/2) sums.
_SECONDS_PER_PATTERN = 1e-7
# An item this many times wider than the standard deviation of all others is conditioned on: both signs are tried.
_OUTLIER = 300.0


@dataclass(frozen=True, slots=True)
class Tail:
    """A tail probability: its natural logarithm, a bound on the relative error, and how it was obtained."""

    log_p: float
    bound: float
    path: str


def flip_tail(integers: IntArray, threshold: int, *, enough: float = GOOD_BOUND) -> Tail:
    """How likely is a sum of the integers with fair random signs at least `threshold`?

    Where the bound of the inversion is above `enough` (and above 1e-9), patterns are counted if there is a way.

    Paths: "support" (certain, impossible, only the largest sum, or one half by symmetry), "binomial" (all of one size),
    "enumeration" (few items, or where nothing else is as good), "lattice" (Fourier inversion, every node of the period
    summed or proved negligible), "inversion" (the same, left-out nodes judged by a search).

    >>> import numpy as np
    >>> tail = flip_tail(np.array([1, 2, 4]), 7)
    >>> round(math.exp(tail.log_p), 12), tail.path
    (0.125, 'support')
    """
    sizes = np.abs(np.asarray(integers, dtype=np.int64))
    values, counts = np.unique(sizes[sizes > 0], return_counts=True)
    return _tail(values, counts.astype(np.int64), int(threshold), 1, enough=enough)


def _tail(values: IntArray, counts: IntArray, threshold: int, scale: int, *, enough: float) -> Tail:
    if values.size == 0:
        return Tail(0.0 if threshold <= 0 else -math.inf, 0.0, "support")
    divisor = int(np.gcd.reduce(values))
    if divisor > 1:
        values, threshold, scale = values // divisor, -(-threshold // divisor), scale * divisor
    total = _exact_sum(values, counts)
    threshold += (total - threshold) % 2
    if threshold <= -total:
        return Tail(0.0, 0.0, "support")
    if threshold > total:
        return Tail(-math.inf, 0.0, "support")
    if threshold == 1:
        return Tail(-math.log(2.0), 0.0, "support")  # T is odd and symmetric
    if threshold <= 0:
        return _complement(_upper_tail(values, counts, total, 2 - threshold, scale, enough=enough, of_rest=True))
    return _upper_tail(values, counts, total, threshold, scale, enough=enough)


def _exact_sum(values: IntArray, counts: IntArray) -> int:
    """Add up in two parts that cannot overflow."""
    high, low = values >> 31, values & 0x7FFFFFFF
    return (int(np.dot(high, counts)) << 31) + int(np.dot(low, counts))


def _complement(tail: Tail) -> Tail:
    """P(T >= x) = 1 - P(T >= 2 - x), since T is symmetric with step 2; p <= 1/2 on the right, so nothing cancels."""
    p = math.exp(tail.log_p)
    return Tail(math.log1p(-p), tail.bound * p / (1.0 - p), tail.path)


def _upper_tail(
    values: IntArray, counts: IntArray, total: int, threshold: int, scale: int, *, enough: float, of_rest: bool = False
) -> Tail:
    """0 < threshold, of the parity of the total; `of_rest` says that 1 minus the tail is what is wanted."""
    items, deficit = int(counts.sum()), (total - threshold) // 2
    if threshold > total:
        return Tail(-math.inf, 0.0, "support")
    if deficit < int(values[0]):
        return Tail(-items * math.log(2.0), 0.0, "support")
    if values.size == 1:
        log_p = log_fair_binomial_tail(items, items - deficit // int(values[0]))
        return Tail(log_p, 8.0 * math.ulp(1.0) * (1.0 - log_p), "binomial")
    # With few items whole periods would have to be summed, or long lists made: a table of sums is often shorter.
    allowed = min(_QUICK_TABLE, _SECONDS_PER_PATTERN * 2.0 ** (min(items, _FEW_ITEMS) / 2))
    ways = count_dense(values, counts, deficit, allowed) if items < _FEW_ITEMS else None
    if ways is None and items <= _ENUMERATED_ITEMS:
        ways = count_flips(values, counts, deficit, 4 * _FALLBACK_LIST)
    if ways is not None:
        return _counted(ways, items)
    if _has_outlier(values, counts):
        return _condition_on_largest(values, counts, threshold, scale, enough=enough)
    log_p, bound, path = invert(values, counts, total, threshold, scale)
    error = bound * math.exp(log_p) if of_rest else bound
    if error > EXACT_BOUND:
        ways = count_dense(values, counts, deficit, _SLOW_TABLE)
        if ways is None and error > enough:
            longest = (4 if items <= _FALLBACK_ITEMS else 1 if bound < _POOR_BOUND else 2) * _FALLBACK_LIST
            ways = count_flips(values, counts, deficit, longest)
        if ways is not None:
            return _counted(ways, items)
    return Tail(log_p, bound, path)


def _counted(ways: FlipCount, items: int) -> Tail:
    return Tail(ways.log_count - items * math.log(2.0), ways.bound, "enumeration")


def _has_outlier(values: IntArray, counts: IntArray) -> bool:
    if int(counts[-1]) > 1 or values.size < 2:
        return False
    rest = values[:-1].astype(np.float64)
    variance = float(np.dot(rest * rest, counts[:-1].astype(np.float64)))
    return float(values[-1]) > _OUTLIER * math.sqrt(variance)


def _condition_on_largest(values: IntArray, counts: IntArray, threshold: int, scale: int, *, enough: float) -> Tail:
    """P(T >= x) = P(T' >= x - u)/2 + P(T' >= x + u)/2 with u the largest item and T' the sum of the others."""
    largest = int(values[-1])
    parts = [_tail(values[:-1], counts[:-1], threshold + sign * largest, scale, enough=enough) for sign in (-1, 1)]
    main = max(parts, key=lambda part: part.log_p)
    shares = [math.exp(part.log_p - main.log_p) for part in parts]
    bound = sum(share * part.bound for share, part in zip(shares, parts, strict=True) if share > 0) / sum(shares)
    return Tail(main.log_p + math.log(sum(shares) / 2.0), bound, main.path)
