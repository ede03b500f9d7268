"""What a row of a gate could have found, and how often it lets through a candidate that is as good as the baseline."""

from __future__ import annotations

import math

import numpy as np

from nofluke.align import cluster_totals, differences
from nofluke.align.counts import PairedCounts, two_scores
from nofluke.align.strata import tasks_of
from nofluke.forms import CHANCES_TO_PASS
from nofluke.inference.power.binary_gap import BinaryDifferences, binary_differences
from nofluke.inference.power.detectable import POWER, detectable_difference
from nofluke.inference.power.effect import Effect
from nofluke.inference.power.paired_binary import tango_power
from nofluke.inference.tests.claims import Range
from nofluke.inference.tests.crossed_runs import spreads
from nofluke.inference.tests.mover import average_limit
from nofluke.laws.noncentral_t import noncentral_t_sf
from nofluke.laws.tails import t_quantile
from nofluke.types import Detectable, Sample, TestResult

# With fewer units that differ, and most of them tied, the spread of the data says nothing of losses yet to come.
_FEW_DIFFERENT = 50


def loss_caught(sample: Sample, level: float, score_range: Range = (None, None)) -> Detectable:
    """Give the true loss that the one-sided swap test at this level finds with power .8.

    For 0/1 scores with the share of items that differ taken from the upper end of what the data allow (80 %), and never
    below the loss itself: identical outputs would promise everything. Where few items of other scores differ, a loss
    yet to come is taken in the same way to be one of whole items, which is the hardest to find.
    """
    found = detectable_difference(sample, level, "less", POWER, score_range)
    whole = binary_differences(sample) or _of_whole_items(sample, score_range)
    least = math.nan if whole is None else whole.shift(level, "less", POWER)
    if math.isnan(least) or found.difference >= least:
        return found
    return Detectable(least, math.nan, found.standard_error, POWER)


def _of_whole_items(sample: Sample, score_range: Range) -> BinaryDifferences | None:
    """Take a loss yet to come for one of the whole range of scores, where most items (or clusters) tie; else None."""
    if not sample.aggregate.linear or sample.runs is not None:
        return None
    totals, _ = cluster_totals(differences(sample).snapped, sample.clusters)
    different, widest = int(np.count_nonzero(totals)), _widest(sample, score_range)
    if different >= min(_FEW_DIFFERENT, len(totals) / 2) or not widest:
        return None
    return BinaryDifferences(len(totals), different, widest)


def _widest(sample: Sample, score_range: Range) -> float:
    low, high = score_range
    if low is not None and high is not None:
        return high - low
    scores = sample.statistics[..., 0]
    return float(scores.max() - scores.min())


def chance_to_pass(sample: Sample, tested: TestResult | None, margin: float, alpha: float, range_: Range) -> float:
    """Give how often a candidate exactly as good as the baseline passes this margin; 0 where no test could be made."""
    if tested is None:
        return 0.0
    form = CHANCES_TO_PASS.of(tested.method)
    if form is not None:
        return float(form.function(sample, tested, margin, alpha, range_))
    spread = detectable_difference(sample, alpha, "greater").standard_error
    return _by_normal(margin, spread, alpha) if spread > 0 else 0.0


def _by_t(shift: float, error: float, df: float, alpha: float) -> float:
    if not error:
        return float(shift > 0)
    return float(noncentral_t_sf(-t_quantile(alpha, df), df, shift / error))


def _by_normal(shift: float, error: float, alpha: float) -> float:
    from scipy.special import ndtr, ndtri

    return float(ndtr(shift / error + ndtri(alpha)))


@CHANCES_TO_PASS.register("crossed_runs")
def _over_runs(sample: Sample, _tested: TestResult, margin: float, alpha: float, _range: Range) -> float:
    known = [one for one in spreads(sample) if one.variance]
    return min((_by_t(margin, one.standard_error, one.df, alpha) for one in known), default=1.0)


@CHANCES_TO_PASS.register("one_lost_item")
def _by_lost_item(sample: Sample, tested: TestResult, margin: float, alpha: float, _range: Range) -> float:
    """The lost item pulls the mean down as it does in the test."""
    weight = 1 / (sample.n + 1) if sample.strata is None else max(sample.strata.shares.tolist())
    shift = margin - weight * tested.details["largest_loss"]
    return _by_t(shift, tested.details["standard_error"], tested.details["df"], alpha)


@CHANCES_TO_PASS.register("tango")
def _by_tango(sample: Sample, _tested: TestResult, margin: float, alpha: float, range_: Range) -> float:
    two = two_scores(sample, *range_)
    if two is None:
        return math.nan
    different = int(np.count_nonzero(differences(sample).signs))
    share = BinaryDifferences(sample.n, different).disagreement
    truth = Effect(0.0, disagreement=share, margin=margin / two.span)
    return float(tango_power(np.array([float(sample.n)]), truth, alpha, "greater")[0])


@CHANCES_TO_PASS.register("mover")
def _by_mover(sample: Sample, _tested: TestResult, margin: float, alpha: float, range_: Range) -> float:
    """The limit that is expected of equal systems which differ as often as these may, and how it varies."""
    from scipy.special import ndtr, ndtri

    two, strata = two_scores(sample, *range_), sample.strata
    if two is None or strata is None:
        return math.nan
    tables, variance = [], 0.0
    for weight, one in zip(strata.weights, tasks_of(sample).values(), strict=True):
        different = int(np.count_nonzero(differences(one).signs))
        share = BinaryDifferences(one.n, different).disagreement
        each = round(share * one.n / 2)
        tables.append((weight, PairedCounts(max(one.n - 2 * each, 0), each, each, 0)))
        variance += weight**2 * share / one.n
    limit = average_limit(tables, -float(ndtri(alpha)))
    return float(ndtr((margin / two.span + limit) / math.sqrt(variance)))
