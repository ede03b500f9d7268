"""Reweighting: the weights closest to equal ones under which the items show a stated difference.

Exponential tilting, w_i proportional to exp(lambda x_i), changes the pilot least (in Kullback-Leibler divergence)
among all weights with the wanted mean. It works for 0/1 scores, ratings, and corpus metrics alike, because items are
kept as they are and only their frequencies change.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from nofluke.errors import InputError
from nofluke.types import FloatArray, IntArray

# Weights this far apart put everything on one item: the wanted difference lies at the edge of what the pilot can show.
_LARGEST = 600.0


def tilted(
    score: FloatArray,
    multiplicity: FloatArray,
    shown: Callable[[FloatArray], float],
    target: float,
    within: IntArray | None = None,
) -> FloatArray:
    """Give weights (adding up to 1) under which `shown` is the target, tilting along `score`.

    `shown` rises with lambda: for a mean it is exact, for a corpus metric the score is its influence. `within` says in
    which dataset every group is: each keeps its share of all items.
    """
    spread = float(
        np.sqrt(np.average(np.square(score - np.average(score, weights=multiplicity)), weights=multiplicity))
    )
    unit = (score - np.average(score, weights=multiplicity)) / spread

    def weights(strength: float) -> FloatArray:
        exponents = strength * unit
        if within is None:
            raw = multiplicity * np.exp(exponents - exponents.max())
            return np.asarray(raw / raw.sum(), dtype=np.float64)
        highest = np.full(int(within.max()) + 1, -np.inf)
        np.maximum.at(highest, within, exponents)
        raw = multiplicity * np.exp(exponents - highest[within])
        own = np.bincount(within, weights=multiplicity) / np.bincount(within, weights=raw)
        return np.asarray(raw * own[within] / multiplicity.sum(), dtype=np.float64)

    def miss(strength: float) -> float:
        missed = shown(weights(strength)) - target
        # Items that have no score by themselves lie beyond all that can be shown.
        return math.copysign(math.inf, strength) if math.isnan(missed) else missed

    here = miss(0.0)
    if here == 0:
        return weights(0.0)
    low, high = (0.0, 0.0)
    step = 0.125
    while True:
        edge = step if here < 0 else -step
        if (miss(edge) >= 0) == (here < 0):
            low, high = min(edge, 0.0), max(edge, 0.0)
            break
        step *= 2
        if step > _LARGEST:
            raise _out_of_reach(shown, weights, target)
    return weights(_halve(miss, low, high))


def _halve(function: Callable[[float], float], low: float, high: float) -> float:
    """Find the root of a rising function between two points, by false position with halving."""
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
        if high - low < 1e-12 * max(1.0, abs(high)):
            break
    return (low + high) / 2


def _out_of_reach(
    shown: Callable[[FloatArray], float], weights: Callable[[float], FloatArray], target: float
) -> InputError:
    lowest, highest = shown(weights(-_LARGEST)), shown(weights(_LARGEST))
    return InputError(
        f"no reweighting of these items shows a difference of {target:g}: single items reach from {lowest:.3g} to "
        f"{highest:.3g}.",
        fix="state a difference inside that range (in score units; positive means that A is better).",
    )


def effective_number(weights: FloatArray, multiplicity: FloatArray) -> float:
    """Give the number of equally weighted items that vary as little as these (Kish 1965)."""
    return float(1.0 / np.sum(np.square(weights) / multiplicity))
