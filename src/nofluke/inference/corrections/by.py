"""The procedure of Benjamini and Yekutieli."""

from __future__ import annotations

from nofluke.inference.corrections.ordered import in_order, ranks, step_up
from nofluke.registry import CORRECTIONS
from nofluke.types import FloatArray


@CORRECTIONS.register(
    "by",
    label="Benjamini-Yekutieli",
    controls="false discovery rate",
    under="any dependence",
    cite="Benjamini and Yekutieli 2001",
)
def by(p_values: FloatArray) -> FloatArray:
    """Which claims stand if a share alpha of them may be false on average, whatever their dependence?

    bh with p-values multiplied by 1 + 1/2 + ... + 1/N: the price of assuming nothing.
    """
    counts = ranks(p_values.shape[-1])
    price = float((1 / counts).sum())
    return in_order(p_values, lambda p: step_up(p * (p.shape[-1] * price) / counts))
