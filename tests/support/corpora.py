"""Samples of corpus metrics, built from statistics."""

from __future__ import annotations

from typing import Any

import numpy as np

from nofluke.metrics.statistics import ratio_aggregate, smooth_aggregate
from nofluke.types import Aggregate, Alignment, Grid, Sample, frozen

F1 = ratio_aggregate("f1", (2, 0, 0), (0, 1, 1))
RECALL = ratio_aggregate("recall", (1, 0, 0), (0, 0, 1))
ERRORS = ratio_aggregate("error", (-1, 0, 1), (0, 0, 1))


def _geometric(sums: np.ndarray, _n: float) -> np.ndarray:
    return np.sqrt(sums[..., 0] / np.maximum(sums[..., 1], 1) * sums[..., 0] / np.maximum(sums[..., 2], 1))


GEOMETRIC = smooth_aggregate("geometric", _geometric)


def corpus_sample(statistics: Any, aggregate: Aggregate, *, higher: bool = True, clusters: Any = None) -> Sample:
    values = np.asarray(statistics, dtype=float)
    n = len(values)
    return Sample(
        statistics=frozen(values),
        systems=("A", "B"),
        ids=None,
        clusters=None if clusters is None else frozen(clusters, np.int64),
        cluster_labels=(),
        aggregate=aggregate,
        higher_is_better=higher,
        metric=aggregate.name,
        dataset="",
        unit_size=1,
        unit_statistic="mean",
        grid=Grid(0, 1, exact=True),
        alignment=Alignment(n),
        lengths=(n, n),
    )


def tagging(n: int, seed: int, quality: tuple[float, float] = (0.62, 0.6)) -> np.ndarray:
    """(matched, predicted, gold) of two systems on n sentences."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(1, 5, n)
    systems = []
    for share in quality:
        predicted = np.maximum(rng.poisson(gold), 0)
        systems.append(np.stack([rng.binomial(np.minimum(predicted, gold), share), predicted, gold], axis=1))
    return np.stack(systems, axis=1)
