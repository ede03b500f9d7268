"""One system's own score: its standard error and interval, and the test of a fixed number."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from nofluke.align import cluster_totals
from nofluke.align.strata import in_blocks
from nofluke.engine.black_box import Corpora, resampled_wholes
from nofluke.engine.randomness import OWN_SCORE
from nofluke.engine.resample import resampled_sums
from nofluke.errors import Fix, MethodError, Option
from nofluke.executors import Progress
from nofluke.inference.intervals.bootstrap import percentile_limits
from nofluke.inference.intervals.proportions import Share, clopper_pearson
from nofluke.inference.own_share import (
    full_score_of,
    interval_of_shares,
    p_of_shares,
    right_answers,
    times,
    within_range,
)
from nofluke.inference.p_values import log_p_of, p_of, tail_levels
from nofluke.inference.resampling.corpus import corpus_of, in_whole_numbers, refuse_undefined
from nofluke.inference.resampling.within_datasets import refuse_units, scores_within
from nofluke.inference.spread import Spread, added, item_values, spread_of_mean
from nofluke.inference.tests.crossed_runs import spread_of_runs
from nofluke.inference.tests.student import Student, hardest
from nofluke.types import FloatArray, Interval, Note, Sample, Strata, note

IntervalBy = Literal["auto", "t", "wilson", "clopper_pearson", "bootstrap"]
INTERVALS: tuple[str, ...] = get_args(IntervalBy)
_DRAWS = 9_999


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a score; `alternative` as a reader takes it: greater says that the system is the better."""

    interval: str
    against: float | None
    alternative: str
    level: float
    seed: int

    def side(self, sample: Sample) -> str:
        """The side of the number that is claimed: where lower is better, the other one."""
        other = {"greater": "less", "less": "greater"}
        return self.alternative if sample.higher_is_better else other.get(self.alternative, self.alternative)


@dataclass(frozen=True, slots=True)
class OwnScore:
    """The score of a system, what it may be off by, and the p-value of the number it is tested against."""

    value: float
    interval: Interval | None
    standard_error: float
    df: float = math.nan
    p_value: float = math.nan
    test: str = ""
    notes: tuple[Note, ...] = ()


def own_score(sample: Sample, index: int, question: Question, progress: Progress | None = None) -> OwnScore:
    """Give one system's score by the interval that was asked for, or that fits it.

    Of 0/1 scores Wilson's, and for an average of datasets that of the same score test; with a number to test one
    dataset against Clopper and Pearson's, which is what its exact binomial test does not reject. Of other means t, and
    of corpus metrics t by the delta method: over clusters, over datasets with their weights, and over runs where these
    are kept apart. Of scores that only all items have together, the bootstrap.
    """
    refuse_undefined(sample)
    shares = right_answers(sample, index)
    chosen = _fitting(sample, question, shares) if question.interval == "auto" else question.interval
    if chosen in ("wilson", "clopper_pearson"):
        if shares is None or (len(shares) > 1 and chosen == "clopper_pearson"):
            many = " on one dataset" if chosen == "clopper_pearson" else ""
            raise MethodError(
                f"interval = {chosen!r} is for independent scores of 0 and 1{many}, and these are others.",
                fix=Fix("leave ", Option("interval"), " at auto."),
            )
        return _share(sample, shares, chosen, question, full_score_of(sample, index) or 1.0)
    if chosen == "bootstrap":
        return _resampled(sample, index, question, progress)
    if sample.aggregate.whole is not None:
        raise MethodError(
            f"{sample.metric} belongs to all items together, and t needs a value of each.",
            fix=Fix("use ", Option("interval", "bootstrap"), "."),
        )
    return _by_t(sample, index, question)


def _fitting(sample: Sample, question: Question, shares: list[Share] | None) -> str:
    if shares is not None:
        return "wilson" if question.against is None or len(shares) > 1 else "clopper_pearson"
    return "t" if sample.aggregate.whole is None else "bootstrap"


def _share(sample: Sample, shares: list[Share], how: str, question: Question, full: float) -> OwnScore:
    if question.against is not None and not 0 <= question.against <= full:
        raise MethodError(
            f"against = {question.against:g} is no share, and the scores are 0 and {full:g}.",
            fix=f"give a number between 0 and {full:g}, such as {0.72 * full:g}.",
        )
    against = None if question.against is None else question.against / full
    side, (_, right, n) = question.side(sample), shares[0]
    limits = *tail_levels(side, question.level), question.level
    interval = clopper_pearson(right, n, *limits) if how == "clopper_pearson" else interval_of_shares(shares, *limits)
    p, test = math.nan, ""
    if against is not None and len(shares) > 1:
        p, test = p_of_shares(shares, against, side), "score"
    elif against is not None:
        p, test = _binomial_p(right, n, against, side), "binomial"
    value = math.fsum(weight * k / size for weight, k, size in shares)
    return OwnScore(full * value, times(interval, full), full * _error_of(shares), p_value=p, test=test)


def _error_of(shares: list[Share]) -> float:
    """The standard error of the average; nan where a dataset has one item."""
    if min(n for _, _, n in shares) < 2:
        return math.nan
    return math.sqrt(math.fsum(weight**2 * (k / n) * (1 - k / n) / (n - 1) for weight, k, n in shares))


def _binomial_p(right: int, n: int, share: float, alternative: str) -> float:
    """The exact p-value of so many right answers; two-sided it is twice the smaller tail."""
    from scipy.special import betainc

    more = float(betainc(right, n - right + 1, share)) if right else 1.0
    fewer = float(betainc(n - right, right + 1, 1 - share)) if right < n else 1.0
    logs = [math.log(tail) if tail else -math.inf for tail in (more, fewer)]
    return p_of(log_p_of(logs[0], logs[1], alternative))


def _by_t(sample: Sample, index: int, question: Question) -> OwnScore:
    value, items = sample.score(index), spread_of_mean(item_values(sample, index), sample)
    test = "t" if sample.aggregate.linear else "delta"
    spreads = [items]
    if sample.runs is not None:
        runs = spread_of_runs(sample, index)
        spreads = [added(items, runs), runs]
    if math.isnan(items.variance):
        return OwnScore(value, None, math.nan, test=test, notes=(note("estimate.one_unit", unit=sample.unit),))
    delta = value if question.against is None else question.against
    log_p, limits = hardest([Student(value, one) for one in spreads], question.side(sample), delta, question.level)
    if limits is None:
        p = math.nan if question.against is None else p_of(log_p)
        return OwnScore(value, None, 0.0, p_value=p, test=test, notes=(note("estimate.no_spread", unit=sample.unit),))
    interval = Interval(*limits, question.level, "t" if test == "t" else "delta method, t")
    interval = within_range(interval, full_score_of(sample, index))
    first: Spread = spreads[0]
    p = math.nan if question.against is None else p_of(log_p)
    return OwnScore(value, interval, first.standard_error, first.df, p, test if question.against is not None else "")


def _resampled(sample: Sample, index: int, question: Question, progress: Progress | None) -> OwnScore:
    """The percentile interval of resampled items (or clusters), and the p-value that it inverts."""
    if sample.runs is not None:
        raise MethodError(
            "resampling runs makes them look less different than they are.",
            fix=Fix("leave ", Option("interval"), " at auto."),
        )
    value, side = sample.score(index), question.side(sample)
    points = _points(sample, index, question.seed, progress)
    points = points[np.isfinite(points)]
    if len(points) < _DRAWS / 2:
        raise MethodError(f"most resamples have no {sample.metric}.", fix="give more items.")
    low, high = percentile_limits(points, *tail_levels(side, question.level))
    p = math.nan
    if question.against is not None:
        tails = (int((points <= question.against).sum()), int((points >= question.against).sum()))
        logs = [math.log((1 + tail) / (1 + len(points))) for tail in tails]
        p = p_of(log_p_of(logs[0], logs[1], side))
    interval = Interval(float(low), float(high), question.level, "percentile bootstrap")
    test = "bootstrap" if question.against is not None else ""
    return OwnScore(value, interval, float(points.std(ddof=1)), p_value=p, test=test)


def _points(sample: Sample, index: int, seed: int, progress: Progress | None) -> FloatArray:
    """The score of the system on resampled items (or clusters); of an average every dataset is resampled by itself."""
    rows, strata, whole = sample.of(index), sample.strata, sample.aggregate.whole
    if whole is not None:
        units = None if sample.clusters is None else np.unique(sample.clusters, return_inverse=True)[1].astype(np.int64)
        corpora = Corpora(rows[:, None], whole, units)
        return resampled_wholes(corpora, _DRAWS, seed=seed, progress=progress)[:, 0]
    averaged = strata is not None and not strata.one_source
    if sample.aggregate.linear and (sample.clusters is not None or averaged):
        raise MethodError(
            "the mean of clusters, or of several datasets, has its interval from a formula here.",
            fix=Fix("leave ", Option("interval"), " at auto."),
        )
    if strata is not None and averaged:
        return _points_within(sample, strata, index, seed, progress)
    statistics, aggregate = in_whole_numbers(rows[:, None, :], sample.aggregate)
    items = statistics[:, 0]
    if sample.clusters is not None:
        columns = [cluster_totals(np.ascontiguousarray(column), sample.clusters)[0] for column in items.T]
        items = np.stack(columns, axis=1)
    drawn = resampled_sums(items.astype(np.int64), _DRAWS, seed=seed, stage=OWN_SCORE, progress=progress)
    sums = drawn.astype(np.float64)
    with np.errstate(all="ignore"):
        return np.asarray(aggregate(sums, float(sample.n)), dtype=np.float64)


def _points_within(sample: Sample, strata: Strata, index: int, seed: int, progress: Progress | None) -> FloatArray:
    """What two systems would score on average, of which both are this one."""
    auto = Fix("leave ", Option("interval"), " at auto.")
    refuse_units(sample, strata, auto, auto)
    twice = replace(
        sample,
        statistics=sample.statistics[:, [index, index]],
        systems=(sample.systems[index],) * 2,
        lengths=(sample.lengths[index],) * 2,
    )
    return scores_within(corpus_of(in_blocks(twice)), strata, _DRAWS, seed=seed, progress=progress)[:, 0]
