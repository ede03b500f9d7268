"""Bootstrap limits from resampled estimates: percentile, basic, and Efron's bias-corrected and accelerated ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.types import FloatArray


def rank_of(level: float, resamples: int) -> int:
    """Give the largest k with k / (1 + resamples) <= level: so many extreme draws a limit may leave outside.

    A test whose p-value is (1 + hits) / (1 + resamples) rejects at `level` exactly when hits < k.
    """
    # 1 - 0.95 is a little more than 0.05, 0.05 / 2 a little less than 0.025 for others: a hair settles it.
    return math.floor(level * (1 + resamples) + 1e-9)


def percentile_limits(points: npt.NDArray[Any], below: float, above: float) -> tuple[Any, Any]:
    """Give the k-th smallest and the k-th largest of the points, k by the error allowed on that side.

    A side with no error allowed, or with too few points to allow it, is infinite.

    >>> import numpy as np
    >>> percentile_limits(np.arange(1, 40), 0.05, 0.05)
    (2, 38)
    """
    low, high = rank_of(below, len(points)), rank_of(above, len(points))
    return (
        _ordered(points, low - 1) if low else -math.inf,
        _ordered(points, len(points) - high) if high else math.inf,
    )


def _ordered(points: npt.NDArray[Any], position: int) -> Any:
    """Give one order statistic as a plain number; points too wide for 64 bits are plain numbers already."""
    return np.partition(points, position)[position : position + 1].tolist()[0]


def basic_limits(points: npt.NDArray[Any], twice_estimate: Any, below: float, above: float) -> tuple[Any, Any]:
    """Reflect the percentile limits about the estimate: what the draws miss above, the interval reaches below.

    >>> import numpy as np
    >>> basic_limits(np.arange(1, 40), 50, 0.05, 0.05)
    (12, 48)
    """
    low, high = percentile_limits(points, above, below)
    return twice_estimate - high, twice_estimate - low


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
