"""Exact tails of a sum of few draws, or near the end of the support, by listing sums and meeting in the middle.

{Y >= k} is {D <= top - k} with D the sum of what each draw lacks to the largest value. The sums of half of the draws
are listed with their weights (only those not above the limit: near the end of the support there are few), equal sums
are merged, and the pairs within the limit are added up by one search. All terms are positive: no digit is lost.
"""

from __future__ import annotations

import math

import numpy as np

from nofluke.engine.draws.law import DrawLaw
from nofluke.types import FloatArray, IntArray

# All compositions of 14 draws of 14 values need lists of 2^17 sums, 30 ms; of 16 of 16, 2^19, 0.3 s.
_LIST = 1 << 17
_LONGEST_LIST = 1 << 19
# Many draws have few compositions only near the end of the support; otherwise inversion is faster.
_FEW_DRAWS = 16
_SHORT_LIST = 1 << 9
_LONGER_LIST = 1 << 15
_FEW_VALUES = 64
# Relative error: every weight is a product of up to ten rounded factors, and sums are of positive terms.
BOUND = 1e-13
_ONE_BY_ONE = 24
# Weights beyond these may have lost digits.
_LEAST, _MOST = 1e-280, 1e290

_Sums = tuple[IntArray, FloatArray]


def count_draws(law: DrawLaw, threshold: int, *, patient: bool = False) -> float | None:
    """Give log P(Y >= threshold), 0 < threshold <= top; None when the lists would be too long.

    `patient` allows lists that take a few tenths of a second, for where nothing else is as good.
    """
    limit = law.top - threshold
    few = law.draws <= _FEW_DRAWS
    list_limit = (_LONGEST_LIST if few else _LONGER_LIST) if patient else (_LIST if few else _SHORT_LIST)
    if law.top >= 1 << 62 or _hopeless(law, limit, list_limit, patient):
        return None
    lacking: IntArray = law.mirrored().values
    kept = int(np.searchsorted(lacking, limit, side="right"))
    # In units of the weight of the largest value, which every sum near the end of the support consists of.
    base = (lacking[:kept], law.counts[::-1][:kept].astype(np.float64) / float(law.counts[-1]))
    half = law.draws // 2
    first = _sums_of(base, half, limit, list_limit)
    if first is None:
        return None
    second = first if law.draws % 2 == 0 else _convolved(first, base, limit, list_limit)
    if second is None:
        return None
    cumulative = np.concatenate(([0.0], np.cumsum(first[1])))
    within = np.searchsorted(first[0], limit - second[0], side="right")
    with np.errstate(over="ignore"):
        total = float((cumulative[within] * second[1]).sum())
    if not _LEAST < total < _MOST:
        return None
    return min(math.log(total) + law.draws * law.log_share(-1), 0.0)


def _hopeless(law: DrawLaw, limit: int, list_limit: int, patient: bool) -> bool:
    """Whether the lists are certain to be too long, without making them."""
    lacking = law.largest - law.values[::-1]
    if int(np.searchsorted(lacking, limit, side="right")) > list_limit:
        return True
    half = max(law.draws // 2, 1)
    # Nearly lattice data have few different values, and far fewer sums than compositions: those are tried.
    if min(limit, half * law.largest) < list_limit or (patient and law.values.size <= _FEW_VALUES):
        return False
    # Draws that lack no more than limit / half each can be combined at will.
    free = int(np.searchsorted(lacking, limit // half, side="right"))
    compositions = math.lgamma(half + free) - math.lgamma(free) - math.lgamma(half + 1)
    # Equal sums are merged, which may shorten the lists by so much.
    return compositions > math.log(list_limit) + math.log(16.0)


def _sums_of(base: _Sums, draws: int, limit: int, list_limit: int) -> _Sums | None:
    """List the sums of so many draws up to the limit, in order, with their weights."""
    if draws == 0:
        return np.zeros(1, np.int64), np.ones(1)
    sums: _Sums | None = base
    if draws <= _ONE_BY_ONE or (base[0].size <= 32 and draws <= 4 * _ONE_BY_ONE):
        for _ in range(draws - 1):
            sums = None if sums is None else _convolved(sums, base, limit, list_limit)
        return sums
    half = _sums_of(base, draws // 2, limit, list_limit)
    sums = None if half is None else _convolved(half, half, limit, list_limit)
    if sums is not None and draws % 2:
        sums = _convolved(sums, base, limit, list_limit)
    return sums


def _convolved(first: _Sums, second: _Sums, limit: int, list_limit: int) -> _Sums | None:
    """Add every pair of sums, keep those within the limit, and merge equal ones."""
    if first[0].size * second[0].size > max(6 * list_limit, 1 << 13):
        return None
    sums = (second[0][:, None] + first[0][None, :]).ravel()
    # Weights beyond the range of floats, also where equal sums are merged, are infinite, which is refused below.
    with np.errstate(over="ignore"):
        weights = (second[1][:, None] * first[1][None, :]).ravel()
    within = sums <= limit
    if not within.all():
        sums, weights = sums[within], weights[within]
    order = np.argsort(sums, kind="stable")
    sums, weights = sums[order], weights[order]
    starts = np.flatnonzero(np.concatenate(([True], sums[1:] != sums[:-1])))
    if starts.size > list_limit:
        return None
    with np.errstate(over="ignore"):
        merged = np.add.reduceat(weights, starts)
    if float(merged.max()) > _MOST or float(merged.min()) < _LEAST:
        return None
    return sums[starts], merged
