"""contents: what was read, counted."""

from __future__ import annotations

from collections import Counter

import numpy as np

from nofluke.align.checks import mismatched
from nofluke.align.datasets import noun_of
from nofluke.align.runs import most_runs
from nofluke.types import STATUSES, Contents, IntArray, Scores

# Notes whose facts stand in fields of their own.
_COUNTED = ("logs.not_scored", "logs.superseded")


def contents(scores: Scores) -> Contents:
    """What do these files hold?

    >>> import io, nofluke as nf
    >>> found = contents(nf.read(io.StringIO("item,A,B\\nq1,0.5,0.4\\nq2,0.7,0.9\\n")))
    >>> found.systems, found.items
    (('A', 'B'), 2)
    """
    pairs = scores.keys("dataset", "item") // len(scores.item.labels)
    sizes = np.bincount(pairs, minlength=len(scores.datasets))
    used = scores.keys("metric", "dataset") // len(scores.datasets)
    number = np.bincount(used, minlength=len(scores.metrics))
    notes = tuple(dict.fromkeys([*(one for source in scores.sources for one in source.notes), *scores.notes]))
    superseded = [log[2] for one in notes if one.code == "logs.superseded" for log in one["logs"]]
    return Contents(
        sources=tuple(source.name for source in scores.sources),
        formats=tuple(dict.fromkeys(source.format for source in scores.sources)),
        made_by=tuple(dict.fromkeys(one for source in scores.sources for one in source.made_by)),
        systems=scores.systems,
        datasets=scores.datasets if scores.datasets != ("",) else (),
        metrics=dict(zip(scores.metrics, number.tolist(), strict=True)),
        primary=dict(scores.primary),
        items=len(pairs),
        fewest=int(sizes.min()),
        most=int(sizes.max()),
        runs=0 if scores.run is None else most_runs(scores),
        clusters=0 if scores.cluster is None else len(scores.cluster.labels),
        not_scored=_not_scored(scores),
        superseded=tuple(dict.fromkeys(superseded)),
        mismatched=mismatched(scores),
        missing=_missing(scores, sizes) if scores.status is not None else {},
        noun=noun_of(scores),
        of_logs=scores.status is not None,
        notes=tuple(one for one in notes if one.code not in _COUNTED),
    )


def _missing(scores: Scores, sizes: IntArray) -> dict[str, dict[str, tuple[int, int]]]:
    """Count by dataset and system the items that only others have a record of, beside how many there are."""
    wide = len(scores.datasets)
    records = scores.keys("system", "dataset", "item") // len(scores.item.labels)
    there = np.bincount(records, minlength=len(scores.systems) * wide).reshape(-1, wide)
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for dataset, system in np.argwhere((there < sizes).T).tolist():
        lost = int(sizes[dataset] - there[system, dataset])
        found.setdefault(scores.datasets[dataset], {})[scores.systems[system]] = (lost, int(sizes[dataset]))
    return found


def _not_scored(scores: Scores) -> dict[str, dict[str, int]]:
    """Count by system the items (in a run) without a score, by the metric that a dataset is judged by, or by any."""
    missing = np.isnan(scores.statistics).any(axis=1)
    status: IntArray = np.asarray(missing if scores.status is None else scores.status, dtype=np.int64)
    judged = [scores.primary.get(name) for name in scores.datasets]
    wanted = np.array([-1 if name is None else scores.metric.code_of(name) for name in judged])[scores.dataset.codes]
    rows = np.flatnonzero((status > 0) & ((wanted < 0) | (wanted == scores.metric.codes)))
    runs = np.zeros_like(scores.item.codes) if scores.run is None else scores.run.codes
    axes: tuple[IntArray, ...] = (scores.system.codes, status, scores.dataset.codes, scores.item.codes, runs)
    each = np.unique(np.column_stack([codes[rows] for codes in axes]), axis=0)
    found: dict[str, dict[str, int]] = {}
    for (system, code), number in Counter(map(tuple, each[:, :2].tolist())).items():
        found.setdefault(scores.systems[system], {})[STATUSES[code]] = number
    return found
