"""Wilcoxon r: the z-score of the signed-rank test over the root of n."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Annotated, Literal

from nofluke.align import differences
from nofluke.inference.intervals.rank_biserial import rank_biserial_interval
from nofluke.inference.p_values import ConfidenceLevel, Snap
from nofluke.laws.signed_rank import shifted, signed_ranks
from nofluke.registry import EFFECTS
from nofluke.types import Estimate, Sample, note


@EFFECTS.register(
    "wilcoxon_r",
    label="Wilcoxon r",
    symbol="r",
    needs="paired",
    bounds=(-1.0, 1.0),
    null=0.0,
    cite="Rosenthal 1991; Zhu et al. 2020, equation 4",
)
def wilcoxon_r(
    sample: Sample,
    *,
    confidence_level: ConfidenceLevel = 0.95,
    n: Annotated[Literal["nonzero", "all"], "divide by the root of the number of untied items, or of all items"] = (
        "nonzero"
    ),
    snap: Snap = True,
) -> Estimate:
    """How many standard deviations is the rank sum away from chance, per root of the number of items?

    r = Z / sqrt(n) with zeros dropped, tie-corrected variance and no continuity correction. The paper prints |Z|; here
    the sign is kept, and positive means that A is better. It is no correlation: without ties its largest value is below
    1 (0.93 at n = 3, 0.87 for large n), so it should not be read on a correlation's scale. Given the ranks it is a
    multiple of the rank-biserial correlation, and so is its interval.
    """
    shown = shifted(differences(sample, snap=snap), sample, 0.0)
    ranks = signed_ranks(shown)
    if not ranks.n_nonzero:
        return Estimate(name="", value=math.nan, notes=(note("effect.nothing_to_rank"),))
    items = ranks.n_nonzero if n == "nonzero" else sample.n
    value = ranks.z / math.sqrt(items)
    if sample.clusters is not None:
        return Estimate(name="", value=value, notes=(note("effect.clusters"),))
    if abs(ranks.difference) == ranks.total:
        return Estimate(name="", value=value, notes=(note("effect.one_way"),))
    biserial = ranks.difference / ranks.total
    interval, error = rank_biserial_interval(shown[shown != 0], biserial, confidence_level)
    # At 0 both are 0; the factor z / sqrt(n) per unit of correlation depends on the ranks only.
    factor = ranks.total / ranks.spread() / math.sqrt(items)
    scaled = replace(interval, low=interval.low * factor, high=interval.high * factor)
    return Estimate(name="", value=value, interval=scaled, standard_error=error * factor)
