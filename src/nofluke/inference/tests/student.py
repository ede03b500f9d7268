"""Student's t of an estimate with its variance; of several for the same estimate the one that is hardest to pass."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from nofluke.inference.p_values import log_p_of, tail_levels
from nofluke.inference.spread import Spread
from nofluke.laws.tails import log_t_tail, t_quantile


@dataclass(frozen=True, slots=True)
class Student:
    """An estimate and what it may be off by."""

    estimate: float
    spread: Spread

    def t(self, delta: float) -> float:
        """How many standard errors the estimate is from delta; nan where there is no spread."""
        return (self.estimate - delta) / self.spread.standard_error if self.spread.variance else math.nan

    def log_p(self, alternative: str, delta: float) -> float:
        """The log p-value of an estimate this far from delta."""
        t = self.t(delta)
        return log_p_of(log_t_tail(t, self.spread.df), log_t_tail(-t, self.spread.df), alternative)

    def limits(self, below: float, above: float) -> tuple[float, float]:
        """The estimates that are not rejected, with the errors allowed on either side; 0 leaves that side open."""
        df, error = self.spread.df, self.spread.standard_error
        low = self.estimate + t_quantile(below, df) * error if below else -math.inf
        return low, self.estimate - t_quantile(above, df) * error if above else math.inf


def hardest(
    tests: Sequence[Student], alternative: str, delta: float, level: float
) -> tuple[float, tuple[float, float] | None]:
    """Give the largest log p-value and the widest limits of the tests that know a spread.

    Without any spread an estimate at delta has p = 1, and for others there is no p-value.
    """
    able = [one for one in tests if one.spread.variance > 0]
    if not able:
        return (0.0 if tests[0].estimate == delta else math.nan), None
    limits = [one.limits(*tail_levels(alternative, level)) for one in able]
    widest = min(low for low, _ in limits), max(high for _, high in limits)
    return max(one.log_p(alternative, delta) for one in able), widest
