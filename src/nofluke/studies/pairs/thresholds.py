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


@dataclass(frozen=True, slots=True)
class Rule:
    """Which comparisons make a threshold: those with a p-value in the window, and which percentile of their gains.

    >>> rule = Rule((0.005, 0.015))
    >>> rule.level, round(rule.errors, 3)
    (0.01, 2.326)
    """

    window: tuple[float, float] = WINDOW
    percentile: float = PERCENTILE

    def __post_init__(self) -> None:
        """Refuse a window or percentile that is none."""
        if len(self.window) != 2 or not 0 <= self.window[0] < self.window[1] <= 0.5:
            raise InputError(
                f"the window {self.window!r} is no range of p-values up to 0.5.",
                fix="give two numbers, such as 0.04,0.06.",
            )
        if not 0 < self.percentile < 100:
            raise InputError(
                f"percentile = {self.percentile!r} is not between 0 and 100.", fix="give a number such as 95."
            )

    @property
    def level(self) -> float:
        """The level that comparisons in the window just reach: its middle."""
        return round(sum(self.window) / 2, 12)

    @property
    def errors(self) -> float:
        """How many standard errors a gain has that just reaches the level, by the normal law: 1.645 for 0.05."""
        from scipy.special import ndtri

        return float(-ndtri(self.level))

    def threshold(self, gain: FloatArray, p: FloatArray) -> Threshold:
        """Give the percentile (linear between order statistics, as NumPy and R do) of the gains with p in the window.

        >>> found = Rule().threshold(np.array([0.1, 0.2, 0.3, 0.9]), np.array([0.2, 0.05, 0.045, 0.001]))
        >>> round(found.value, 3), found.near
        (0.295, 2)
        """
        near = gain[(p >= self.window[0]) & (p <= self.window[1])]
        if not near.size:
            return Threshold(math.nan, math.nan, 0, int(gain.size), math.nan, math.nan)
        significant, value = p <= self.level, float(np.percentile(near, self.percentile))
        above = gain >= value
        return Threshold(
            value,
            float(np.median(near)),
            int(near.size),
            int(gain.size),
            _share(significant[above]),
            _share(significant[~above]),
        )


@dataclass(frozen=True, slots=True)
class Threshold:
    """A threshold with what it rests on; nan where no comparison has a p-value in the window.

    `near` comparisons have p in the window, of `all`. `kept` is the share of comparisons with at least this gain that
    are significant; `missed` the share of those with a smaller gain that are significant all the same.
    """

    value: float
    median: float
    near: int
    all: int
    kept: float
    missed: float


def _share(flags: npt.NDArray[np.bool_]) -> float:
    return float(flags.mean()) if flags.size else math.nan
