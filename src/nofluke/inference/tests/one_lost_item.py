"""A t-test of the mean difference that reckons with one lost item: the test for margins."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np

from nofluke.align import cluster_totals, differences, mean_of
from nofluke.align.counts import two_scores
from nofluke.check import check_range
from nofluke.errors import Fix, MethodError, Option
from nofluke.forms import ITEMS_TO_PASS
from nofluke.inference.p_values import (
    Alternative,
    ConfidenceLevel,
    Delta,
    log_p_of,
    no_difference_fits,
    p_of,
    tail_levels,
)
from nofluke.inference.spread import Design, design_of
from nofluke.laws.tails import log_t_tail, t_quantile
from nofluke.registry import TESTS
from nofluke.types import Computed, FloatArray, Interval, Note, Sample, Strata, TestResult, note
from nofluke.types.base import counted

# From so many differing items (or clusters) on, the largest difference seen may stand for the largest possible one.
FEWEST_DIFFERENT = 10
# With fewer clusters of unequal size the level is not kept (docs/decisions/margins.md).
_FEW_CLUSTERS = 100


@TESTS.register(
    "one_lost_item",
    label="t-test with one lost item",
    needs="paired",
    null="the mean difference of {a} and {b} is delta (or lies beyond it)",
    estimand="mean difference",
    about="mean",
    clusters=True,
    strata=True,
    within_datasets=True,
    delta_instead="",
    cite="Student 1908; Cameron and Miller 2015",
)
def one_lost_item(
    sample: Sample,
    *,
    alternative: Alternative = "two-sided",
    delta: Delta = 0.0,
    confidence_level: ConfidenceLevel = 0.95,
    low: Annotated[float | None, "smallest possible score; 0 if all scores are 0 and 1, or 0 and 100"] = None,
    high: Annotated[float | None, "largest possible score; 1 or 100 if all scores are 0 and 1, or 0 and 100"] = None,
) -> TestResult:
    """Would the mean difference still be beyond delta if one more item had been lost as badly as can be?

    The test for margins. One item with the largest possible loss, low - high, joins the differences, and Student's t
    of all of them is taken; for the claim "less", and for the upper limit, the item is won instead. Without it, t and
    sign flips take the margin itself for evidence where most items tie: a loss on rare items leaves no trace in a
    sample that happens to hold none of them. Without a stated range the largest difference seen stands for the largest
    possible one, from 10 differing items on. With clusters the variance is that of cluster totals (CR1), and the lost
    item is a cluster of its own. In an average of datasets the item is lost where one counts most; the variance is that
    within datasets, with Satterthwaite's degrees of freedom. A rule of ours, found by simulation: its one-sided size at
    .05 was at most .065 in 24 settings, and .08 where fewer than 40 items had to show how large a loss can be; that of
    plain t reaches .25.
    """
    d = differences(sample)
    totals, _ = cluster_totals(d.values, sample.clusters)
    loss, stated = largest_loss(sample, d.values, int(np.count_nonzero(totals)), (low, high))
    losses, gains = (_with_item(sample, d.values, item) for item in (-loss, loss))
    lost, won = (max(found, key=lambda one: one.log_tail(delta)) for found in (losses, gains))
    log_p = log_p_of(lost.log_tail(delta), won.log_tail(delta), alternative)
    if not d.values.any() and no_difference_fits(alternative, delta):
        log_p = 0.0
    below, above = tail_levels(alternative, confidence_level)
    ends = (-loss, loss) if stated else (-math.inf, math.inf)
    floor = max(ends[0], min(one.limit(below) for one in losses)) if below else -math.inf
    ceiling = min(ends[1], max(one.limit(above) for one in gains)) if above else math.inf
    shown = won if alternative == "less" else lost
    return TestResult(
        statistic=shown.t(delta),
        p_value=p_of(log_p),
        log_p_value=log_p,
        alternative=alternative,
        n=sample.n,
        computed=Computed("exact"),
        validity="asymptotic",
        estimate=mean_of(sample, d.values),
        delta=delta,
        interval=Interval(floor, ceiling, confidence_level, "one-lost-item t"),
        details={"df": shown.df, "standard_error": shown.error, "largest_loss": loss},
        notes=_notes(sample, len(totals), loss, stated),
    )


@dataclass(frozen=True, slots=True)
class _Extended:
    """Mean, standard error and degrees of freedom of the differences and one more item; `side` -1 if it is lost."""

    mean: float
    error: float
    df: float
    side: int

    def t(self, delta: float) -> float:
        if self.error:
            return (self.mean - delta) / self.error
        return math.copysign(math.inf, self.mean - delta) if self.mean != delta else 0.0

    def log_tail(self, delta: float) -> float:
        """The log p-value of the claim that the item speaks against."""
        return log_t_tail(-self.side * self.t(delta), self.df)

    def limit(self, level: float) -> float:
        return self.mean - self.side * t_quantile(level, self.df) * self.error


def _with_item(sample: Sample, values: FloatArray, item: float) -> list[_Extended]:
    """Add the item, as a cluster of its own, to the dataset in which one counts most; to each where several do."""
    design, more = design_of(sample), np.append(values, item)
    clusters = None if design.clusters is None else np.append(design.clusters, design.clusters.max() + 1)
    found = []
    for place in [0] if sample.strata is None or sample.strata.one_source else heaviest(sample.strata):
        extended = Design(np.append(design.datasets, place), design.weights, clusters)
        spread = extended.spread(more, lone_from_average=True)
        df = int(spread.df) if len(design.weights) == 1 else spread.df
        found.append(_Extended(extended.average(more), spread.standard_error, df, -1 if item < 0 else 1))
    return found


def heaviest(strata: Strata) -> list[int]:
    """Give the places of the datasets in which one item counts most."""
    most = max(strata.multipliers)
    return [place for place, one in enumerate(strata.multipliers) if one == most]


def largest_loss(
    sample: Sample, values: FloatArray, different: int, score_range: tuple[float | None, float | None]
) -> tuple[float, bool]:
    """Give the largest possible loss on one item, and whether it is known rather than the largest difference seen."""
    scores = np.concatenate([sample.scores(0), sample.scores(1)])
    low, high = score_range
    if low is None and high is None:
        two = two_scores(sample)
        if two is not None:
            return two.span, True
        if different < FEWEST_DIFFERENT:
            raise MethodError(
                f"A and B differ on {counted(different, sample.unit)}: too few to tell how large a loss may be.",
                fix=Fix(
                    "state the range of possible scores: ",
                    Option("low", "1"),
                    " and ",
                    Option("high", "5"),
                    f" for ratings, say; from {FEWEST_DIFFERENT} on the largest difference seen can stand for it.",
                ),
            )
        return float(np.abs(values).max()), False
    low, high = check_range(scores, low, high)
    # As the decimals they print as: 10000.00003 less 9999.99997 is 0.00006.
    return float(Fraction(repr(float(high))) - Fraction(repr(float(low)))), True


@ITEMS_TO_PASS.register("one_lost_item")
def items_to_pass(tested: TestResult, margin: float, alpha: float, strata: Strata | None) -> int:
    """Of several datasets all are larger in proportion; the item is lost where one counts most."""
    loss = tested.details["largest_loss"]
    if strata is None or strata.one_source:
        return items_if_identical(loss, margin, alpha)
    place = heaviest(strata)[0]
    own = items_if_identical(loss * strata.weights[place], margin, alpha)
    return math.ceil(tested.n * own / strata.sizes[place] - 1e-6)


def items_if_identical(loss: float, margin: float, alpha: float) -> int:
    """Give the number of items from which a system with B's own outputs passes.

    Then all differences are 0, the lost item has t = (n + 1) margin / loss - 1, and that must reach the quantile.
    """
    few, enough = 0, 1
    while (enough + 1) * margin / loss - 1 < -t_quantile(alpha, enough):
        few, enough = enough, enough * 2
    while enough - few > 1:
        n = (few + enough) // 2
        few, enough = (n, enough) if (n + 1) * margin / loss - 1 < -t_quantile(alpha, n) else (few, n)
    return enough


def _notes(sample: Sample, groups: int, loss: float, stated: bool) -> tuple[Note, ...]:
    notes = []
    if not stated:
        notes.append(note("test.largest_loss_seen", loss=loss))
    if sample.clusters is not None and groups < _FEW_CLUSTERS:
        notes.append(note("test.few_clusters_for_lost_item", clusters=groups))
    return tuple(notes)
