"""Cliff's delta of two independent groups and Vargha and Delaney's A12, with variance and interval, in O(n log n)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from nofluke.align.decimals import to_integers
from nofluke.inference.effects.interpret import interpret, rule_named
from nofluke.inference.p_values import ConfidenceLevel, Snap
from nofluke.laws.tails import t_quantile
from nofluke.registry import EFFECTS
from nofluke.types import Estimate, Interval, Note, Sample, note


@dataclass(frozen=True, slots=True)
class Dominance:
    """P(A better) - P(B better) over all pairs, and Cliff's consistent estimate of its variance (nan if unknown)."""

    delta: float
    variance: float
    n_a: int
    n_b: int


def dominance(sample: Sample, snap: bool) -> Dominance:
    """Compare every score of A with every score of B, by sorting; positive = A better."""
    sign = 1 if sample.higher_is_better else -1
    a, b = (
        sign * (to_integers(sample.scores(index), sample.grid) if snap else sample.scores(index)) for index in (0, 1)
    )
    n_a, n_b = len(a), len(b)
    ordered_a, ordered_b = np.sort(a), np.sort(b)
    wins, beaten = np.searchsorted(ordered_b, a, "left"), np.searchsorted(ordered_b, a, "right")
    rows = wins + beaten - n_b  # wins minus losses of each score of A
    columns = n_a - np.searchsorted(ordered_a, b, "left") - np.searchsorted(ordered_a, b, "right")
    total, untied = int(rows.sum()), int(np.sum(wins + n_b - beaten))
    delta = total / (n_a * n_b)
    if min(n_a, n_b) < 2:
        return Dominance(delta, math.nan, n_a, n_b)
    # Cliff 1996: the variances of the row means, of the column means and of the single comparisons.
    of_rows = float(np.sum((rows / n_b - delta) ** 2)) / (n_a - 1)
    of_columns = float(np.sum((columns / n_a - delta) ** 2)) / (n_b - 1)
    of_pairs = (untied - n_a * n_b * delta**2) / ((n_a - 1) * (n_b - 1))
    variance = ((n_b - 1) * of_rows + (n_a - 1) * of_columns + max(0.0, of_pairs)) / (n_a * n_b)
    return Dominance(delta, variance, n_a, n_b)


def dominance_limits(delta: float, variance: float, quantile: float) -> tuple[float, float]:
    """Give Cliff's limits, which lean towards 0 and stay within -1 and 1 (Feng and Cliff 2004)."""
    spread = quantile**2 * variance
    centre, free = delta - delta**3, 1 - delta**2 + spread
    half = math.sqrt(spread * ((1 - delta**2) ** 2 + spread))
    return (centre - half) / free, (centre + half) / free


def separated_limit(n_a: int, n_b: int, error: float) -> float:
    """Bound delta from below when A wins every pair: the smallest delta that this would not be surprising for.

    Newcombe 2006 (part 2, method 5): the variance of the share of pairs theta is theta (1 - theta) (1 + (N - 1)
    ((1 - theta) / (2 - theta) + theta / (1 + theta))) / (n_a n_b), N the mean group size; solve 1 - theta = z sd.
    """
    from scipy.special import ndtri

    z, size = float(ndtri(error)), (n_a + n_b) / 2

    def excess(theta: float) -> float:
        shape = 1 + (size - 1) * ((1 - theta) / (2 - theta) + theta / (1 + theta))
        # Divided by 1 - theta, which is a root as well: rises through the one that is sought.
        return z * z * theta * shape / (n_a * n_b) - (1 - theta)

    low, high = 0.0, 1.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    return 2 * low - 1


@EFFECTS.register(
    "cliffs_delta",
    label="Cliff's delta",
    symbol="delta",
    needs="unpaired",
    bounds=(-1.0, 1.0),
    null=0.0,
    rules=("romano2006",),
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


@EFFECTS.register(
    "a12",
    label="Vargha and Delaney's A12",
    symbol="A12",
    needs="unpaired",
    bounds=(0.0, 1.0),
    null=0.5,
    rules=("vargha2000",),
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
