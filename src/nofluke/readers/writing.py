"""Scores as a table that `read` takes back, and cells that no spreadsheet runs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import numpy as np

from nofluke.readers.numbers import parse_number
from nofluke.types import Axis, FloatArray, Scores

# A spreadsheet takes a cell that begins with one of these for a formula, also with the wide letters of East Asian text.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def safe_cell(text: str) -> str:
    """Give a text as a cell that is shown and never run: an apostrophe stands before a formula; numbers stay numbers.

    >>> [safe_cell(text) for text in ("=1+1", "-0.5", "-x", "new")]
    ["'=1+1", '-0.5', "'-x", 'new']
    """
    return f"'{text}" if text.startswith(_FORMULA) and parse_number(text.strip()) is None else text


def scores_csv(scores: Scores) -> str:
    """Write one line per score: item, system, and whatever else tells scores apart, with the item's own score.

    `read` takes the table of a mean back without loss (a name that a spreadsheet would run gets an apostrophe). For a
    corpus metric, whose score is not the mean of its items', the counts of the item follow in the order of its formula.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    axes = dict(_axes(scores))
    width = scores.statistics.shape[1]
    single, table = _own_scores(scores), scores.statistics
    figures = ["score"] if width == 1 else [f"statistic {place + 1}" for place in range(width)]
    if single is not None and width > 1:
        figures, table = ["score", *figures], np.column_stack([single, table])
    writer.writerow([*axes, *figures])
    for row, values in enumerate(table.tolist()):
        labels = [safe_cell(axis.labels[axis.codes[row]]) for axis in axes.values()]
        writer.writerow([*labels, *("" if value != value else repr(value) for value in values)])
    return file.getvalue()


def _own_scores(scores: Scores) -> FloatArray | None:
    """The metric of every item alone; None where single items have none, as for correlations."""
    if any(aggregate.whole is not None for aggregate in scores.aggregates.values()):
        return None
    found = np.full(len(scores.statistics), np.nan)
    for code, metric in enumerate(scores.metric.labels):
        rows = scores.metric.codes == code
        with np.errstate(all="ignore"):
            found[rows] = scores.aggregates[metric](scores.statistics[rows], 1.0)
    return found


def _axes(scores: Scores) -> Iterator[tuple[str, Axis]]:
    """The columns in the order of the table; a dataset or metric without a name is left out."""
    yield "item", scores.item
    yield "system", scores.system
    for name, axis in (("dataset", scores.dataset), ("metric", scores.metric)):
        if axis.labels not in (("",), ("score",)):
            yield name, axis
    for name, other in (("run", scores.run), ("cluster", scores.cluster)):
        if other is not None:
            yield name, other
