"""The exact permutation test of a ratio whose denominators change with the system: F1, precision, AER."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from nofluke.engine.flips import flip_tail
from nofluke.engine.lattice2d.basis import Basis, hermite_basis, merge_items
from nofluke.engine.lattice2d.dense import dense_steps, dense_tail
from nofluke.engine.lattice2d.inversion import invert_pair
from nofluke.engine.lattice2d.tilt import tilt_pair
from nofluke.engine.ratio_swaps.event import RatioEvent, observed_event
from nofluke.engine.tail import EXACT_BOUND, Tail
from nofluke.errors import InputError
from nofluke.types import IntArray

__all__ = ["ratio_swap_tail", "ratio_totals"]

# Up to 2^19 patterns are counted at once (20 ms); up to 2^25 (a second) where the inversion cannot vouch for itself.
_COUNTED = 1 << 19
_FALLBACK = 1 << 25
_DENSE_STEPS = 400_000_000
_MOST_TOTAL = 1 << 52
# Counts of more items than this would not fit 64 bits.
_MOST_ITEMS = 62
_BLOCK = 1 << 18


def ratio_swap_tail(
    num_a: npt.ArrayLike,
    num_b: npt.ArrayLike,
    den_a: npt.ArrayLike,
    den_b: npt.ArrayLike,
    *,
    empty: Fraction | int | None = 0,
) -> Tail:
    """If the two outputs of each item were swapped at random, how likely were F_A - F_B at least as large as observed?

    F = sum of numerators / sum of denominators, whole numbers per item; a system whose denominators add up to 0 scores
    `empty`; with None it has no score, and such swaps count as reaching what was observed. Paths: "support" (nothing
    to swap, or only one pattern), those of flip_tail where all denominators are shared or all items collinear,
    "enumeration" (few items), "lattice" (two-dimensional Fourier inversion, every node summed or proved negligible),
    "inversion" (the same, nodes beyond the main lobe judged by their typical size), "dynamic programming" (the whole
    law item by item, where tails are too deep for the inversion).
    The other side is that of A and B exchanged.

    >>> tail = ratio_swap_tail([2, 2, 2], [0, 2, 0], [4, 3, 2], [2, 4, 3])
    >>> round(math.exp(tail.log_p), 12), tail.path
    (0.125, 'enumeration')
    """
    a, b, y_a, y_b = ratio_totals(num_a, num_b, den_a, den_b)
    event = observed_event(a, b, y_a, y_b, Fraction(empty or 0))
    u, v, counts = merge_items(a - b, y_a - y_b)
    if event.denominators == 0 or u.size == 0:
        return Tail(0.0, 0.0, "support")
    if not v.any():
        return flip_tail(np.repeat(u, counts), int((a - b).sum()))  # the denominators cancel
    if event.threshold > 0:
        tail = _tail(u, v, counts, event)
    else:
        # P(T >= t) = 1 - P(T > -t), for swapping everything else gives -T; on the right nothing cancels.
        mirrored = dataclasses.replace(event, threshold=-event.threshold, strict=True)
        tail = _complement(_tail(u, v, counts, mirrored))
    return _with_undefined(tail, u, v, counts, event) if empty is None else tail


def ratio_totals(*columns: npt.ArrayLike) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Give numerators of A and B and denominators of A and B as checked whole numbers."""
    arrays = [np.asarray(column) for column in columns]
    if any(array.ndim != 1 or array.shape != arrays[0].shape for array in arrays):
        raise InputError("numerators and denominators differ in length.", fix="give one of each per item and system.")
    whole = [array.astype(np.int64) for array in arrays]
    if any(not np.array_equal(array, given) for array, given in zip(whole, arrays, strict=True)):
        raise InputError("numerators and denominators must be whole numbers.", fix="give counts, not shares.")
    if whole[0].size and min(int(array.min()) for array in whole[2:]) < 0:
        raise InputError("a denominator is negative.", fix="give denominators of at least 0.")
    if sum(float(np.abs(array).astype(np.float64).sum()) for array in whole) >= _MOST_TOTAL:
        raise InputError("the totals of numerators and denominators exceed 2^52.", fix="divide out common factors.")
    return whole[0], whole[1], whole[2], whole[3]


def _complement(tail: Tail) -> Tail:
    p = math.exp(tail.log_p)
    return Tail(math.log1p(-p), tail.bound * p / (1.0 - p) if p > 0 else 0.0, tail.path)


def _with_undefined(tail: Tail, u: IntArray, v: IntArray, counts: IntArray, event: RatioEvent) -> Tail:
    """Add the two patterns that leave a system without denominators, where there are any and they were not counted."""
    if int((np.abs(v) * counts).sum()) != event.denominators:
        return tail
    log_one = -float(counts[v != 0].sum()) * math.log(2.0)
    towards = int((np.sign(v) * u * counts).sum())
    for sign in (1, -1):
        if not event.holds(sign * towards, sign * event.denominators):
            tail = _with_one(tail, log_one, log_one)
    return tail


def _tail(u: IntArray, v: IntArray, counts: IntArray, event: RatioEvent) -> Tail:
    """P(event), threshold >= 0."""
    basis = hermite_basis(u, v)
    if basis.step_u == 0:
        return _collinear(v, counts, basis, event)
    pairs = pattern_pairs(counts)
    if pairs <= _COUNTED:
        return _counted(u, v, counts, event)
    pair = tilt_pair(u, v, counts, event)
    tail = Tail(*invert_pair(pair))
    if tail.bound > EXACT_BOUND and pairs <= _FALLBACK:
        return _counted(u, v, counts, event)
    if tail.bound > EXACT_BOUND and dense_steps(pair) <= _DENSE_STEPS:
        return Tail(dense_tail(pair), 1e-12, "dynamic programming")
    return tail


def _counted(u: IntArray, v: IntArray, counts: IntArray, event: RatioEvent) -> Tail:
    ways = count_swaps(u, v, counts, event)
    items = int(counts.sum())
    return Tail(math.log(ways) - items * math.log(2.0) if ways else -math.inf, 0.0, "enumeration")


def _collinear(v: IntArray, counts: IntArray, basis: Basis, event: RatioEvent) -> Tail:
    """All items are multiples of one, (shear, step_v): the difference rises or falls with one sum of signs.

    The two patterns with all signs alike may leave a system without denominators; they are looked at by themselves.
    """
    items = np.repeat(v // basis.step_v, counts)
    total, log_one = int(np.abs(items).sum()), -items.size * math.log(2.0)
    step_u, step_v = basis.shear, basis.step_v
    if step_u * event.denominators < event.numerators * step_v:
        step_u, step_v = -step_u, -step_v
    edges = [total, -total] if total * basis.step_v == event.denominators else []
    most = total - 1 if edges else total
    least = _least(event, step_u, step_v, most)
    tail = flip_tail(items, least) if least <= most else Tail(-math.inf, 0.0, "support")
    for edge in edges:
        counted, wanted = least <= edge and least <= most, event.holds(edge * step_u, edge * step_v)
        if counted != wanted:
            tail = _with_one(tail, log_one if wanted else None, log_one)
    return tail


def _least(event: RatioEvent, step_u: int, step_v: int, most: int) -> int:
    """Give the least sum of signs from -most to most in the event, by halving; most + 1 when there is none."""
    low, high = -most, most + 1
    while low < high:
        middle = (low + high) // 2
        if event.holds(middle * step_u, middle * step_v):
            high = middle
        else:
            low = middle + 1
    return low


def _with_one(tail: Tail, added: float | None, log_one: float) -> Tail:
    """Add one pattern to a tail, or take one away."""
    if added is not None:
        larger, smaller = max(tail.log_p, log_one), min(tail.log_p, log_one)
        return Tail(larger + math.log1p(math.exp(smaller - larger)), tail.bound, tail.path)
    share = math.exp(log_one - tail.log_p)
    return Tail(
        tail.log_p + math.log1p(-share) if share < 1 else -math.inf, tail.bound / max(1 - share, 0.5), tail.path
    )


def pattern_pairs(counts: IntArray) -> float:
    """Give how many merged patterns counting would look at; infinite when the counts would not fit 64 bits."""
    if int(counts.sum()) > _MOST_ITEMS:
        return math.inf
    return float(np.prod(counts.astype(np.float64) + 1.0))


def count_swaps(u: IntArray, v: IntArray, counts: IntArray, event: RatioEvent) -> int:
    """Count the sign patterns s of the items (u_j, v_j), each `counts` times, whose sums belong to the event.

    The sums of two halves of the items are listed, equal items together, and every pair is looked at.
    """
    halves: list[list[int]] = [[], []]
    sizes = [1, 1]
    for j in np.argsort(-counts, kind="stable").tolist():
        smaller = 0 if sizes[0] <= sizes[1] else 1
        halves[smaller].append(j)
        sizes[smaller] *= int(counts[j]) + 1
    (u_1, v_1, ways_1), (u_2, v_2, ways_2) = (_signed_sums(u[half], v[half], counts[half]) for half in halves)
    total = 0
    rows = max(1, _BLOCK // u_2.size)
    for start in range(0, u_1.size, rows):
        part = slice(start, start + rows)
        sums_u = (u_1[part, None] + u_2).ravel()
        inside = event.holds_for(sums_u, (v_1[part, None] + v_2).ravel()).reshape(-1, u_2.size)
        total += sum(int(w) * int(x) for w, x in zip(ways_1[part], inside @ ways_2, strict=True))
    return total


def _signed_sums(u: IntArray, v: IntArray, counts: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    sums_u, sums_v, ways = np.zeros(1, np.int64), np.zeros(1, np.int64), np.ones(1, np.int64)
    for x, y, m in zip(u.tolist(), v.tolist(), counts.tolist(), strict=True):
        signs = np.arange(-m, m + 1, 2, dtype=np.int64)[:, None]
        choices = np.array([math.comb(m, i) for i in range(m + 1)], dtype=np.int64)[:, None]
        sums_u, sums_v = (signs * x + sums_u).ravel(), (signs * y + sums_v).ravel()
        ways = (choices * ways).ravel()
    return sums_u, sums_v, ways
