"""The test of an average of paired accuracies against a margin, from Tango's limits of every dataset."""

from __future__ import annotations

import math

from nofluke.align.counts import PairedCounts, TwoScores, paired_counts, two_scores
from nofluke.align.strata import tasks_of
from nofluke.forms import ITEMS_TO_PASS
from nofluke.inference.intervals.inversion import falling_root
from nofluke.inference.intervals.paired_proportions import score_lower, score_z
from nofluke.inference.p_values import Alternative, ConfidenceLevel, Delta, log_p_of, p_of, tail_levels
from nofluke.inference.tests.tango import High, Low, in_scores, score_log_tail, share_of, worth
from nofluke.laws.tails import log_normal_tail
from nofluke.registry import TESTS
from nofluke.types import Computed, Interval, Note, Sample, Strata, TestResult, note

# No quantile of a p-value that a double can hold lies farther out.
_FARTHEST = 38.0


@TESTS.register(
    "mover",
    label="MOVER test of average accuracy",
    needs="binary",
    null="the average accuracy of {a} over the datasets minus that of {b} is delta",
    estimand="difference in average accuracy",
    about="mean",
    clusters=False,
    strata=True,
    within_datasets=True,
    delta_instead="",
    cite="Zou and Donner 2008; Tango 1998",
)
def mover(
    sample: Sample,
    *,
    alternative: Alternative = "two-sided",
    delta: Delta = 0.0,
    confidence_level: ConfidenceLevel = 0.95,
    low: Low = None,
    high: High = None,
) -> TestResult:
    """Is the average accuracy of A over the datasets above (below, different from) that of B by more than delta?

    For 0/1 scores, and the test for a margin on an average: "not worse by 0.02" is delta=-0.02 with alternative
    "greater". With D the average and D_j the difference on dataset j of weight w_j, the lower limit is D less the root
    of the sum of (w_j (D_j - l_j))^2, where l_j is Tango's lower limit there (MOVER: the variance is recovered from the
    limits); the upper limit likewise. The p-value is the level at which the limit reaches delta. One dataset gives
    Tango's score test. Its size for "not worse" at .05 was at most .053 in 30 settings, where t reaches .56 when a
    small dataset weighs much. Not for items in clusters, nor for items that several datasets share. Scores of 0 and
    100, or of the two that `low` and `high` state, are taken in steps of a right answer.
    """
    two = two_scores(sample, low, high) or TwoScores()
    given, delta = delta, share_of(delta, two, "two averages of accuracies")
    tables = _tables(sample, two)
    greater, less = _log_tail(tables, delta), _log_tail(_mirrored(tables), -delta)
    log_p = log_p_of(greater, less, alternative)
    below, above = tail_levels(alternative, confidence_level)
    floor = average_limit(tables, -_normal_quantile(below)) if below else -1.0
    ceiling = -average_limit(_mirrored(tables), -_normal_quantile(above)) if above else 1.0
    z = _statistic(tables, delta)
    return TestResult(
        statistic=z,
        p_value=p_of(log_p),
        log_p_value=log_p,
        alternative=alternative,
        n=sample.n,
        computed=Computed("exact", detail=note("computed.score")),
        validity="asymptotic",
        estimate=_average(tables) * two.span,
        z_score=z,
        delta=given,
        interval=in_scores(Interval(floor, ceiling, confidence_level, "MOVER of Tango scores"), two),
        details={"n_datasets": float(len(tables))} | worth(two),
        notes=_notes(sample, tables, delta),
    )


# The weight of a dataset, and how many of its items only A, only B gets right.
Table = tuple[float, PairedCounts]


def _tables(sample: Sample, two: TwoScores) -> list[Table]:
    strata = sample.strata
    if strata is None:
        return [(1.0, paired_counts(sample, "mover", scores=two))]
    counted = [paired_counts(one, "mover", scores=two) for one in tasks_of(sample).values()]
    return list(zip(strata.weights, counted, strict=True))


def _mirrored(tables: list[Table]) -> list[Table]:
    return [(weight, PairedCounts(c.both, c.only_b, c.only_a, c.neither)) for weight, c in tables]


def _average(tables: list[Table]) -> float:
    return math.fsum(weight * counts.difference for weight, counts in tables)


def average_limit(tables: list[Table], z: float) -> float:
    """Give the lower limit of the average at the level whose upper normal quantile is z."""
    if z < 0:
        return -average_limit(_mirrored(tables), -z)
    log_error = log_normal_tail(z)
    squares = []
    for weight, counts in tables:
        limit = score_lower(counts.only_a, counts.only_b, counts.n, z, log_error)
        squares.append((weight * (counts.difference - limit)) ** 2)
    return _average(tables) - math.sqrt(math.fsum(squares))


@ITEMS_TO_PASS.register("mover")
def items_to_pass(tested: TestResult, margin: float, alpha: float, strata: Strata | None) -> int:
    """All datasets are larger in proportion, and all of their items agree."""
    if strata is None:
        return 0
    tables = [(weight, PairedCounts(size, 0, 0, 0)) for weight, size in zip(strata.weights, strata.sizes, strict=True)]
    return math.ceil(tested.n * larger_to_pass(tables, margin, alpha) - 1e-6)


def larger_to_pass(tables: list[Table], margin: float, alpha: float) -> float:
    """Give the factor by which all datasets must be larger for a system with B's own outputs to pass.

    Where all items of a dataset agree, its limit is alpha^(1/n) - 1 or that of the score test.
    """
    z = -_normal_quantile(alpha)

    def passes(factor: float) -> bool:
        larger = [(weight, PairedCounts(math.ceil(counts.n * factor - 1e-9), 0, 0, 0)) for weight, counts in tables]
        return average_limit(larger, z) > -margin

    few, enough = 0.0, 1.0
    while not passes(enough):
        few, enough = enough, enough * 2
    while enough - few > 1e-4 * enough:
        middle = (few + enough) / 2
        few, enough = (few, middle) if passes(middle) else (middle, enough)
    return enough


def _quantile(tables: list[Table], delta: float) -> float:
    """Give the normal quantile at which the limit is delta: positive where the average is above it.

    It is 0 between the average and the limit at 1/2, which is lower where all items of a dataset agree.
    """
    if _average(tables) < delta:
        return -_quantile(_mirrored(tables), -delta)
    return falling_root(lambda z: average_limit(tables, z), delta, 0.0, _FARTHEST)


def _statistic(tables: list[Table], delta: float) -> float:
    if len(tables) > 1:
        return _quantile(tables, delta)
    counts = tables[0][1]
    return score_z(counts.only_a, counts.only_b, counts.n, delta)


def _log_tail(tables: list[Table], delta: float) -> float:
    """Give the log p-value of "the average of A is above delta"."""
    if len(tables) == 1:
        counts = tables[0][1]
        return score_log_tail(counts.only_a, counts.only_b, counts.n, delta)
    if _alike(tables) and delta >= 0:
        return 0.0  # Identical outputs are never evidence against a null hypothesis that contains 0.
    z = _quantile(tables, delta)
    if z >= _FARTHEST:
        # Limits of single datasets stop at -1, and so does what they recover. Under the null there are outcomes of
        # every item that have at least this probability, so no p-value may be smaller than that of all items.
        items = sum(counts.n for _, counts in tables)
        return items * math.log((1 - abs(delta)) / 3)
    return log_normal_tail(z)


def _alike(tables: list[Table]) -> bool:
    """Whether both systems are right on the same items."""
    return not any(counts.only_a or counts.only_b for _, counts in tables)


def _normal_quantile(probability: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(probability))


def _notes(sample: Sample, tables: list[Table], delta: float) -> tuple[Note, ...]:
    return (note("test.right_on_same_items", systems=sample.systems),) if _alike(tables) and not delta else ()
