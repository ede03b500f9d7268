"""Efron's bias-corrected and accelerated bootstrap interval."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.inference.intervals.percentile import percentile_limits
from nofluke.types import FloatArray


def bca_acceleration(influence: FloatArray) -> float:
    """Give the jackknife acceleration a = sum U^3 / (6 (sum U^2)^1.5), U being what each unit adds to the estimate.

    For a mean U is the deviation from it, and a = g1 / (6 sqrt n) (Efron 1987, equation 6.6); nan without spread.

    >>> import numpy as np
    >>> bca_acceleration(np.array([-1.0, 0.0, 1.0]))
    0.0
    """
    largest = float(np.max(np.abs(influence), initial=0.0))
    if largest == 0:
        return math.nan
    unit = influence / largest
    squares = float(np.sum(unit**2))
    return float(np.sum(unit**3)) / (6 * squares * math.sqrt(squares))


def bca_bias(below: int, at: int, resamples: int) -> float:
    """Give z0, the normal quantile of the share of draws below the estimate; draws equal to it count half."""
    from scipy.special import ndtri

    return float(ndtri((below + at / 2) / resamples))


def bca_limits(
    points: npt.NDArray[Any], bias: float, acceleration: float, below: float, above: float
) -> tuple[Any, Any]:
    """Give the percentile limits at the corrected levels.

    nan where bias or acceleration are not finite, or the correction has left its range (1 - a (z0 + z) <= 0).
    """
    low, high = corrected_level(below, bias, acceleration), corrected_level(above, -bias, -acceleration)
    if math.isnan(low) or math.isnan(high):
        return math.nan, math.nan
    return percentile_limits(points, low, high)


def corrected_level(level: float, bias: float, acceleration: float) -> float:
    """Give Phi(z0 + (z0 + z) / (1 - a (z0 + z))), z the quantile of the level (Efron 1987); nan beyond its range.

    >>> round(corrected_level(0.025, 0.0, 0.0), 12)
    0.025
    """
    from scipy.special import ndtr, ndtri

    shifted = bias + float(ndtri(level))
    divisor = 1.0 - acceleration * shifted
    if not math.isfinite(bias) or not divisor > 0:
        return math.nan
    return float(ndtr(bias + shifted / divisor))
