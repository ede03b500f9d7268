"""Two systems on a corpus metric: are both defined? Oriented statistics, their difference and its standard error."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from nofluke.align import cluster_totals, find_grid
from nofluke.align.decimals import TEXT_DIGITS
from nofluke.engine.black_box import Corpora
from nofluke.engine.correlation import centred_in_own_unit
from nofluke.errors import Fix, MethodError, Verb
from nofluke.inference.resampling.tangents import gradients
from nofluke.types import Aggregate, FloatArray, IntArray, Note, Sample, Whole, note

_USELESS = "leave the system out, or give outputs on which {metric} is defined."
# Groups that the jackknife of a score of all items leaves out one at a time; more cost time and change little.
_GROUPS = 200
# Bits of sums that had to be rounded; for ratios those of sums of squares, with room for the weights.
_BITS = 40
_SQUARE_BITS = 46
# Kurtosis of normal numbers is 3, of exponential ones 9; above this, sizes in docs/decisions/correlations.md leave .05.
_LONG = 6.0


def refuse_undefined(sample: Sample, *, where: str = "") -> None:
    """Refuse systems whose score on all items is no finite number; means of scores always have one."""
    if sample.aggregate.linear:
        return
    for index, name in enumerate(sample.systems):
        with np.errstate(all="ignore"):
            score = sample.score(index)
        if not math.isfinite(score):
            reason, fix = _why(sample, index, score)
            raise MethodError(f"{name} has no {sample.metric}: {reason}.", where=where, fix=fix)


def not_drawn(sample: Sample) -> MethodError:
    """Say that test sets are not drawn for a score that no sums of items determine."""
    return MethodError(
        f"{sample.metric} is a score of all items together, for which test sets cannot be drawn here.",
        fix=Fix(
            "use a metric with a score or counts for every item. ", Verb("compare"), " says what these items reveal."
        ),
    )


def _why(sample: Sample, index: int, score: float) -> tuple[str, str]:
    """Say what leaves the score undefined, and what to do about it."""
    aggregate, items = sample.aggregate, "item" if sample.n == 1 else f"{sample.n:,} items"
    found = "infinite" if math.isinf(score) else "no number"
    if aggregate.whole is not None and aggregate.whole.kind == "black box":
        return f"your function gives {score} for its {items}", "let it give a finite number for all items together."
    if aggregate.whole is not None:
        return "its scores, or those of gold, do not vary", "give scores that differ between items."
    fix = _USELESS.format(metric=sample.metric)
    if aggregate.ratio is not None and not np.any(sample.of(index) @ np.array(aggregate.ratio.denominator, np.float64)):
        return f"what it is divided by is 0 on every one of its {items}", fix
    return f"computed from its {items} it is {found}", fix


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Statistics (units, 2, k), ordered so that the first minus the second score is positive when A is better.

    Units are items, or clusters whose items' statistics are added up. Where no sums determine the score, `corpora` has
    the items themselves. `observed` is the difference of the scores as they are, where statistics had to be rounded.
    Of an average of datasets, whose statistics stand in blocks, `homes` counts the items of every unit in each dataset.
    """

    statistics: FloatArray
    aggregate: Aggregate
    observed: float
    corpora: Corpora | None = None
    homes: FloatArray | None = None

    @property
    def units(self) -> int:
        """How many units there are to draw or to swap."""
        return len(self.statistics) if self.corpora is None else self.corpora.number

    @property
    def is_whole(self) -> bool:
        """Whether only all items together have a score; a tangent of it (of Pearson's r) is a poor stand-in."""
        return self.aggregate.whole is not None

    @property
    def identical(self) -> bool:
        """Whether both systems have the same statistics on every unit."""
        return not np.any(self.statistics[:, 0] != self.statistics[:, 1])

    @property
    def difference(self) -> float:
        """The difference of the two scores, positive when A is better, as the statistics give it."""
        if self.corpora is not None:
            return self.observed
        sums, n = self.statistics.sum(axis=0), float(len(self.statistics))
        return float(self.aggregate(sums[0], n) - self.aggregate(sums[1], n))

    def in_order(self) -> Corpus:
        """The same units in an order that is theirs alone, so that draws depend neither on that of the data nor on
        who is called A. Scores of all items together keep their items' order, which they may look at.

        By the sums of A and B, by their differences seen from the side that leads in the first of them, and by which
        side that is; so only equal units are left in the order in which they came.
        """
        if self.corpora is not None:
            return self
        sums, gaps = self.statistics.sum(axis=1), self.statistics[:, 0] - self.statistics[:, 1]
        first = np.argmax(gaps != 0, axis=1)
        leads = np.sign(gaps[np.arange(len(gaps)), first])
        keys = (*sums.T, *(gaps * leads[:, None]).T, leads * np.sign(self.difference))
        order = np.lexsort(keys[::-1])
        homes = None if self.homes is None else self.homes[order]
        return replace(self, statistics=self.statistics[order], homes=homes)

    def columns(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Numerators of both and denominators of both, for a ratio metric."""
        ratio = self.aggregate.ratio
        if ratio is None:
            raise MethodError(f"{self.aggregate.name} is not a ratio of sums.", fix="use form 'raw' for other metrics.")
        over, under = np.array(ratio.numerator, np.float64), np.array(ratio.denominator, np.float64)
        num, den = np.rint(self.statistics @ over), np.rint(self.statistics @ under)
        parts = (num[:, 0], num[:, 1], den[:, 0], den[:, 1])
        first, second, third, fourth = (part.astype(np.int64) for part in parts)
        return first, second, third, fourth

    def standard_error(self) -> float:
        """The standard error of the difference: by the delta method, or by the jackknife where there are no sums."""
        if self.corpora is not None:
            return _jackknife(self.corpora)
        n = len(self.statistics)
        sums = self.statistics.sum(axis=0)
        if self.homes is not None:
            return _error_of_average(self, self.homes, sums)
        influence = np.zeros(n)
        for system, sign in ((0, 1.0), (1, -1.0)):
            slopes = gradients(self.aggregate, sums[system], float(n))
            influence += sign * (self.statistics[:, system] - sums[system] / n) @ slopes
        return math.sqrt(n / (n - 1) * float(influence @ influence)) if n > 1 else math.nan


def corpus_of(sample: Sample) -> Corpus:
    """Give the statistics of A and B, cluster by cluster where there are clusters, in the order that A better is up."""
    if len(sample.systems) != 2 or not sample.paired:
        raise MethodError("two systems on the same items are compared.", fix="choose two with scores.pair(a, b).")
    refuse_undefined(sample)
    # Where lower is better B stands first, so that a positive difference always means that A is better.
    statistics = sample.statistics if sample.higher_is_better else sample.statistics[:, ::-1]
    scores = [sample.aggregate.score(statistics[:, system]) for system in (0, 1)]
    observed = scores[0] - scores[1]
    whole = sample.aggregate.whole
    if whole is not None:
        summed = [whole.sums(statistics[:, system]) for system in (0, 1)]
        if summed[0] is None or summed[1] is None:
            return _whole_corpus(sample, statistics, whole, observed)
        statistics = np.stack((summed[0], summed[1]), axis=1)
    statistics, aggregate = in_whole_numbers(statistics, sample.aggregate)
    homes = _homes(sample)
    if sample.clusters is not None:
        width = statistics.shape[2]
        statistics = _by_cluster(statistics.reshape(len(statistics), -1), sample.clusters).reshape(-1, 2, width)
        homes = None if homes is None else _by_cluster(homes, sample.clusters)
    return Corpus(statistics, aggregate, observed, homes=homes)


def _homes(sample: Sample) -> FloatArray | None:
    """Say of every item in which dataset of an average it is; None where there is one score of all."""
    strata = sample.strata
    if strata is None or strata.pooled:
        return None
    homes = np.zeros((sample.n, len(strata.names)))
    homes[np.arange(sample.n), strata.codes] = 1.0
    return homes


def _by_cluster(table: FloatArray, clusters: IntArray) -> FloatArray:
    columns = [cluster_totals(np.ascontiguousarray(table[:, j]), clusters)[0] for j in range(table.shape[1])]
    return np.stack(columns, axis=1)


def _error_of_average(corpus: Corpus, homes: FloatArray, sums: FloatArray) -> float:
    """Items vary within their dataset, so influences are taken from its mean; clusters add up those of their items."""
    units, number = homes.shape
    sizes, pull = homes.sum(axis=0), np.zeros(units)
    for system, sign in ((0, 1.0), (1, -1.0)):
        slope = gradients(corpus.aggregate, sums[system], float(units))
        means = (sums[system] * slope).reshape(number, -1).sum(axis=1) / sizes
        pull += sign * (corpus.statistics[:, system] @ slope - homes @ means)
    if np.array_equal(homes.sum(axis=1), np.ones(units)):
        # Every unit is one item: the variance within each dataset has its own degrees of freedom.
        return math.sqrt(float(pull**2 @ (homes @ (sizes / np.maximum(sizes - 1, 1)))))
    return math.sqrt(units / (units - 1) * float(pull @ pull)) if units > 1 else math.nan


def in_whole_numbers(statistics: FloatArray, aggregate: Aggregate) -> tuple[FloatArray, Aggregate]:
    """Give statistics that are not whole (weights, a user's own) in steps of a power of ten, or else of two.

    Sums are then exact, and do not depend on their order. A ratio of sums stays what it is; any other function gets its
    sums back in the old units.
    """
    if np.array_equal(statistics, np.rint(statistics)):
        return statistics, aggregate
    grid = find_grid(statistics, TEXT_DIGITS)
    largest, size = math.log2(float(np.abs(statistics).max())), math.log2(len(statistics))
    most = (_SQUARE_BITS - size) / 2 - largest if aggregate.ratio is not None else _BITS - size - largest
    scale = grid.per_unit
    if not grid.exact or math.log2(scale) > most:
        scale = 2.0 ** math.floor(most)
    if aggregate.ratio is not None:
        return np.rint(statistics * scale), aggregate

    def function(sums: FloatArray, n: float) -> FloatArray:
        return aggregate(sums / scale, n)

    return np.rint(statistics * scale), replace(aggregate, function=function)


def _whole_corpus(sample: Sample, statistics: FloatArray, whole: Whole, observed: float) -> Corpus:
    """Items stay items: where there are clusters, the engine draws or swaps their items together."""
    rows = np.stack([whole.common_scale(statistics[:, system]) for system in (0, 1)], axis=1)
    units = None if sample.clusters is None else np.unique(sample.clusters, return_inverse=True)[1].astype(np.int64)
    return Corpus(rows, sample.aggregate, observed, Corpora(rows, whole, units))


def _jackknife(corpora: Corpora) -> float:
    """Leave out one group of units at a time; every unit is its own group where there are few."""
    number = corpora.number
    groups = min(number, _GROUPS)
    if groups < 2:
        return math.nan
    left_out = np.arange(number)[None, :] % groups == np.arange(groups)[:, None]
    counts = corpora.of_items(1.0 - left_out.astype(np.float64))
    first, second = (scorer(counts) for scorer in corpora.scorers())
    spread = first - second - np.mean(first - second)
    return math.sqrt((groups - 1) / groups * float(spread @ spread))


def long_tails_notes(sample: Sample) -> tuple[Note, ...]:
    """Warn of long tails where the metric is Pearson's correlation; ranks have none."""
    if sample.aggregate.whole is None or sample.aggregate.name != "pearson":
        return ()
    columns = {name: sample.of(index)[:, 0] for index, name in enumerate(sample.systems)}
    columns["gold"] = sample.of(0)[:, 1]
    sizes = {name: kurtosis(column) for name, column in columns.items()}
    long = {name: size for name, size in sizes.items() if size > _LONG}
    return (note("test.long_tails", names=tuple(long), kurtosis=tuple(long.values())),) if long else ()


def kurtosis(column: np.ndarray) -> float:
    """Give the mean fourth power of standard scores; nan without spread.

    >>> kurtosis(np.array([-1.0, 1.0, -1.0, 1.0]))
    1.0
    """
    squares = centred_in_own_unit(column[:, None])[:, 0] ** 2
    mean = float(squares.mean())
    return float((squares**2).mean()) / mean**2 if mean else float("nan")
