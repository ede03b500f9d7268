"""Closed testing: which claims stand, and how many of any picked set are true, from tests of all intersections.

A claim stands when every set of claims that holds it is rejected (Marcus, Peritz and Gabriel 1976). The sets are never
gone through one by one: among the sets of one size the one with the largest p-values decides.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from nofluke.errors import unknown
from nofluke.inference.multiplicity.corrections import holm, hommel
from nofluke.inference.multiplicity.partial_conjunction import LENIENCE, at_most, count_effects, partial_conjunction
from nofluke.laws.tails import log_upper
from nofluke.types import FloatArray

# Cells of a chunk of the table claims x sizes: some tens of megabytes.
_CELLS = 2_000_000

TESTS_OF_INTERSECTIONS = ("bonferroni", "simes", "fisher")


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


def hommel_h(p_values: FloatArray, level: float) -> int:
    """Give Hommel's h: how many claims may at most be false together, by Simes' test at the level."""
    return int(p_values.shape[-1] - count_effects(partial_conjunction(p_values, "simes"), level))


def true_among(
    p_values: FloatArray,
    subset: npt.NDArray[np.int64],
    level: float,
    test: str,
    log_p_values: FloatArray | None = None,
) -> int:
    """Give the number of true claims there are at least in the subset, by closed testing at the level.

    All subsets hold at once with confidence 1 - level, so one may be picked after looking (Goeman and Solari 2011).
    """
    if test not in TESTS_OF_INTERSECTIONS:
        raise unknown("test of intersections", test, TESTS_OF_INTERSECTIONS)
    if not len(subset):
        return 0
    if test == "simes":
        return _by_simes(p_values, subset, level)
    if test == "bonferroni":
        # Closed testing with Bonferroni's test is consonant: the bound counts the claims that stand by themselves.
        return int(at_most(closed_adjusted(p_values, "bonferroni"), level)[subset].sum())
    with np.errstate(divide="ignore"):
        return _by_fisher(np.log(p_values) if log_p_values is None else log_p_values, subset, level)


def _by_simes(p_values: FloatArray, subset: npt.NDArray[np.int64], level: float) -> int:
    """max over u of 1 - u + #{i in S: h p_i <= u level} (Goeman, Meijer, Krebs and Solari 2019, eq. 3)."""
    h = hommel_h(p_values, level)
    steps = np.arange(1, len(subset) + 1)
    below = np.searchsorted(np.sort(h * p_values[subset]), steps * level * (1 + LENIENCE), side="right")
    return int(max((1 - steps + below).max(), 0))


def _by_fisher(log_p_values: FloatArray, subset: npt.NDArray[np.int64], level: float) -> int:
    """Find the largest part of the subset that could be false, alone or together with claims outside."""
    from scipy.special import gammainccinv

    inside = np.sort(-log_p_values[subset])
    outside = np.sort(-np.delete(log_p_values, subset))
    own, others = _cumulated(inside), _cumulated(outside)
    needed = np.concatenate(
        [[0.0], gammainccinv(np.arange(1, len(log_p_values) + 1), min(level * (1 + LENIENCE), 1.0))]
    )
    for kept in range(len(inside), 0, -1):
        # The s largest p-values inside with the t largest outside: is their sum too small for any t?
        if (own[kept] + others < needed[kept : kept + len(others)]).any():
            return len(inside) - kept
    return len(inside)


def _cumulated(values: FloatArray) -> FloatArray:
    return np.concatenate([[0.0], np.cumsum(values)])
