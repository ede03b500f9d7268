"""The procedure of Benjamini and Hochberg."""

from __future__ import annotations

from nofluke.inference.corrections.ordered import in_order, ranks, step_up
from nofluke.registry import CORRECTIONS
from nofluke.types import FloatArray


@CORRECTIONS.register(
    "bh",
    label="Benjamini-Hochberg",
    controls="false discovery rate",
    under="independence or positive dependence",
    cite="Benjamini and Hochberg 1995",
)
def bh(p_values: FloatArray) -> FloatArray:
    """Which claims stand if a share alpha of the claims made may be false, on average?

    A weaker promise than holm's: it bounds the expected share of false claims, not the chance of making one. For
    screening many candidates; not for a list of which every entry must hold.
    """
    return in_order(p_values, lambda p: step_up(p * p.shape[-1] / ranks(p.shape[-1])))
