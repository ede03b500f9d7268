"""Quade's test."""

from __future__ import annotations

import math

import numpy as np

from nofluke.align.decimals import find_grid, to_integers
from nofluke.inference.omnibus.ranked import Ranked, as_matrix, doubled_ranks
from nofluke.inference.omnibus.result import ALL_ALIKE, NOTHING_DIFFERS, few_notes, log_f_tail, omnibus_result
from nofluke.registry import OMNIBUS
from nofluke.types import FloatArray, TestResult


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
