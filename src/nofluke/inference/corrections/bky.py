"""The two-stage procedure of Benjamini, Krieger and Yekutieli."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from nofluke.inference.corrections.bh import bh
from nofluke.registry import CORRECTIONS
from nofluke.types import FloatArray


@CORRECTIONS.register(
    "bky",
    label="Benjamini-Krieger-Yekutieli, two stages",
    controls="false discovery rate",
    under="independence",
    cite="Benjamini, Krieger and Yekutieli 2006",
)
def bky(
    p_values: FloatArray,
    *,
    alpha: Annotated[float, "the level at which the adjusted p-values are read; they hold for no other"] = 0.05,
) -> FloatArray:
    """Which claims stand if a share alpha may be false, with the number of true nulls estimated first?

    Stage one counts r rejections of bh at alpha / (1 + alpha); stage two runs bh as if only N - r nulls were true. The
    adjusted p-values belong to the alpha given: compare them with that alpha only. They can be below the p-values.
    """
    first = bh(p_values)
    size = p_values.shape[-1]
    rejected = (first <= alpha / (1 + alpha) * (1 + 1e-12)).sum(axis=-1, keepdims=True)
    nulls = np.where(rejected < size, size - rejected, size)
    adjusted: FloatArray = np.minimum(first * (nulls / size) * (1 + alpha), 1.0)
    return adjusted
