"""The true difference that a test set of this size would find most of the time."""

from __future__ import annotations

import math

from nofluke.align import cluster_totals, differences
from nofluke.inference.corpus import corpus_of
from nofluke.inference.distributions import t_quantile
from nofluke.types import Detectable, Sample

POWER = 0.8


def detectable_difference(sample: Sample, alpha: float, alternative: str, power: float = POWER) -> Detectable:
    """Give the mean difference found with this power: (t_alpha + t_power) standard errors of these data.

    The usual analytic answer for a test of a mean, with the spread of cluster totals where there are clusters. It does
    not judge the observed difference. For fewer than about ten items it is a rough guide.
    """
    groups, standard_error = _groups_and_standard_error(sample)
    if groups < 2 or math.isnan(standard_error):
        return Detectable(math.nan, math.nan, math.nan, power, "the differences do not vary")
    tails = 2 if alternative == "two-sided" else 1
    if tails * 2.0**-groups > alpha:
        reason = (
            f"with {groups} {'clusters' if sample.clusters is not None else 'items'} no swap test can reach {alpha:g}"
        )
        return Detectable(math.nan, math.nan, standard_error, power, reason)
    threshold = t_quantile(1 - alpha / tails, groups - 1) * standard_error
    return Detectable(threshold + t_quantile(power, groups - 1) * standard_error, threshold, standard_error, power)


def _groups_and_standard_error(sample: Sample) -> tuple[int, float]:
    if not sample.aggregate.linear:
        corpus = corpus_of(sample)
        error = corpus.standard_error()
        return len(corpus.statistics), error if error > 0 else math.nan
    d = differences(sample)
    totals, sizes = cluster_totals(d.values, sample.clusters)
    groups = len(totals)
    if groups < 2 or d.distinct == 1:
        return groups, math.nan
    residuals = totals - sizes * d.values.mean()
    return groups, math.sqrt(groups / (groups - 1) * float(residuals @ residuals)) / len(d.values)
