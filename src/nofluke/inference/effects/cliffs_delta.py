"""Cliff's delta of two independent groups."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from nofluke.inference.dominance import Dominance, dominance, dominance_limits, separated_limit
from nofluke.inference.effects.interpret import interpret, rule_named
from nofluke.inference.significance.sides import ConfidenceLevel, Snap
from nofluke.laws.tails import t_quantile
from nofluke.registry import EFFECTS
from nofluke.types import Estimate, Interval, Note, Sample, note


@EFFECTS.register(
    "cliffs_delta",
    label="Cliff's delta",
    symbol="delta",
    needs="unpaired",
    bounds=(-1.0, 1.0),
    null=0.0,
    cite="Cliff 1993; Feng and Cliff 2004; Newcombe 2006",
)
def cliffs_delta(
    sample: Sample,
    *,
    confidence_level: ConfidenceLevel = 0.95,
    rules: Annotated[Literal["none", "romano2006"], "name the magnitude by this rule of thumb"] = "none",
    snap: Snap = True,
) -> Estimate:
    """How much more often does a score of A beat a score of B than the other way round?

    Over all n_A n_B pairs of one score of each, whatever item they belong to: P(A better) - P(B better), from -1 to 1.
    Unpaired by definition, also for scores of the same items: there probability_of_superiority keeps the pairing.

    Interval: Cliff's limits with his consistent variance and t on n_A + n_B - 2 degrees of freedom, for independent
    scores; where A wins (or loses) every pair that variance is 0, and the bound is Newcombe's method 5 instead.
    """
    found = dominance(sample, snap)
    interval, notes = dominance_interval(found, sample, confidence_level)
    return Estimate(
        "",
        found.delta,
        interval,
        math.sqrt(found.variance) if interval and found.variance > 0 else math.nan,
        interpret("cliffs_delta", found.delta, rules),
        rule_named(rules),
        notes,
    )


def dominance_interval(found: Dominance, sample: Sample, level: float) -> tuple[Interval | None, tuple[Note, ...]]:
    """Give the interval for delta with what has to be said about it; a12 takes it over."""
    notes = (note("effect.pairing_ignored", systems=sample.systems),) if sample.paired else ()
    if sample.clusters is not None:
        return None, (*notes, note("effect.clusters"))
    if abs(found.delta) == 1:
        bound = separated_limit(found.n_a, found.n_b, (1 - level) / 2)
        low, high = (bound, 1.0) if found.delta > 0 else (-1.0, -bound)
        return Interval(low, high, level, "Newcombe"), (*notes, note("effect.wins_every_pair"))
    if math.isnan(found.variance):
        return None, (*notes, note("effect.single_score"))
    if found.variance == 0:
        return None, (*notes, note("effect.every_pair_ties"))
    quantile = -t_quantile((1 - level) / 2, found.n_a + found.n_b - 2)
    return Interval(*dominance_limits(found.delta, found.variance, quantile), level, "Cliff"), notes
