"""The Hodges-Lehmann estimate: the median average of two differences."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from nofluke.align import differences
from nofluke.inference.intervals.hodges_lehmann import too_few_for, walsh_averages, walsh_interval
from nofluke.inference.p_values import ConfidenceLevel, tail_levels
from nofluke.registry import EFFECTS
from nofluke.types import Estimate, Sample, note


@EFFECTS.register(
    "hodges_lehmann",
    label="Hodges-Lehmann estimate",
    symbol="HL",
    needs="paired",
    bounds=(-math.inf, math.inf),
    null=0.0,
    cite="Hodges and Lehmann 1963; Noether 1967",
)
def hodges_lehmann(
    sample: Sample,
    *,
    confidence_level: ConfidenceLevel = 0.95,
    pairs: Annotated[
        Literal["walsh", "distinct"], "average every item with itself too (walsh, as R does) or only with others"
    ] = "walsh",
) -> Estimate:
    """By how much is A better on a typical item, whatever a few extreme items do?

    The median of all averages (d_i + d_j) / 2 of two differences, in score units: the pseudo-median. It belongs to the
    Wilcoxon test, whose interval it comes with; outliers hardly move it. It is the mean only when differences are
    symmetric, so it is not the difference of two mean scores. pairs="distinct" is equation 5 of Zhu et al. 2020.
    Exact to the last digit for scores with few decimals, in memory for n numbers.
    """
    d = differences(sample)
    below, above = tail_levels("two-sided", confidence_level)
    averages = walsh_averages(d, sample)
    interval = walsh_interval(averages, below, above, confidence_level) if sample.clusters is None else None
    notes = [note("effect.clusters")] if interval is None else [*too_few_for(interval, sample.n)]
    if pairs == "walsh":
        return Estimate(name="", value=averages.median(), interval=interval, notes=tuple(notes))
    if sample.n < 2:
        notes.append(note("effect.no_other_item"))
        return Estimate(name="", value=math.nan, interval=interval, notes=tuple(notes))
    distinct = walsh_averages(d, sample, distinct=True)
    return Estimate(name="", value=distinct.median(), interval=interval, notes=tuple(notes))
