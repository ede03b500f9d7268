"""The mean difference of paired scores, in score units."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from nofluke.inference.describe.moments import of_differences
from nofluke.inference.intervals.bootstrap_mean import bootstrap_mean_interval
from nofluke.inference.p_values import ConfidenceLevel, Seed
from nofluke.laws.tails import t_quantile
from nofluke.registry import EFFECTS
from nofluke.types import Estimate, Interval, Note, Sample, note


@EFFECTS.register(
    "mean_difference",
    label="mean difference",
    symbol="A - B",
    needs="paired",
    bounds=(-math.inf, math.inf),
    null=0.0,
    cite="Student 1908",
)
def mean_difference(
    sample: Sample,
    *,
    confidence_level: ConfidenceLevel = 0.95,
    interval: Annotated[
        Literal["t", "percentile", "basic", "bca"], "how the interval is made: from t, or by resampling items"
    ] = "t",
    seed: Seed = 0,
) -> Estimate:
    """By how much does A beat B on an average item, in the units of the score?

    Oriented: positive = A better. The interval is that of the paired t-test: it assumes independent items and a nearly
    normal mean; percentile, basic and bca resample items 9,999 times and are no better with few of them. Beside the
    p-value of another test show that test's own interval. Items in clusters get no t interval here (method
    'permutation' gives one that keeps clusters together); resampling draws whole clusters.
    """
    d = of_differences(sample)
    if interval != "t" and d.n > 1 and not d.constant:
        error = math.nan if sample.clusters is not None else math.sqrt(d.variance / d.n)
        drawn = bootstrap_mean_interval(sample, interval, confidence_level, seed=seed)
        return Estimate("", d.mean, drawn, error)
    reason: Note | None = None
    if sample.clusters is not None:
        reason = note("effect.clusters")
    elif d.n < 2:
        reason = note("effect.single_item")
    elif d.constant:
        reason = note("effect.equal_differences")
    if reason is not None:
        return Estimate("", d.mean, notes=(reason,))
    standard_error = math.sqrt(d.variance / d.n)
    half = t_quantile((1 - confidence_level) / 2, d.n - 1) * standard_error
    return Estimate("", d.mean, Interval(d.mean + half, d.mean - half, confidence_level, "t"), standard_error)
