"""Fleiss' kappa of many annotators and Scott's pi of two: chance agreement from the labels of all together."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from nofluke.inference.agreement.measured import IntervalKind, IntervalOptions, Measured, Resamples, finished
from nofluke.inference.agreement.shares import from_shares
from nofluke.inference.agreement.tally import Tally, tally
from nofluke.inference.p_values import ConfidenceLevel, Progress, Seed
from nofluke.registry import AGREEMENT
from nofluke.types import Coefficient, FloatArray, Ratings, note


@AGREEMENT.register(
    "fleiss_kappa",
    label="Fleiss' kappa",
    beyond_chance=True,
    symbol="kappa",
    needs="two or more",
    bounds=(-1.0, 1.0),
    cite="Fleiss 1971; Fleiss, Nee and Landis 1979; Gwet 2008",
)
def fleiss_kappa(
    ratings: Ratings,
    *,
    confidence_level: ConfidenceLevel = 0.95,
    interval: IntervalKind = "log",
    n_resamples: Resamples = 9999,
    seed: Seed = 0,
    progress: Progress = None,
) -> Coefficient:
    """How far do several annotators agree beyond chance, if all used the labels equally often?

    Chance agreement comes from the labels of all annotators together, so it does not matter who rated what: it fits
    crowds in which every item has other annotators. For two annotators it is Scott's pi, not Cohen's kappa. The
    "multi-kappa (Fleiss 1971)" of some lecture slides is another coefficient: conger_kappa. Items may have different
    numbers of ratings (Gwet 2014); items with one count in the proportions only.
    Null of the test: all label at random from the same proportions (by shuffling; for many items Fleiss, Nee and
    Landis 1979); rejecting it is no evidence of quality. Assumes independent items.
    """
    t = tally(ratings)
    m = from_shares(t, pooled, "fleiss_kappa")
    return finished(pooled_null_error(m, t), IntervalOptions(confidence_level, interval, seed, n_resamples, progress))


def pooled(shares: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the agreement of two annotators who draw labels from these shares, and its slope."""
    return (shares**2).sum(axis=-1), 2 * shares


def pooled_null_error(m: Measured, t: Tally) -> Measured:
    """Add the standard error under random labelling (Fleiss, Nee and Landis 1979), for equal numbers of ratings."""
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


@AGREEMENT.register(
    "scott_pi",
    label="Scott's pi",
    beyond_chance=True,
    symbol="pi",
    needs="two annotators",
    bounds=(-1.0, 1.0),
    cite="Scott 1955; Fleiss, Nee and Landis 1979; Gwet 2008",
)
def scott_pi(
    ratings: Ratings,
    *,
    confidence_level: ConfidenceLevel = 0.95,
    interval: IntervalKind = "log",
    n_resamples: Resamples = 9999,
    seed: Seed = 0,
    progress: Progress = None,
) -> Coefficient:
    """How far do two annotators agree beyond chance, if both used the labels equally often?

    As Cohen's kappa, but chance agreement comes from the labels of both together: annotators who use the labels in
    different proportions score lower. Items that one annotator has not rated are left out. For more annotators this
    is fleiss_kappa. Null of the test: both label at random from the same proportions; rejecting it is no evidence of
    quality. Assumes independent items.
    """
    t = tally(ratings, together=True)
    m = from_shares(t, pooled, "scott_pi")
    return finished(pooled_null_error(m, t), IntervalOptions(confidence_level, interval, seed, n_resamples, progress))
