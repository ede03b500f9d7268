"""Holm's correction."""

from __future__ import annotations

from nofluke.inference.corrections.ordered import in_order, left, step_down
from nofluke.registry import CORRECTIONS
from nofluke.types import FloatArray


@CORRECTIONS.register(
    "holm",
    label="Holm",
    controls="family-wise error",
    under="any dependence",
    cite="Holm 1979",
)
def holm(p_values: FloatArray) -> FloatArray:
    """Which claims stand if at most alpha may be risked on even one false claim?

    The smallest p-value is multiplied by N, the next by N - 1, and so on, never going down. Closed testing with
    Bonferroni's test. Holds whatever the claims have to do with each other: the default.
    """
    return in_order(p_values, lambda p: step_down(p * left(p.shape[-1])))
