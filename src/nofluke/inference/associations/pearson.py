"""Pearson's correlation and its t-test."""

from __future__ import annotations

import math

from nofluke.engine.correlation import pearson_scorer
from nofluke.inference.associations.result import Pairs, Tails, association_result, fisher_interval
from nofluke.inference.distributions import log_t_tail
from nofluke.inference.significance.sides import Alternative, ConfidenceLevel
from nofluke.registry import ASSOCIATIONS
from nofluke.types import Computed, TestResult


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
