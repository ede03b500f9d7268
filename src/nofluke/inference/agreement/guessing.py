"""Coefficients whose chance agreement does not explode when one label is common: Gwet's two, Brennan and Prediger's."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from nofluke.inference.agreement.measured import Measured, coefficient
from nofluke.inference.agreement.shares import Chance, from_shares
from nofluke.inference.agreement.tally import tally
from nofluke.inference.agreement.weights import agreement_weights
from nofluke.types import FloatArray, Ratings


@coefficient(
    "gwet_ac1",
    label="Gwet's AC1",
    symbol="AC1",
    chance="even",
    cite="Gwet 2008; Gwet 2014",
)
def gwet_ac1(ratings: Ratings) -> Measured:
    """How far do annotators agree beyond chance, if they guess only on some items?

    Chance agreement is sum pi (1 - pi) / (q - 1): largest when all q labels are equally common, near 0 when one
    label takes nearly all. So where one label is common AC1 stays high while the kappas fall; which of the two is
    right depends on whether agreement on the common label is an achievement, and that no coefficient can tell.
    q counts the labels that occur; name all with `categories`. Items with one rating count in pi only.
    Null of the test: all guess, every label equally likely; rejecting it is no evidence of quality.
    Assumes independent items. Not for labels in an order (gwet_ac2).
    """
    chance = _guessing(len(ratings.categories), None)
    return from_shares(ratings, tally(ratings), chance, "gwet_ac1", as_gwet=True)


def _guessing(labels: int, weights: FloatArray | None) -> Chance:
    """Give Gwet's chance agreement for so many labels: annotators guess on items that are hard to label."""
    total = float(labels) if weights is None else float(weights.sum())

    def chance(shares: FloatArray) -> tuple[FloatArray, FloatArray]:
        k = shares.shape[-1]
        if k < 2:
            return np.ones(shares.shape[:-1]), np.zeros(k)
        factor = total / (k * (k - 1))
        return factor * (shares * (1 - shares)).sum(axis=-1), factor * (1 - 2 * shares)

    return chance


@coefficient(
    "gwet_ac2",
    label="Gwet's AC2",
    symbol="AC2",
    chance="even",
    plain="gwet_ac1",
    cite="Gwet 2014",
)
def gwet_ac2(
    ratings: Ratings,
    *,
    weights: Annotated[
        Literal["linear", "quadratic", "ordinal"], "partial credit for labels close together in their order"
    ] = "linear",
) -> Measured:
    """How far do annotators agree beyond chance on labels in an order, if they guess only on some items?

    As gwet_ac1, but two labels close together in their order agree in part: linear (1 - d / (q - 1)), quadratic, or
    ordinal weights. The weights decide the value as much as the annotators do: name them beside it. Labels that are
    words need their order (`categories`). Null of the test: all guess, every label equally likely; rejecting it is no
    evidence of quality. Assumes independent items.
    """
    table = agreement_weights(ratings, weights, "gwet_ac2")
    chance = _guessing(len(ratings.categories), table)
    return from_shares(ratings, tally(ratings), chance, "gwet_ac2", table, as_gwet=True)


@coefficient(
    "brennan_prediger",
    label="Brennan and Prediger's kappa",
    symbol="kappa_n",
    chance="even",
    cite="Bennett, Alpert and Goldstein 1954; Brennan and Prediger 1981; Randolph 2005",
    aliases=("randolph_kappa",),
)
def brennan_prediger(ratings: Ratings) -> Measured:
    """How far do annotators agree beyond chance, if chance chose every label equally often?

    Chance agreement is 1 / q for q labels, whatever the annotators' habits: rare labels do not pull it down, and more
    labels in the guideline push it up, used or not. q counts the labels that occur; name all with `categories`.
    For two labels and two annotators it is the "prevalence-adjusted, bias-adjusted kappa"; for more annotators
    Randolph's free-marginal kappa (`randolph_kappa` is an alias). Take it where annotators were free in how often to
    use a label, and say so. Null of the test: all guess, every label equally likely; rejecting it is no evidence of
    quality.
    """

    def equally_likely(shares: FloatArray) -> tuple[FloatArray, FloatArray]:
        k = shares.shape[-1]
        return np.full(shares.shape[:-1], 1 / k), np.zeros(k)

    return from_shares(ratings, tally(ratings), equally_likely, "brennan_prediger", moving=False)
