"""Hochberg's correction."""

from __future__ import annotations

from nofluke.inference.corrections.ordered import in_order, left, step_up
from nofluke.registry import CORRECTIONS
from nofluke.types import FloatArray


@CORRECTIONS.register(
    "hochberg",
    label="Hochberg",
    controls="family-wise error",
    under="independence or positive dependence",
    cite="Hochberg 1988",
)
def hochberg(p_values: FloatArray) -> FloatArray:
    """Which claims stand, by Holm's levels read from the largest p-value down?

    Never finds less than holm, never more than hommel, which needs the same assumption (Simes' inequality). Not for
    claims whose dependence is unknown, and not for all pairs of systems.
    """
    return in_order(p_values, lambda p: step_up(p * left(p.shape[-1])))
