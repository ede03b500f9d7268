"""Condition on how often one far-away value is drawn: a mixture of sums of the other values.

With one value far outside, |psi| does not die out (it is that of a Poisson number of jumps) until the small values
dampen it, thousands of nodes later; conditioned on the number of jumps, twenty nodes are enough.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from nofluke.engine.draws.law import DrawLaw, on_lattice, spread_of
from nofluke.types import FloatArray

# A gap this many times wider than the standard deviation of the sum of all other draws.
_FAR = 60.0
# Parts below e^-40 of the sum are left out; what all of them can hold is in the bound.
_NEGLIGIBLE = 40.0
_MOST_PARTS = 200

TailOf = Callable[[DrawLaw, int], tuple[float, float]]


def outlier(law: DrawLaw) -> int | None:
    """Give the position (0 or -1) of an end value that is far from all others; None if there is none."""
    if law.values.size < 3:
        return None
    gaps = {-1: int(law.values[-1]) - int(law.values[-2]), 0: int(law.values[1])}
    for end, gap in gaps.items():
        # The ends of the others alone give them this much variance; nearly always that settles it.
        if gap * math.sqrt(2.0 * law.items) <= _FAR * math.sqrt(law.draws) * (law.largest - gap):
            continue
        rest = slice(1, None) if end == 0 else slice(None, -1)
        if gap > _FAR * math.sqrt(law.draws) * spread_of(law.values[rest], law.counts[rest]):
            return end
    return None


def condition(law: DrawLaw, threshold: int, end: int, tail_of: TailOf) -> tuple[float, float]:
    """Give log P(Y >= threshold) and its bound from P(Y >= threshold | the end value is drawn i times).

    The parts are taken in the order in which they can only fall (more high values, or fewer low ones, can only help),
    so what is left out when one of them is negligible is at most that one.
    """
    value = int(law.values[end])
    rest = slice(1, None) if end == 0 else slice(None, -1)
    log_chances = _log_binomial(law, end)
    if end == 0:
        first, last, step = 0, law.draws, 1
        certain = -math.inf
    else:
        # From so many on the threshold is reached whatever else is drawn, for the smallest value is 0.
        first, last, step = min(-(-threshold // value), law.draws + 1) - 1, 0, -1
        certain = _log_sum(log_chances[first + 1 :])
    parts: list[tuple[float, float]] = [(certain, 0.0)] if certain > -math.inf else []
    left_out = -math.inf
    for number, i in enumerate(range(first, last + step, step)):
        log_tail, bound = _rest_tail(law, rest, law.draws - i, threshold - i * value, tail_of)
        parts.append((float(log_chances[i]) + log_tail, bound))
        total = _log_sum(np.array([part for part, _ in parts]))
        remaining = log_chances[i + 1 :] if end == 0 else log_chances[:i]
        left_out = log_tail + _log_sum(remaining)
        if left_out < total - _NEGLIGIBLE or log_tail == -math.inf or number >= _MOST_PARTS:
            break
    total = _log_sum(np.array([part for part, _ in parts]))
    bound = math.fsum(math.exp(part - total) * error for part, error in parts if part > -math.inf)
    rounding = 16.0 * math.ulp(1.0) * (1.0 + abs(total)) + 4.0 * math.ulp(1.0) * law.draws**0.5
    return min(total, 0.0), bound + rounding + (math.exp(min(left_out - total, 0.0)) if total > -math.inf else 0.0)


def _rest_tail(law: DrawLaw, rest: slice, draws: int, threshold: int, tail_of: TailOf) -> tuple[float, float]:
    """Give the tail of the sum of `draws` draws from the other values."""
    others = law.values[rest]
    lowest = int(others[0])
    reduced = on_lattice(others, law.counts[rest], draws, law.scale)
    if reduced is None:
        return 0.0, math.inf
    divisor = reduced.scale // law.scale
    return tail_of(reduced, -((draws * lowest - threshold) // divisor))


def _log_binomial(law: DrawLaw, end: int) -> FloatArray:
    """Give log P(i of the draws are the end value) for all i, by ratios: log-gammas would lose digits."""
    there, items = int(law.counts[end]), law.items
    others = math.log1p(-there / items) if 2 * there < items else math.log((items - there) / items)
    i = np.arange(law.draws, dtype=np.float64)
    ratios = np.log((law.draws - i) / (i + 1.0)) + (law.log_share(end) - others)
    return law.draws * others + np.concatenate(([0.0], np.cumsum(ratios)))


def _log_sum(logs: FloatArray) -> float:
    """Give the logarithm of a sum of exponentials."""
    largest = float(logs.max()) if logs.size else -math.inf
    if largest == -math.inf:
        return largest
    return largest + math.log(float(np.exp(logs - largest).sum()))
