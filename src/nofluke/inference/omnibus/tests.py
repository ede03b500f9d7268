"""Tests of all systems at once: does any of them differ? They say that some do, not which."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Literal

import numpy as np

from nofluke.align.decimals import find_grid, to_integers
from nofluke.errors import MethodError
from nofluke.inference.omnibus.ranked import Ranked, as_matrix, doubled_ranks, ranked
from nofluke.inference.p_values import p_of
from nofluke.laws.tails import log_chi_square_tail, log_f_tail
from nofluke.registry import OMNIBUS
from nofluke.types import Computed, FloatArray, Note, TestResult, note

Ties = Annotated[
    Literal["corrected", "none"], "equal scores of one dataset: corrected for, or not (as printed in Demsar 2006)"
]
ANY = "any difference"
NOTHING_DIFFERS = note("omnibus.nothing_differs")
ALL_ALIKE = note("omnibus.all_alike")


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


@OMNIBUS.register(
    "cochran_q",
    label="Cochran's Q test",
    needs="items x systems, 0 or 1",
    null="on every item the systems are equally likely to be right",
    estimand="accuracies of the systems",
    cite="Cochran 1950",
)
def cochran_q(matrix: FloatArray) -> TestResult:
    """Do the systems get different numbers of items right?

    For 0/1 scores of the same items (or datasets passed and failed). Q compares the systems' totals with what random
    shares of each item's right answers would give; chi-square with k - 1 degrees of freedom. Items that all or no
    systems get right say nothing. With two systems it is McNemar's test without correction. It says that some systems
    differ, not which. Not for items in clusters; rough below some 24 items on which the systems differ (k x items).
    """
    table = as_matrix(matrix)
    wrong = np.argwhere((table != 0) & (table != 1))
    if wrong.size:
        row, column = (int(value) for value in wrong[0])
        raise MethodError(
            f"Cochran's Q needs scores of 0 and 1, and {table[row, column]:g} is neither ({len(wrong):,} like this).",
            where=f"row {row}, column {column}",
            fix="use 'friedman' for other scores.",
        )
    n, k = table.shape
    by_system, by_item = table.sum(axis=0), table.sum(axis=1)
    spread = float(k * by_item.sum() - (by_item**2).sum())
    informative = int(np.count_nonzero((by_item > 0) & (by_item < k)))
    details = {"df": float(k - 1), "systems": float(k), "n_informative": float(informative)}
    if not spread:
        return omnibus_result(0.0, 0.0, n, details, notes=(note("omnibus.right_on_same_items"),))
    q = (k - 1) * float(k * (by_system**2).sum() - by_system.sum() ** 2) / spread
    notes = (note("omnibus.few_informative", n=informative),) if informative * k < 24 else ()
    return omnibus_result(q, min(0.0, log_chi_square_tail(q, k - 1)), n, details, notes=notes)


@OMNIBUS.register(
    "friedman",
    label="Friedman's test",
    needs="datasets x systems",
    null="on every dataset all orders of the systems are equally likely",
    estimand="mean ranks of the systems",
    cite="Friedman 1937; Conover 1999",
)
def friedman(matrix: FloatArray, *, ties: Ties = "corrected") -> TestResult:
    """Do the systems rank differently from dataset to dataset than random orders would let them?

    Null: the systems are exchangeable on every dataset. The statistic is the spread of the mean ranks, compared with
    chi-square on k - 1 degrees of freedom; with few datasets it rejects too rarely, and iman_davenport is closer. It
    says that some systems differ, not which: see nf.rank. Not for datasets that share items, nor for repeated runs of
    one dataset as rows. ties="none" is the formula of Demsar (2006), too small when scores tie.
    """
    table = ranked(matrix)
    chi2, df = table.chi_square(corrected=ties == "corrected"), table.systems - 1
    details = {"df": float(df), "systems": float(table.systems)}
    if math.isnan(chi2):
        return omnibus_result(0.0, 0.0, table.rows, details, notes=(NOTHING_DIFFERS,))
    log_p = min(0.0, log_chi_square_tail(chi2, df))
    return omnibus_result(chi2, log_p, table.rows, details, notes=few_notes(table.rows, table.systems))


@OMNIBUS.register(
    "iman_davenport",
    label="Friedman's test, F form of Iman and Davenport",
    needs="datasets x systems",
    null="on every dataset all orders of the systems are equally likely",
    estimand="mean ranks of the systems",
    cite="Iman and Davenport 1980; Demsar 2006",
)
def iman_davenport(matrix: FloatArray, *, ties: Ties = "corrected") -> TestResult:
    """Do the systems rank differently, by the less cautious F form of Friedman's test?

    F = (N - 1) chi2 / (N (k - 1) - chi2) with k - 1 and (k - 1)(N - 1) degrees of freedom: the analysis of variance of
    the ranks. Closer to the level than Friedman's chi-square for few datasets. When all datasets agree on one order F
    is infinite, and the p-value is the chance of that, 1 / k!^(N - 1). Not for datasets that share items.
    """
    table = ranked(matrix)
    n, k = table.rows, table.systems
    chi2 = table.chi_square(corrected=ties == "corrected")
    details = {"df1": float(k - 1), "df2": float((k - 1) * (n - 1)), "systems": float(k), "chi_square": chi2}
    if math.isnan(chi2):
        return omnibus_result(0.0, 0.0, n, details | {"chi_square": 0.0}, notes=(NOTHING_DIFFERS,))
    if n < 2:
        return omnibus_result(math.nan, math.nan, n, details, notes=(note("omnibus.one_dataset"),))
    left = n * (k - 1) - chi2
    if left <= 1e-12 * n * (k - 1):
        return omnibus_result(math.inf, table.log_alike, n, details, validity="exact", notes=(ALL_ALIKE,))
    f = (n - 1) * chi2 / left
    return omnibus_result(f, min(0.0, log_f_tail(f, k - 1, (k - 1) * (n - 1))), n, details, notes=few_notes(n, k))


@OMNIBUS.register(
    "kendall_w",
    label="Kendall's W",
    needs="datasets x systems",
    null="on every dataset all orders of the systems are equally likely",
    estimand="agreement of the datasets about the order of the systems, 0 to 1",
    cite="Kendall and Babington Smith 1939",
)
def kendall_w(matrix: FloatArray) -> TestResult:
    """How far do the datasets agree about the order of the systems?

    W = chi2 / (N (k - 1)) with Friedman's tie-corrected chi-square: 1 when all datasets give the same order, 0 when the
    mean ranks are equal. The p-value is Friedman's. W grows with real differences, not with the number of datasets.
    """
    table = ranked(matrix)
    n, k = table.rows, table.systems
    chi2 = table.chi_square()
    details = {"df": float(k - 1), "systems": float(k), "chi_square": chi2}
    if math.isnan(chi2):
        notes = (NOTHING_DIFFERS, note("omnibus.w_undefined"))
        return omnibus_result(math.nan, 0.0, n, details | {"chi_square": 0.0}, notes=notes)
    w = min(1.0, chi2 / (n * (k - 1)))
    log_p = min(0.0, log_chi_square_tail(chi2, k - 1))
    return omnibus_result(w, log_p, n, details, notes=few_notes(n, k), estimate=w)


@OMNIBUS.register(
    "quade",
    label="Quade's test",
    needs="datasets x systems",
    null="on every dataset all orders of the systems are equally likely",
    estimand="ranks of the systems, weighted by how far a dataset spreads them",
    cite="Quade 1979; Conover 1999",
)
def quade(matrix: FloatArray) -> TestResult:
    """Do the systems rank differently, when datasets that spread them widely count for more?

    Ranks within a dataset are weighted by the rank of the dataset's range (largest minus smallest score), so scores
    must mean the same on all datasets. With two systems it is the signed-rank test in F form. The tail is F with k - 1
    and (k - 1)(N - 1) degrees of freedom; when all datasets agree on one order p is the chance of that, 1 / k!^(N - 1),
    as in R. Not for datasets that share items.
    """
    table = as_matrix(matrix)
    whole = to_integers(table, find_grid(table))
    n, k = whole.shape
    # Doubled twice over: both ranks are halves at most, so all sums are of whole numbers.
    weights = doubled_ranks((whole.max(axis=1) - whole.min(axis=1))[None, :])[0].astype(np.float64)
    ranks = doubled_ranks(whole)
    scores = weights[:, None] * (ranks - (k + 1))
    total, between = float(np.sum(scores**2)), float(np.sum(scores.sum(axis=0) ** 2)) / n
    details = {"df1": float(k - 1), "df2": float((k - 1) * (n - 1)), "systems": float(k)}
    if not total:
        return omnibus_result(0.0, 0.0, n, details, notes=(NOTHING_DIFFERS,))
    if total - between <= 1e-12 * total:
        return omnibus_result(math.inf, Ranked(ranks).log_alike, n, details, validity="exact", notes=(ALL_ALIKE,))
    f = (n - 1) * between / (total - between)
    return omnibus_result(f, min(0.0, log_f_tail(f, k - 1, (k - 1) * (n - 1))), n, details, notes=few_notes(n, k))
