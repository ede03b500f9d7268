"""Draws in which a smooth event and its linear stand-in disagree, and what they say about the probability."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nofluke.engine.corrected.linearise import LinearEvent
from nofluke.engine.tail import Tail
from nofluke.errors import InputError
from nofluke.types import Aggregate, FloatArray

AggregateGradient = Callable[[FloatArray, float], FloatArray]

# The 5 % that the bound may be wrong are shared: most to the draws that raise p, little to those that lower it.
_RAISING = 0.045
_LOWERING = 0.005
# Scores this close, relative to their size, differ by rounding only; such ties count as reaching the level.
_TIE = 1e-12
# A linear tail with a larger relative error bound is not used.
_TOO_ROUGH = 1e-3


@dataclass(frozen=True, slots=True)
class Corrected:
    """A tail probability as linear part + correction.

    log_p: of min(1, p_linear + upper_bound), the figure to report and decide on. p_linear: the exact tail of the linear
    form. correction: the mean of 1[true event] - 1[linear event] over the draws. upper_bound: 95 % upper confidence
    bound of its expectation. disagreements: draws in which the two events differ.
    """

    log_p: float
    p_linear: float
    correction: float
    upper_bound: float
    resamples: int
    disagreements: int

    @property
    def estimate(self) -> float:
        """The unbiased estimate, p_linear + correction."""
        return self.p_linear + self.correction


@dataclass(frozen=True, slots=True, eq=False)
class ScoreDifference:
    """score(A) - score(B), times a sign, as a function of the 2k sums of A and B."""

    aggregate: Aggregate
    of_aggregate: AggregateGradient | None
    n: float
    k: int
    sign: float = 1.0

    def __call__(self, sums: FloatArray) -> FloatArray:
        score_a, score_b = self.scores(sums)
        return self.sign * (score_a - score_b)

    def scores(self, sums: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Give the scores of A and B."""
        return self.aggregate(sums[..., : self.k], self.n), self.aggregate(sums[..., self.k :], self.n)

    def gradient(self, sums: FloatArray) -> FloatArray:
        """Give the gradient at one point, from that of the aggregate."""
        if self.of_aggregate is None:
            raise InputError("no gradient of the aggregate was given.", fix="give one, or use central differences.")
        parts = (self.of_aggregate(sums[: self.k], self.n), -self.of_aggregate(sums[self.k :], self.n))
        return self.sign * np.concatenate(parts)


class Disagreements:
    """Counts of the draws with the true event but not the linear one, and the other way round."""

    def __init__(
        self,
        metric: ScoreDifference,
        level: float,
        linear: LinearEvent | None,
        tail: Tail | None,
        *,
        strict: bool = False,
    ) -> None:
        self._metric, self._level, self._strict = metric, level, strict
        # A form whose tail is not known well is dropped: then every hit disagrees, which is plain Monte Carlo.
        trusted = linear is not None and tail is not None and tail.bound <= _TOO_ROUGH
        self._linear = linear if trusted else None
        self._tail = tail if trusted and tail is not None else Tail(-math.inf, 0.0, "none")
        self.raising = self.lowering = self.done = 0

    def add(self, counts: tuple[int, int, int]) -> None:
        """Add what was counted of some draws."""
        self.raising, self.lowering, self.done = (
            so_far + more for so_far, more in zip((self.raising, self.lowering, self.done), counts, strict=True)
        )

    def count(self, sums: FloatArray, linear_sums: FloatArray) -> tuple[int, int, int]:
        """Count draws with (number, 2k) sums and (number,) linear forms: raising, lowering and all."""
        score_a, score_b = self._metric.scores(sums)
        difference = self._metric.sign * (score_a - score_b)
        slack = _TIE * (np.abs(score_a) + np.abs(score_b))
        # Sums without a score (nan) are no evidence for anybody: they count as reaching the level.
        true = ~(difference <= self._level + slack) if self._strict else ~(difference < self._level - slack)
        straight = np.zeros(len(true), dtype=bool) if self._linear is None else linear_sums >= self._linear.threshold
        return int(np.count_nonzero(true & ~straight)), int(np.count_nonzero(straight & ~true)), len(true)

    def corrected(self) -> Corrected:
        """Give the figures: U(raising) - L(lowering) by Clopper and Pearson holds with 95 % confidence."""
        raised = _upper(self.raising, self.done, _RAISING)
        bound = raised - _lower(self.lowering, self.done, _LOWERING)
        p_linear = math.exp(self._tail.log_p)
        # p is at least the share of draws that raise it, so a lucky lowering cannot push it below.
        p = min(1.0, max(p_linear * (1.0 + self._tail.bound) + bound, raised))
        correction = (self.raising - self.lowering) / self.done
        return Corrected(math.log(p), p_linear, correction, bound, self.done, self.raising + self.lowering)


def _upper(count: int, draws: int, level: float) -> float:
    """Give Clopper and Pearson's upper bound of a probability."""
    from scipy.special import betaincinv

    return float(betaincinv(count + 1, draws - count, 1.0 - level)) if count < draws else 1.0


def _lower(count: int, draws: int, level: float) -> float:
    from scipy.special import betaincinv

    return float(betaincinv(count, draws - count + 1, level)) if count else 0.0
