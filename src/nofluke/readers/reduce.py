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
from nofluke.align.decimals import FLOAT_DIGITS
from nofluke.errors import Fix, InputError, Option, listing, unknown
from nofluke.types import Axis, FloatArray, IntArray, Scores, frozen, note, sealed

_NAMED = re.compile(r"(pass_at|best_of|at_least)_([1-9]\d{0,5})")
_NAMES = ("mean", "median", "max", "majority", "pass_at_K", "best_of_K", "at_least_K")
# These are about answers that are right or wrong.
_OF_RIGHT_AND_WRONG = ("pass_at", "at_least", "majority")
# With more runs the best is better, whatever the system.
_OF_EQUALLY_MANY = ("max", "at_least", "majority")


def reduced(scores: Scores, how: str) -> Scores:
    """Give scores with one value for every item, made of its runs; "mean" leaves them as they are."""
    found = _NAMED.fullmatch(how)
    name, k = (found[1], int(found[2])) if found else (how, 0)
    if not found and how not in _NAMES[:4]:
        raise unknown("way to reduce runs", how, _NAMES)
    if how == "mean":
        return scores
    if scores.run is None:
        raise InputError(
            f"every item was run once, and {how} is about several runs.",
            where=where(scores),
            fix=Fix(
                "leave out ", Option("reduce"), ", or name the column of runs: ", Option("columns", "run=NAME"), "."
            ),
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

    def kept(axis: Axis) -> Axis:
        return Axis(axis.labels, frozen(axis.codes[first], np.int64))

    return replace(
        scores,
        statistics=sealed(values[:, None]),
        item=kept(scores.item),
        system=kept(scores.system),
        dataset=kept(scores.dataset),
        metric=kept(scores.metric),
        run=None,
        cluster=None if scores.cluster is None else kept(scores.cluster),
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

    def kept(axis: Axis) -> Axis:
        codes, place = np.unique(axis.codes[rows], return_inverse=True)
        return Axis(tuple(axis.labels[code] for code in codes.tolist()), frozen(place, np.int64))

    datasets, metrics = kept(scores.dataset), kept(scores.metric)
    return replace(
        scores,
        statistics=frozen(scores.statistics[rows, :1]),
        item=Axis(scores.item.labels, frozen(scores.item.codes[rows], np.int64)),
        system=Axis(scores.system.labels, frozen(scores.system.codes[rows], np.int64)),
        dataset=datasets,
        metric=metrics,
        run=None if scores.run is None else kept(scores.run),
        cluster=None if scores.cluster is None else kept(scores.cluster),
        lines=None,
        primary={
            dataset: name
            for dataset, name in scores.primary.items()
            if name in metrics.labels and dataset in datasets.labels
        },
        checks=None if scores.checks is None else frozen(scores.checks[rows], np.int64),
        status=None if scores.status is None else frozen(scores.status[rows], np.int8),
    )


def _signs(scores: Scores, rows: IntArray) -> FloatArray:
    better = np.array([1.0 if scores.higher_is_better[name] else -1.0 for name in scores.metrics])
    signs: FloatArray = better[scores.metric.codes[rows]]
    return signs


def _matrix(scores: Scores) -> tuple[IntArray, FloatArray, IntArray]:
    """Give the first row of every item, the sorted scores of its runs (the best last, then nan), and their number.

    Scores of which lower ones are better have their sign turned, so that the best is the largest.
    """
    key = scores.system.codes
    for axis in (scores.dataset, scores.metric, scores.item):
        key = key * len(axis.labels) + axis.codes
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
        return np.where(signs < 0, 1.0 - vote, vote)
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
    if name in _OF_RIGHT_AND_WRONG and not np.isin(known, (0.0, 1.0)).all():
        other = float(known[~np.isin(known, (0.0, 1.0))][0])
        return InputError(
            f"{how} is about runs that are right or wrong (1 or 0), and one scores {other:g}.",
            fix=Fix("use ", Option("reduce", "best_of_2"), ", mean or median."),
        )
    if k > fewest:
        return InputError(
            f"{how} needs {k:,} scored runs of every item, and {int((counts < k).sum()):,} items have fewer.",
            fix=Fix(f"take at most {fewest:,}, or leave such items out: ", Option("missing_runs", "drop"), "."),
        )
    if name in _OF_EQUALLY_MANY and fewest != most:
        return InputError(
            f"items have {fewest:,} to {most:,} scored runs, and {how} changes with their number.",
            fix=Fix("take the best of equally many: ", Option("reduce", f"best_of_{fewest}"), "."),
        )
    return None
