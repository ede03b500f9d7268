"""One score of an item from its runs: whether some of k are right, the best of k, a majority, a median.

The best of k is estimated without bias as the mean over all choices of k of the n runs that were made (Chen et al.
2021, eq. 1, for right or wrong), so that systems with different numbers of runs stay comparable. The share of right
runs put into 1-(1-p)^k is biased, and differently so at different n.
"""

from __future__ import annotations

import re
from dataclasses import replace
from math import comb

import numpy as np
import numpy.typing as npt

from nofluke.align.choose import where
from nofluke.align.datasets import named_only, part_of_rows
from nofluke.align.decimals import FLOAT_DIGITS
from nofluke.errors import Fix, InputError, Option, listing, named_as, unknown
from nofluke.option_groups import REDUCTIONS, ways_to_reduce
from nofluke.types import Axis, FloatArray, IntArray, Scores, frozen, note, sealed

_OF_K = re.compile(r"([a-z_]+)_([1-9]\d{0,5})")


def reduced(scores: Scores, how: str) -> Scores:
    """Give scores with one value for every item, made of its runs; "mean" leaves them as they are."""
    found = _OF_K.fullmatch(how)
    name, k = (found[1], int(found[2])) if found else (how, 0)
    if name not in REDUCTIONS or REDUCTIONS[name].takes_k != bool(k):
        raise unknown("way to reduce runs", how, ways_to_reduce())
    if how == "mean":
        return scores
    if scores.run is None:
        raise InputError(
            f"every item was run once, and {how} is about several runs.",
            where=where(scores),
            fix=Fix("leave out ", Option("reduce"), ", or name the column of runs: ", named_as(run="NAME"), "."),
        )
    scores = _part(scores, _of_single_scores(scores, how))
    first, runs, counts = _matrix(scores)
    wrong = _wrong(scores, how, (name, k), first, runs, counts)
    if len(wrong) == len(scores.datasets):
        raise next(iter(wrong.values()))
    if wrong:
        codes = [scores.dataset.code_of(dataset) for dataset in wrong]
        scores = _part(scores, ~np.isin(scores.dataset.codes, codes))
        scores = replace(scores, notes=(*scores.notes, note("read.not_reduced", how=how, datasets=tuple(wrong))))
        first, runs, counts = _matrix(scores)
    signs = _signs(scores, first)
    values = np.where(counts > 0, _value(name, k, runs, counts, signs), np.nan)

    def once(axis: Axis) -> Axis:
        return Axis(axis.labels, frozen(axis.codes[first], np.int64))

    return replace(
        scores,
        statistics=sealed(values[:, None]),
        item=once(scores.item),
        system=once(scores.system),
        dataset=once(scores.dataset),
        metric=once(scores.metric),
        run=None,
        cluster=None if scores.cluster is None else once(scores.cluster),
        digits=FLOAT_DIGITS,
        lines=None,
        checks=None if scores.checks is None else frozen(scores.checks[first], np.int64),
        status=None if scores.status is None else frozen(np.where(counts > 0, 0, scores.status[first]), np.int8),
        notes=(*scores.notes, note("read.reduced", how=how, low=int(counts.min()), high=int(counts.max()))),
        signatures={metric: f"{metric}|reduce:{how}" for metric in scores.metrics},
    )


def _of_single_scores(scores: Scores, how: str) -> npt.NDArray[np.bool_]:
    """Which rows are of metrics that score single items; refuse where there are none."""
    linear = [code for code, name in enumerate(scores.metrics) if scores.aggregates[name].linear]
    if not linear:
        raise InputError(
            f"{listing(scores.metrics)} is a score of all items together, of which a run has no {how}.",
            where=where(scores),
            fix=Fix("leave out ", Option("reduce"), "."),
        )
    return np.isin(scores.metric.codes, linear)


def _part(scores: Scores, rows: npt.NDArray[np.bool_]) -> Scores:
    """Keep these rows, and the datasets and metrics that they name."""
    if rows.all():
        return scores
    part = part_of_rows(scores, rows)
    metric = named_only(part.metric)
    primary = {dataset: name for dataset, name in part.primary.items() if name in metric.labels}
    # What is left are scores of single items, of one statistic each.
    return replace(part, statistics=frozen(part.statistics[:, :1]), metric=metric, primary=primary)


def _signs(scores: Scores, rows: IntArray) -> FloatArray:
    better = np.array([1.0 if scores.higher_is_better[name] else -1.0 for name in scores.metrics])
    signs: FloatArray = better[scores.metric.codes[rows]]
    return signs


def _matrix(scores: Scores) -> tuple[IntArray, FloatArray, IntArray]:
    """Give the first row of every item, the sorted scores of its runs (the best last, then nan), and their number.

    Scores of which lower ones are better have their sign turned, so that the best is the largest.
    """
    key = scores.key("system", "dataset", "metric", "item")
    _, first, codes = np.unique(key, return_index=True, return_inverse=True)
    # In the order in which items come first.
    order = np.argsort(first, kind="stable")
    codes, first = np.argsort(order, kind="stable")[codes], first[order]
    sizes = np.bincount(codes)
    rows = np.argsort(codes, kind="stable")
    column = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    runs = np.full((len(first), int(sizes.max())), np.nan)
    runs[codes[rows], column] = (scores.statistics[:, 0] * _signs(scores, np.arange(len(codes))))[rows]
    runs.sort(axis=1)
    return first.astype(np.int64), runs, (~np.isnan(runs)).sum(axis=1)


def _value(name: str, k: int, runs: FloatArray, counts: IntArray, signs: FloatArray) -> FloatArray:
    """Give the score of every item, on the scale of its runs: a vote for right is 0 where lower is better."""
    if name in ("majority", "at_least"):
        right = np.where(signs < 0, (runs == 0).sum(axis=1), (runs == 1).sum(axis=1))
        if name == "at_least":
            vote = (right >= k).astype(np.float64)
        else:
            vote = np.where(2 * right == counts, 0.5, (2 * right > counts).astype(np.float64))
        voted: FloatArray = np.where(signs < 0, 1.0 - vote, vote)
        return voted
    rows, last = np.arange(len(runs)), np.maximum(counts - 1, 0)
    if name == "median":
        found = (runs[rows, last // 2] + runs[rows, (last + 1) // 2]) / 2
    elif name == "max":
        found = runs[rows, last]
    else:
        found = np.nansum(runs * _shares(k, runs.shape[1], counts), axis=1)
    # No score is -0.
    own_sign: FloatArray = found * signs + 0.0
    return own_sign


def _shares(k: int, wide: int, counts: IntArray) -> FloatArray:
    """In which share of all choices of k runs each of the sorted runs is the best: the i-th in C(i-1, k-1) of them."""
    sizes, place = np.unique(counts, return_inverse=True)
    shares = np.zeros((len(sizes), wide))
    for row, n in zip(shares, sizes.tolist(), strict=True):
        every = comb(n, k)
        row[:n] = [comb(i, k - 1) / every for i in range(n)] if every else 0.0
    found: FloatArray = shares[place.ravel()]
    return found


def _wrong(
    scores: Scores, how: str, asked: tuple[str, int], first: IntArray, runs: FloatArray, counts: IntArray
) -> dict[str, InputError]:
    """Say of which datasets unlike things would be compared: scores not 0 or 1, too few runs, unequally many."""
    datasets, as_given = scores.dataset.codes[first], runs * _signs(scores, first)[:, None]
    found: dict[str, InputError] = {}
    for code, dataset in enumerate(scores.datasets):
        here = (datasets == code) & (counts > 0)
        if not here.any():
            continue
        error = _what_is_wrong(how, *asked, as_given[here], counts[here])
        if error is not None:
            error.where = where(scores)
            found[dataset] = error
    return found


def _what_is_wrong(how: str, name: str, k: int, runs: FloatArray, counts: IntArray) -> InputError | None:
    known, fewest, most = runs[~np.isnan(runs)], int(counts.min()), int(counts.max())
    if REDUCTIONS[name].right_or_wrong and not np.isin(known, (0.0, 1.0)).all():
        other = float(known[~np.isin(known, (0.0, 1.0))][0])
        return InputError(
            f"{how} is about runs that are right or wrong (1 or 0), and one scores {other:g}.",
            fix=Fix("use ", Option("reduce", "best_of_2"), ", mean or median."),
        )
    if k > fewest:
        fewer = int((counts < k).sum())
        return InputError(
            f"{how} needs {k:,} scored runs of every item, and {fewer:,} {'has' if fewer == 1 else 'have'} fewer.",
            fix=Fix(f"take at most {fewest:,}, or leave such items out: ", Option("missing_runs", "drop"), "."),
        )
    if REDUCTIONS[name].equally_many and fewest != most:
        return InputError(
            f"items have {fewest:,} to {most:,} scored runs, and {how} changes with their number.",
            fix=Fix("take the best of equally many: ", Option("reduce", f"best_of_{fewest}"), "."),
        )
    return None
