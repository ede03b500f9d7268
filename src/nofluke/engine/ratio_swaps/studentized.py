"""The difference of two ratios of sums and its standard error, from few sums: those of c, y and their products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nofluke.types import FloatArray

# A variance below this share of its terms is rounding, not spread.
_NO_SPREAD = 1e-13


def studentized(
    of_a: Sequence[FloatArray], of_b: Sequence[FloatArray], both_c: Any, both_y: Any, empty: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give F_A - F_B, its standard error by the delta method and their quotient; F = sum of c / sum of y.

    Of each system: sums over items of c, y, c^2, c y, y^2, and of its c times the other's y; of both the sums of
    c_A c_B and of y_A y_B. A system whose y add up to 0 scores `empty`. se^2 = sum of
    ((c_A - F_A y_A) / Y_A - (c_B - F_B y_B) / Y_B)^2 over items, the delta method's variance.
    """
    c_a, y_a, cc_a, cy_a, yy_a, a_b = of_a
    c_b, y_b, cc_b, cy_b, yy_b, b_a = of_b
    some_a, some_b = y_a > 0, y_b > 0
    full_a, full_b = np.where(some_a, y_a, 1.0), np.where(some_b, y_b, 1.0)
    f_a, f_b = np.where(some_a, c_a / full_a, empty), np.where(some_b, c_b / full_b, empty)
    own_a = np.where(some_a, cc_a - 2 * f_a * cy_a + f_a * f_a * yy_a, 0.0) / full_a**2
    own_b = np.where(some_b, cc_b - 2 * f_b * cy_b + f_b * f_b * yy_b, 0.0) / full_b**2
    # Grouped so that exchanging A and B gives the same bits.
    both = (both_c + f_a * f_b * both_y) - (f_b * a_b + f_a * b_a)
    variance = (own_a + own_b) - 2 * np.where(some_a & some_b, both, 0.0) / (full_a * full_b)
    terms = (cc_a + f_a * f_a * yy_a) / full_a**2 + (cc_b + f_b * f_b * yy_b) / full_b**2
    error = np.sqrt(np.where(variance > _NO_SPREAD * terms, variance, 0.0))
    difference = f_a - f_b
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(difference == 0.0, 0.0, difference / error)
    return difference, error, t
