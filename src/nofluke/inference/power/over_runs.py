"""The power of the t-test over items and training runs: how many of each a difference needs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np

from nofluke.errors import Fix, InputError, Option
from nofluke.inference.power.effect import Effect
from nofluke.inference.tests.crossed_runs import ENOUGH_RUNS
from nofluke.types import FloatArray

# Points of the rule for the variance between runs, for how the systems share it, and for that of items.
_RUNS, _SHARE, _ITEMS = 48, 8, 12
MOST_RUNS = 10_000
# How many numbers of runs a plan looks at, and how far: up to three times as many as are needed at all.
_ROWS, _FARTHEST = 7, 3.0


def crossed_runs_power(sizes: FloatArray, effect: Effect, level: float, alternative: str) -> FloatArray:
    """Give the power with so many items, of normal items, runs and single answers.

    The difference is normal and independent of its estimated variances: that of items, (sd^2 + 2 answer_sd^2 / R) / n,
    and those of run averages, run_sd^2 + answer_sd^2 / n, each times a chi-square. Given these the critical difference
    is the larger one of both t-tests of `crossed_runs`; the chance to exceed it is averaged over them.
    """
    return np.array([_power(float(n), effect, level, alternative) for n in sizes])


def _power(n: float, effect: Effect, level: float, alternative: str) -> float:
    from scipy.special import ndtr, stdtrit

    runs, answers = effect.runs, effect.answer_sd**2
    (q, on_q), (share, on_share), (c, on_c) = _chances(2 * runs - 2), _shares(runs - 1), _chances(n - 1, _ITEMS)
    # What the run averages of both systems are seen to vary by, in the variance of the difference.
    seen = (effect.of_runs + 2 * answers / n / runs) * q[:, None, None]
    items = effect.of_items(n) * c[None, None, :]
    parts = items**2 / max(n - 1, 0.5) if math.isfinite(n) else np.zeros_like(items)
    squares = parts + seen**2 * (share**2 + (1 - share) ** 2)[None, :, None] / (runs - 1)
    tail = level / 2 if alternative == "two-sided" else level
    whole = -stdtrit((items + seen) ** 2 / squares, tail) * np.sqrt(items + seen)
    edge = np.maximum(whole, -stdtrit(2.0 * runs - 2, tail) * np.sqrt(seen))
    error = math.sqrt(effect.variance_at(n))
    shift = -effect.shift if alternative == "less" else effect.shift
    found = ndtr((shift - edge) / error)
    if alternative == "two-sided":
        found = found + ndtr((-shift - edge) / error)
    return float(np.einsum("ijk,i,j,k->", found, on_q, on_share, on_c))


@cache
def _legendre(points: int) -> tuple[FloatArray, FloatArray]:
    nodes, weights = np.polynomial.legendre.leggauss(points)
    return (nodes + 1) / 2, weights / 2


def _chances(df: float, points: int = _RUNS) -> tuple[FloatArray, FloatArray]:
    """Values of a chi-square over its degrees of freedom, with the chance each stands for."""
    from scipy.special import gammaincinv

    u, weights = _legendre(points)
    if math.isinf(df):
        return np.ones(1), np.ones(1)
    half = max(df, 0.5) / 2
    return gammaincinv(half, u) / half, weights


def _shares(df: int) -> tuple[FloatArray, FloatArray]:
    """How much of the variance between runs one system has; both sides are alike."""
    from scipy.special import betaincinv

    u, weights = _legendre(_SHARE)
    return betaincinv(df / 2, df / 2, u / 2), weights


def fewest_runs(effect: Effect, level: float, alternative: str, target: float) -> int:
    """Give the smallest number of runs of each system with which items enough would reach the target."""

    def reaches(runs: int) -> bool:
        return _power(math.inf, replace(effect, runs=runs), level, alternative) >= target

    low, high = 1, ENOUGH_RUNS
    while not reaches(high):
        low, high = high, high * 2
        if high > MOST_RUNS:
            raise InputError(
                f"more than {MOST_RUNS:,} runs of each system would be needed.",
                fix=Fix("state a larger ", Option("difference"), ", or a smaller ", Option("run_sd"), "."),
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return max(high, ENOUGH_RUNS)


def numbers_of_runs(fewest: int) -> Iterator[int]:
    """Give the numbers of runs that a plan looks at: one by one while they are few, in larger steps beyond."""
    step = max(1.0, fewest * (_FARTHEST - 1) / (_ROWS - 1))
    yield from (round(fewest + step * row) for row in range(_ROWS))


def too_few_runs(runs: int, fewest: int) -> InputError:
    """Say that the noise of so few runs hides the difference, however many items there are."""
    return InputError(
        f"with {runs} runs of each system no number of items is enough: the noise of training alone hides the "
        "difference.",
        fix=Fix(
            "plan with at least ", Option("n_runs", str(fewest)), ", or leave it out to see what runs and items cost."
        ),
    )
