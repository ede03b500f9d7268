"""Cohen's kappa of two annotators, with or without weights."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Annotated, Literal

import numpy as np

from nofluke.inference.agreement.bootstrap import refuse_too_wide
from nofluke.inference.agreement.measured import Measured, NormalFirst, Shuffled, coefficient
from nofluke.inference.agreement.shares import ratio
from nofluke.inference.agreement.tally import Pairs, Tally, Values, both_labels, rated_twice, tally
from nofluke.inference.agreement.weights import agreement_weights
from nofluke.types import FloatArray, IntArray, Ratings


@coefficient(
    "cohen_kappa",
    label="Cohen's kappa",
    symbol="kappa",
    chance="own",
    needs="two annotators",
    intervals=NormalFirst,
    cite="Cohen 1960; Cohen 1968 (weights = linear or quadratic); Fleiss, Cohen and Everitt 1969",
)
def cohen_kappa(
    ratings: Ratings,
    *,
    weights: Annotated[
        Literal["none", "linear", "quadratic"], "partial credit for labels close together in their order"
    ] = "none",
) -> Measured:
    """How far do two annotators agree beyond chance, each with a bias of their own?

    (A_o - A_e) / (1 - A_e); A_e is the agreement of two annotators who label independently, each as often as they
    did. Weights count the places between labels in their order. Items that one annotator has not rated are left out.
    Null of the test: the two label independently; rejecting it is no evidence of quality. Assumes independent items.
    Not for three annotators or more (conger_kappa, fleiss_kappa), nor for numbers (krippendorff_alpha, interval).

    Standard error and test: Fleiss, Cohen and Everitt 1969. Their interval is short where a label is rare; there
    interval="log" covers better (docs/decisions/agreement.md).
    """
    first, second = both_labels(ratings)
    table = agreement_weights(ratings, weights, "cohen_kappa")

    def shuffled() -> Shuffled:
        both = rated_twice(ratings)
        t = tally(both)
        return Shuffled(both, t, partial(mean_kappas, t, table))

    return replace(measure_pair(first, second, len(ratings.categories), table), shuffled=shuffled)


def measure_pair(first: IntArray, second: IntArray, k: int, weights: FloatArray | None) -> Measured:
    """Measure kappa of two lists of labels; variance by the delta method, divided by n^2 as published."""
    n = len(first)
    p, q = np.bincount(first, minlength=k) / n, np.bincount(second, minlength=k) / n
    own = (first == second).astype(np.float64) if weights is None else weights[first, second]
    # What a label of one annotator is worth against the other's labels: the published w-bar.
    against_q, against_p = (q, p) if weights is None else (weights @ q, weights.T @ p)
    observed, expected = float(own.mean()), float(p @ against_q)
    value = float(ratio(observed, expected))
    influence = np.zeros(n)
    if expected < 1:
        drift = against_q[first] + against_p[second] - 2 * expected
        influence = (own - observed - (1 - value) * drift) / (1 - expected)

    def statistics() -> FloatArray:
        refuse_too_wide(n, 2 * k + 1, "cohen_kappa")
        table = np.zeros((n, 2 * k + 1))
        table[:, 0] = own
        table[np.arange(n), 1 + first] = 1
        table[np.arange(n), 1 + k + second] = 1
        return table

    def solve(sums: FloatArray) -> FloatArray:
        p, q = sums[:, 1 : k + 1] / n, sums[:, k + 1 :] / n
        return ratio(sums[:, 0] / n, (p * (q if weights is None else q @ weights.T)).sum(axis=1))

    null = _null_error(p, q, against_q, against_p, expected, weights, n)
    return Measured(value, observed, expected, influence, statistics, solve, null_error=null, divisor=float(n) ** 2)


def _null_error(
    p: FloatArray,
    q: FloatArray,
    against_q: FloatArray,
    against_p: FloatArray,
    expected: float,
    weights: FloatArray | None,
    n: int,
) -> float:
    """Give the standard error under independence (Fleiss, Cohen and Everitt 1969, equation 9; 13 with weights)."""
    if not expected < 1 - 1e-14:
        return math.nan
    if weights is None:
        # Only equal labels weigh 1, so the k x k sum is one over all pairs plus a correction on the diagonal.
        both = float(p @ against_q**2 + q @ against_p**2 + 2 * (p @ against_q) * (q @ against_p))
        diagonal = float((p * q) @ (1 - 2 * (against_q + against_p)))
        inner = both + diagonal - expected**2
    else:
        gaps = weights - (against_q[:, None] + against_p[None, :])
        inner = float(p @ gaps**2 @ q) - expected**2
    return math.sqrt(max(0.0, inner) / n) / (1 - expected)


def mean_kappas(t: Tally, weights: FloatArray | None, pairs: Pairs) -> Values:
    """Cohen's kappa of each two annotators on the items both have rated, and the mean of these."""
    both = t.annotator[pairs.first] * t.m + t.annotator[pairs.second]
    group = np.unique(both, return_inverse=True)[1].reshape(-1)
    g = int(group.max()) + 1
    number = np.bincount(group, minlength=g).astype(np.float64)

    def summed(labels: IntArray, values: FloatArray | None, width: int) -> FloatArray:
        place = (np.arange(len(labels))[:, None] * g + group) * width + (0 if width == 1 else labels)
        flat = None if values is None else values.ravel()
        sums: FloatArray = np.bincount(place.ravel(), flat, len(labels) * g * width).astype(np.float64)
        return sums.reshape(len(labels), g, width)

    def values(labels: IntArray) -> FloatArray:
        a, b = labels[:, pairs.first], labels[:, pairs.second]
        agree = (a == b).astype(np.float64) if weights is None else weights[a, b]
        observed = summed(a, agree, 1)[..., 0] / number
        p, q = (summed(side, None, t.k) / number[:, None] for side in (a, b))
        kappas = ratio(observed, (p * (q if weights is None else q @ weights.T)).sum(axis=2))
        there = np.isfinite(kappas)
        sums = np.where(there, kappas, 0.0).sum(axis=1)
        mean: FloatArray = np.divide(sums, there.sum(axis=1), out=np.full(len(labels), np.nan), where=there.any(axis=1))
        return mean

    return values
