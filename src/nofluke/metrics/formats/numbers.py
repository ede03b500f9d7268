"""Numbers of items: lists, or one number per line or cell; an empty one is missing."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from nofluke.errors import InputError
from nofluke.metrics.formats.labels import Labels, read_labels, require_as_many
from nofluke.metrics.texts import Lines, Texts, refuse_files
from nofluke.types import FloatArray

Numbers: TypeAlias = Texts | Sequence[float] | Any


def read_number_pairs(output: Numbers, gold: Numbers) -> FloatArray:
    """Give the (n, 2) numbers of an output and gold, item by item; an item without a number has nan."""
    ours, truth = _labels(output, "output"), _labels(gold, "gold")
    require_as_many(ours, truth)
    return np.column_stack((_numbers(ours), _numbers(truth)))


def _labels(source: Numbers, name: str) -> Labels:
    if isinstance(source, str | os.PathLike | Lines):
        return read_labels(source, name, empty=True)
    listed = source.tolist() if hasattr(source, "tolist") else list(source)
    refuse_files(listed, name)
    texts = [one if isinstance(one, str) else _text(one, name, index) for index, one in enumerate(listed)]
    return read_labels(texts, name, empty=True)


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
