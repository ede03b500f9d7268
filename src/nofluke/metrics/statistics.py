"""What a metric returns: per-item integers, their names, and how sums of them become the score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nofluke.types import MEAN, Aggregate, FloatArray, Note, Ratio


@dataclass(frozen=True, slots=True)
class Unscored:
    """The items (from 0) that a metric leaves out for one system, why, and how to count them after all, as codes.

    `why` is among no_parse, other_words and evalb; `instead` is wrong, same_words or trees. Their
    statistics are 0. Several systems are compared only on items that all of them were scored on.
    """

    items: tuple[int, ...]
    why: tuple[str, ...]
    instead: str


@dataclass(frozen=True, slots=True, eq=False)
class ItemStatistics:
    """The statistics of one system: (n, k) numbers whose sums over items determine the score.

    `signature` says how they were made; statistics of different signatures are never compared. `ids` are the items' own
    names and `clusters` their documents, where the format has them. A row of nan is an item without an output.
    """

    values: FloatArray
    names: tuple[str, ...]
    aggregate: Aggregate
    signature: str
    ids: tuple[str, ...] | None = None
    notes: tuple[Note, ...] = ()
    clusters: tuple[str, ...] | None = None
    unscored: Unscored | None = None


def mean_aggregate() -> Aggregate:
    """The mean of single scores (k = 1)."""
    return MEAN


def ratio_aggregate(name: str, numerator: tuple[int, ...], denominator: tuple[int, ...]) -> Aggregate:
    """A ratio of weighted sums, such as F1 = 2 matched / (predicted + gold); 0 / 0 is nan.

    >>> import numpy as np
    >>> f1 = ratio_aggregate("f1", (2, 0, 0), (0, 1, 1))
    >>> float(f1(np.array([3.0, 4.0, 6.0]), 5.0))
    0.6
    """
    over, under = np.array(numerator, dtype=np.float64), np.array(denominator, dtype=np.float64)

    def function(sums: FloatArray, _n: float) -> FloatArray:
        bottom = sums @ under
        with np.errstate(invalid="ignore", divide="ignore"):
            score: FloatArray = np.where(bottom == 0, np.nan, (sums @ over) / bottom)
        return score

    return Aggregate(name, function, linear=False, ratio=Ratio(numerator, denominator))


def smooth_aggregate(name: str, function: Callable[[FloatArray, float], FloatArray]) -> Aggregate:
    """Any other function of the sums: function(sums (..., k), n) -> (...), vectorised over leading axes."""
    return Aggregate(name, function, linear=False)
