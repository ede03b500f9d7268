"""Samples of several datasets from plain columns, for tests of weighted averages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nofluke.align import as_sample
from nofluke.align.strata import averaged
from nofluke.types import Sample


def average_sample(
    a: Any,
    b: Any,
    datasets: Sequence[Any],
    weights: str | Mapping[str, float] = "equal",
    clusters: Sequence[Any] | None = None,
) -> Sample:
    """One item per row; items of one cluster, be it in several datasets, are kept together."""
    names, codes = np.unique(np.asarray(datasets, dtype=str), return_inverse=True)
    given = None if clusters is None else list(clusters)
    shared = 0 if given is None else len(given) - len(set(given))
    return averaged(as_sample(a, b, clusters=given), tuple(names.tolist()), codes.astype(np.int64), weights, shared)
