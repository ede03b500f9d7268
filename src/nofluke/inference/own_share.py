"""One system's share of right answers: its interval and the test of a fixed number, on one dataset or on an average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nofluke.inference.intervals.proportions import Share, average_z, wilson, wilson_average
from nofluke.inference.p_values import log_p_of, p_of
from nofluke.inference.spread import design_of
from nofluke.laws.tails import log_normal_tail
from nofluke.types import Interval, Sample


def right_answers(sample: Sample, index: int) -> list[Share] | None:
    """Count the right answers of every dataset that is sampled by itself; None where items are no independent 0/1."""
    if not sample.aggregate.linear or sample.clusters is not None or sample.runs is not None:
        return None
    full = full_score_of(sample, index)
    if full is None:
        return None
    scores = sample.scores(index) / full
    design = design_of(sample)
    datasets, number = design.datasets[: len(scores)], len(design.weights)
    right = np.bincount(datasets, weights=scores, minlength=number).astype(int).tolist()
    return list(zip(design.weights.tolist(), right, np.bincount(datasets, minlength=number).tolist(), strict=True))


def full_score_of(sample: Sample, index: int) -> float | None:
    """What a right answer of one system counts, 1 or 100; None where its answers are not right or wrong.

    Where none is right, other systems tell.
    """
    if not sample.aggregate.linear:
        return None
    own = sample.statistics[:, index] if sample.runs is None else sample.runs.statistics[index]
    percent = [values.max() == 100.0 and np.isin(values, (0.0, 100.0)).all() for values in (own, sample.statistics)]
    if percent[0] or (percent[1] and not own.any()):
        return 100.0
    return 1.0 if np.isin(own, (0.0, 1.0)).all() else None


def within_range(interval: Interval, full: float | None) -> Interval:
    """Cut an interval of a share of right answers at what no share can be beyond."""
    return interval if full is None else replace(interval, low=max(interval.low, 0.0), high=min(interval.high, full))


def times(interval: Interval, full: float) -> Interval:
    """Give the interval of a share in what right answers count."""
    return replace(interval, low=interval.low * full, high=interval.high * full)


def interval_of_shares(shares: Sequence[Share], below: float, above: float, level: float) -> Interval:
    """Give the interval that the score test does not reject: Wilson's of one share, or that of an average."""
    if len(shares) > 1:
        return wilson_average(shares, below, above, level)
    _, right, n = shares[0]
    return wilson(right, n, below, above, level)


def p_of_shares(shares: Sequence[Share], against: float, alternative: str) -> float:
    """Give the p-value of the score test that the average of shares is this number."""
    z = average_z(shares, against)
    return p_of(log_p_of(log_normal_tail(z), log_normal_tail(-z), alternative))
