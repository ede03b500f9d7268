"""The chance to claim that A is better on at least k of N datasets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nofluke.types import FloatArray

# Kinds of datasets are followed together up to this many states: sixteen datasets of which no two are alike.
_MOST_STATES = 2**16


class Chance(NamedTuple):
    """A probability, and whether it is exact or a lower bound."""

    value: float
    exact: bool


def holm_levels(datasets: int, claim: int, alpha: float) -> FloatArray:
    """Give the levels that the smallest p-values have to meet: alpha / N, alpha / (N - 1), ..., one for each claimed.

    k-hat by Bonferroni is the number of Holm's rejections: at least k exactly when the j-th smallest p-value is at
    most alpha / (N - j + 1) for j = 1 ... k.
    """
    return alpha / (datasets - np.arange(claim))


def chance_of_claim(powers: Sequence[FloatArray]) -> Chance:
    """Give P(at least k claims) for independent datasets; powers[i][j] is that of dataset i at the j-th level.

    The p-values must lie below a staircase: at least j of them at or below the j-th level, for j = 1 ... k. Alike
    datasets are exchangeable, so only the number of p-values so far has to be followed through the levels, exactly;
    several kinds of datasets are followed by one number for each kind. Where those are too many, the Poisson-binomial
    chance of k p-values at or below alpha / N is given, which is a little too small.
    """
    kinds = _kinds(powers)
    counts = tuple(kinds.values())
    if math.prod(count + 1 for count in counts) > _MOST_STATES:
        return Chance(at_least([float(row[0]) for row in powers], len(powers[0])), exact=False)
    levels = len(powers[0])
    state = np.zeros([count + 1 for count in counts])
    state[(0,) * len(counts)] = 1.0
    taken = sum(np.indices(state.shape))
    before = [0.0] * len(counts)
    for level in range(levels):
        for axis, (row, count) in enumerate(zip(kinds, counts, strict=True)):
            state = np.moveaxis(_advance(np.moveaxis(state, axis, 0), count, before[axis], row[level]), 0, axis)
            before[axis] = row[level]
        state = np.where(taken >= level + 1, state, 0.0)
    return Chance(min(1.0, float(state.sum())), exact=True)


def _kinds(powers: Sequence[FloatArray]) -> dict[tuple[float, ...], int]:
    kinds: dict[tuple[float, ...], int] = {}
    for row in powers:
        key = tuple(float(value) for value in row)
        kinds[key] = kinds.get(key, 0) + 1
    return kinds


def _advance(state: FloatArray, count: int, before: float, now: float) -> FloatArray:
    """Let each p-value above the last level fall below the next one with its conditional probability."""
    from scipy.special import gammaln, xlog1py, xlogy

    share = 0.0 if before >= 1 else min(1.0, max(0.0, (now - before) / (1 - before)))
    moved = np.zeros_like(state)
    for had in range(count + 1):
        if not state[had].any():
            continue
        left = count - had
        more = np.arange(left + 1)
        logs = gammaln(left + 1) - gammaln(more + 1) - gammaln(left - more + 1)
        with np.errstate(invalid="ignore"):
            chances = np.exp(logs + xlogy(more, share) + xlog1py(left - more, -share))
        moved[had:] += chances.reshape(-1, *[1] * (state.ndim - 1)) * state[had]
    return moved


def at_least(probabilities: Sequence[float], claim: int) -> float:
    """Give P(at least k of the independent events): the Poisson-binomial distribution, exactly.

    >>> round(at_least([0.5, 0.5, 0.9], 2), 10)
    0.7
    """
    law = np.array([1.0])
    for probability in probabilities:
        law = np.convolve(law, [1 - probability, probability])
    return float(law[claim:].sum())
