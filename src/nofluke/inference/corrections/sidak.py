"""Sidak's correction in one step."""

from __future__ import annotations

import numpy as np

from nofluke.registry import CORRECTIONS
from nofluke.types import FloatArray


@CORRECTIONS.register(
    "sidak",
    label="Sidak",
    controls="family-wise error",
    under="independence",
    cite="Sidak 1967",
)
def sidak(p_values: FloatArray) -> FloatArray:
    """Which claims stand if each is held to 1 - (1 - alpha)^(1/N)?

    A hair less strict than Bonferroni, and exact for independent claims (also valid for two-sided tests on jointly
    normal estimates). Not for claims whose dependence is unknown: use holm.
    """
    with np.errstate(divide="ignore"):
        adjusted: FloatArray = -np.expm1(p_values.shape[-1] * np.log1p(-p_values))
    return adjusted
