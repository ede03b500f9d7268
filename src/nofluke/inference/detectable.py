"""The true difference that a test set of this size would find most of the time."""

from __future__ import annotations

import math

from nofluke.align import cluster_totals, differences
from nofluke.inference.distributions import t_quantile
from nofluke.types import Estimate, FloatArray, Sample

POWER = 0.8


def detectable_difference(sample: Sample, alpha: float, alternative: str, power: float = POWER) -> Estimate:
    """Give the mean difference found with this power: (t_alpha + t_power) standard errors of these data.

    The usual analytic answer for a test of a mean, with the spread of cluster totals where there are clusters. It does
    not judge the observed difference.
    """
    d = differences(sample).values
    groups, standard_error = _groups_and_standard_error(d, sample)
    if groups < 2 or standard_error == 0:
        note = "the differences do not vary, so their spread says nothing about what could be found."
        return Estimate("detectable_difference", math.nan, notes=(note,))
    tails = 2 if alternative == "two-sided" else 1
    factor = t_quantile(1 - alpha / tails, groups - 1) + t_quantile(power, groups - 1)
    return Estimate("detectable_difference", factor * standard_error, standard_error=standard_error)


def _groups_and_standard_error(d: FloatArray, sample: Sample) -> tuple[int, float]:
    totals, sizes = cluster_totals(d, sample.clusters)
    groups = len(totals)
    if groups < 2:
        return groups, 0.0
    residuals = totals - sizes * d.mean()
    return groups, math.sqrt(groups / (groups - 1) * float(residuals @ residuals)) / len(d)
