"""What all of inference shares: the three alternatives, p-values that are never 0, verdicts, options of most tests."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Literal

from nofluke.types import TestResult
from nofluke.types.base import SMALLEST

Alternative = Annotated[
    Literal["two-sided", "greater", "less"], "which claim is tested: A and B differ, A is better, A is worse"
]
Delta = Annotated[float, "the difference under the null hypothesis, in score units, positive = A better"]
ConfidenceLevel = Annotated[float, "level of the confidence interval"]
Seed = Annotated[int, "seed of the random draws, if any are made"]
MonteCarlo = Annotated[int | None, "force this many random draws instead of the exact computation"]
Progress = Callable[[int, int], None] | None
Snap = Annotated[bool, "decide ties on exact decimals; false takes raw binary differences as other tools do"]


def log_p_of(log_greater: float, log_less: float, alternative: str) -> float:
    """Choose the tail, or double the smaller one: two-sided = min(1, 2 min(one-sided)) everywhere.

    A tail that is nan was not computed because the other one is known to be smaller.
    """
    if alternative == "greater":
        return min(0.0, log_greater)
    if alternative == "less":
        return min(0.0, log_less)
    known = [tail for tail in (log_greater, log_less) if not math.isnan(tail)]
    return min(0.0, math.log(2) + min(known))


def no_difference_fits(alternative: str, delta: float) -> bool:
    """Whether the null hypothesis holds 0: then identical outputs are no evidence against it, and p is 1.

    >>> no_difference_fits("greater", 0.1), no_difference_fits("two-sided", 0.1)
    (True, False)
    """
    return {"greater": delta >= 0, "less": delta <= 0, "two-sided": delta == 0}[alternative]


def p_of(log_p: float) -> float:
    """Turn a log p-value into a p-value that is never 0."""
    if math.isnan(log_p):
        return math.nan
    return max(math.exp(log_p), SMALLEST)


def significant(p: float, alpha: float) -> bool:
    """Whether p is at most alpha; the last bits, which the way through logarithms may have cost, do not count."""
    return p <= alpha * (1 + 1e-12)


def tail_levels(alternative: str, confidence_level: float) -> tuple[float, float]:
    """Give the error allowed below and above the interval that inverts the test; 0 means that side is open."""
    error = 1 - confidence_level
    if alternative == "greater":
        return error, 0.0
    if alternative == "less":
        return 0.0, error
    return error / 2, error / 2


def verdict_of(result: TestResult, alpha: float) -> str:
    """Give better, worse, inconclusive or undefined, as seen from A; alpha decides the word, never the p-value."""
    if math.isnan(result.p_value):
        return "undefined"
    if not significant(result.p_value, alpha):
        return "inconclusive"
    if result.alternative != "two-sided":
        return "better" if result.alternative == "greater" else "worse"
    return "better" if result.direction > 0 else "worse"
