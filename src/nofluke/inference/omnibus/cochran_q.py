"""Cochran's Q test."""

from __future__ import annotations

import numpy as np

from nofluke.errors import MethodError
from nofluke.inference.omnibus.ranked import as_matrix
from nofluke.inference.omnibus.result import log_chi_square_tail, omnibus_result
from nofluke.registry import OMNIBUS
from nofluke.types import FloatArray, TestResult, note


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
