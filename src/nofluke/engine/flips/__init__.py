"""The exact tail of a sum of random signs: the paired permutation test of a mean without simulation."""

from __future__ import annotations

import math

import numpy as np

from nofluke.align.exact_sums import coarse, fitting, tally
from nofluke.engine.flips.binomial import log_fair_binomial_tail
from nofluke.engine.flips.counting import FlipCount, count_flips
from nofluke.engine.flips.dense import count_dense
from nofluke.engine.flips.draws import FlipCounts, flip_draws
from nofluke.engine.flips.inversion import invert
from nofluke.engine.tail import EXACT_BOUND, Tail, between
from nofluke.types import IntArray

__all__ = ["FlipCounts", "flip_draws", "flip_tail"]

_ENUMERATED_ITEMS = 36
_FALLBACK_ITEMS = 46
_FALLBACK_LIST = 1 << 19
# Counting out 2^37 patterns and more takes up to a second: only where the bound of the inversion is above this.
GOOD_BOUND = 1e-5
_POOR_BOUND = 1e-6
# Above this bound a table on a coarser grid may know more: items are cut to so many bits, the first that are quick.
_ROUGH_BOUND = 1e-3
_BRACKET_BITS = (20, 18, 16, 14, 12)
# Seconds that a table of sums may take: as the first choice for few items, and where nothing else was good enough.
_FEW_ITEMS = 200
_QUICK_TABLE = 0.08
_SLOW_TABLE = 0.6
# What meeting in the middle takes for each of 2^(n/2) sums.
_SECONDS_PER_PATTERN = 1e-7
# Items this many times wider than the standard deviation of all smaller ones are conditioned on: all their signs are
# tried, if they are few and only so many of their sums leave a tail of the others to compute.
_OUTLIER = 300.0
_MOST_GIANTS = 16
_MOST_CASES = 16
# The period of the inversion, some 10 to 30 standard deviations, must fit 64 bits. Numbers beyond that are cut short to
# at most this many bits; what was cut off goes into the bound.
_WIDEST = 2.0**56
_MOST_BITS = 52


def flip_tail(integers: IntArray, threshold: int, *, enough: float = GOOD_BOUND) -> Tail:
    """How likely is a sum of the integers with fair random signs at least `threshold`?

    Where the bound of the inversion is above `enough` (and above 1e-9), patterns are counted if there is a way.

    Paths: "support" (certain, impossible, only the largest sum, or one half by symmetry), "binomial" (all of one size),
    "enumeration" (few items, or where nothing else is as good), "lattice" (Fourier inversion, every node of the period
    summed or proved negligible), "inversion" (the same, left-out nodes judged by a search). Integers may be Python's,
    of any size.

    >>> import numpy as np
    >>> tail = flip_tail(np.array([1, 2, 4]), 7)
    >>> round(math.exp(tail.log_p), 12), tail.path
    (0.125, 'support')
    """
    sizes = np.abs(fitting(np.asarray(integers)))
    values, counts = tally(sizes)
    first = int(np.searchsorted(values, 1))
    return _tail(values[first:], counts[first:], int(threshold), 1, enough=enough)


def _tail(values: IntArray, counts: IntArray, threshold: int, scale: int, *, enough: float) -> Tail:
    if values.size == 0:
        return Tail(0.0 if threshold <= 0 else -math.inf, 0.0, "support")
    divisor = int(np.gcd.reduce(values))
    if divisor > 1:
        values, threshold, scale = fitting(values // divisor), -(-threshold // divisor), scale * divisor
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
    giants = _giants(values, counts)
    given = _condition_on(giants, values, counts, threshold, scale, enough=enough) if giants else None
    if given is not None:
        return given
    if values.dtype == object or _spread(values, counts) >= _WIDEST:
        return _cut(values, counts, threshold, scale, enough=enough)
    tail = invert(values, counts, total, threshold, scale)
    error = tail.bound * math.exp(tail.log_p) if of_rest else tail.bound
    if error > EXACT_BOUND:
        ways = count_dense(values, counts, deficit, _SLOW_TABLE)
        if ways is None and error > enough:
            longest = (4 if items <= _FALLBACK_ITEMS else 1 if tail.bound < _POOR_BOUND else 2) * _FALLBACK_LIST
            ways = count_flips(values, counts, deficit, longest)
        if ways is not None:
            return _counted(ways, items)
    bracket = _bracketed(values, counts, threshold) if error > _ROUGH_BOUND else None
    return tail if bracket is None or bracket.bound > tail.bound else bracket


def _bracketed(values: IntArray, counts: IntArray, threshold: int) -> Tail | None:
    """Give the tail on a grid as fine as a table of sums allows, with what rounding leaves in doubt."""
    items = np.repeat(values, counts)
    for bits in _BRACKET_BITS:
        short, shift, lost = coarse(items, bits)
        cut, often = np.unique(short[short > 0], return_counts=True)
        tails = [_tabled(cut, often, -(-moved >> shift)) for moved in (threshold - lost, threshold + lost)]
        if shift and tails[0] is not None and tails[1] is not None:
            return between(tails[0], tails[1])
    return None


def _tabled(values: IntArray, counts: IntArray, threshold: int) -> Tail | None:
    """Give the tail by one table of sums, or None where that takes too long."""
    total = _exact_sum(values, counts)
    threshold += (total - threshold) % 2
    if threshold > total:
        return Tail(-math.inf, 0.0, "support")
    ways = count_dense(values, counts, (total - threshold) // 2, _SLOW_TABLE)
    return None if ways is None else _counted(ways, int(counts.sum()))


def _counted(ways: FlipCount, items: int) -> Tail:
    return Tail(ways.log_count - items * math.log(2.0), ways.bound, "enumeration")


def _spread(values: IntArray, counts: IntArray) -> float:
    """The standard deviation of the sum."""
    sizes = values.astype(np.float64)
    return math.sqrt(float(np.dot(sizes * sizes, counts.astype(np.float64))))


def _giants(values: IntArray, counts: IntArray) -> int:
    """Say how many of the largest values stand apart from all smaller ones; 0 where none do, or too many."""
    few = min(_MOST_GIANTS, values.size - 1)
    sizes, weights = (values / values[-1]).astype(np.float64), counts.astype(np.float64)
    first = values.size - few
    variance = float(np.dot(sizes[:first] * sizes[:first], weights[:first]))
    found = 0
    for place in range(first, values.size):
        if sizes[place] > _OUTLIER * math.sqrt(variance):
            found = values.size - place
        variance += float(sizes[place] * sizes[place] * weights[place])
    return found if int(counts[values.size - found :].sum()) <= _MOST_GIANTS else 0


def _condition_on(
    giants: int, values: IntArray, counts: IntArray, threshold: int, scale: int, *, enough: float
) -> Tail | None:
    """P(T >= x) = E P(T' >= x - G), G the sum of the giants and T' that of the others; None if it takes too many T'."""
    split = values.size - giants
    ways = {0: 1}
    for giant in np.repeat(values[split:], counts[split:]).tolist():
        following: dict[int, int] = {}
        for total, number in ways.items():
            for moved in (total - giant, total + giant):
                following[moved] = following.get(moved, 0) + number
        ways = following
    reach = _exact_sum(values[:split], counts[:split])
    open_cases = {moved: number for moved, number in ways.items() if -reach < threshold - moved <= reach}
    if len(open_cases) > _MOST_CASES:
        return None
    rest = fitting(values[:split])
    parts = [
        (number, _tail(rest, counts[:split], threshold - moved, scale, enough=enough))
        for moved, number in open_cases.items()
    ]
    # All other sums of the giants decide alone: the others cannot fall, or cannot climb, as far as it would take.
    certain = sum(number for moved, number in ways.items() if threshold - moved <= -reach)
    parts.append((certain, Tail(0.0 if certain else -math.inf, 0.0, "support")))
    main = max((tail for _, tail in parts), key=lambda tail: tail.log_p)
    if main.log_p == -math.inf:
        return main
    shares = [(number * math.exp(tail.log_p - main.log_p), tail) for number, tail in parts]
    whole = sum(share for share, _ in shares)
    bound = sum(share * tail.bound for share, tail in shares if share > 0) / whole
    patterns = sum(ways.values())
    path = next((tail.path for share, tail in shares if share > 0 and tail.path != "support"), main.path)
    return Tail(min(0.0, main.log_p + math.log(whole / patterns)), bound + 8.0 * math.ulp(1.0), path)


def _cut(values: IntArray, counts: IntArray, threshold: int, scale: int, *, enough: float) -> Tail:
    """Cut wide values short: the true tail lies between those of thresholds moved by all that was cut off."""
    items = np.repeat(values, counts)
    short, shift, lost = coarse(items, min(_MOST_BITS, 54 - items.size.bit_length() // 2))
    cut, often = np.unique(short[short > 0], return_counts=True)

    def tail(moved: int) -> Tail:
        return _tail(cut, often.astype(np.int64), -(-moved >> shift), scale << shift, enough=enough)

    return between(tail(threshold - lost), tail(threshold + lost))
