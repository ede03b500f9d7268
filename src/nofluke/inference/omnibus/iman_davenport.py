"""The F form of Friedman's test by Iman and Davenport."""

from __future__ import annotations

import math

from nofluke.inference.omnibus.ranked import ranked
from nofluke.inference.omnibus.result import ALL_ALIKE, NOTHING_DIFFERS, Ties, few_notes, log_f_tail, omnibus_result
from nofluke.registry import OMNIBUS
from nofluke.types import FloatArray, TestResult, note


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
