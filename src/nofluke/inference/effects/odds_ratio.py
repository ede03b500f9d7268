"""The odds ratio of two systems with 0/1 scores."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from nofluke.align.counts import paired_counts, unpaired_counts
from nofluke.inference.intervals.proportions import clopper_pearson
from nofluke.inference.p_values import ConfidenceLevel
from nofluke.registry import EFFECTS
from nofluke.types import Estimate, Interval, Note, Sample, note

_INSTEAD = "use effect 'mean_difference' or 'probability_of_superiority', which take any scores."


@EFFECTS.register(
    "odds_ratio",
    label="odds ratio",
    symbol="OR",
    needs="binary",
    bounds=(0.0, math.inf),
    null=1.0,
    cite="Clopper and Pearson 1934 (form = paired); Woolf 1955 (form = unpaired); "
    "Fagerland, Lydersen and Laake 2014 (form = paired)",
)
def odds_ratio(
    sample: Sample,
    *,
    confidence_level: ConfidenceLevel = 0.95,
    form: Annotated[
        Literal["paired", "unpaired"], "only-A items to only-B items, or the odds of A's accuracy to those of B's"
    ] = "paired",
) -> Estimate:
    """How many times as likely is A, and not B, to be the one that is right?

    For 0/1 scores. paired is b / c: on the items that only one system gets right, how many are A's for one of B's. Its
    interval is exact (Clopper-Pearson for b out of b + c), and leaves out 1 when exact McNemar rejects. unpaired is the
    ratio of odds of the two accuracies, with a delta-method interval of its logarithm; two sequences of one length are
    taken as the same items, and what A and B share on them makes the interval narrower (or wider) as it should.
    A ratio of odds is no ratio of accuracies and does not say how many items differ: report the difference beside it.
    """
    value, interval, notes = (
        _paired(sample, confidence_level) if form == "paired" else _unpaired(sample, confidence_level)
    )
    if sample.clusters is not None:
        interval = None
        notes += (note("effect.clusters"),)
    return Estimate(name="", value=value, interval=interval, notes=notes)


def _paired(sample: Sample, level: float) -> tuple[float, Interval | None, tuple[Note, ...]]:
    counts = paired_counts(sample, "odds_ratio", instead=_INSTEAD)
    b, c = counts.only_a, counts.only_b
    if not b and not c:
        return math.nan, None, (note("effect.odds_same_items", systems=sample.systems),)
    tail = (1 - level) / 2
    share, other = clopper_pearson(b, b + c, tail, tail, level), clopper_pearson(c, b + c, tail, tail, level)
    # theta / (1 - theta) at both ends; 1 - theta is the interval of the other system, which loses no digits near 1.
    interval = Interval(_ratio(share.low, other.high), _ratio(share.high, other.low), level, "Clopper-Pearson odds")
    a_name, b_name = sample.systems[:2]
    notes: tuple[Note, ...] = ()
    if not c:
        notes = (note("effect.odds_infinite", system=b_name),)
    elif not b:
        notes = (note("effect.odds_zero", system=a_name),)
    return _ratio(b, c), interval, notes


def _unpaired(sample: Sample, level: float) -> tuple[float, Interval | None, tuple[Note, ...]]:
    from scipy.special import ndtri

    right_a, n_a, right_b, n_b = unpaired_counts(sample, "odds_ratio", instead=_INSTEAD)
    over, under = right_a * (n_b - right_b), right_b * (n_a - right_a)
    if not over and not under:
        return math.nan, None, (note("effect.odds_always_alike", systems=sample.systems),)
    if not over or not under:
        return _ratio(over, under), None, (note("effect.odds_no_error"),)
    p_a, p_b = right_a / n_a, right_b / n_b
    variance = 1 / (n_a * p_a * (1 - p_a)) + 1 / (n_b * p_b * (1 - p_b))
    if sample.paired:
        counts = paired_counts(sample, "odds_ratio")
        if not counts.only_a and not counts.only_b:
            return 1.0, None, (note("effect.odds_no_spread", systems=sample.systems),)
        # The covariance of the two accuracies, carried to the log odds like their variances.
        variance -= 2 * (counts.both / n_a - p_a * p_b) / (n_a * p_a * (1 - p_a) * p_b * (1 - p_b))
    middle, half = math.log(over) - math.log(under), -float(ndtri((1 - level) / 2)) * math.sqrt(max(variance, 0.0))
    interval = Interval(math.exp(middle - half), math.exp(middle + half), level, "log odds delta method")
    return over / under, interval, ()


def _ratio(over: float, under: float) -> float:
    return over / under if under else math.inf
