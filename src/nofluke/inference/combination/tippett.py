"""Tippett's combination."""

from __future__ import annotations

import math

from nofluke.registry import COMBINATIONS
from nofluke.types import FloatArray


@COMBINATIONS.register(
    "tippett",
    label="Tippett",
    null="there is no effect anywhere",
    under="independence",
    cite="Tippett 1931",
)
def tippett(p_values: FloatArray) -> float:
    """Is there an effect anywhere, by the smallest p-value alone?

    1 - (1 - min p)^N. Strong when one test shows much; looks at nothing else. Only for independent tests (with any
    dependence: N min p, Bonferroni's).
    """
    smallest = float(p_values.min())
    return 1.0 if smallest == 1 else -math.expm1(len(p_values) * math.log1p(-smallest))
