"""Holm's steps with Sidak's levels."""

from __future__ import annotations

import numpy as np

from nofluke.inference.corrections.ordered import in_order, left, step_down
from nofluke.registry import CORRECTIONS
from nofluke.types import FloatArray


@CORRECTIONS.register(
    "holm_sidak",
    label="Holm-Sidak",
    controls="family-wise error",
    under="independence",
    cite="Holm 1979; Sidak 1967",
)
def holm_sidak(p_values: FloatArray) -> FloatArray:
    """Which claims stand, by Holm's steps with the levels for independent claims?

    A hair less strict than holm. Not for claims whose dependence is unknown.
    """

    def adjust(p: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore"):
            return step_down(-np.expm1(left(p.shape[-1]) * np.log1p(-p)))

    return in_order(p_values, adjust)
