"""What the tests of all systems share: log tails of chi-square and F, and the result made of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Literal

from nofluke.inference.combination.gamma_tails import log_upper
from nofluke.inference.significance.sides import p_of
from nofluke.types import Computed, Note, TestResult, note

Ties = Annotated[
    Literal["corrected", "none"], "equal scores of one dataset: corrected for, or not (as printed in Demsar 2006)"
]
ANY = "any difference"
NOTHING_DIFFERS = note("omnibus.nothing_differs")
ALL_ALIKE = note("omnibus.all_alike")
_SMALL = 1e-290


def log_chi_square_tail(x: float, df: float) -> float:
    """Give log P(X >= x) for chi-square with df degrees of freedom."""
    return float(log_upper(df / 2, x / 2))


def log_f_tail(f: float, df1: float, df2: float) -> float:
    """Give log P(F >= f) for Fisher's F."""
    from scipy.special import betainc, betaincc

    if math.isinf(f):
        return -math.inf
    # Of x and 1 - x the smaller one carries the digits.
    x, y = df2 / (df2 + df1 * f), df1 * f / (df2 + df1 * f)
    tail = float(betaincc(df1 / 2, df2 / 2, y) if y < x else betainc(df2 / 2, df1 / 2, x))
    return math.log(tail) if tail > _SMALL else _log_incomplete_beta(df2 / 2, df1 / 2, x)


def _log_incomplete_beta(a: float, b: float, x: float) -> float:
    """Logarithm of the regularised incomplete beta function for small x: x^a / (a B(a, b)) (1-x)^b 2F1(a+b, 1; a+1; x).

    The hypergeometric series has positive terms, so nothing cancels; this far out it falls fast.
    """
    from scipy.special import betaln

    term = total = 1.0
    for k in range(100_000):
        term *= (a + b + k) / (a + 1 + k) * x
        total += term
        if term < 1e-17 * total:
            break
    return a * math.log(x) + b * math.log1p(-x) - math.log(a) - float(betaln(a, b)) + math.log(total)


def omnibus_result(
    statistic: float,
    log_p: float,
    rows: int,
    details: Mapping[str, float],
    *,
    validity: str = "asymptotic",
    notes: tuple[Note, ...] = (),
    estimate: float = math.nan,
) -> TestResult:
    """Make the result of a test of all systems; the verb adds names, null and signature."""
    return TestResult(
        statistic=statistic,
        p_value=p_of(log_p),
        log_p_value=log_p,
        alternative=ANY,
        n=rows,
        computed=Computed("exact"),
        validity=validity,
        estimate=estimate,
        details=details,
        notes=notes,
    )


def few_notes(rows: int, systems: int) -> tuple[Note, ...]:
    """Warn where the chi-square or F tail is rough."""
    if rows * systems >= 30 and rows >= 5:
        return ()
    return (note("omnibus.few_datasets", datasets=rows, systems=systems),)
