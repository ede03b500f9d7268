"""Friedman's test."""

from __future__ import annotations

import math

from nofluke.inference.omnibus.ranked import ranked
from nofluke.inference.omnibus.result import NOTHING_DIFFERS, Ties, few_notes, log_chi_square_tail, omnibus_result
from nofluke.registry import OMNIBUS
from nofluke.types import FloatArray, TestResult


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
