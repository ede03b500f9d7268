"""Spearman's rank correlation and its tests."""

from __future__ import annotations

import math

import numpy as np

from nofluke.engine.correlation import average_ranks, spearman_scorer
from nofluke.errors import MethodError
from nofluke.inference.associations.pearson import t_tails
from nofluke.inference.associations.result import Mode, Pairs, Tails, association_result, fisher_interval
from nofluke.inference.significance.sides import Alternative, ConfidenceLevel
from nofluke.registry import ASSOCIATIONS
from nofluke.types import Computed, IntArray, TestResult

# Sets of placed items are counted one by one: 2^12 of them take a tenth of a second.
_MOST_ITEMS = 12


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
    if mode == "exact" and pairs.n > _MOST_ITEMS:
        raise MethodError(
            f"the exact distribution of {pairs.n} items is not computed.", fix=f"use mode 'normal' above {_MOST_ITEMS}."
        )
    exact = mode == "exact" or (mode == "auto" and pairs.n <= _MOST_ITEMS)
    tails = _exact(pairs, rho) if exact else t_tails(rho, pairs.n, "asymptotic")
    interval = None
    if pairs.n > 3:
        error = math.sqrt((1 + rho * rho / 2) / (pairs.n - 3))
        interval = fisher_interval(rho, error, alternative, confidence_level, "Bonett-Wright")
    return association_result(rho, tails, interval, alternative, pairs.n)


def _exact(pairs: Pairs, rho: float) -> Tails:
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
