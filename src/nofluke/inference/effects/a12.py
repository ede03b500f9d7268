"""Vargha and Delaney's A12: the probability that a score of A beats a score of B."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from nofluke.inference.dominance import dominance
from nofluke.inference.effects.cliffs_delta import dominance_interval
from nofluke.inference.effects.interpret import interpret, rule_named
from nofluke.inference.significance.sides import ConfidenceLevel, Snap
from nofluke.registry import EFFECTS
from nofluke.types import Estimate, Interval, Sample


@EFFECTS.register(
    "a12",
    label="Vargha and Delaney's A12",
    symbol="A12",
    needs="unpaired",
    bounds=(0.0, 1.0),
    null=0.5,
    cite="Vargha and Delaney 2000; Feng and Cliff 2004; Newcombe 2006",
)
def a12(
    sample: Sample,
    *,
    confidence_level: ConfidenceLevel = 0.95,
    rules: Annotated[Literal["none", "vargha2000"], "name the magnitude by this rule of thumb"] = "none",
    snap: Snap = True,
) -> Estimate:
    """How likely is it that a score of A beats an independent score of B?

    P(A better) + P(tie) / 2 over all n_A n_B pairs, whatever item they belong to; 0.5 = neither. It is (1 + Cliff's
    delta) / 2, the common-language effect size and the area under the ROC curve; U of the Mann-Whitney test divided
    by n_A n_B. Unpaired by definition: for scores of the same items probability_of_superiority keeps the pairing.

    The interval is that of Cliff's delta, for independent scores.
    """
    found = dominance(sample, snap)
    interval, notes = dominance_interval(found, sample, confidence_level)
    value = (1 + found.delta) / 2
    if interval:
        interval = Interval((1 + interval.low) / 2, (1 + interval.high) / 2, interval.level, interval.method)
    return Estimate(
        "",
        value,
        interval,
        math.sqrt(found.variance) / 2 if interval and found.variance > 0 else math.nan,
        interpret("a12", value, rules),
        rule_named(rules),
        notes,
    )
