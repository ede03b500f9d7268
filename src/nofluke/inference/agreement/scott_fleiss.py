"""Fleiss' kappa of many annotators and Scott's pi of two: chance agreement from the labels of all together."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from nofluke.inference.agreement.measured import Measured, coefficient
from nofluke.inference.agreement.shares import from_shares
from nofluke.inference.agreement.tally import rated_twice, tally
from nofluke.types import FloatArray, Ratings, note


@coefficient(
    "fleiss_kappa",
    label="Fleiss' kappa",
    symbol="kappa",
    chance="pooled",
    cite="Fleiss 1971; Fleiss, Nee and Landis 1979; Gwet 2008",
)
def fleiss_kappa(ratings: Ratings) -> Measured:
    """How far do several annotators agree beyond chance, if all used the labels equally often?

    Chance agreement comes from the labels of all annotators together, so it does not matter who rated what: it fits
    crowds in which every item has other annotators. For two annotators it is Scott's pi, not Cohen's kappa. The
    "multi-kappa (Fleiss 1971)" of some lecture slides is another coefficient: conger_kappa. Items may have different
    numbers of ratings (Gwet 2014); items with one count in the proportions only.
    Null of the test: all label at random from the same proportions (by shuffling; for many items Fleiss, Nee and
    Landis 1979); rejecting it is no evidence of quality. Assumes independent items.
    """
    return _from_pooled(ratings, "fleiss_kappa")


def _pooled(shares: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the agreement of two annotators who draw labels from these shares, and its slope."""
    return (shares**2).sum(axis=-1), 2 * shares


def _from_pooled(ratings: Ratings, name: str) -> Measured:
    """Measure, and give the error under random labelling (Fleiss, Nee and Landis 1979) for equal numbers of ratings."""
    t = tally(ratings)
    m = from_shares(ratings, t, _pooled, name)
    raters = int(t.ratings[0])
    if (t.ratings != raters).any() or raters < 2:
        least, most = int(t.ratings.min()), int(t.ratings.max())
        return replace(m, notes=(*m.notes, note("agree.unequal_ratings", least=least, most=most)))
    p = t.mean_shares()
    spread = float((p * (1 - p)).sum())
    if spread <= 0:
        return m
    inner = spread**2 - float((p * (1 - p) * (1 - 2 * p)).sum())
    error = math.sqrt(2 * max(0.0, inner) / (t.n * raters * (raters - 1))) / spread
    return replace(m, null_error=float(np.float64(error)))


@coefficient(
    "scott_pi",
    label="Scott's pi",
    symbol="pi",
    chance="pooled",
    needs="two annotators",
    cite="Scott 1955; Fleiss, Nee and Landis 1979; Gwet 2008",
)
def scott_pi(ratings: Ratings) -> Measured:
    """How far do two annotators agree beyond chance, if both used the labels equally often?

    As Cohen's kappa, but chance agreement comes from the labels of both together: annotators who use the labels in
    different proportions score lower. Items that one annotator has not rated are left out. For more annotators this
    is fleiss_kappa. Null of the test: both label at random from the same proportions; rejecting it is no evidence of
    quality. Assumes independent items.
    """
    return _from_pooled(rated_twice(ratings), "scott_pi")
