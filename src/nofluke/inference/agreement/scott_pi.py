"""Scott's pi of two annotators."""

from __future__ import annotations

from nofluke.inference.agreement.fleiss_kappa import pooled, pooled_null_error
from nofluke.inference.agreement.measured import Asked, IntervalKind, Resamples, finished
from nofluke.inference.agreement.shares import from_shares
from nofluke.inference.agreement.tally import tally
from nofluke.inference.p_values import ConfidenceLevel, Progress, Seed
from nofluke.registry import AGREEMENT
from nofluke.types import Coefficient, Ratings


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
    return finished(pooled_null_error(m, t), Asked(confidence_level, interval, seed, n_resamples, progress))
