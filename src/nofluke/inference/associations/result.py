"""What tests of one correlation share: pairs of numbers, Fisher's interval, and the result."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from nofluke.engine.correlation import Scorer
from nofluke.inference.intervals.at_null import agree_at_null
from nofluke.inference.significance.sides import log_p_of, p_of, tail_levels
from nofluke.types import Computed, FloatArray, Interval, Note, TestResult

Mode = Annotated[Literal["auto", "exact", "normal"], "exact distribution under the null, or its approximation"]


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Two numbers for every item, (n, 2)."""

    rows: FloatArray

    @property
    def n(self) -> int:
        """The number of items."""
        return len(self.rows)

    @property
    def tied(self) -> bool:
        """Whether a number occurs twice in a column."""
        return any(len(np.unique(column)) < self.n for column in self.rows.T)

    def value(self, scorer: Scorer) -> float:
        """Give the correlation by a scorer of this data."""
        return float(scorer(np.ones((1, self.n)))[0])


@dataclass(frozen=True, slots=True)
class Tails:
    """The statistic, the logs of both one-sided p-values, and how they were computed."""

    statistic: float
    log_greater: float
    log_less: float
    computed: Computed
    validity: str
    details: dict[str, float]


def fisher_interval(r: float, error: float, alternative: str, level: float, method: str) -> Interval:
    """Give the interval of a correlation that is normal on Fisher's z scale with this standard error."""
    from scipy.special import ndtri

    below, above = tail_levels(alternative, level)
    centre = math.copysign(math.inf, r) if abs(r) >= 1 else math.atanh(r)
    low = math.tanh(centre + float(ndtri(below)) * error) if below else -1.0
    high = math.tanh(centre - float(ndtri(above)) * error) if above else 1.0
    return Interval(low, high, level, method)


def association_result(
    r: float, tails: Tails, interval: Interval | None, alternative: str, n: int, notes: tuple[Note, ...] = ()
) -> TestResult:
    """Put the result together; the interval says of 0 what the p-value says."""
    log_p = log_p_of(tails.log_greater, tails.log_less, alternative)
    if interval is not None:
        interval, more = agree_at_null(interval, 0.0, log_p)
        notes = (*notes, *more)
    return TestResult(
        statistic=tails.statistic,
        p_value=p_of(log_p),
        log_p_value=log_p,
        alternative=alternative,
        n=n,
        computed=tails.computed,
        validity=tails.validity,
        estimate=r,
        direction=(r > 0) - (r < 0),
        interval=interval,
        details=tails.details,
        notes=notes,
    )
