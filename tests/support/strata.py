"""Samples of several datasets from plain columns, for tests of weighted averages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nofluke.align import as_sample
from nofluke.align.strata import averaged
from nofluke.types import Sample, frozen


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


def average_of_corpora(parts: Sequence[Sample], weights: str = "equal") -> Sample:
    """Samples of one corpus metric as datasets t0, t1 and so on of an average."""
    sizes = [part.n for part in parts]
    together = replace(
        parts[0],
        statistics=frozen(np.concatenate([part.statistics for part in parts])),
        lengths=(sum(sizes), sum(sizes)),
    )
    names = tuple(f"t{j}" for j in range(len(parts)))
    return averaged(together, names, np.repeat(np.arange(len(parts)), sizes), weights, 0)
