"""Tests of one correlation: is there any? Kendall, Pearson and Spearman, with intervals on Fisher's scale."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from nofluke.engine.concordance import PairCounter
from nofluke.engine.correlation import Scorer, average_ranks, kendall_scorer, pearson_scorer, spearman_scorer
from nofluke.errors import MethodError
from nofluke.inference.intervals.inversion import agree_at_null
from nofluke.inference.p_values import Alternative, ConfidenceLevel, log_p_of, p_of, tail_levels
from nofluke.laws.tails import log_normal_tail, log_t_tail
from nofluke.registry import ASSOCIATIONS
from nofluke.types import Computed, FloatArray, IntArray, Interval, Note, TestResult

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


def association_result(r: float, tails: Tails, interval: Interval | None, alternative: str, n: int) -> TestResult:
    """Put the result together; the interval says of 0 what the p-value says."""
    log_p = log_p_of(tails.log_greater, tails.log_less, alternative)
    notes: tuple[Note, ...] = ()
    if interval is not None:
        interval, notes = agree_at_null(interval, 0.0, log_p)
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


# Beyond this the normal distribution is right to three digits, and the counts are long numbers.
_MOST_ITEMS_KENDALL = 60
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
    exact = mode == "exact" or (mode == "auto" and not pairs.tied and pairs.n <= _MOST_ITEMS_KENDALL)
    score = round(float(PairCounter(pairs.rows).untied(np.ones((1, pairs.n)))[2][0]) / 2)
    tails = _kendall_exact(pairs.n, score, tau) if exact else _normal(pairs, score)
    interval = None
    if pairs.n > 4:
        error = math.sqrt(0.437 / (pairs.n - 4))
        interval = fisher_interval(tau, error, alternative, confidence_level, "Fieller-Hartley-Pearson")
    return association_result(tau, tails, interval, alternative, pairs.n)


def _kendall_exact(n: int, score: int, tau: float) -> Tails:
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


@ASSOCIATIONS.register("pearson", label="Pearson correlation", symbol="r", cite="Pearson 1896; Fisher 1921")
def pearson(
    pairs: Pairs, *, alternative: Alternative = "two-sided", confidence_level: ConfidenceLevel = 0.95
) -> TestResult:
    """Do two columns of numbers rise and fall together, along a line?

    Null: no correlation. t = r sqrt((n - 2) / (1 - r^2)) with n - 2 degrees of freedom, exact for normal numbers; the
    interval is Fisher's. Not for outliers or curved relations: use spearman.
    """
    r = pairs.value(pearson_scorer(pairs.rows))
    tails = t_tails(r, pairs.n, "normal_columns")
    error = 1 / math.sqrt(pairs.n - 3) if pairs.n > 3 else math.nan
    interval = fisher_interval(r, error, alternative, confidence_level, "Fisher") if pairs.n > 3 else None
    return association_result(r, tails, interval, alternative, pairs.n)


def t_tails(r: float, n: int, validity: str) -> Tails:
    """Give both tails of the t statistic of a correlation."""
    df = n - 2
    t = math.copysign(math.inf, r) if 1 - abs(r) < 1e-15 else r * math.sqrt(df / ((1 - r) * (1 + r)))
    computed = Computed("exact")
    return Tails(t, log_t_tail(t, df), log_t_tail(-t, df), computed, validity, {"df": df})


# Sets of placed items are counted one by one: 2^12 of them take a tenth of a second.
_MOST_ITEMS_SPEARMAN = 12


@ASSOCIATIONS.register("spearman", label="Spearman rank correlation", symbol="rho", cite="Spearman 1904")
def spearman(
    pairs: Pairs,
    *,
    alternative: Alternative = "two-sided",
    confidence_level: ConfidenceLevel = 0.95,
    mode: Mode = "auto",
) -> TestResult:
    """Do two columns of numbers rank the items alike?

    Null: every order of one column beside the other is equally likely. Up to 12 items all orders are counted, ties
    included; above that t on n - 2 degrees of freedom approximates (mode normal). The interval is on Fisher's scale
    with the standard error of Bonett and Wright (2000).
    """
    rho = pairs.value(spearman_scorer(pairs.rows))
    if mode == "exact" and pairs.n > _MOST_ITEMS_SPEARMAN:
        raise MethodError(
            f"the exact distribution of {pairs.n} items is not computed.",
            fix=f"use mode 'normal' above {_MOST_ITEMS_SPEARMAN}.",
        )
    exact = mode == "exact" or (mode == "auto" and pairs.n <= _MOST_ITEMS_SPEARMAN)
    tails = _spearman_exact(pairs, rho) if exact else t_tails(rho, pairs.n, "asymptotic")
    interval = None
    if pairs.n > 3:
        error = math.sqrt((1 + rho * rho / 2) / (pairs.n - 3))
        interval = fisher_interval(rho, error, alternative, confidence_level, "Bonett-Wright")
    return association_result(rho, tails, interval, alternative, pairs.n)


def _spearman_exact(pairs: Pairs, rho: float) -> Tails:
    first, second = (np.rint(2 * average_ranks(column)).astype(np.int64) for column in pairs.rows.T)
    counts = sums_over_orders(first, second)
    observed = int(first @ second)
    total = math.factorial(pairs.n)
    greater, less = int(counts[observed:].sum()), int(counts[: observed + 1].sum())
    logs = (math.log(greater) - math.log(total), math.log(less) - math.log(total))
    return Tails(rho, *logs, Computed("exact"), "exact", {})


def sums_over_orders(first: IntArray, second: IntArray) -> IntArray:
    """Count, for every value of sum first_i second_p(i), the orders p that give it.

    Items of the first column are placed one after the other; what matters of those before is only which of the second
    are taken, so that 2^n sets stand for n! orders.
    """
    n = len(first)
    longest = int(np.sort(first) @ np.sort(second)) + 1
    table: dict[int, IntArray] = {0: np.eye(1, longest, dtype=np.int64)[0]}
    for place in range(n):
        following: dict[int, IntArray] = {}
        for taken, counts in table.items():
            for item in range(n):
                if not taken >> item & 1:
                    step = int(first[place] * second[item])
                    room = following.setdefault(taken | 1 << item, np.zeros(longest, dtype=np.int64))
                    room[step:] += counts[: longest - step]
        table = following
    return table[(1 << n) - 1]
