"""Condition on how often far-away values are drawn: a mixture of sums of the other values.

With one value, or a few, far outside, |psi| does not die out (it is that of a Poisson number of jumps) until the small
values dampen it, thousands of nodes later; conditioned on the number of jumps, twenty nodes are enough.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement
from operator import mul

import numpy as np

from nofluke.engine.draws.law import DrawLaw, on_lattice, spread_of
from nofluke.types import FloatArray

# A gap this many times wider than the standard deviation of the sum of all other draws.
_FAR = 60.0
# Parts below e^-40 of the sum are left out; what all of them can hold is in the bound.
_NEGLIGIBLE = 40.0
_MOST_PARTS = 200
# Far-away values that are counted out together, and in how many ways they may be drawn.
_MOST_VALUES, _MOST_WAYS = 3, 300

TailOf = Callable[[DrawLaw, int], tuple[float, float]]


def outlier(law: DrawLaw) -> slice | None:
    """Give the place of the values at one end, as few as there are, that are far from all others; None without any."""
    size = law.values.size
    for many in range(1, min(_MOST_VALUES, size - 2) + 1):
        for far, rest in ((slice(-many, None), slice(None, -many)), (slice(None, many), slice(many, None))):
            others = law.values[rest]
            gap = (
                int(law.values[-many]) - int(others[-1])
                if far.stop is None
                else int(others[0]) - int(law.values[many - 1])
            )
            # The ends of the others alone give them this much variance; nearly always that settles it.
            if gap * math.sqrt(2.0 * law.items) <= _FAR * math.sqrt(law.draws) * int(others[-1] - others[0]):
                continue
            if gap > _FAR * math.sqrt(law.draws) * spread_of(others, law.counts[rest]):
                return far
    return None


def condition(law: DrawLaw, threshold: int, far: slice, tail_of: TailOf) -> tuple[float, float]:
    """Give log P(Y >= threshold) and its bound from P(Y >= threshold | values of the far end are drawn i times).

    The parts are taken in the order in which they can only fall (more high values, or fewer low ones, can only help),
    so what is left out when one of them is negligible is at most that one.
    """
    values, counts = law.values[far], law.counts[far]
    low = far.stop is not None
    rest = slice(far.stop, None) if low else slice(None, far.start)
    log_chances = _log_binomial(law, int(counts.sum()))
    if low:
        first, last, step = 0, law.draws, 1
        certain = -math.inf
    else:
        # From so many on the threshold is reached whatever else is drawn, for the smallest value is 0.
        first, last, step = min(-(-threshold // int(values[0])), law.draws + 1) - 1, 0, -1
        certain = _log_sum(log_chances[first + 1 :])
    parts: list[tuple[float, float]] = [(certain, 0.0)] if certain > -math.inf else []
    left_out = -math.inf
    for number, i in enumerate(range(first, last + step, step)):
        ways = _ways(values.tolist(), counts.tolist(), i)
        if ways is None:
            left_out = _log_sum(log_chances[i:] if low else log_chances[: i + 1])
            break
        tails = [(chance, *_rest_tail(law, rest, law.draws - i, threshold - drawn, tail_of)) for drawn, chance in ways]
        parts += [(float(log_chances[i]) + chance + log_tail, bound) for chance, log_tail, bound in tails]
        log_tail = _log_sum(np.array([chance + log_tail for chance, log_tail, _ in tails]))
        total = _log_sum(np.array([part for part, _ in parts]))
        remaining = log_chances[i + 1 :] if low else log_chances[:i]
        left_out = log_tail + _log_sum(remaining)
        if left_out < total - _NEGLIGIBLE or log_tail == -math.inf or number >= _MOST_PARTS:
            break
    total = _log_sum(np.array([part for part, _ in parts]))
    bound = math.fsum(math.exp(part - total) * error for part, error in parts if part > -math.inf)
    rounding = 16.0 * math.ulp(1.0) * (1.0 + abs(total)) + 4.0 * math.ulp(1.0) * law.draws**0.5
    return min(total, 0.0), bound + rounding + (math.exp(min(left_out - total, 0.0)) if total > -math.inf else 0.0)


def _ways(values: list[int], counts: list[int], number: int) -> list[tuple[int, float]] | None:
    """Give the sums that so many draws from few values can have, with their log chances; None where they are many."""
    if len(values) == 1:
        return [(number * values[0], 0.0)]
    if math.comb(number + len(values) - 1, number) > _MOST_WAYS:
        return None
    items, found = sum(counts), []
    for chosen in combinations_with_replacement(range(len(values)), number):
        times = [chosen.count(place) for place in range(len(values))]
        orders = math.factorial(number)
        for often in times:
            orders //= math.factorial(often)
        chance = Fraction(orders * math.prod(map(pow, counts, times)), items**number)
        log_chance = math.log(chance.numerator) - math.log(chance.denominator)
        found.append((sum(map(mul, values, times)), log_chance))
    return found


def _rest_tail(law: DrawLaw, rest: slice, draws: int, threshold: int, tail_of: TailOf) -> tuple[float, float]:
    """Give the tail of the sum of `draws` draws from the other values."""
    others = law.values[rest]
    lowest = int(others[0])
    reduced = on_lattice(others, law.counts[rest], draws, law.scale)
    if reduced is None:
        return 0.0, math.inf
    divisor = reduced.scale // law.scale
    return tail_of(reduced, -((draws * lowest - threshold) // divisor))


def _log_binomial(law: DrawLaw, there: int) -> FloatArray:
    """Give log P(i of the draws are among so many items) for all i, by ratios: log-gammas would lose digits."""
    items = law.items
    others = math.log1p(-there / items) if 2 * there < items else math.log((items - there) / items)
    log_share = math.log(there / items) if 2 * there < items else math.log1p(-(items - there) / items)
    i = np.arange(law.draws, dtype=np.float64)
    ratios = np.log((law.draws - i) / (i + 1.0)) + (log_share - others)
    return law.draws * others + np.concatenate(([0.0], np.cumsum(ratios)))


def _log_sum(logs: FloatArray) -> float:
    """Give the logarithm of a sum of exponentials."""
    largest = float(logs.max()) if logs.size else -math.inf
    if largest == -math.inf:
        return largest
    return largest + math.log(float(np.exp(logs - largest).sum()))
