"""Closed testing: the list of effects that belongs to the count, both from tests of all intersections.

A claim stands when every set of claims that holds it is rejected (Marcus, Peritz and Gabriel 1976). The sets are never
gone through one by one: among the sets of one size the one with the largest p-values decides.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nofluke.errors import unknown
from nofluke.inference.combination.gamma_tails import log_upper
from nofluke.inference.corrections.holm import holm
from nofluke.inference.corrections.hommel import hommel
from nofluke.types import FloatArray

# Cells of a chunk of the table claims x sizes: some tens of megabytes.
_CELLS = 2_000_000


def closed_adjusted(p_values: FloatArray, test: str, log_p_values: FloatArray | None = None) -> FloatArray:
    """Adjust p-values by closed testing with Bonferroni's, Simes' or Fisher's test, in the caller's order."""
    if test == "fisher":
        with np.errstate(divide="ignore"):
            return fisher_closure(np.log(p_values) if log_p_values is None else log_p_values)
    if test not in CLOSURES:
        raise unknown("test of intersections", test, (*CLOSURES, "fisher"))
    return CLOSURES[test](p_values)


def fisher_closure(log_p_values: FloatArray) -> FloatArray:
    """Adjust by closed testing with Fisher's test; one row of logarithms, O(N^2) in vectorised steps.

    With the p-values in descending order and claim r at place r: a set of s claims that holds it is worst when the
    others are the s - 1 largest. For s >= r that is the s largest; for s < r the s - 1 largest and the claim itself.
    """
    order = np.argsort(-log_p_values, kind="stable")
    pieces = -log_p_values[order]
    size = len(pieces)
    sums = np.concatenate([[0.0], np.cumsum(pieces)])
    sizes = np.arange(1, size + 1)
    largest = log_upper(sizes, sums[1:])
    worst = np.maximum.accumulate(largest[::-1])[::-1]
    rows = max(1, _CELLS // size)
    for start in range(0, size, rows):
        part = slice(start, min(start + rows, size))
        width = part.stop - 1
        if width > 0:
            others = np.arange(width) < np.arange(part.start, part.stop)[:, None]
            own = log_upper(sizes[:width], sums[:width] + pieces[part, None])
            worst[part] = np.maximum(worst[part], np.where(others, own, -np.inf).max(axis=1))
    result = np.empty(size)
    result[order] = np.minimum(np.exp(worst), 1.0)
    return result


CLOSURES: dict[str, Callable[[FloatArray], FloatArray]] = {"bonferroni": holm, "simes": hommel}
