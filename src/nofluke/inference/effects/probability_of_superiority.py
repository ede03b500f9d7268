"""The probability that A is better than B on an item, ties counting half."""

from __future__ import annotations

import math

from nofluke.align import differences
from nofluke.inference.intervals.paired_proportions import tango_interval
from nofluke.inference.p_values import ConfidenceLevel, Snap
from nofluke.registry import EFFECTS
from nofluke.types import Estimate, Interval, Note, Sample, note


@EFFECTS.register(
    "probability_of_superiority",
    label="probability of superiority (of pairs)",
    symbol="PS",
    needs="paired",
    bounds=(0.0, 1.0),
    null=0.5,
    cite="Grissom and Kim 2012; Tango 1998",
)
def probability_of_superiority(
    sample: Sample, *, confidence_level: ConfidenceLevel = 0.95, snap: Snap = True
) -> Estimate:
    """On an item like these, how likely is A to do better than B, a tie counting half?

    (items where A is better + half the ties) / items, over pairs of scores of the same item; any scores. 0.5 means no
    preference, not equal means: it ignores by how much. It is (1 + p10 - p01) / 2 of the shares of items that A wins
    and loses, so its interval is Tango's score interval of that difference; it takes items as independent. Not to be
    confused with A12 (a12), which compares every item of A with every item of B.
    """
    signs = differences(sample, snap=snap).signs
    n, wins, losses = len(signs), int((signs > 0).sum()), int((signs < 0).sum())
    share = (wins - losses) / n
    tail = (1 - confidence_level) / 2
    limits = tango_interval(wins, losses, n, tail, tail, confidence_level)
    interval: Interval | None = Interval((1 + limits.low) / 2, (1 + limits.high) / 2, confidence_level, limits.method)
    notes: tuple[Note, ...] = ()
    if sample.clusters is not None:
        interval = None
        notes = (note("effect.clusters"),)
    return Estimate(
        name="",
        value=(wins + (n - wins - losses) / 2) / n,
        interval=interval,
        standard_error=math.sqrt(max((wins + losses) / n - share * share, 0.0) / n) / 2 if interval else math.nan,
        notes=notes,
    )
