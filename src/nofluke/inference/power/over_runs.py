"""The power of the t-test over items and training runs: how many of each a difference needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import numpy as np

from nofluke.errors import Fix, InputError, Option
from nofluke.inference.power.effect import Effect
from nofluke.inference.spread import Spread
from nofluke.inference.tests.crossed_runs import ENOUGH_RUNS, items_in_runs, spread_of_difference, spread_of_runs
from nofluke.types import FloatArray, Note, Sample, note

# Points of the rule for the variance between runs, for how the systems share it, and for that of items.
_RUNS, _SHARE, _ITEMS = 48, 8, 12
MOST_RUNS = 10_000
# The spread between fewer runs is hardly known, which matters where it is more than this part of the variance.
_KNOWN_RUNS, _MUCH = 6, 0.1
# How many numbers of runs a plan looks at, and how far: up to three times as many as are needed at all.
_ROWS, _FARTHEST = 7, 3.0


def crossed_runs_power(sizes: FloatArray, effect: Effect, level: float, alternative: str) -> FloatArray:
    """Give the power with so many items, of normal items, runs and single answers."""
    return np.array([_power(float(n), effect, level, alternative) for n in sizes])


def _power(n: float, effect: Effect, level: float, alternative: str) -> float:
    return _edges_at(n, replace(effect, difference=0.0, margin=0.0), level, alternative).power(effect.shift)


@lru_cache(maxsize=256)
def _edges_at(n: float, effect: Effect, level: float, alternative: str) -> Edges:
    """What n items and the runs of an effect are seen to vary by: (sd^2 + 2 answer_sd^2 / R) / n, and from run to run
    run_sd^2 + answer_sd^2 / n for each system."""
    own = Spread(effect.of_runs / 2 + effect.answer_sd**2 / n / effect.runs, effect.runs - 1.0)
    return edges_of(Spread(effect.of_items(n), n - 1), (own, own), effect.variance_at(n), level, alternative)


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Differences from which on the test is significant, however its variances are estimated, with the chance of each.

    `error` is the standard deviation of the difference itself, which does not depend on its estimated variances.
    """

    edges: FloatArray
    chances: FloatArray
    error: float
    alternative: str

    def power(self, shift: float) -> float:
        """How often a difference this far above the null is found."""
        from scipy.special import ndtr

        two_sided = self.alternative == "two-sided"
        shift = abs(shift) if two_sided else -shift if self.alternative == "less" else shift
        if not self.error:
            return float(shift > 0)
        found = ndtr((shift - self.edges) / self.error)
        if two_sided:
            found = found + ndtr((-shift - self.edges) / self.error)
        return min(float(found @ self.chances), 1.0)  # chances add up to one but for rounding


def edges_of(items: Spread, runs: tuple[Spread, Spread], variance: float, level: float, alternative: str) -> Edges:
    """Give where the t-test over items and runs becomes significant.

    `items` and the `runs` of each system are what their parts of the variance are expected to be estimated as, each
    times a chi-square; `variance` is that of the difference. The critical difference is the larger one of both t-tests
    of `crossed_runs`. The chi-squares of both systems are taken as their sum and how they share it, which are
    independent.
    """
    from scipy.special import stdtrit

    (a, b), df = runs, runs[0].df + runs[1].df
    if not variance:
        return Edges(np.zeros(1), np.ones(1), 0.0, alternative)
    (q, on_q), (share, on_share), (c, on_c) = _chances(df), _shares(a, b), _chances(items.df, _ITEMS)
    seen_a = q[:, None, None] * (a.variance * df / a.df * share)[None, :, None]
    seen_b = q[:, None, None] * (b.variance * df / b.df * (1 - share))[None, :, None]
    of_items = items.variance * c[None, None, :]
    whole = of_items + seen_a + seen_b
    squares = of_items**2 / max(items.df, 0.5) + seen_a**2 / a.df + seen_b**2 / b.df
    number_a, number_b = a.df + 1, b.df + 1
    pooled = (seen_a * number_a * a.df + seen_b * number_b * b.df) / df * (1 / number_a + 1 / number_b)
    tail = level / 2 if alternative == "two-sided" else level
    edge = np.maximum(-stdtrit(whole**2 / squares, tail) * np.sqrt(whole), -stdtrit(df, tail) * np.sqrt(pooled))
    chances = on_q[:, None, None] * on_share[None, :, None] * on_c[None, None, :]
    return Edges(edge.ravel(), chances.ravel(), math.sqrt(variance), alternative)


@dataclass(frozen=True, slots=True)
class NoiseOfRuns:
    """What a difference varies by in a sample with training runs: from items, from the runs of each system, and from
    single answers, which are seen in run averages and are part of `items` as well."""

    items: Spread
    runs: tuple[Spread, Spread]
    answers: tuple[float, float]

    def variance(self, times: float = 1.0) -> float:
        """The variance of the difference with so many times the items."""
        return self.items.variance / times + self.runs[0].variance + self.runs[1].variance

    @property
    def numbers(self) -> tuple[int, int]:
        """How many runs there are of each system."""
        return int(self.runs[0].df) + 1, int(self.runs[1].df) + 1

    @property
    def standard_error(self) -> float:
        """Its square root, for as many items as there are."""
        return math.sqrt(self.variance())

    def edges(self, level: float, alternative: str, times: float = 1.0) -> Edges:
        """Where the test becomes significant with so many times the items."""
        items = Spread(self.items.variance / times, (self.items.df + 1) * times - 1)
        first, second = (
            Spread(own.variance + answers / times, own.df) for own, answers in zip(self.runs, self.answers, strict=True)
        )
        return edges_of(items, (first, second), self.variance(times), level, alternative)

    def fewest_runs(self, shift: float, level: float, alternative: str, target: float) -> int | None:
        """Give the number of runs of each system with which items enough reach the target; None beyond thousands."""

        def reaches(runs: int) -> bool:
            first, second = (Spread(own.variance * (own.df + 1) / runs, runs - 1.0) for own in self.runs)
            more = NoiseOfRuns(Spread(0.0, math.inf), (first, second), (0.0, 0.0))
            return more.edges(level, alternative).power(shift) >= target

        try:
            return _fewest(reaches)
        except TooManyRunsError:
            return None


def noise_of_runs(sample: Sample) -> NoiseOfRuns:
    """Take the noise of a sample apart as its test does; runs without what single answers explain of them."""
    explained = [items_in_runs(sample, index) for index in (0, 1)]
    runs, answers = [], []
    for index in (0, 1):
        seen = spread_of_runs(sample, index)
        answers.append(explained[index] / (seen.df + 1))
        runs.append(Spread(max(seen.variance - answers[index], 0.0), seen.df))
    return NoiseOfRuns(spread_of_difference(sample), (runs[0], runs[1]), (answers[0], answers[1]))


def notes_on_noise(noise: NoiseOfRuns) -> tuple[Note, ...]:
    """Warn where what counts most is hardly known: the spread between few runs."""
    of_runs = noise.runs[0].variance + noise.runs[1].variance
    few = min(noise.numbers) < _KNOWN_RUNS and of_runs > _MUCH * noise.variance()
    return (note("power.few_runs", runs=noise.numbers),) if few else ()


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


def _shares(a: Spread, b: Spread) -> tuple[FloatArray, FloatArray]:
    """How much of the sum of both chi-squares is that of the first system; of systems alike one half is enough."""
    from scipy.special import betaincinv

    u, weights = _legendre(_SHARE)
    if a == b:
        return betaincinv(a.df / 2, a.df / 2, u / 2), weights
    halves = np.concatenate((u, 1 + u)) / 2
    return betaincinv(a.df / 2, b.df / 2, halves), np.concatenate((weights, weights)) / 2


class TooManyRunsError(InputError):
    """No thinkable number of runs would do."""

    def __init__(self) -> None:
        super().__init__(
            f"more than {MOST_RUNS:,} runs of each system would be needed.",
            fix=Fix("state a larger ", Option("difference"), ", or a smaller ", Option("run_sd"), "."),
        )


def fewest_runs(effect: Effect, level: float, alternative: str, target: float) -> int:
    """Give the smallest number of runs of each system with which items enough would reach the target."""
    return _fewest(lambda runs: _power(math.inf, replace(effect, runs=runs), level, alternative) >= target)


def _fewest(reaches: Callable[[int], bool]) -> int:
    low, high = 1, ENOUGH_RUNS
    while not reaches(high):
        low, high = high, high * 2
        if high > MOST_RUNS:
            raise TooManyRunsError
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
