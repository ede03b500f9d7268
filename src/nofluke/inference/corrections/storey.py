"""Storey's q-values."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from nofluke.errors import Fix, MethodError, Option
from nofluke.inference.corrections.bh import bh
from nofluke.registry import CORRECTIONS
from nofluke.types import FloatArray


@CORRECTIONS.register(
    "storey",
    label="Storey's q-values",
    controls="false discovery rate",
    under="independence, for many claims",
    cite="Storey 2002; Storey, Taylor and Siegmund 2004",
)
def storey(
    p_values: FloatArray,
    *,
    cutoff: Annotated[float, "Storey's lambda: p-values from here up are taken to come from true nulls"] = 0.5,
    null_share: Annotated[float | None, "Storey's pi0, the share of true nulls; estimated when not given"] = None,
    finite_sample: Annotated[bool, "count one null more, which gives a guarantee for few claims"] = False,
) -> FloatArray:
    """What share of the claims up to this one is expected to be false?

    bh times the estimated share of true nulls. The estimate is rough for fewer than some hundred claims; with few use
    bh, or finite_sample=True. Can be below the p-value.
    """
    if not 0 <= cutoff < 1:
        raise MethodError(f"cutoff = {cutoff:g} is not between 0 and 1.", fix="give a number such as 0.5.")
    if null_share is not None and not 0 < null_share <= 1:
        raise MethodError(f"null_share = {null_share:g} is not above 0 and at most 1.", fix="leave it out, or give 1.")
    share = null_share_of(p_values, cutoff, finite_sample=finite_sample) if null_share is None else null_share
    return np.minimum(bh(p_values) * share, 1.0)


def null_share_of(p_values: FloatArray, cutoff: float, *, finite_sample: bool = False) -> FloatArray:
    """Estimate the share of true nulls from the p-values at or above the cutoff; 0 is refused."""
    above = (p_values >= cutoff).sum(axis=-1, keepdims=True) + (1 if finite_sample else 0)
    if not above.all():
        raise MethodError(
            f"no p-value is {cutoff:g} or more, so the share of true nulls would be estimated as 0.",
            fix=Fix("use ", Option("finite_sample", "True"), ", which counts one null more, or the method bh."),
        )
    share: FloatArray = np.minimum(above / (p_values.shape[-1] * (1 - cutoff)), 1.0)
    return share
