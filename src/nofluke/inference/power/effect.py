"""The true state of affairs that power is computed for."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Effect:
    """A true difference of A and B, with what a test of it depends on.

    For means: the standard deviation of the differences (paired), or of the scores of A and of B (unpaired). For 0/1
    scores: `disagreement`, the share of items on which the systems differ; it is 1 where only such items are counted.
    With a margin the null is a difference of -margin. Where systems are trained several times: `runs` of each, the
    standard deviation `run_sd` between them, and `answer_sd` of the scores of one item in several runs.
    """

    difference: float
    sd: float = math.nan
    sd_b: float = math.nan
    disagreement: float = math.nan
    margin: float = 0.0
    run_sd: float = 0.0
    answer_sd: float = 0.0
    runs: int = 0

    @property
    def shift(self) -> float:
        """How far the true difference lies above the null."""
        return self.difference + self.margin

    @property
    def p10(self) -> float:
        """The share of items that only A gets right."""
        return (self.disagreement + self.difference) / 2

    @property
    def p01(self) -> float:
        """The share of items that only B gets right."""
        return (self.disagreement - self.difference) / 2

    def of_items(self, n: float) -> float:
        """What n items add to the variance of a difference of means."""
        return (self.sd**2 + 2 * self.answer_sd**2 / self.runs) / n

    @property
    def of_runs(self) -> float:
        """What the runs of both systems add to it."""
        return 2 * self.run_sd**2 / self.runs

    def variance_at(self, n: float) -> float:
        """The variance of a difference of means over n items and the runs of both systems."""
        return self.of_items(n) + self.of_runs
