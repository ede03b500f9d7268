"""Bonferroni's correction."""

from __future__ import annotations

import numpy as np

from nofluke.registry import CORRECTIONS
from nofluke.types import FloatArray


@CORRECTIONS.register(
    "bonferroni",
    label="Bonferroni",
    controls="family-wise error",
    under="any dependence",
    cite="Bonferroni 1936; Dunn 1961",
)
def bonferroni(p_values: FloatArray) -> FloatArray:
    """Which claims stand if each is held to alpha divided by their number?

    Multiplies every p-value by the number of claims. Holds whatever the claims have to do with each other; holm holds
    under the same conditions and never finds less, so this one is for comparison with papers that used it.
    """
    adjusted: FloatArray = np.minimum(p_values * p_values.shape[-1], 1.0)
    return adjusted
