"""How many items would make the interval so narrow, or half as wide."""

from __future__ import annotations

import math

from nofluke.errors import InputError
from nofluke.inference.agreement.measured import quantile
from nofluke.types import Coefficient


def items_for_width(found: Coefficient, width: float, level: float) -> int | None:
    """Give how many items like these, with as many annotators, make the interval so narrow; None where unknown.

    The standard error falls with the square root of the items. On the log scale the width is
    2 (1 - value) sinh(h), with h the half width there; without disagreement the width is that of the bound.
    """
    if isinstance(width, bool) or not isinstance(width, int | float) or not 0 < width < 2:
        raise InputError(f"width = {width!r} is not between 0 and 2.", fix="give the whole width, such as 0.1.")
    interval = found.interval
    if interval is None or math.isnan(found.value):
        return None
    if interval.method == "Clopper-Pearson":
        expected = 0.0 if math.isnan(found.expected) else found.expected
        return _without_disagreement(width * (1 - expected), level)
    half = quantile(level) * found.standard_error * math.sqrt(found.items)
    wanted = width / 2
    if interval.method == "log":
        gap = 1 - found.value
        half, wanted = half / gap, math.asinh(width / (2 * gap))
    return max(2, math.ceil((half / wanted) ** 2 - 1e-9))


def items_for_half(found: Coefficient, level: float) -> int | None:
    """Give how many items like these would halve the interval; None where it has no width, or no limit is known."""
    width = math.nan if found.interval is None else found.interval.high - found.interval.low
    return items_for_width(found, width / 2, level) if width > 0 else None


def _without_disagreement(share: float, level: float) -> int:
    """Solve 1 - (error / 2)^(1 / n) = share."""
    if share >= 1:
        return 2
    return max(2, math.ceil(math.log((1 - level) / 2) / math.log1p(-share)))
