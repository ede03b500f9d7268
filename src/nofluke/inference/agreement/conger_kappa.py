"""Conger's kappa of several annotators, each with a bias of their own: the multi-kappa of the lecture slides."""

from __future__ import annotations

import numpy as np

from nofluke.inference.agreement.bootstrap import refuse_too_wide
from nofluke.inference.agreement.measured import Measured, Shuffled, coefficient
from nofluke.inference.agreement.shares import ratio
from nofluke.inference.agreement.tally import Pairs, Tally, Values, tally
from nofluke.types import FloatArray, IntArray, Ratings


@coefficient(
    "conger_kappa",
    label="Conger's kappa",
    symbol="kappa",
    chance="own",
    cite="Conger 1980; Davies and Fleiss 1982; Gwet 2014",
    aliases=("multi_kappa",),
)
def conger_kappa(ratings: Ratings) -> Measured:
    """How far do several annotators agree beyond chance, each with a bias of their own?

    Chance agreement is the average, over all pairs of annotators, of the agreement they would reach by labelling
    independently, each as often as they did. For two annotators it is Cohen's kappa. Lecture slides call this
    multi-kappa and cite Fleiss 1971, whose kappa pools the annotators instead (fleiss_kappa); the formula on the
    slides is Conger's, and `multi_kappa` is an alias of this name. Where annotators have rated different items,
    each one's proportions are those of the items they have rated (Gwet 2014). In a crowd of hundreds with a few
    ratings each these proportions mean little: take fleiss_kappa or krippendorff_alpha.
    Null of the test: each annotator's labels lie on their items at random; rejecting it is no evidence of quality.
    """
    t = tally(ratings)
    own, pairable = t.agreement(), t.pairable
    rated = float(pairable.sum())
    column = t.annotator * t.k + t.label
    counts = np.bincount(column, minlength=t.m * t.k).reshape(t.m, t.k).astype(np.float64)
    counts = counts[counts.sum(axis=1) > 0]
    active = _position_of(t)
    totals = counts.sum(axis=1)
    observed, expected = float(own.sum() / rated), float(_chance(counts[None])[0])
    value = float(ratio(observed, expected))
    influence = np.zeros(t.n)
    if expected < 1:
        shares = counts / totals[:, None]
        m = len(shares)
        # d A_e / d p_g = 2 (sum of the others' shares) / (m (m - 1)); one rating more moves p_g towards its label.
        slope = 2 * (shares.sum(axis=0) - shares) / (m * (m - 1))
        moved = (slope - (slope * shares).sum(axis=1)[:, None]) / totals[:, None]
        drift = t.n * np.bincount(t.item, moved[active, t.label], t.n)
        influence = (t.n / rated * (own - observed * pairable) - (1 - value) * drift) / (1 - expected)

    def statistics() -> FloatArray:
        refuse_too_wide(t.n, counts.size + 2, "conger_kappa")
        table = np.zeros((t.n, counts.size + 2))
        table[:, 0], table[:, 1] = own, pairable
        table[t.item, 2 + active * t.k + t.label] = 1
        return table

    def solve(sums: FloatArray) -> FloatArray:
        with np.errstate(invalid="ignore"):
            return ratio(sums[:, 0] / sums[:, 1], _chance(sums[:, 2:].reshape(-1, *counts.shape)))

    def values(pairs: Pairs) -> Values:
        # Annotators keep their labels, and so what they would agree on by chance.
        return lambda labels: ratio(pairs.agreement(labels), expected)

    shuffled = Shuffled(ratings, t, values)
    return Measured(value, observed, expected, influence, statistics, solve, lambda: shuffled)


def _chance(counts: FloatArray) -> FloatArray:
    """Give the mean, over pairs of annotators, of the product of their shares; counts are (draws, annotators, k)."""
    totals = counts.sum(axis=2, keepdims=True)
    there = totals[..., 0] > 0
    shares = np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)
    m = there.sum(axis=1)
    pairs = (shares.sum(axis=1) ** 2).sum(axis=1) - (shares**2).sum(axis=(1, 2))
    chance: FloatArray = np.divide(pairs, m * (m - 1), out=np.full(len(counts), np.nan), where=m > 1)
    return chance


def _position_of(t: Tally) -> IntArray:
    """Give every rating's annotator, numbered among those who have rated anything."""
    used = np.bincount(t.annotator, minlength=t.m) > 0
    positions: IntArray = np.cumsum(used) - 1
    return positions[t.annotator]
