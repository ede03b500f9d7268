"""Numbers of items: lists, one number per line, or a column of a CSV or TSV file; an empty cell is missing."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from nofluke.errors import InputError
from nofluke.metrics.formats.labels import Labels, matched_labels, read_labels
from nofluke.metrics.texts import Texts, refuse_files
from nofluke.types import FloatArray

Numbers: TypeAlias = Texts | Sequence[float] | Any


def read_number_pairs(
    output: Numbers, gold: Numbers, column: str | None, gold_column: str | None
) -> tuple[FloatArray, tuple[str, ...] | None, tuple[str, ...]]:
    """Give the (n, 2) numbers of an output and gold, item by item (by id where both have ids), ids and notes.

    An item without an output has nan.
    """
    ours, truth = _labels(output, column, "output"), _labels(gold, gold_column, "gold")
    # The last place holds the missing number.
    x, y = np.append(_numbers(ours), math.nan), _numbers(truth)
    matched, ids = matched_labels(_numbered(ours), truth)
    order = [-1 if position is None else int(position) for position in matched]
    return np.column_stack((x[order], y)), ids, ours.notes + truth.notes


def _labels(source: Numbers, column: str | None, name: str) -> Labels:
    if isinstance(source, str | os.PathLike):
        return read_labels(source, column, name, empty=True)
    listed = source.tolist() if hasattr(source, "tolist") else list(source)
    refuse_files(listed, name)
    texts = [one if isinstance(one, str) else _text(one, name, index) for index, one in enumerate(listed)]
    return read_labels(texts, column, name, empty=True)


def _text(value: Any, name: str, index: int) -> str:
    """Write a number as it prints; None and nan are missing."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    try:
        return repr(float(value))
    except (TypeError, ValueError):
        raise InputError(
            f"{value!r} is not a number.", where=f"{name}[{index}]", fix="give one number for each item."
        ) from None


def _numbers(labels: Labels) -> FloatArray:
    numbers = np.full(len(labels.labels), math.nan)
    for item, text in enumerate(labels.labels):
        if not text:
            continue
        with contextlib.suppress(ValueError):
            numbers[item] = float(text)
        if not math.isfinite(numbers[item]):
            raise InputError(
                f"{text!r} is not a number.",
                where=labels.where(item),
                fix="give one number for each item; leave the cell empty where there is none.",
            )
    return numbers


def _numbered(labels: Labels) -> Labels:
    """Give the same items with their positions as labels, so that matching by id says where each number went."""
    return Labels(labels.source, tuple(map(str, range(len(labels.labels)))), labels.lines, labels.ids)
