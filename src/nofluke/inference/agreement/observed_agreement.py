"""Observed agreement: how often two annotators give an item the same label."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np

from nofluke.inference.agreement.measured import IntervalOptions, Measured, coefficient, finished, quantile
from nofluke.inference.agreement.tally import tally
from nofluke.types import Coefficient, FloatArray, Interval, Ratings

_WilsonFirst = Annotated[
    Literal["wilson", "normal", "bootstrap"],
    "how the interval is made: Wilson's score for so many independent pairs, value +- z standard errors, "
    "or by resampling items (BCa)",
]


def _without_test(m: Measured, asked: IntervalOptions) -> Coefficient:
    """Finish it with an interval that stays between 0 and 1, and no test."""
    found, level = finished(m, asked), asked.confidence_level
    rated = float(m.statistics()[:, 1].sum())
    limits, error = found.interval, found.standard_error
    if m.observed == 0:
        limits = Interval(0.0, -math.expm1(math.log((1 - level) / 2) / rated), level, "Clopper-Pearson")
    elif asked.interval == "wilson" and limits is not None and m.observed < 1:
        limits = _score_interval(m.observed, error, int(rated), level)
    return Coefficient(found.value, m.observed, math.nan, int(rated), limits, error, notes=found.notes)


def _score_interval(p: float, error: float, n: int, level: float) -> Interval:
    """Give Wilson's interval with as many independent pairs as the standard error shows; n for two annotators."""
    pairs = p * (1 - p) / error**2 * n / (n - 1)
    z2 = quantile(level) ** 2
    middle = (p + z2 / (2 * pairs)) / (1 + z2 / pairs)
    half = math.sqrt(z2 * (p * (1 - p) / pairs + z2 / (4 * pairs**2))) / (1 + z2 / pairs)
    return Interval(max(0.0, middle - half), middle + half, level, "Wilson score")


@coefficient(
    "observed_agreement",
    label="observed agreement",
    symbol="A_o",
    chance="none",
    bounds=(0.0, 1.0),
    intervals=_WilsonFirst,
    finish=_without_test,
    cite="Fleiss 1971; Gwet 2008",
)
def observed_agreement(ratings: Ratings) -> Measured:
    """How often do two annotators give the same label to the same item?

    The share of equal pairs of ratings of an item, averaged over the items that have two ratings or more.
    Estimand: the chance that two annotators agree on a new item like these. Assumes independent items. It does not
    take into account that annotators may agree by chance only: two who say "no" to nearly everything agree nearly
    always. So do not report it alone; there is no test of 0, which would have no meaning.
    """
    t = tally(ratings)
    own, pairable = t.agreement(), t.pairable
    rated = float(pairable.sum())
    observed = float(own.sum() / rated)

    def solve(sums: FloatArray) -> FloatArray:
        with np.errstate(invalid="ignore"):
            return sums[:, 0] / sums[:, 1]

    influence = t.n / rated * (own - observed * pairable)
    return Measured(observed, observed, 0.0, influence, lambda: np.column_stack((own, pairable)), solve)
