"""The gain that is usually significant: a high percentile of the gains of comparisons that are just significant."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nofluke.errors import InputError
from nofluke.types import FloatArray

WINDOW = (0.04, 0.06)
PERCENTILE = 95.0
LEVEL = 0.05
# Below so many comparisons a 95th percentile is little more than their largest gain.
FEW = 20


@dataclass(frozen=True, slots=True)
class Threshold:
    """A threshold with what it rests on; nan where no comparison has a p-value in the window.

    `near` comparisons have p in the window, of `all`. `kept` is the share of comparisons with at least this gain that
    are significant at 0.05; `missed` the share of those with a smaller gain that are significant all the same.
    """

    value: float
    median: float
    near: int
    all: int
    kept: float
    missed: float


def check_window(window: tuple[float, float], percentile: float) -> None:
    """Refuse a window or percentile that is none."""
    if len(window) != 2 or not 0 <= window[0] < window[1] <= 1:
        raise InputError(f"the window {window!r} is no range of p-values.", fix="give two numbers, such as 0.04,0.06.")
    if not 0 < percentile < 100:
        raise InputError(f"percentile = {percentile!r} is not between 0 and 100.", fix="give a number such as 95.")


def threshold(
    gain: FloatArray, p: FloatArray, window: tuple[float, float] = WINDOW, percentile: float = PERCENTILE
) -> Threshold:
    """Give the percentile (linear between order statistics, as NumPy and R take it) of the gains with p in the window.

    >>> found = threshold(np.array([0.1, 0.2, 0.3, 0.9]), np.array([0.2, 0.05, 0.045, 0.001]))
    >>> round(found.value, 3), found.near
    (0.295, 2)
    """
    near = gain[(p >= window[0]) & (p <= window[1])]
    significant = p < LEVEL
    if not near.size:
        return Threshold(math.nan, math.nan, 0, int(gain.size), math.nan, math.nan)
    value = float(np.percentile(near, percentile))
    above = gain >= value
    return Threshold(
        value,
        float(np.median(near)),
        int(near.size),
        int(gain.size),
        _share(significant[above]),
        _share(significant[~above]),
    )


def _share(flags: npt.NDArray[np.bool_]) -> float:
    return float(flags.mean()) if flags.size else math.nan
