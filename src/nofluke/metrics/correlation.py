"""Correlations with human scores: Pearson, Spearman and Kendall of a system's scores against gold scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nofluke.engine.concordance import PairCounter
from nofluke.engine.correlation import (
    average_ranks,
    centred_in_own_unit,
    kendall_scorer,
    pearson_scorer,
    spearman_scorer,
)
from nofluke.errors import MethodError
from nofluke.metrics.formats.labels import Numbers, read_number_pairs
from nofluke.metrics.statistics import ItemStatistics
from nofluke.registry import METRICS
from nofluke.types import Aggregate, FloatArray, frozen

# Sums of this many bits stay exact in doubles.
_BITS = 52
_MOST_BITS = 24


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation as a score of all items together; rows are (x, y) of every item."""

    name: str
    kind: str = "correlation"
    workers: int = 1

    def __call__(self, rows: FloatArray) -> Callable[[FloatArray], FloatArray]:
        return {"pearson": pearson_scorer, "spearman": spearman_scorer, "kendall": kendall_scorer}[self.name](rows)

    def shares(self, rows: FloatArray) -> FloatArray:
        """Give every item's share in the correlation: how far its two scores go together; the mean is the score."""
        if self.name == "kendall":
            shares = PairCounter(rows).shares()
            total = float(shares.sum())
            return shares * (len(rows) * float(self(rows)(np.ones((1, len(rows))))[0]) / total) if total else shares
        standard = _standard(rows if self.name == "pearson" else _ranked(rows))
        products: FloatArray = standard[:, 0] * standard[:, 1]
        return products

    def common_scale(self, rows: FloatArray) -> FloatArray:
        """Put x on a scale that does not depend on the system: its ranks, or for Pearson its standard scores."""
        x = _standard(rows[:, :1])[:, 0] if self.name == "pearson" else average_ranks(rows[:, 0])
        return np.column_stack((x, rows[:, 1]))

    def sums(self, rows: FloatArray) -> FloatArray | None:
        """Give 1, x, y, xx, yy, xy in whole numbers for Pearson, whose sums determine it; None for ranks."""
        if self.name != "pearson":
            return None
        standard = _standard(rows)
        bits = min(_MOST_BITS, (_BITS - len(rows).bit_length()) // 2)
        largest = float(np.abs(standard).max(initial=0.0)) or 1.0
        x, y = np.rint(standard * (2.0**bits / largest)).T
        return np.column_stack((np.ones(len(rows)), x, y, x * x, y * y, x * y))


def _standard(rows: FloatArray) -> FloatArray:
    centred = centred_in_own_unit(rows)
    spread = np.sqrt((centred * centred).mean(axis=0))
    standard: FloatArray = centred / np.where(spread > 0, spread, 1.0)
    return standard


def _ranked(rows: FloatArray) -> FloatArray:
    return np.column_stack([average_ranks(column) for column in rows.T])


def pearson_of_sums(sums: FloatArray, _n: float) -> FloatArray:
    """Give Pearson's r of the sums of 1, x, y, xx, yy, xy."""
    n, x, y, xx, yy, xy = np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt(np.maximum(xx - x * x / n, 0.0)) * np.sqrt(np.maximum(yy - y * y / n, 0.0))
        r: FloatArray = np.where(spread > 0, (xy - x * y / n) / spread, np.nan)
    return r


def no_sums(_sums: FloatArray, _n: float) -> FloatArray:
    """Refuse sums: ranks depend on all items."""
    raise MethodError(
        "ranks depend on all items, so sums of statistics have no rank correlation.",
        fix="use method 'bootstrap' or 'permutation' on the sample itself.",
    )


def correlation_aggregate(name: str) -> Aggregate:
    """Give the aggregate of one of the three correlations."""
    return Aggregate(name, pearson_of_sums if name == "pearson" else no_sums, linear=False, whole=Correlation(name))


def _statistics(name: str, output: Numbers, gold: Numbers) -> ItemStatistics:
    values = read_number_pairs(output, gold)
    # An item that lacks one of the two numbers is missing as a whole.
    values[np.isnan(values).any(axis=1)] = np.nan
    return ItemStatistics(frozen(values), ("score", "gold"), correlation_aggregate(name), name)


@METRICS.register(
    "pearson",
    label="Pearson correlation with gold scores",
    task="correlation with human scores",
    higher_is_better=True,
    cite="Pearson 1896",
)
def pearson(output: Numbers, gold: Numbers) -> ItemStatistics:
    """How linearly do a system's scores follow the gold scores, from -1 to 1?

    Items hold two numbers, the system's and gold's: from lists, from files with one number per line, or from a column.
    An empty cell is a missing score. Only all items together have a correlation; an item's share in it is the product
    of its two standard scores. Not for scores with outliers or a curved relation: use spearman.
    """
    return _statistics("pearson", output, gold)


@METRICS.register(
    "spearman",
    label="Spearman rank correlation with gold scores",
    task="correlation with human scores",
    higher_is_better=True,
    cite="Spearman 1904",
)
def spearman(output: Numbers, gold: Numbers) -> ItemStatistics:
    """How well does a system rank the items as gold does, from -1 to 1?

    Pearson's correlation of the ranks, ties sharing the mean of theirs. Items as for pearson. Ranks depend on all
    items: resampling ranks every resample anew.
    """
    return _statistics("spearman", output, gold)


@METRICS.register(
    "kendall",
    label="Kendall tau-b with gold scores",
    task="correlation with human scores",
    higher_is_better=True,
    cite="Kendall 1945",
)
def kendall(output: Numbers, gold: Numbers) -> ItemStatistics:
    """Of two items, how much more often does a system order them as gold does than the other way round?

    tau-b, corrected for ties on either side. Items as for pearson.
    """
    return _statistics("kendall", output, gold)
