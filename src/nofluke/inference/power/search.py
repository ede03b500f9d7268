"""Where power crosses its target: in the number of items, smooth or sawtooth, and in the size of the effect."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from nofluke.errors import InputError
from nofluke.types import FloatArray

Powers = Callable[[FloatArray], FloatArray]

MOST_ITEMS = 1_000_000_000


class TooManyItemsError(InputError):
    """No test set of a thinkable size would do."""

    def __init__(self) -> None:
        super().__init__(
            f"more than {MOST_ITEMS:,} items would be needed.",
            fix="state a larger difference, or a smaller spread (sd, disagreement).",
        )


def smallest_real(powers: Powers, target: float, least: float) -> float:
    """Give the real n at which a power that rises with n reaches the target, to 1e-10 of itself."""
    low, high = least, least
    while _at(powers, high) < target:
        low, high = high, high * 2
        if high > MOST_ITEMS:
            raise TooManyItemsError
    if high == least:
        return least
    return _root(lambda n: _at(powers, n) - target, low, high)


def smallest_lasting(powers: Powers, target: float, width: Callable[[int], int]) -> int:
    """Give the smallest whole n from which the power stays at or above the target.

    Exact power falls a little whenever the critical value moves on. All n of a window around the first crossing are
    looked at; `width` says how far the teeth reach at n. The window is wide enough when it begins with a power below
    the target and its last third is above it throughout.
    """
    low, high = 1, 1
    while _at(powers, high) < target:
        low, high = high, high * 2
        if high > MOST_ITEMS:
            raise TooManyItemsError
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _at(powers, middle) < target else (low, middle)
    reach = width(high)
    start = max(1, high - reach)
    while True:
        window = np.arange(start, high + 2 * reach + 1)
        below = np.flatnonzero(powers(window.astype(np.float64)) < target)
        last = int(window[below[-1]]) if below.size else start - 1
        if last + reach <= window[-1] and (below.size or start == 1):
            return last + 1
        reach *= 2
        start = max(1, start - reach)


def smallest_effect(power_of: Callable[[float], float], target: float, scale: float, most: float) -> float:
    """Give the size of effect at which the power reaches the target; nan where even the largest does not."""
    if power_of(most) < target:
        return math.nan
    low, high = 0.0, min(scale, most)
    while power_of(high) < target:
        low, high = high, min(high * 2, most)
    return _root(lambda size: power_of(size) - target, low, high)


def _at(powers: Powers, n: float) -> float:
    return float(powers(np.array([float(n)]))[0])


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Find the root of a rising function by the Illinois form of false position."""
    at_low, at_high = function(low), function(high)
    side = 0
    for _ in range(200):
        if at_high == at_low:
            break
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        if not low < middle < high:
            middle = (low + high) / 2
        value = function(middle)
        if value < 0:
            low, at_low = middle, value
            at_high = at_high / 2 if side == -1 else at_high
            side = -1
        else:
            high, at_high = middle, value
            at_low = at_low / 2 if side == 1 else at_low
            side = 1
        # The integral behind the power is good to 1e-13; closer is noise.
        if abs(high - low) <= 1e-11 * abs(high) or abs(value) <= 1e-13:
            return middle
    return (low + high) / 2
