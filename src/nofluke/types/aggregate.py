"""How summed statistics of items become the score of a system."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from nofluke.types.base import FloatArray, Value


@dataclass(frozen=True, slots=True)
class Ratio(Value):
    """Weights of a metric that is a ratio of sums: (numerator . sums) / (denominator . sums)."""

    numerator: tuple[int, ...]
    denominator: tuple[int, ...]


class Whole(Protocol):
    """A score of all items together, which no sums of their statistics determine (rank correlations, black boxes)."""

    @property
    def kind(self) -> str:
        """What it is: "correlation" or "black box"."""
        ...

    @property
    def workers(self) -> int:
        """How many processes may share the work; they never change a number."""
        ...

    def __call__(self, rows: FloatArray) -> Callable[[FloatArray], FloatArray]:
        """Give the function from (corpora, n) counts, how often each of the (n, k) rows occurs, to their scores."""
        ...

    def shares(self, rows: FloatArray) -> FloatArray:
        """Give the share of each of (n, k) rows in the score; their mean is the score."""
        ...

    def common_scale(self, rows: FloatArray) -> FloatArray:
        """Give rows whose scores are the same and whose numbers may change places with those of another system."""
        ...

    def sums(self, rows: FloatArray) -> FloatArray | None:
        """Give whole numbers whose sums the aggregate's function understands, on a common scale; None if none do."""
        ...


@dataclass(frozen=True, slots=True)
class Aggregate(Value):
    """How summed per-item statistics become the score of a system: function(sums (..., k), n) -> (...).

    `linear` says that the single statistic is the item's score and the aggregate its mean; `ratio` gives the weights
    where the metric is a ratio of sums (F1, AER, WER, UAS). Anything else is a smooth function of the sums, unless
    `whole` is there: then only all items together have a score. `width` is the number of statistics where a table holds
    metrics that have more of them; 0 for all.
    """

    name: str
    function: Callable[[FloatArray, float], FloatArray]
    linear: bool
    ratio: Ratio | None = None
    whole: Whole | None = None
    width: int = 0

    def __call__(self, sums: FloatArray, n: float) -> FloatArray:
        return self.function(sums, n)

    def score(self, rows: FloatArray) -> float:
        """Give the score of a system with these (n, k) statistics."""
        if self.whole is not None:
            return float(self.whole(rows)(np.ones((1, len(rows))))[0])
        return float(self.function(rows.sum(axis=0), float(len(rows))))


def _mean_of_sums(sums: FloatArray, n: float) -> FloatArray:
    return sums[..., 0] / n


MEAN = Aggregate("mean", _mean_of_sums, linear=True, width=1)
