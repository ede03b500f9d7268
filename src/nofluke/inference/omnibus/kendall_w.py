"""Kendall's coefficient of concordance."""

from __future__ import annotations

import math

from nofluke.inference.omnibus.ranked import ranked
from nofluke.inference.omnibus.result import NOTHING_DIFFERS, few_notes, log_chi_square_tail, omnibus_result
from nofluke.registry import OMNIBUS
from nofluke.types import FloatArray, TestResult, note


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
