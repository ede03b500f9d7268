"""Brennan and Prediger's coefficient: every label is as likely by chance as any other."""

from __future__ import annotations

import numpy as np

from nofluke.inference.agreement.measured import Asked, IntervalKind, Resamples, finished
from nofluke.inference.agreement.shares import from_shares
from nofluke.inference.agreement.tally import tally
from nofluke.inference.p_values import ConfidenceLevel, Progress, Seed
from nofluke.registry import AGREEMENT
from nofluke.types import Coefficient, FloatArray, Ratings


@AGREEMENT.register(
    "brennan_prediger",
    label="Brennan and Prediger's kappa",
    beyond_chance=True,
    symbol="kappa_n",
    needs="two or more",
    bounds=(-1.0, 1.0),
    cite="Bennett, Alpert and Goldstein 1954; Brennan and Prediger 1981; Randolph 2005",
    aliases=("randolph_kappa",),
)
def brennan_prediger(
    ratings: Ratings,
    *,
    confidence_level: ConfidenceLevel = 0.95,
    interval: IntervalKind = "log",
    n_resamples: Resamples = 9999,
    seed: Seed = 0,
    progress: Progress = None,
) -> Coefficient:
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

    m = from_shares(tally(ratings), equally_likely, "brennan_prediger")
    return finished(m, Asked(confidence_level, interval, seed, n_resamples, progress))
