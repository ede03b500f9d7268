"""Kendall's tau-b and its tests."""

from __future__ import annotations

import math

import numpy as np

from nofluke.engine.concordance import PairCounter
from nofluke.engine.correlation import kendall_scorer
from nofluke.errors import MethodError
from nofluke.inference.associations.result import Mode, Pairs, Tails, association_result, fisher_interval
from nofluke.inference.distributions import log_normal_tail
from nofluke.inference.significance.sides import Alternative, ConfidenceLevel
from nofluke.registry import ASSOCIATIONS
from nofluke.types import Computed, FloatArray, TestResult

# Beyond this the normal distribution is right to three digits, and the counts are long numbers.
_MOST_ITEMS = 60
_EXACT_ANYHOW = 400


@ASSOCIATIONS.register("kendall", label="Kendall tau-b", symbol="tau", cite="Kendall 1938; Kendall 1945")
def kendall(
    pairs: Pairs,
    *,
    alternative: Alternative = "two-sided",
    confidence_level: ConfidenceLevel = 0.95,
    mode: Mode = "auto",
) -> TestResult:
    """Do two columns of numbers order pairs of items alike more often than not?

    Null: every order of one column beside the other is equally likely. Without ties and up to 60 items the discordant
    pairs are counted exactly; otherwise the normal distribution with the variance corrected for ties. The interval is
    on Fisher's scale with the standard error of Fieller, Hartley and Pearson (1957).
    """
    tau = pairs.value(kendall_scorer(pairs.rows))
    if mode == "exact" and (pairs.tied or pairs.n > _EXACT_ANYHOW):
        reason = "with ties" if pairs.tied else f"of more than {_EXACT_ANYHOW} items"
        raise MethodError(f"the exact distribution {reason} is not computed.", fix="use mode 'normal'.")
    exact = mode == "exact" or (mode == "auto" and not pairs.tied and pairs.n <= _MOST_ITEMS)
    score = round(float(PairCounter(pairs.rows).untied(np.ones((1, pairs.n)))[2][0]) / 2)
    tails = _exact(pairs.n, score, tau) if exact else _normal(pairs, score)
    interval = None
    if pairs.n > 4:
        error = math.sqrt(0.437 / (pairs.n - 4))
        interval = fisher_interval(tau, error, alternative, confidence_level, "Fieller-Hartley-Pearson")
    return association_result(tau, tails, interval, alternative, pairs.n)


def _exact(n: int, score: int, tau: float) -> Tails:
    """Count the orders of n items by their number of inversions (whole numbers of any length)."""
    pairs = n * (n - 1) // 2
    counts = [1]
    for size in range(2, n + 1):
        # Adding the size-th item makes 0 to size - 1 inversions more: running sums over that window.
        running, longer = 0, []
        for inversions in range(len(counts) + size - 1):
            running += counts[inversions] if inversions < len(counts) else 0
            running -= counts[inversions - size] if inversions >= size else 0
            longer.append(running)
        counts = longer
    discordant, total = (pairs - score) // 2, math.factorial(n)
    greater, less = sum(counts[: discordant + 1]), sum(counts[discordant:])
    logs = (math.log(greater) - math.log(total), math.log(less) - math.log(total))
    return Tails(tau, *logs, Computed("exact"), "exact", {"discordant": discordant})


def _normal(pairs: Pairs, score: int) -> Tails:
    """The variance of concordant less discordant pairs, corrected for ties (Kendall 1970, section 4.5)."""
    n = float(pairs.n)
    groups = [np.unique(column, return_counts=True)[1].astype(np.float64) for column in pairs.rows.T]

    def total(power: int, group: FloatArray) -> float:
        terms = {1: group * (group - 1) * (2 * group + 5), 2: group * (group - 1), 3: group * (group - 1) * (group - 2)}
        return float(terms[power].sum())

    variance = (n * (n - 1) * (2 * n + 5) - total(1, groups[0]) - total(1, groups[1])) / 18
    variance += total(2, groups[0]) * total(2, groups[1]) / (2 * n * (n - 1))
    if n > 2:
        variance += total(3, groups[0]) * total(3, groups[1]) / (9 * n * (n - 1) * (n - 2))
    z = score / math.sqrt(variance)
    return Tails(z, log_normal_tail(z), log_normal_tail(-z), Computed("exact"), "asymptotic", {})
