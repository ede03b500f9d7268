"""Random signs under a law tilted towards a rare event, so that few draws show what happens there."""

from __future__ import annotations

import math

import numpy as np

from nofluke.engine.corrected.linearise import LinearEvent
from nofluke.engine.flips import flip_tail
from nofluke.engine.tail import Tail
from nofluke.types import FloatArray

_WORD = 2.0**32


class SignLaw:
    """Random signs tilted so that the linear event is at their centre; without an event, fair ones."""

    def __init__(self, event: LinearEvent | None, units: int) -> None:
        self.values, self.threshold, self.tilt = np.zeros(units), math.inf, 0.0
        self.tail = Tail(-math.inf, 0.0, "none")
        if event is not None:
            self.values, self.threshold = event.values.astype(np.float64), float(event.threshold)
            self.tail = flip_tail(event.values, event.threshold)
            self.tilt = _tilt(self.values, self.threshold)
        turned = self.tilt * self.values
        self._cumulant = float(np.sum(np.logaddexp(turned, -turned) - math.log(2.0)))
        self.chance: FloatArray = _WORD / (1.0 + np.exp(np.clip(-2.0 * turned, -700.0, 700.0)))

    def log_weight(self, total: float) -> float:
        """The logarithm of the weight of a draw with this sum."""
        return self._cumulant - self.tilt * total if self.tilt else 0.0


def _tilt(values: FloatArray, threshold: float) -> float:
    """Solve sum v tanh(s v) = threshold by Newton's method from the left; 0 for a threshold that is no tail."""
    size = math.sqrt(float(values @ values))
    if threshold <= 0 or threshold >= float(np.abs(values).sum()) * (1 - 1e-9):
        return 0.0 if threshold <= 0 else 5.0 / size
    unit, x = values / size, threshold / size
    s = x
    for _ in range(60):
        tilted = np.tanh(s * unit) * unit
        slope = max(1.0 - float(tilted @ tilted), 1e-12)
        moved = s + (x - float(np.abs(tilted).sum())) / slope
        if abs(moved - s) <= 1e-9 * moved:
            break
        s = moved
    return s / size
