"""Condition on how often far-away values are drawn: a mixture of sums of the other values.

With one value, or a few, far outside, |psi| does not die out (it is that of a Poisson number of jumps) until the small
values dampen it, thousands of nodes later; conditioned on the far-away draws, twenty nodes are enough.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.engine.draws.law import DrawLaw, on_lattice, spread_of
from nofluke.types import FloatArray

# A gap this many times wider than the standard deviation of the sum of all other draws.
_FAR = 60.0
# From so far on the search for resonances may miss some, and conditioning, which takes longer, is the better judge.
NOT_FAR = 3.0
# Parts below e^-40 of the sum are left out; what all of them can hold is in the bound.
_NEGLIGIBLE = 40.0
_MOST_PARTS = 200
# Far-away values that are told from the others, and how many sums of their draws are listed.
_MOST_VALUES, _MOST_SUMS = 5, 1 << 15
# One end before both, and fewer values before more: how many are at the lower and at the upper end.
_ENDS = [ends for many in range(1, _MOST_VALUES + 1) for ends in ((0, many), (many, 0))]
_ENDS += [(low, many - low) for many in range(2, _MOST_VALUES + 1) for low in range(1, many)]
# Chances below this may have lost digits.
_LEAST = 1e-280
# A bound that says nothing, as the logarithm of a number that is still one.
_ANY = 700.0

Listed = tuple[npt.NDArray[Any], FloatArray]
Part = tuple[float, float]
TailOf = Callable[[DrawLaw, int], Part]


def far_values(law: DrawLaw, far_from: float = _FAR) -> tuple[int, int] | None:
    """Give how many values at the lower and the upper end, as few as there are, are far from those between, if any."""
    size = law.values.size
    most = min(_MOST_VALUES, size - 2)
    bottom, top = law.values[: most + 1].tolist(), law.values[size - most - 1 :].tolist()
    for low, high in _ENDS:
        if low + high > most:
            continue
        first, last = bottom[low], top[most - high]
        gap = min(([first - bottom[low - 1]] if low else []) + ([top[most - high + 1] - last] if high else []))
        # The ends of those between alone give them this much variance; nearly always that settles it.
        if gap * math.sqrt(2.0 * law.items) <= far_from * math.sqrt(law.draws) * (last - first):
            continue
        between = slice(low, size - high)
        if gap > far_from * math.sqrt(law.draws) * spread_of(law.values[between], law.counts[between]):
            return low, high
    return None


def condition(law: DrawLaw, threshold: int, ends: tuple[int, int], tail_of: TailOf) -> Part:
    """Give log P(Y >= threshold) and its bound from the tails given which far-away values are drawn, and how often.

    Nearly always these decide by themselves. What is left out has at most its own chance.
    """
    low, high = ends
    between = slice(low, law.values.size - high)
    smallest, largest = int(law.values[between][0]), int(law.values[between][-1])
    values, counts = (np.concatenate([of[:low], of[between.stop :]]) for of in (law.values, law.counts))
    log_chances = _log_binomial(law, int(counts.sum()))
    listed = _sums_of(tuple(values.tolist()), tuple(counts.tolist()))
    parts: list[Part] = [(-math.inf, 0.0)]
    left_out = -math.inf
    for i in range(law.draws + 1):
        certain, possible = threshold - (law.draws - i) * smallest, threshold - (law.draws - i) * largest
        # More draws of values at the upper end can only help, at the lower end only hinder.
        if not low and i * int(values[0]) >= certain:
            parts.append((_log_sum(log_chances[i:]), 0.0))
            left_out = -math.inf
            break
        if i * int(values[-1]) < possible:
            left_out = -math.inf
            if not high:
                break
            continue
        given = _reaching(listed.of(i), certain, possible)
        left_out = _log_sum(log_chances[i if given is None else i + 1 :])
        if given is None:
            break
        for drawn, chance in given:
            log_tail, bound = _rest_tail(law, between, law.draws - i, threshold - drawn, tail_of)
            parts.append((float(log_chances[i]) + chance + log_tail, bound))
        if left_out < _log_sum(np.array([part for part, _ in parts])) - _NEGLIGIBLE or len(parts) > _MOST_PARTS:
            break
    return _added_up(law, parts, left_out)


def _reaching(listed: Listed | None, certain: int, possible: int) -> list[tuple[int, float]] | None:
    """Give the sums for which the other draws matter with their log chances, and one in place of all that surely reach.

    None where nothing is listed, or too many sums are in doubt.
    """
    if listed is None:
        return None
    sums, chances = listed
    first, last = np.searchsorted(sums, [possible, certain]).tolist()
    if last - first > _MOST_PARTS:
        return None
    given = [(int(sum_), math.log(chance)) for sum_, chance in zip(sums[first:last], chances[first:last], strict=True)]
    surely = math.fsum(chances[last:])
    return [*given, (certain, math.log(surely))] if surely else given


def _added_up(law: DrawLaw, parts: list[Part], left_out: float) -> Part:
    """Give the logarithm of the sum of all parts, and its bound with what was left out."""
    total = _log_sum(np.array([part for part, _ in parts]))
    bound = math.fsum(math.exp(part - total) * error for part, error in parts if part > -math.inf)
    rounding = 16.0 * math.ulp(1.0) * (1.0 + abs(total)) + 4.0 * math.ulp(1.0) * law.draws**0.5
    if total == -math.inf:
        return total, math.inf if left_out > -math.inf else 0.0
    return min(total, 0.0), bound + rounding + math.exp(min(left_out - total, _ANY))


@lru_cache(maxsize=4)
def _sums_of(values: tuple[int, ...], counts: tuple[int, ...]) -> _Sums:
    """Tails of one law at many thresholds share their lists."""
    return _Sums(values, counts)


class _Sums:
    """The sums of so many draws from a few values, in order, with their chances: each list made of the one before."""

    def __init__(self, values: tuple[int, ...], counts: tuple[int, ...]) -> None:
        # Sums may be too wide for 64 bits.
        self._values = np.array(values, dtype=object if values[-1] >= 1 << 40 else np.int64)
        self._shares = np.array(counts, dtype=np.float64) / sum(counts)
        self._made: list[Listed | None] = [(self._values[:1] * 0, np.ones(1))]

    def of(self, draws: int) -> Listed | None:
        """None where there are too many, or chances too small for floats."""
        if self._values.size == 1:
            return self._values * draws, np.ones(1)
        while len(self._made) <= draws and self._made[-1] is not None:
            self._made.append(self._one_more(*self._made[-1]))
        return self._made[min(draws, len(self._made) - 1)]

    def _one_more(self, sums: npt.NDArray[Any], chances: FloatArray) -> Listed | None:
        more, place = np.unique((sums[:, None] + self._values).ravel(), return_inverse=True)
        weights = np.bincount(place, weights=(chances[:, None] * self._shares).ravel()).astype(np.float64)
        return (more, weights) if more.size <= _MOST_SUMS and float(weights.min()) > _LEAST else None


def _rest_tail(law: DrawLaw, rest: slice, draws: int, threshold: int, tail_of: TailOf) -> tuple[float, float]:
    """Give the tail of the sum of `draws` draws from the other values."""
    others = law.values[rest]
    lowest = int(others[0])
    if draws * lowest >= threshold or draws * int(others[-1]) < threshold:
        return (0.0 if draws * lowest >= threshold else -math.inf), 0.0
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
