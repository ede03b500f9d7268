"""The tables of an audit: how often each claim came up, and how often it may."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nofluke.registry import Method
from nofluke.studies.recording import rate
from nofluke.types import FloatArray, frozen
from nofluke.types.study import Series

_STEPS = 20
TOO_OFTEN, KEPT = "too often", "as promised"


@dataclass(frozen=True, slots=True)
class Drawing:
    """How test sets without a difference are made: recentred or reweighted, how large, how many; and the level."""

    how: str
    alpha: float
    size: int
    iterations: int
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Audited:
    """The p-values of one test under no difference: one-sided for each side, and both together."""

    method: Method
    greater: FloatArray
    less: FloatArray

    @property
    def of_the_mean(self) -> bool:
        """Whether equal means, which is what is drawn here, are the test's null hypothesis."""
        return bool(self.method.facts["about"] == "mean")

    @property
    def two_sided(self) -> FloatArray:
        """Twice the smaller one-sided p-value."""
        both: FloatArray = np.minimum(1.0, 2 * np.minimum(self.greater, self.less))
        return both

    @property
    def sides(self) -> dict[str, FloatArray]:
        """The p-values of every claim: that there is a difference, that A is better, that B is better."""
        return {"two-sided": self.two_sided, "greater": self.greater, "less": self.less}


def table_of(done: Sequence[Audited], alpha: float) -> dict[str, tuple[Any, ...]]:
    """For every test: both sides together at alpha, each side at half of it."""
    rows = []
    for one in done:
        sides = zip(one.sides.items(), (alpha, alpha / 2, alpha / 2), strict=True)
        for (claim, p), level in sides:
            count = int(np.sum(p <= level * (1 + 1e-12)))
            band = rate(count, len(p))
            rows.append(
                {
                    "test": one.method.name,
                    "claim": claim,
                    "promised": level,
                    "found": count / len(p),
                    "from": band.low,
                    "to": band.high,
                    "verdict": _verdict(band.low, band.high, level, of_the_mean=one.of_the_mean),
                }
            )
    return {column: tuple(row[column] for row in rows) for column in rows[0]}


def _verdict(low: float, high: float, level: float, *, of_the_mean: bool) -> str:
    if low > level:
        return TOO_OFTEN if of_the_mean else "no test of the mean"
    return KEPT if high <= level else "no breach seen"


def curve_of(done: Sequence[Audited]) -> Series:
    """The share of test sets with a p-value of at most x, for p-values that matter."""
    grid = np.concatenate(([0.001, 0.0025, 0.005], np.arange(1, _STEPS + 1) * 0.01))
    levels: list[float] = []
    shares: list[float] = []
    labels: list[str] = []
    sides: list[str] = []
    for one in done:
        for side, p in one.sides.items():
            levels += grid.tolist()
            shares += [float(np.mean(p <= level * (1 + 1e-12))) for level in grid]
            labels += [one.method.name] * len(grid)
            sides += [side] * len(grid)
    return Series(
        "p-values",
        {"level": frozen(levels), "share": frozen(shares)},
        {"test": tuple(labels), "claim": tuple(sides)},
    )
