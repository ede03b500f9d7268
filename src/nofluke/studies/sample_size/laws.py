"""Laws that simulated scores are drawn from, read from words such as normal(0.05,1)."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np

from nofluke.engine.randomness import Stream
from nofluke.errors import InputError
from nofluke.types import FloatArray

_WRITTEN = re.compile(r"\s*([a-z]+)\s*\(\s*([^,()]+?)\s*,\s*([^,()]+?)\s*\)\s*")


@dataclass(frozen=True, slots=True)
class Law:
    """A normal law (mean, standard deviation) or a Beta law (a, b)."""

    name: str
    first: float
    second: float

    @property
    def mean(self) -> float:
        """The expected value."""
        return self.first if self.name == "normal" else self.first / (self.first + self.second)

    @property
    def variance(self) -> float:
        """The expected square of the distance from the mean."""
        if self.name == "normal":
            return self.second**2
        total = self.first + self.second
        return self.first * self.second / (total**2 * (total + 1))

    @property
    def symmetric(self) -> bool:
        """Whether scores lie as often above the mean as below it, equally far."""
        return self.name == "normal" or self.first == self.second

    def draw(self, stream: Stream, size: int) -> FloatArray:
        """Draw so many scores, by the quantile of raw random numbers, so that no version of NumPy changes them."""
        from scipy.special import betaincinv, ndtri

        uniform = stream.uniforms(size)
        if self.name == "normal":
            values: FloatArray = self.first + self.second * ndtri(uniform)
        elif self.first == 1:
            values = -np.expm1(np.log1p(-uniform) / self.second)
        elif self.second == 1:
            values = uniform ** (1 / self.first)
        else:
            values = betaincinv(self.first, self.second, uniform)
        return values

    def __str__(self) -> str:
        return f"{self.name}({self.first:g},{self.second:g})"


def law_of(text: str) -> Law:
    """Read a law.

    >>> law_of("Beta(1, 5)")
    Law(name='beta', first=1.0, second=5.0)
    """
    found = _WRITTEN.fullmatch(text.casefold())
    if found is None or found[1] not in ("normal", "beta"):
        raise InputError(
            f"{text!r} is no law of scores.", fix="write normal(MEAN,SD) or beta(A,B), say normal(0.05,1)."
        )
    try:
        first, second = float(found[2]), float(found[3])
    except ValueError:
        raise InputError(f"{text!r} has no two numbers.", fix="write, say, normal(0.05,1).") from None
    positive = second > 0 and (first > 0 or found[1] == "normal")
    if not (math.isfinite(first) and math.isfinite(second) and positive):
        raise InputError(f"{text!r} is no law of scores.", fix="the sd, and both numbers of beta, are above 0.")
    return Law(found[1], first, second)
