"""Simes' combination."""

from __future__ import annotations

import numpy as np

from nofluke.inference.corrections.ordered import ranks
from nofluke.registry import COMBINATIONS
from nofluke.types import FloatArray


@COMBINATIONS.register(
    "simes",
    label="Simes",
    null="there is no effect anywhere",
    under="independence or positive dependence",
    cite="Simes 1986",
)
def simes(p_values: FloatArray) -> float:
    """Is there an effect anywhere, by the smallest p-value for its rank?

    The minimum of N p(i) / i over the sorted p-values: the smallest p-value that bh would give. Valid for independent
    tests and for statistics that rise and fall together.
    """
    size = len(p_values)
    return float(np.minimum((np.sort(p_values) * size / ranks(size)).min(), 1.0))
