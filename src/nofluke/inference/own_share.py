"""One system's share of right answers: its interval and the test of a fixed number, on one dataset or on an average."""

from __future__ import annotations

from collections.abc import Sequence

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
    scores = sample.scores(index)
    if not np.isin(scores, (0.0, 1.0)).all():
        return None
    design = design_of(sample)
    datasets, number = design.datasets[: len(scores)], len(design.weights)
    right = np.bincount(datasets, weights=scores, minlength=number).astype(int).tolist()
    return list(zip(design.weights.tolist(), right, np.bincount(datasets, minlength=number).tolist(), strict=True))


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
