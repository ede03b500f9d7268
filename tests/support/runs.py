"""Tables of items and training runs as the reader gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

import nofluke as nf
from nofluke.align import as_sample
from nofluke.types import Runs, frozen


def scores_of(
    systems: Mapping[str, Any],
    datasets: Sequence[str] | None = None,
    clusters: Sequence[Any] | None = None,
    higher_is_better: bool | None = None,
) -> nf.Scores:
    """Scores of {system: (items, runs)}; a dataset and a cluster for every item where there are any."""
    rows = []
    for name, table in systems.items():
        for i, row in enumerate(np.asarray(table, dtype=np.float64)):
            for r, value in enumerate(row):
                rows.append((f"q{i}", name, f"s{r}", value, *_of(datasets, i), *_of(clusters, i)))
    columns = ["item", "system", "seed", "score"]
    columns += [] if datasets is None else ["dataset"]
    columns += [] if clusters is None else ["cluster"]
    return nf.read(pd.DataFrame(rows, columns=columns), higher_is_better=higher_is_better)


def _of(labels: Sequence[Any] | None, item: int) -> tuple[Any, ...]:
    return () if labels is None else (labels[item],)


def crossed(systems: Mapping[str, Any], weights: Any = "equal", **more: Any) -> nf.Sample:
    """The first two systems with all their runs."""
    a, b = list(systems)[:2]
    return scores_of(systems, **more).pair(a, b, runs="crossed", weights=weights)


def with_runs(a: np.ndarray, b: np.ndarray) -> nf.Sample:
    """The same from (items, runs) of two systems, without reading: for many samples."""
    names = tuple(tuple(map(str, range(table.shape[1]))) for table in (a, b))
    runs = Runs(names, tuple(frozen(table[:, :, None]) for table in (a, b)))
    return replace(as_sample(a.mean(axis=1), b.mean(axis=1)), runs=runs)


def made_runs(values: Sequence[float], number: int, spread: float = 0.01) -> np.ndarray:
    """Turn the scores of items into runs whose averages differ evenly around them."""
    steps = np.arange(number) - (number - 1) / 2
    return np.asarray(values, dtype=np.float64)[:, None] + spread * steps
