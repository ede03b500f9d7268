"""The tail of a sum of draws when nearly all items are equal: two systems that differ on a handful of items.

Let y_0 be the common value, v_i = y_i - y_0 the few others, k_i how often they are drawn and K the sum of the k_i.
The law of the k_i is multinomial, that is a product of Poisson laws times a factor c_K of K alone. The vectors k of two
halves of the values are listed with their sums and K, and met in the middle, one K of the first half after the other.
All terms are positive. Vectors too rare to matter under the law tilted to the threshold are left out, and what they
weigh is added up into the bound: P = e^kappa(s) E_s[e^(-s (Y - x)); Y >= x], and the exponential is at most 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.engine.draws.law import DrawLaw
from nofluke.engine.draws.tilt import DrawTilt, tilt_to
from nofluke.types import FloatArray, IntArray

# Values besides the common one; nine make lists of 150,000 and 20,000, and a tail takes 50 ms.
MOST_RARE_VALUES = 9
_MOST_EXPECTED = 60.0
# A sum whose standard deviation is less than this many steps of its lattice has a short period, which is summed.
_FINE = 2_000.0
_LONGEST_LIST = 1 << 19
_RARE = 1e-17
_ULP = math.ulp(1.0)


def rare_tail(law: DrawLaw, threshold: int) -> tuple[float, float] | None:
    """Give log P(Y >= threshold), 0 < threshold < top, and a bound on its relative error; None where that is slow."""
    if not 2 < law.values.size <= MOST_RARE_VALUES + 1 or law.top >= 1 << 61:
        return None
    modal = int(np.argmax(law.counts))
    expected = law.draws * (1.0 - int(law.counts[modal]) / law.items)
    if expected > _MOST_EXPECTED or law.spread() * math.sqrt(law.draws) < _FINE:
        return None
    tilted = tilt_to(law, threshold)
    means = law.draws * np.delete(tilted.weights, modal)
    if float(means.sum()) > min(_MOST_EXPECTED, 0.8 * law.draws):
        return None
    steps = np.delete(law.values, modal) - int(law.values[modal])
    # The commonest and the rarest are shared out evenly; the first list is the longer one.
    order = np.argsort(means, kind="stable")
    first, second = (_listed(steps[part], means[part]) for part in (order[::2], order[1::2]))
    if first is None or second is None:
        return None
    return _meet(tilted, modal, float(means.sum()), first, second)


@dataclass(frozen=True, slots=True, eq=False)
class _Listed:
    """Sums of k_i v_i, the K behind them, their Poisson probabilities, the weight left out, and the mean sum."""

    sums: IntArray
    drawn: IntArray
    weights: FloatArray
    lost: float
    mean: float


def _listed(steps: IntArray, means: FloatArray) -> _Listed | None:
    sums, drawn, weights, lost = np.zeros(1, np.int64), np.zeros(1, np.int64), np.ones(1), 0.0
    for step, mean in zip(steps.tolist(), means.tolist(), strict=True):
        chances, beyond = _poisson(mean)
        times = np.arange(chances.size)
        product = (weights[:, None] * chances).ravel()
        rare = product <= _RARE
        kept = np.flatnonzero(~rare)
        lost += beyond + float(product[rare].sum())
        if kept.size > _LONGEST_LIST:
            return None
        sums = (sums[:, None] + times * step).ravel()[kept]
        drawn = (drawn[:, None] + times).ravel()[kept]
        weights = product[kept]
    return _Listed(sums, drawn, weights, lost, float((steps * means).sum()))


def _poisson(mean: float) -> tuple[FloatArray, float]:
    """Give Poisson probabilities from 0 up to where they no longer matter, and a bound on the rest."""
    if mean < 1e-280:
        return np.ones(1), mean
    most = math.ceil(mean + 12.0 * math.sqrt(mean + 1.0) + 14.0)
    k = np.arange(most + 2, dtype=np.float64)
    logs = np.concatenate(([0.0], np.cumsum(math.log(mean) - np.log(k[1:])))) - mean
    chances = np.exp(logs)
    # Further terms fall by more than mean / (most + 2) each.
    return chances[:-1], float(chances[-1]) / (1.0 - mean / (most + 2))


def _meet(tilted: DrawTilt, modal: int, expected: float, first: _Listed, second: _Listed) -> tuple[float, float] | None:
    law = tilted.law
    factors = _multinomial_factors(law.draws, expected, int(first.drawn.max()) + int(second.drawn.max()))
    # Y - x = (S_1 - middle) + (S_2 - (target - middle)), each about 0.
    target, middle = tilted.threshold - law.draws * int(law.values[modal]), round(first.mean)
    ahead = first.weights * np.exp(-tilted.tilt * (first.sums - middle))
    behind = second.weights * np.exp(-tilted.tilt * (second.sums - (target - middle)))
    order = np.lexsort((first.sums, first.drawn))
    sums, ahead = first.sums[order], ahead[order]
    bounds = np.searchsorted(first.drawn[order], np.arange(int(first.drawn.max()) + 2))
    total = 0.0
    for drawn, (start, stop) in enumerate(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)):
        if start == stop:
            continue
        reaching = np.concatenate((np.cumsum(ahead[start:stop][::-1])[::-1], [0.0]))
        place = np.searchsorted(sums[start:stop], target - second.sums, side="left")
        total += float((behind * factors[drawn + second.drawn] * reaching[place]).sum())
    if not 0.0 < total < math.inf:
        return None
    largest = tilted.tilt * max(abs(float(one.sums.min())) + abs(float(one.sums.max())) for one in (first, second))
    roundings = 64.0 + 4.0 * largest + float(np.diff(bounds).max()) + 8.0 * expected
    left_out = (first.lost + second.lost) * float(factors.max()) / total
    return min(tilted.log_prefactor + math.log(total), 0.0), roundings * _ULP + tilted.log_prefactor_error + left_out


def _multinomial_factors(draws: int, expected: float, most: int) -> FloatArray:
    """Give c_K, what multinomial probabilities are of products of Poisson ones; 0 when K exceeds the draws."""
    k = np.arange(most + 1, dtype=np.float64)
    shares = np.concatenate(([0.0], np.log(np.maximum(1.0 - k[:-1] / draws, 1e-300))))
    logs = expected + (draws - k) * math.log1p(-expected / draws) + np.cumsum(shares)
    factors: FloatArray = np.where(k <= draws, np.exp(np.minimum(logs, 700.0)), 0.0)
    return factors
