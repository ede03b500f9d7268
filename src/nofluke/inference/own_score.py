"""One system's own score: its standard error and interval, and the test of a fixed number."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.align import cluster_totals
from nofluke.engine.black_box import Corpora, resampled_wholes
from nofluke.engine.randomness import OWN_SCORE
from nofluke.engine.resample import resampled_sums
from nofluke.errors import Fix, MethodError, Option
from nofluke.inference.intervals.bootstrap import percentile_limits
from nofluke.inference.intervals.proportions import clopper_pearson, wilson
from nofluke.inference.p_values import log_p_of, p_of, tail_levels
from nofluke.inference.resampling.corpus import in_whole_numbers, refuse_undefined
from nofluke.inference.spread import Spread, added, item_values, spread_of_mean
from nofluke.inference.tests.crossed_runs import spread_of_runs
from nofluke.inference.tests.student import Student, hardest
from nofluke.types import FloatArray, Interval, Note, Sample, note

INTERVALS = ("auto", "t", "wilson", "clopper_pearson", "bootstrap")
_DRAWS = 9_999
# Below, resampling a dataset knows too little of it.
_FEWEST_TO_RESAMPLE = 10


@dataclass(frozen=True, slots=True)
class Asked:
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


def own_score(sample: Sample, index: int, asked: Asked) -> OwnScore:
    """Give one system's score by the interval that was asked for, or that fits it.

    Of 0/1 scores Wilson's; with a number to test against Clopper and Pearson's, which is what its exact binomial test
    does not reject. Of other means t, and of corpus metrics t by the delta method: over clusters, over datasets with
    their weights, and over runs where these are kept apart. Of scores that only all items have together, the bootstrap.
    """
    refuse_undefined(sample)
    plain = _is_plain_share(sample, index)
    chosen = _fitting(sample, asked, plain=plain) if asked.interval == "auto" else asked.interval
    if chosen in ("wilson", "clopper_pearson"):
        if not plain:
            raise MethodError(
                f"interval = {chosen!r} is for independent scores of 0 and 1 on one dataset, and these are others.",
                fix=Fix("leave ", Option("interval"), " at auto."),
            )
        return _share(sample, index, chosen, asked)
    if chosen == "bootstrap":
        return _resampled(sample, index, asked)
    if sample.aggregate.whole is not None:
        raise MethodError(
            f"{sample.metric} belongs to all items together, and t needs a value of each.",
            fix=Fix("use ", Option("interval", "bootstrap"), "."),
        )
    return _by_t(sample, index, asked)


def _fitting(sample: Sample, asked: Asked, *, plain: bool) -> str:
    if plain:
        return "wilson" if asked.against is None else "clopper_pearson"
    return "t" if sample.aggregate.whole is None else "bootstrap"


def _is_plain_share(sample: Sample, index: int) -> bool:
    """Whether the score is a share of independent items that are right."""
    one = sample.strata is None or sample.strata.pooled
    together = sample.clusters is None and sample.runs is None and one
    return sample.aggregate.linear and together and bool(np.isin(sample.scores(index), (0.0, 1.0)).all())


def _share(sample: Sample, index: int, how: str, asked: Asked) -> OwnScore:
    n = sample.n
    right = round(float(sample.scores(index).sum()))
    side, share = asked.side(sample), right / n
    below, above = tail_levels(side, asked.level)
    interval = (wilson if how == "wilson" else clopper_pearson)(right, n, below, above, asked.level)
    error = math.sqrt(share * (1 - share) / (n - 1)) if n > 1 else math.nan
    if asked.against is None:
        return OwnScore(share, interval, error)
    if not 0 <= asked.against <= 1:
        raise MethodError(
            f"against = {asked.against:g} is no share, and the scores are 0 and 1.",
            fix="give a number between 0 and 1, such as 0.72.",
        )
    return OwnScore(share, interval, error, p_value=_binomial_p(right, n, asked.against, side), test="binomial")


def _binomial_p(right: int, n: int, share: float, alternative: str) -> float:
    """The exact p-value of so many right answers; two-sided it is twice the smaller tail."""
    from scipy.special import betainc

    more = float(betainc(right, n - right + 1, share)) if right else 1.0
    fewer = float(betainc(n - right, right + 1, 1 - share)) if right < n else 1.0
    logs = [math.log(tail) if tail else -math.inf for tail in (more, fewer)]
    return p_of(log_p_of(logs[0], logs[1], alternative))


def _by_t(sample: Sample, index: int, asked: Asked) -> OwnScore:
    value, items = sample.score(index), spread_of_mean(item_values(sample, index), sample)
    test = "t" if sample.aggregate.linear else "delta"
    spreads = [items]
    if sample.runs is not None:
        runs = spread_of_runs(sample, index)
        spreads = [added(items, runs), runs]
    if math.isnan(items.variance):
        return OwnScore(value, None, math.nan, test=test, notes=(note("estimate.one_unit", unit=sample.unit),))
    delta = value if asked.against is None else asked.against
    log_p, limits = hardest([Student(value, one) for one in spreads], asked.side(sample), delta, asked.level)
    if limits is None:
        p = math.nan if asked.against is None else p_of(log_p)
        return OwnScore(value, None, 0.0, p_value=p, test=test, notes=(note("estimate.no_spread", unit=sample.unit),))
    interval = Interval(*limits, asked.level, "t" if test == "t" else "delta method, t")
    first: Spread = spreads[0]
    p = math.nan if asked.against is None else p_of(log_p)
    return OwnScore(value, interval, first.standard_error, first.df, p, test if asked.against is not None else "")


def _resampled(sample: Sample, index: int, asked: Asked) -> OwnScore:
    """The percentile interval of resampled items (or clusters), and the p-value that it inverts."""
    if sample.runs is not None:
        raise MethodError(
            "resampling runs makes them look less different than they are.",
            fix=Fix("leave ", Option("interval"), " at auto."),
        )
    value, side = sample.score(index), asked.side(sample)
    points = _points(sample, index, asked.seed)
    points = points[np.isfinite(points)]
    if len(points) < _DRAWS / 2:
        raise MethodError(f"most resamples have no {sample.metric}.", fix="give more items.")
    low, high = percentile_limits(points, *tail_levels(side, asked.level))
    p = math.nan
    if asked.against is not None:
        tails = (int((points <= asked.against).sum()), int((points >= asked.against).sum()))
        logs = [math.log((1 + tail) / (1 + len(points))) for tail in tails]
        p = p_of(log_p_of(logs[0], logs[1], side))
    interval = Interval(float(low), float(high), asked.level, "percentile bootstrap")
    test = "bootstrap" if asked.against is not None else ""
    return OwnScore(value, interval, float(points.std(ddof=1)), p_value=p, test=test)


def _points(sample: Sample, index: int, seed: int) -> FloatArray:
    rows, strata, whole = sample.of(index), sample.strata, sample.aggregate.whole
    if whole is not None:
        units = None if sample.clusters is None else np.unique(sample.clusters, return_inverse=True)[1].astype(np.int64)
        return resampled_wholes(Corpora(rows[:, None], whole, units), _DRAWS, seed=seed)[:, 0]
    if sample.aggregate.linear and (sample.clusters is not None or not (strata is None or strata.pooled)):
        raise MethodError(
            "the mean of clusters, or of several datasets, has its interval from t here.",
            fix=Fix("leave ", Option("interval"), " at auto."),
        )
    parts = [np.arange(sample.n)]
    if strata is not None and not strata.pooled:
        _refuse_to_resample(sample, strata.sizes)
        parts = [np.flatnonzero(strata.codes == place) for place in range(len(strata.names))]
    statistics, aggregate = in_whole_numbers(rows[:, None, :], sample.aggregate)
    sums = np.zeros((_DRAWS, rows.shape[1]))
    for place, here in enumerate(parts):
        items = statistics[here, 0]
        if sample.clusters is not None:
            own = sample.clusters[here]
            items = np.stack([cluster_totals(np.ascontiguousarray(column), own)[0] for column in items.T], axis=1)
        sums += resampled_sums(items.astype(np.int64), _DRAWS, seed=seed, stage=OWN_SCORE + place).astype(np.float64)
    with np.errstate(all="ignore"):
        return np.asarray(aggregate(sums, float(sample.n)), dtype=np.float64)


def _refuse_to_resample(sample: Sample, sizes: tuple[int, ...]) -> None:
    if min(sizes) < _FEWEST_TO_RESAMPLE or sample.clusters is not None:
        raise MethodError(
            f"datasets are resampled one by one, from {_FEWEST_TO_RESAMPLE} items on and without clusters.",
            fix=Fix("leave ", Option("interval"), " at auto."),
        )
