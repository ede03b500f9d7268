"""Metrics whose logged values are no scores: pairs of texts or labels, log-likelihoods, lists; and how they add up.

A logged pair is never averaged. The score of all items is computed anew from parts that add up, by the metrics that
nofluke has, and compared with what the harness reports.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nofluke.errors import MissingExtra
from nofluke.readers.logs.reading import is_number
from nofluke.readers.logs.record import Measured, measured
from nofluke.registry import METRICS
from nofluke.types import MEAN, Aggregate, FloatArray, Note, Ratio, note

# Metrics of texts by the harness's name, as [reference, output].
TEXTS = {"bleu": "bleu", "chrf": "chrf", "ter": "ter", "chrf++": "chrf_plus_plus", "chrf_plus_plus": "chrf_plus_plus"}
LABELS = "mcc"
POSITIVE = "1"
# How a metric adds up whose log does not say it.
USUAL = {"word_perplexity": "weighted_perplexity", "byte_perplexity": "weighted_perplexity", "mcc": "matthews_corrcoef"}
_ROUNDING = 1e-6


def aggregate_of(kind: str, k: int, labels: Sequence[str] = ()) -> Aggregate:
    """Give the function from sums of parts to the score."""
    if kind == "mean":
        return MEAN
    if kind in FORMULAS:
        found = Aggregate(kind, FORMULAS[kind], linear=False)
    elif kind == "pooled":
        found = Aggregate(kind, _pooled, linear=False, ratio=Ratio((1, 0), (0, 1)))
    elif kind == "f1":
        found = METRICS["f1"].function([POSITIVE], [POSITIVE], positive=POSITIVE).aggregate
    elif kind == LABELS:
        found = METRICS[LABELS].function(list(labels), list(labels)).aggregate
    else:
        # TER counts the words of all references: how many there are stands behind the name, as in ter:2.
        name, _, references = kind.partition(":")
        found = METRICS[name].function(["x"], [["x"]] * int(references or 1)).aggregate
    # The name is all that is kept where scores are written: it gives the same function again.
    return replace(found, name=kind if kind != LABELS else f"{LABELS}:{json.dumps(list(labels))}", width=k)


def read_or_told(metric: str, dataset: str, read: Callable[[], Measured | None]) -> Measured | Note:
    """Give a metric as `read` gives it, or a note on why it is left out."""
    try:
        found = read()
    except MissingExtra:
        return note("logs.metric_left_out", metric=metric, dataset=dataset, why="extra", value="metrics")
    return note("logs.metric_left_out", metric=metric, dataset=dataset, why="") if found is None else found


def of_logged(way: str, values: Sequence[Any], **facts: Any) -> Measured | None:
    """Give the parts of values as harnesses log them, by the way in which they add up; None where they cannot be read.

    Numbers are scores, but for log-likelihoods; NaN and Infinity stand where a score could not be computed.
    """
    values = [None if isinstance(value, float) and not math.isfinite(value) else value for value in values]
    if all(value is None or is_number(value) for value in values):
        return measured(values, kind="perplexity" if way == "perplexity" else "mean", **facts)
    if way in TEXTS:
        return of_texts(way, values, **facts)
    if way in ("f1", "matthews_corrcoef"):
        return of_labels("f1" if way == "f1" else LABELS, values, **facts)
    if way in ("weighted_perplexity", "bits_per_byte"):
        return of_likelihoods(way, values, **facts)
    if way == "brier_score":
        return of_brier(values, **facts)
    return of_lists(values, **facts)


def of_texts(name: str, pairs: Sequence[Any], **facts: Any) -> Measured | None:
    """Give the statistics of [reference or references, output] pairs; None where a pair is something else.

    A row of None is not scored.
    """
    texts = [_texts(pair) for pair in pairs if pair is not None]
    numbers = {len(references) for references, _ in filter(None, texts)}
    if not texts or None in texts or len(numbers) != 1:
        return None
    found = [pair for pair in texts if pair is not None]
    references = [list(column) for column in zip(*(pair[0] for pair in found), strict=True)]
    values = METRICS[TEXTS[name]].function([pair[1] for pair in found], references).values
    rows = iter(values.tolist())
    filled = [None if pair is None else next(rows) for pair in pairs]
    kind = TEXTS[name] + (f":{len(references)}" if len(references) > 1 else "")
    return measured(filled, kind=kind, width=values.shape[1], **facts)


def _texts(pair: Any) -> tuple[list[str], str] | None:
    if not isinstance(pair, list) or len(pair) != 2:
        return None
    references, output = pair
    output = output[0] if isinstance(output, list) and len(output) == 1 else output
    references = references if isinstance(references, list) else [references]
    if not isinstance(output, str) or not references or not all(isinstance(one, str) for one in references):
        return None
    return references, output


def of_labels(kind: str, pairs: Sequence[Any], **facts: Any) -> Measured | None:
    """Give the counts of [gold, predicted] labels: of the positive label (f1), or numbered labels (mcc)."""
    found = [pair for pair in pairs if pair is not None]
    if not found or not all(isinstance(pair, list) and len(pair) == 2 and all(map(_is_label, pair)) for pair in found):
        return None
    named = [None if pair is None else tuple(map(_label, pair)) for pair in pairs]
    if kind == "f1":
        rows: list[Any] = [
            None if pair is None else (pair == (POSITIVE, POSITIVE), pair[1] == POSITIVE, pair[0] == POSITIVE)
            for pair in named
        ]
        return measured(rows, kind=kind, width=3, **facts)
    labels = tuple(sorted({label for pair in named if pair is not None for label in pair}))
    code = {label: number for number, label in enumerate(labels)}
    rows = [None if pair is None else (code[pair[0]], code[pair[1]]) for pair in named]
    return measured(rows, kind=LABELS, width=2, labels=labels, **facts)


def _is_label(value: Any) -> bool:
    return isinstance(value, str | bool | int) or (isinstance(value, float) and value.is_integer())


def _label(value: Any) -> str:
    return value if isinstance(value, str) else str(int(value))


def of_likelihoods(kind: str, pairs: Sequence[Any], **facts: Any) -> Measured | None:
    """Give the parts of [log-likelihood, length] pairs."""
    found = [pair for pair in pairs if pair is not None]
    if not found or not all(isinstance(pair, list) and len(pair) == 2 and all(map(is_number, pair)) for pair in found):
        return None
    return measured(pairs, kind=kind, width=2, **facts)


def of_lists(values: Sequence[Any], **facts: Any) -> Measured | None:
    """Give sum and number of the entries of lists, which are pooled over items."""
    found = [value for value in values if value is not None]
    if not found or not all(isinstance(value, list) and all(map(is_number, value)) for value in found):
        return None
    try:
        rows = [None if value is None else (math.fsum(value), len(value)) for value in values]
    except OverflowError:
        return None
    whole = all(row is None or row[0].is_integer() for row in rows)
    return measured(rows, kind="pooled" if whole else "pooled_real", width=2, **facts)


def of_brier(pairs: Sequence[Any], **facts: Any) -> Measured | None:
    """Give the squared error of [gold, probabilities] pairs; None where an array was printed with gaps (...).

    A row whose probabilities are not known (NaN) is not scored.
    """
    rows: list[float | None] = []
    for pair in pairs:
        if pair is None:
            rows.append(None)
            continue
        if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], int):
            return None
        chances = pair[1] if isinstance(pair[1], list) else _printed(str(pair[1]))
        if chances is None or not 0 <= pair[0] < len(chances) or not all(map(_may_be_chance, chances)):
            return None
        if any(map(math.isnan, chances)):
            rows.append(None)
            continue
        rows.append(math.fsum((chance - (place == pair[0])) ** 2 for place, chance in enumerate(chances)))
    return measured(rows, **facts)


def _may_be_chance(value: Any) -> bool:
    """Whether a value is a probability, give or take what rounding adds, or not known."""
    return isinstance(value, int | float) and (value != value or -_ROUNDING <= value <= 1 + _ROUNDING)


def _printed(text: str) -> list[float] | None:
    """Read an array as numpy prints it."""
    try:
        return [float(word) for word in text.strip().strip("[]").split()]
    except ValueError:
        return None


def with_labels(columns: Sequence[Measured]) -> tuple[list[FloatArray], Sequence[str]]:
    """Give the counts of numbered labels of all logs, which have their labels in common, and these labels."""
    scored = [~np.isnan(column.parts).any(axis=1) for column in columns]
    pairs = [
        (column.labels[int(gold)], column.labels[int(guess)])
        for column, rows in zip(columns, scored, strict=True)
        for gold, guess in column.parts[rows].tolist()
    ]
    counts = METRICS[LABELS].function([guess for _, guess in pairs], [gold for gold, _ in pairs]).values
    found, start = [], 0
    for column, rows in zip(columns, scored, strict=True):
        own = np.full((len(column.parts), counts.shape[1]), np.nan)
        own[rows] = counts[start : start + int(rows.sum())]
        start += int(rows.sum())
        found.append(own)
    return found, sorted({gold for gold, _ in pairs})


def _pooled(sums: FloatArray, _n: float) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(sums[..., 1] == 0, np.nan, sums[..., 0] / sums[..., 1])


def _perplexity(sums: FloatArray, n: float) -> FloatArray:
    return np.exp(-sums[..., 0] / n)


def _weighted_perplexity(sums: FloatArray, n: float) -> FloatArray:
    return np.exp(-_pooled(sums, n))


def _bits_per_byte(sums: FloatArray, n: float) -> FloatArray:
    return -_pooled(sums, n) / math.log(2)


FORMULAS = {
    "perplexity": _perplexity,
    "weighted_perplexity": _weighted_perplexity,
    "bits_per_byte": _bits_per_byte,
    "pooled_real": _pooled,
}
