"""The Mann-Whitney test (Wilcoxon's rank-sum test) of two independent groups."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np

from nofluke.align.decimals import to_integers
from nofluke.errors import Fix, MethodError, Option
from nofluke.inference.intervals.hodges_lehmann import (
    exact_positions,
    kth_difference,
    median_difference,
    normal_positions,
)
from nofluke.inference.p_values import Alternative, ConfidenceLevel, Snap, log_p_of, p_of, tail_levels
from nofluke.inference.tests.t_result import pairing_note
from nofluke.laws.rank_sum import RankSum, cost, count_pairs, exact_tails, normal_tails
from nofluke.registry import TESTS
from nofluke.types import Computed, IntArray, Interval, Note, Sample, TestResult, note

# Additions the exact distribution may take: about half a second (two groups of 100), or some seconds when asked for.
_AUTO_COST = 2e8
_MOST_COST = 1e10


@TESTS.register(
    "mann_whitney",
    label="Mann-Whitney test, unpaired",
    needs="unpaired",
    null="the scores of {a} and {b} come from the same distribution",
    estimand="shift of {a}'s scores against {b}'s (median of all {a} - {b} pairs)",
    about="ranks",
    clusters=False,
    delta_instead="welch_t",
    cite="Wilcoxon 1945; Mann and Whitney 1947",
    aliases=("wilcoxon_rank_sum",),
)
def mann_whitney(
    sample: Sample,
    *,
    alternative: Alternative = "two-sided",
    confidence_level: ConfidenceLevel = 0.95,
    mode: Annotated[
        Literal["auto", "exact", "normal"], "how the p-value is computed; auto = exact while quick"
    ] = "auto",
    continuity: Annotated[bool, "continuity correction of the normal approximation, as SciPy and R apply it"] = False,
    snap: Snap = True,
) -> TestResult:
    """Does a score of A tend to beat an independent score of B?

    The statistic is U of A: the pairs of one score of each in which A's is better, ties counting half. Null: both
    come from one distribution; exact, also with ties, by counting all ways to deal the observed scores into the two
    groups. Beyond about 100 scores in each group the tie-corrected normal approximation is used, without continuity
    correction; mode="normal", continuity=True is what SciPy and R print there and whenever scores tie.

    The interval (Hodges-Lehmann) is for a shift between two distributions of the same shape. Not a test of means or
    medians: groups that spread differently can be rejected although their means agree. Not for two systems scored
    on the same items, also when the sequences are equally long (use wilcoxon, sign or permutation).
    """
    refuse_continuity(mode, continuity)
    both = to_integers(np.concatenate((sample.scores(0), sample.scores(1))), sample.grid)
    a, b = both[: sample.lengths[0]], both[sample.lengths[0] :]
    if not sample.higher_is_better:
        a, b = -a, -b
    sign = 1.0 if sample.higher_is_better else -1.0
    found = count_pairs(a, b) if snap else count_pairs(sign * sample.scores(0), sign * sample.scores(1))
    exact = _is_exact(mode, found)
    greater, less = exact_tails(found) if exact else normal_tails(found, continuity)
    log_p = log_p_of(greater, less, alternative)
    per_unit = sample.grid.per_unit
    tails = tail_levels(alternative, confidence_level)
    positions = _positions(found, exact, continuity, *tails)
    interval, notes = _interval(a, b, found, positions, confidence_level, per_unit)
    return TestResult(
        statistic=found.doubled / 2,
        p_value=p_of(log_p),
        log_p_value=log_p,
        alternative=alternative,
        n=found.n_a + found.n_b,
        computed=Computed("exact", detail=None if exact else note("computed.normal_ties")),
        validity="exact" if exact else "asymptotic",
        estimate=median_difference(a, b) / per_unit,
        direction=(found.doubled > found.pairs) - (found.doubled < found.pairs),
        z_score=_z_score(found, continuity and not exact),
        interval=interval,
        details={"n_a": found.n_a, "n_b": found.n_b, "share_of_pairs": found.doubled / 2 / found.pairs},
        notes=pairing_note(sample, "wilcoxon") + notes,
    )


def refuse_continuity(mode: str, continuity: bool) -> None:
    """What is counted out has no approximation to correct."""
    if continuity and mode == "exact":
        raise MethodError(
            "mode 'exact' of mann_whitney is not an approximation, so there is no continuity to correct for.",
            fix=Fix("leave ", Option("continuity"), " out, or give ", Option("mode", "normal"), "."),
        )


def _is_exact(mode: str, found: RankSum) -> bool:
    needed = cost(found.n_a, found.n_b)
    if mode == "exact" and needed > _MOST_COST:
        raise MethodError(
            f"the exact distribution for {found.n_a:,} and {found.n_b:,} scores takes too long to count.",
            fix=Fix("use ", Option("mode", "normal"), ": with this many scores the approximation is close."),
        )
    return mode == "exact" or (mode == "auto" and needed <= _AUTO_COST)


def _z_score(found: RankSum, continuity: bool) -> float:
    gap = (found.doubled - found.pairs) / 2
    if continuity:
        gap = math.copysign(max(0.0, abs(gap) - 0.5), gap)
    return gap / math.sqrt(found.variance) if found.variance else 0.0


def _positions(found: RankSum, exact: bool, continuity: bool, below: float, above: float) -> tuple[int, int, float]:
    """Which smallest and which largest pair difference bound the shift, and the level reached (nan if not counted)."""
    if exact:
        return exact_positions(found.n_a, found.n_b, below, above)
    return *normal_positions(found.pairs, math.sqrt(found.variance), below, above, continuity), math.nan


def _interval(
    a: IntArray, b: IntArray, found: RankSum, positions: tuple[int, int, float], level: float, per_unit: float
) -> tuple[Interval | None, tuple[Note, ...]]:
    """Bound the shift by order statistics of the pair differences; they are never all written down."""
    if not found.variance:
        return None, (note("test.one_score_only"),)
    low, high, achieved = positions
    notes = (note("test.ties_in_shift_interval"),) if found.tied else ()
    smallest = kth_difference(a, b, low) / per_unit if low else -math.inf
    largest = kth_difference(a, b, found.pairs + 1 - high) / per_unit if high else math.inf
    return Interval(smallest, largest, level, "Hodges-Lehmann shift", achieved), notes
