"""combine: is there an effect anywhere, judged by several p-values at once?"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from nofluke.errors import InputError, MethodError
from nofluke.options import Opt
from nofluke.readers.p_values import numbers_of
from nofluke.registry import COMBINATIONS
from nofluke.types.base import SMALLEST


def combine(
    p_values: Any,
    method: Annotated[str, Opt("The combination; see nofluke methods.")] = "fisher",
    *,
    weights: Annotated[Sequence[float] | None, Opt("How much each p-value counts.", most=100_000)] = None,
    **options: Any,
) -> float:
    """Is there an effect anywhere, judged by several p-values at once?

    P-values are one-sided for one claim, of independent tests unless the method says otherwise (see `methods`).
    `weights` go with stouffer and cauchy. Says nothing about where the effect is: for that use `replicate`.

    >>> import nofluke as nf
    >>> round(nf.combine([0.04, 0.03, 0.2], "fisher"), 4)
    0.0106
    """
    chosen = COMBINATIONS[method]
    # A p-value is never 0: what was rounded or lost below the smallest float is at most that.
    numbers = np.maximum(numbers_of(p_values), SMALLEST)
    settings = chosen.check_options(options)
    if weights is not None:
        if "weights" not in inspect.signature(chosen.function).parameters:
            raise MethodError(f"{method} takes no weights.", fix="use stouffer or cauchy, or leave the weights out.")
        settings["weights"] = _checked_weights(weights, len(numbers))
    return min(max(float(chosen.function(numbers, **settings)), SMALLEST), 1.0)


def _checked_weights(weights: Sequence[float], size: int) -> Any:
    numbers = np.asarray(weights, dtype=np.float64)
    if numbers.shape != (size,) or not np.isfinite(numbers).all() or (numbers < 0).any() or not numbers.any():
        raise InputError(
            f"weights {str(list(weights))[:60]} do not fit {size:,} p-values.",
            fix="give one weight of 0 or more for each p-value, not all of them 0.",
        )
    return numbers
