"""The numbers of a replicability analysis: counts, lists and partial-conjunction p-values at one level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nofluke.inference.multiplicity.closed_testing import fisher_closure
from nofluke.inference.multiplicity.corrections import bh, by, holm, hommel
from nofluke.inference.multiplicity.partial_conjunction import (
    METHODS,
    at_most,
    count_effects,
    partial_conjunction,
    running_maximum,
)
from nofluke.inference.replication.dependence import METHOD_UNDER
from nofluke.types import FloatArray, frozen
from nofluke.types.base import SMALLEST

# The list that belongs to each count: both come from closed testing with the same test.
LIST_OF = {"bonferroni": "holm", "simes": "hommel", "fisher": "fisher"}


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """What the p-values say at one level, by every method; `method` is the one valid under the stated dependence."""

    p_values: FloatArray
    method: str
    counts: Mapping[str, int]
    raw: Mapping[str, FloatArray]
    monotone: Mapping[str, FloatArray]
    adjusted: Mapping[str, FloatArray]
    identified_by: Mapping[str, tuple[str, ...]]

    @property
    def count(self) -> int:
        """The number of datasets that may be claimed."""
        return self.counts[self.method]

    @property
    def identified(self) -> tuple[str, ...]:
        """The datasets that may be named, by the closed test that gave the count."""
        return self.identified_by[LIST_OF[self.method]]


def analyse(
    p_values: FloatArray, log_p_values: FloatArray, datasets: tuple[str, ...], level: float, dependence: str
) -> Analysis:
    """Count and name the datasets with an effect, by every method; the logarithms reach below the smallest float."""
    logs = np.minimum(log_p_values, 0.0)
    p = np.maximum(p_values, SMALLEST)
    raw = {name: frozen(partial_conjunction(p, name, logs)) for name in METHODS}
    adjusted = {
        "holm": frozen(holm(p)),
        "hommel": frozen(hommel(p)),
        "fisher": frozen(np.maximum(fisher_closure(logs), SMALLEST)),
        "bh": frozen(bh(p)),
        "by": frozen(by(p)),
    }
    return Analysis(
        p_values=frozen(p),
        method=METHOD_UNDER[dependence],
        counts={
            "count": int(at_most(p, level).sum()),
            **{name: int(count_effects(values, level)) for name, values in raw.items()},
        },
        raw=raw,
        monotone={name: frozen(running_maximum(values)) for name, values in raw.items()},
        adjusted=adjusted,
        identified_by={
            name: tuple(dataset for dataset, stands in zip(datasets, at_most(values, level), strict=True) if stands)
            for name, values in adjusted.items()
        },
    )
